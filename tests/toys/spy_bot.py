"""A card game that remembers what it resampled, and a bot that remembers what it was given.

Together they show that a bot was given a state that fits what its seat may know, and not the true one.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from realmtable.engine.protocol import AnyGame, Seat
from realmtable.search.baselines import RandomBot
from tests.toys.secret_cards import CardTable, SecretCards


class ResampleCall(NamedTuple):
    """One call of `resample`."""

    truth: CardTable
    seat: Seat
    result: CardTable


class WatchedCards(SecretCards):
    """Secret Cards, with a note of every resampling; while others hold cards the result differs from the truth."""

    def __init__(self) -> None:
        self.resampled: list[ResampleCall] = []

    def resample(self, state: CardTable, seat: Seat, rng: Random) -> CardTable:
        result = super().resample(state, seat, rng)
        while result == state and any(hand for other, hand in enumerate(state.hands) if other != seat):
            result = super().resample(state, seat, rng)  # it was the truth by chance, and others fit as well
        self.resampled.append(ResampleCall(state, seat, result))
        return result

    def was_resampled(self, state: CardTable, seat: Seat) -> bool:
        """Whether a state was made for this seat, and is not the true one of any moment."""
        made = any(call.seat == seat and call.result == state for call in self.resampled)
        return made and all(call.truth != state for call in self.resampled)


class SpyBot(RandomBot):
    """Plays at random and remembers what it was given."""

    def __init__(self) -> None:
        self.given: list[tuple[Seat, Any]] = []

    def choose(self, game: AnyGame, state: Any, seat: Seat, rng: Random) -> Any:  # noqa: ANN401 - the game's own
        self.given.append((seat, state))
        return super().choose(game, state, seat, rng)


def assert_saw_no_secret(spy: SpyBot, game: WatchedCards) -> None:
    """The spy was asked, and each time about a state that was resampled for its seat."""
    assert spy.given
    for seat, state in spy.given:
        assert game.was_resampled(state, seat), f"seat {seat} was given a state that was not resampled for it"
