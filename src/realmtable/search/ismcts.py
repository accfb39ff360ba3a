"""Information-set Monte-Carlo tree search: for games with secrets, with dice or without, for any number of seats.

Every look begins in another state that fits what the seat may know (`game.resample`); the true one is never looked at.
What is learned is kept for each seat apart, by what it knows, not by the state: the searching seat by its own view, so
that it cannot plan as if it saw through the cards; the others by the public view, so that they do not answer a
choice that was made in secret. (With one tree for all, as seen by the searching seat, they would.) The others' own
hands are not told apart: each hand would be met too seldom to learn from. Instead a step is judged by the times it
was available, not by those it could not be taken.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from random import Random
from typing import Any

from realmtable.engine.bots import non_proposal_moves
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import CHANCE, AnyGame, Seat
from realmtable.search.mcts_config import (
    SearchConfig,
    SearchUsage,
    StepStats,
    Values,
    count_seats,
    final_values,
    sample_chance,
)
from realmtable.search.result import SearchLimits

DEFAULT_NODES = 400
MAX_DEPTH = 500  # steps down the trees; beyond it a game goes round in circles
DEFAULT_CONFIG = SearchConfig()

InfoSetKey = Callable[
    [AnyGame, Any, Seat, Seat], bytes
]  # what the acting seat knows in a search by another, told apart


class Arm:
    """A step that a seat may take when it knows something."""

    __slots__ = ("available", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0  # how often it could have been taken
        self.total = 0.0  # for the seat that takes it


Arms = dict[Any, Arm]  # by step


def view_key(game: AnyGame, state: Any, acting: Seat, searching: Seat) -> bytes:  # noqa: ANN401 - the game's own
    """The view of the searching seat for its own choices, the spectators' for those of the others."""
    view = game.view(state, searching if acting == searching else None)
    text = json.dumps([acting, view], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


class _InfoSetSearch:
    """One search under way: what every seat has learned."""

    def __init__(self, game: AnyGame, seat: Seat, config: SearchConfig, know: InfoSetKey, rng: Random) -> None:
        self.game = game
        self.seat = seat
        self.config = config
        self.info_set_key = know
        self.rng = rng
        self.seats = 0  # told by the first state
        self.first: Arms = {}  # of the choice that is asked for
        self.later: dict[bytes, Arms] = {}

    def visit(self, state: Any) -> None:  # noqa: ANN401 - the game's own
        """Look once at a state that fits what is known: down as long as steps are known, a value, and back up."""
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

    def _arms(self, state: Any, seat: Seat) -> Arms:  # noqa: ANN401 - the game's own
        return self.later.setdefault(self.info_set_key(self.game, state, seat, self.seat), {})

    def _select_move(self, arms: Arms, state: Any, seat: Seat) -> Any:  # noqa: ANN401 - the game's own
        """The step to look at, of those the state allows."""
        steps = self.config.expand(self.game, state, seat, self.rng)
        known = sum(arms[move].visits for move, _ in steps if move in arms)
        total = sum(arms[move].total for move, _ in steps if move in arms)
        mean = total / known if known else 0.5
        choices = []
        for move, prior in steps:
            arm = arms.setdefault(move, Arm())
            arm.available += 1
            value = arm.total / arm.visits if arm.visits else mean
            choices.append((move, StepStats(value, arm.visits, prior, arm.available)))
        return max(choices, key=lambda choice: self.config.select(choice[1]))[0]

    def _evaluate(self, state: Any) -> Values:  # noqa: ANN401 - the game's own
        return self.config.evaluate(self.game, state, self.seats, self.config.policy, self.rng)

    @staticmethod
    def _back_up(path: list[tuple[Seat, Arm]], values: Values) -> None:
        for seat, arm in path:
            arm.visits += 1
            arm.total += values[seat]


def search(  # noqa: PLR0913 - what is searched, how long, and with what
    game: AnyGame,
    state: Any,  # noqa: ANN401 - the game's own state
    seat: Seat,
    *,
    limits: SearchLimits,
    rng: Random,
    config: SearchConfig = DEFAULT_CONFIG,
    know: InfoSetKey = view_key,
) -> dict[Any, StepStats]:
    """What is known of a seat's steps after a search, the most visited first; at least one node is looked at.

    A node is one look at one state that fits what the seat may know; of `state` itself nothing else is used.
    """
    start = config.clock()
    forest = _InfoSetSearch(game, seat, config, know, rng)
    spent = SearchUsage(0, 0.0)
    while spent.nodes == 0 or config.should_continue(limits, spent):
        fitting = game.resample(state, seat, rng)
        if seat not in game.to_move(fitting):
            raise BadInput("That seat does not act; there is nothing to decide.")
        forest.visit(fitting)
        spent = SearchUsage(spent.nodes + 1, config.clock() - start)
    arms = sorted(forest.first.items(), key=lambda item: -item[1].visits)
    return {move: StepStats(arm.total / arm.visits, arm.visits, 1.0, arm.available) for move, arm in arms if arm.visits}


class IsMctsBot:
    """The step that a search of what its seat may know looked at most."""

    name = "ismcts"

    def __init__(
        self, nodes: int | None = None, seconds: float | None = None, config: SearchConfig = DEFAULT_CONFIG
    ) -> None:
        unlimited = nodes is None and seconds is None
        self.limits = SearchLimits(seconds, DEFAULT_NODES if unlimited else nodes)
        self.config = config

    def choose(self, game: AnyGame, state: Any, seat: Seat, rng: Random) -> Any:  # noqa: ANN401 - the game's own
        """The best step found, the only one at once."""
        moves = non_proposal_moves(game, game.resample(state, seat, rng), seat)
        if len(moves) == 1:
            return moves[0]
        known = search(game, state, seat, limits=self.limits, rng=rng, config=self.config)
        return max(known.items(), key=lambda item: (item[1].visits, item[1].value))[0]
