"""A bot in an environment is given what its seat may know, never the true state."""

from __future__ import annotations

from random import Random

import numpy as np

from realmtable.engine.protocol import Seat
from realmtable.rl.episode import Episode, GameSetup
from realmtable.rl.opponents import choose_action
from tests.toys.secret_cards import RANKS, CardTable
from tests.toys.spy_bot import SpyBot, WatchedCards, assert_saw_no_secret


class NumberedCards(WatchedCards):
    """The toy game with a number for each card."""

    def count_actions(self) -> int:
        return len(RANKS)

    def action_of(self, state: CardTable, seat: Seat, move: str) -> int:
        del state, seat
        return RANKS.index(move)

    def move_of(self, state: CardTable, seat: Seat, action: int) -> str:
        del state, seat
        return RANKS[action]


def test_bots_are_given_resampled_states() -> None:
    game, spy, rng = NumberedCards(), SpyBot(), Random(3)
    episode = Episode(GameSetup(game, 3), np.random.default_rng(3))
    while episode.acting:
        seat = episode.acting[0]
        episode.play(seat, choose_action(spy, episode, seat, rng))
    assert_saw_no_secret(spy, game)
