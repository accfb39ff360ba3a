"""One game from start to end, as all environments see it: numbered actions, observations, seeded chance."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from realmtable.engine import registry
from realmtable.engine.errors import BadInput, NotYourTurn
from realmtable.engine.options import OptionValue
from realmtable.engine.protocol import (
    CHANCE,
    AnyGame,
    NumbersSteps,
    Options,
    Outcome,
    Seat,
    State,
    player_seats,
)
from realmtable.rl.observations import Observer

Mask = NDArray[np.int8]  # [actions] 1 for legal ones
NO_REWARD: Final = 0.0


class GameSetup:
    """A game with its number of seats and its options: what stays the same from one episode to the next."""

    def __init__(
        self,
        game: str | AnyGame,
        seats: int | None = None,
        preset: str | None = None,
        options: Mapping[str, OptionValue] | None = None,
        max_steps: int | None = None,
    ) -> None:
        self.game: AnyGame = registry.game(game) if isinstance(game, str) else game
        if not isinstance(self.game, NumbersSteps):
            raise BadInput(f"{self.game.info.title} does not number its steps, so it cannot be an environment.")
        if max_steps is not None and max_steps < 1:
            raise BadInput(f"max_steps must be at least 1, not {max_steps}.")
        self.options: Options = self.game.options(preset, **(options or {}))
        self.seats = default_seats(self.game, self.options) if seats is None else seats
        self.first = self.game.initial(self.seats, self.options)
        self.action_count = self.game.count_actions()
        self.max_steps = self.game.info.max_steps if max_steps is None else max_steps
        self._arguments = game, seats, preset, options, max_steps

    def __reduce__(self) -> tuple[type[GameSetup], tuple[Any, ...]]:
        """Pickle the arguments only: games cannot be pickled."""
        return GameSetup, self._arguments

    @cached_property
    def observer(self) -> Observer:
        return Observer(self.game, self.game.view(self.first, 0))


def default_seats(game: AnyGame, options: Options) -> int:
    """Return the smallest number of at least two seats that the options allow, or one if only that is allowed."""
    refused: BadInput | None = None
    for seats in sorted(game.info.seats, key=lambda number: (number == 1, number)):
        try:
            game.initial(seats, options)
        except BadInput as error:
            refused = refused or error
        else:
            return seats
    raise refused or BadInput(f"{game.info.title} has no seats.")


def rank_rewards(outcome: Outcome) -> tuple[float, ...]:
    """Return the reward of each seat: 1 for the first place, -1 for the last, evenly spaced between.

    Seats that share places share their rewards, so the sum is always 0. A single seat gets 1 if it reached its goal
    and -1 if not.

    >>> rank_rewards(Outcome((3, 5), (2, 1), "", ""))
    (-1.0, 1.0)
    >>> rank_rewards(Outcome((3, 5, 5), (3, 1, 1), "", ""))
    (-1.0, 0.5, 0.5)
    """
    ranking = outcome.ranking
    last = len(ranking) - 1
    if last == 0:
        return (1.0 if any(outcome.reached) else -1.0,)
    return tuple(1 - (2 * (rank - 1) + ranking.count(rank) - 1) / last for rank in ranking)


class Episode:
    """One game being played. Chance is drawn from the generator; the clock never acts."""

    def __init__(self, setting: GameSetup, rng: np.random.Generator) -> None:
        self.setting = setting
        self.rng = rng
        self.state: State = setting.first
        self.steps = 0  # of players and of chance
        self._let_chance_act()

    @property
    def game(self) -> Any:  # noqa: ANN401 - any game, with its optional members
        """The game; it is no attribute, so that copies and pickles leave it out."""
        return self.setting.game

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seats that may act; none at the end or when the game was cut off."""
        return () if self.is_cut_off else player_seats(self.game.to_move(self.state))

    @property
    def outcome(self) -> Outcome | None:
        found: Outcome | None = self.game.outcome(self.state)
        return found

    @property
    def is_cut_off(self) -> bool:
        """Whether the game has taken as many steps as it may, and has not ended."""
        return self.steps >= self.setting.max_steps and bool(self.game.to_move(self.state))

    def rewards(self) -> tuple[float, ...]:
        """Return the reward of each seat: 0 unless the game has ended."""
        ended = self.outcome
        return (NO_REWARD,) * self.setting.seats if ended is None else rank_rewards(ended)

    def legal_actions(self, seat: Seat) -> list[int]:
        """Return the numbers of a seat's legal steps; none if it does not act."""
        if seat not in self.acting:
            return []
        game, state = self.game, self.state
        return [game.action_of(state, seat, move) for move in game.legal_moves(state, seat)]

    def mask(self, seat: Seat) -> Mask:
        """Return a 1 for each legal action of a seat, and 0 for the others."""
        mask = np.zeros(self.setting.action_count, dtype=np.int8)
        mask[self.legal_actions(seat)] = 1
        return mask

    def observe(self, seat: Seat) -> NDArray[np.float32]:
        return self.setting.observer.observe(self.game.view(self.state, seat))

    def play(self, seat: Seat, action: int) -> None:
        """Play an action, then let chance act. Raises `IllegalMove`, `NotYourTurn` or `BadInput`."""
        if seat not in self.acting:
            raise NotYourTurn(f"Seat {seat} does not act now.")
        if not 0 <= action < self.setting.action_count:
            raise BadInput(f"Actions are the numbers below {self.setting.action_count}, not {action}.")
        move = self.game.move_of(self.state, seat, int(action))
        self.state = self.game.play(self.state, seat, move)
        self.steps += 1
        self._let_chance_act()

    def _let_chance_act(self) -> None:
        while self.steps < self.setting.max_steps and self.game.to_move(self.state) == (CHANCE,):
            outcomes = self.game.chance(self.state)
            sums = np.cumsum([outcome.weight for outcome in outcomes])
            drawn = int(np.searchsorted(sums, self.rng.integers(sums[-1]), side="right"))
            self.state = self.game.play(self.state, CHANCE, outcomes[drawn].move)
            self.steps += 1

    def describe_end(self, seat: Seat) -> dict[str, Any]:
        """Return what the info of a seat says at the end: scores and places; empty before."""
        ended = self.outcome
        if ended is None:
            return {}
        return {
            "scores": list(ended.scores),
            "ranking": list(ended.ranking),
            "place": ended.ranking[seat],
            "reason": ended.reason,
            "text": ended.text,
        }
