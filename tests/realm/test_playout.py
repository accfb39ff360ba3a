"""Playouts inside the kernels: the shared checks, and the counts of this game's ends."""

from __future__ import annotations

import pytest

from realmtable.games.realm.evaluation import winner_of
from realmtable.kit.playouts import PlayoutNumbers
from realmtable.kit.rules import NO_WINNER
from tests.playout_checks import SEEDS, PlayoutChecks
from tests.realm.helpers import GAME, SHORT, position, start


class TestPlayouts(PlayoutChecks):
    game = GAME
    short = staticmethod(lambda: start(**SHORT))
    presets = ("nestor", "original", "four_powers")


def test_the_numbers_add_up() -> None:
    found = GAME.playouts(start(**SHORT), SEEDS)
    assert found.games == found.winners.total() == found.reasons.total() == len(SEEDS)
    assert found.choices > found.steps > found.turns > 0
    assert found.turns <= 20 * found.games
    assert set(found.reasons) <= {"last_base", "no_progress", "max_turns", "repetition"}


def test_a_game_that_is_over_is_counted_as_it_is() -> None:
    found = GAME.playouts(position("W:Bh11,Bh8 B:Bh2 turns=7 phase=over end=agreement"), [1, 2])
    assert found == PlayoutNumbers(2, 0, 14, 0, found.winners, found.reasons)
    assert (found.winners, found.reasons) == ({"0": 2}, {"agreement": 2})


def test_no_game_ends_by_agreement_in_a_playout() -> None:
    assert "agreement" not in GAME.playouts(position("W:Bh11,Pg10 B:Bh2 offer=standing", **SHORT), SEEDS).reasons


@pytest.mark.parametrize(("board", "winner"), [("W:Bh11 B:", 0), ("W: B:Bh11", 1), ("W:Bh11 B:Bh2", NO_WINNER)])
def test_r13_the_winner(board: str, winner: int) -> None:
    assert winner_of(position(board + " phase=over end=agreement").position) == winner
