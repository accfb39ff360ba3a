"""Checks of rules that every board game has, for the tests that name their clauses."""

from __future__ import annotations

from typing import TypeVar

from realmtable.server.tables.rematches import rematch_seats
from tests.game_under_test import BoardGame

OptionsT = TypeVar("OptionsT")
StepT = TypeVar("StepT")


def check_white_begins_and_the_loser_is_white_next(tested: BoardGame[OptionsT, StepT]) -> None:
    assert tested.seat_of(tested.start()) == 0
    assert tested.game.info.seat_names[0] == "White"
    assert rematch_seats([1, 2]) == [1, 0]  # Black lost and begins
    assert rematch_seats([2, 1]) == [0, 1]
    assert rematch_seats([1, 1]) == [1, 0]  # a draw: they change seats
