"""Information-set Monte-Carlo tree search, for games with hidden information, with or without dice, and any seat count.

Every visit starts from a different state that fits what the seat may know (`game.resample`); the true state is never
used. Statistics are kept per seat and information set, not per state. The searching seat is keyed by its own view, so
that it cannot plan as if it saw hidden cards; the other seats are keyed by the public view, so that they do not react
to secret choices, as they would in a single tree seen by the searching seat. The other seats' hands are not
distinguished, because each hand would come up too rarely to learn from. Instead, a step is judged by how often it was
available.
"""

from __future__ import annotations

import hashlib
import json
from random import Random
from typing import Any

from realmtable.engine.bots import non_proposal_moves
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import CHANCE, AnyGame, Move, Seat, State
from realmtable.search.mcts_policies import (
    DEFAULT_CONFIG,
    SearchConfig,
    SearchUsage,
    StepStats,
    Values,
    count_seats,
    final_values,
    sample_chance,
)
from realmtable.search.search_result import SearchLimits, limit_search

MAX_DEPTH = 500  # steps down the trees; a longer path means the game is cycling


class Arm:
    """The statistics of a step in an information set."""

    __slots__ = ("available", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0  # how often the step was legal
        self.total = 0.0  # sum of the values for the seat that takes it


Arms = dict[Any, Arm]  # by step


def view_key(game: AnyGame, state: State, acting: Seat, searching: Seat) -> bytes:
    """Hash the searching seat's view for its own choices, and the spectators' view for those of other seats."""
    view = game.view(state, searching if acting == searching else None)
    text = json.dumps([acting, view], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


class _InfoSetSearch:
    """A running search: the statistics of every seat."""

    def __init__(self, game: AnyGame, seat: Seat, config: SearchConfig, rng: Random) -> None:
        self.game = game
        self.seat = seat
        self.config = config
        self.rng = rng
        self.seats = 0  # counted at the first visit
        self.first: Arms = {}  # the choice being searched
        self.later: dict[bytes, Arms] = {}

    def visit(self, state: State) -> None:
        """Visit a state once: go down known steps, evaluate the first new one, and propagate the value back up."""
        self.seats = self.seats or count_seats(self.game, state, self.rng)
        path: list[tuple[Seat, Arm]] = []
        new = False
        while not new and len(path) < MAX_DEPTH and (acting := self.game.to_move(state)):
            if acting == (CHANCE,):
                state = self.game.play(state, CHANCE, sample_chance(self.game, state, self.rng))
                continue
            seat = acting[0] if path else self.seat
            arms = self._arms(state, seat) if path else self.first
            move = self._select_move(arms, state, seat)
            path.append((seat, arms[move]))
            new = not arms[move].visits
            state = self.game.play(state, seat, move)
        self._back_up(path, final_values(self.game, state) or self._evaluate(state))

    def _arms(self, state: State, seat: Seat) -> Arms:
        return self.later.setdefault(view_key(self.game, state, seat, self.seat), {})

    def _select_move(self, arms: Arms, state: State, seat: Seat) -> Move:
        """Select the step to visit among those the state allows."""
        steps = self.config.expand(self.game, state, seat, self.rng)
        known = sum(arms[move].visits for move in steps if move in arms)
        total = sum(arms[move].total for move in steps if move in arms)
        mean = total / known if known else 0.5
        choices = []
        for move in steps:
            arm = arms.setdefault(move, Arm())
            arm.available += 1
            value = arm.total / arm.visits if arm.visits else mean
            choices.append((move, StepStats(value, arm.visits, arm.available)))
        return max(choices, key=lambda choice: self.config.select(choice[1]))[0]

    def _evaluate(self, state: State) -> Values:
        return self.config.evaluate(self.game, state, self.seats, self.config.policy, self.rng)

    @staticmethod
    def _back_up(path: list[tuple[Seat, Arm]], values: Values) -> None:
        for seat, arm in path:
            arm.visits += 1
            arm.total += values[seat]


def search(
    game: AnyGame,
    state: State,
    seat: Seat,
    *,
    limits: SearchLimits,
    rng: Random,
    config: SearchConfig = DEFAULT_CONFIG,
) -> dict[Any, StepStats]:
    """Search a seat's steps and return their statistics, most visited first; at least one node is searched.

    A node is one visit to one state that fits what the seat may know; nothing else of `state` is used.
    """
    start = config.clock()
    forest = _InfoSetSearch(game, seat, config, rng)
    spent = SearchUsage(0, 0.0)
    while spent.nodes == 0 or config.should_continue(limits, spent):
        sample = game.resample(state, seat, rng)
        if seat not in game.to_move(sample):
            raise BadInput("It is not this seat's turn; there is nothing to decide.")
        forest.visit(sample)
        spent = SearchUsage(spent.nodes + 1, config.clock() - start)
    arms = sorted(forest.first.items(), key=lambda item: -item[1].visits)
    return {move: StepStats(arm.total / arm.visits, arm.visits, arm.available) for move, arm in arms if arm.visits}


class IsMctsBot:
    """Plays the step that an information-set search visited most."""

    name = "ismcts"

    def __init__(
        self, nodes: int | None = None, seconds: float | None = None, config: SearchConfig = DEFAULT_CONFIG
    ) -> None:
        self.limits = limit_search(nodes, seconds)
        self.config = config

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        """Return the best step found; a forced step needs no search."""
        moves = non_proposal_moves(game, game.resample(state, seat, rng), seat)
        if len(moves) == 1:
            return moves[0]
        known = search(game, state, seat, limits=self.limits, rng=rng, config=self.config)
        return max(known.items(), key=lambda item: (item[1].visits, item[1].value))[0]
