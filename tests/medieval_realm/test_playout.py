"""Playouts inside the kernels: the shared checks, and the counts of this game's ends."""

from __future__ import annotations

from realmtable.kit.playouts import PlayoutNumbers
from tests.medieval_realm.helpers import GAME, position, start
from tests.playout_checks import SEEDS, PlayoutChecks


class TestPlayouts(PlayoutChecks):
    game = GAME
    short = staticmethod(start)
    presets = tuple(GAME.info.presets)


def test_the_numbers_add_up() -> None:
    found = GAME.playouts(start(), SEEDS)
    assert found.games == found.winners.total() == found.reasons.total() == len(SEEDS)
    assert found.choices > found.steps == found.turns > 0  # a step is a whole turn
    assert found.winners["draw"] == found.games - found.reasons["borne_off"]


def test_a_game_that_is_over_is_counted_as_it_is() -> None:
    found = GAME.playouts(position("W:Dk2 B: move=B turns=7 end=borne_off"), [1, 2])
    assert found == PlayoutNumbers(2, 0, 16, 0, found.winners, found.reasons)
    assert (found.winners, found.reasons) == ({"1": 2}, {"borne_off": 2})
