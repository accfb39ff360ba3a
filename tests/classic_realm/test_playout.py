"""Playouts inside the kernels: the shared checks, and the counts of this game's ends."""

from __future__ import annotations

from tests.classic_realm.helpers import GAME, position, start
from tests.classic_realm.test_codec import WON
from tests.classic_realm.test_rules import FAR
from tests.playout_checks import PlayoutChecks


class TestPlayouts(PlayoutChecks):
    game = GAME
    short = staticmethod(lambda: start(max_plies=40, double_moves=True))
    presets = tuple(GAME.info.presets)


def test_a_game_that_is_over_is_counted_as_it_is() -> None:
    found = GAME.playouts(position(WON + " turns=7"), [1, 2])
    assert (found.games, found.steps, found.turns, found.winners, found.reasons) == (
        2, 0, 16, {"0": 2}, {"all_in_water": 2}
    )  # fmt: skip
    drawn = GAME.playouts(position(FAR + " turns=7 phase=over end=repetition"), [1])
    assert (drawn.turns, drawn.winners, drawn.reasons) == (7, {"draw": 1}, {"repetition": 1})
