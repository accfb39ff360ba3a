"""A card game that remembers its resampled states, and a bot that remembers the states it receives.

Together they show that a bot received a state consistent with its seat's knowledge, and not the true one.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from realmtable.engine.protocol import AnyGame, Move, Seat, State
from realmtable.search.baselines import RandomBot
from tests.toys.secret_cards import CardTable, SecretCards


class ResampleCall(NamedTuple):
    """A call of `resample`."""

    truth: CardTable
    seat: Seat
    result: CardTable


class WatchedCards(SecretCards):
    """Secret Cards that records every resampling; while others hold cards, the result differs from the true state."""

    def __init__(self) -> None:
        self.resampled: list[ResampleCall] = []

    def resample(self, state: CardTable, seat: Seat, rng: Random) -> CardTable:
        result = super().resample(state, seat, rng)
        while result == state and any(hand for other, hand in enumerate(state.hands) if other != seat):
            result = super().resample(state, seat, rng)  # the true state by chance, although others fit as well
        self.resampled.append(ResampleCall(state, seat, result))
        return result

    def was_resampled(self, state: CardTable, seat: Seat) -> bool:
        """Whether a state was resampled for this seat and never was the true one."""
        made = any(call.seat == seat and call.result == state for call in self.resampled)
        return made and all(call.truth != state for call in self.resampled)


class SpyBot(RandomBot):
    """Plays at random and remembers the states it receives."""

    def __init__(self) -> None:
        self.given: list[tuple[Seat, Any]] = []

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        self.given.append((seat, state))
        return super().choose(game, state, seat, rng)


def assert_saw_no_secret(spy: SpyBot, game: WatchedCards) -> None:
    """Check that the spy was called, and only with states resampled for its seat."""
    assert spy.given
    for seat, state in spy.given:
        assert game.was_resampled(state, seat), f"seat {seat} was given a state that was not resampled for it"
