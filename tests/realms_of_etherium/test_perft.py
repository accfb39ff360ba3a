"""Perft: the number of sequences of steps, with chance. The twin confirms the numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import realmtable
from realmtable.engine.options import OptionValue
from realmtable.engine.perft import perft
from realmtable.engine.protocol import State
from tests.realms_of_etherium.twin import Twin

GAME = realmtable.game("realms_of_etherium")
SETUP = ("reveal Accord", "reveal Bond", "reveal Network", "reveal Draw", "reveal Shift", "reveal Channel")
OPENING = (*SETUP, "first 1", "summon 1,0", "take Channel", "reveal Conjure")
PORTAL = (*SETUP, "first 2", "summon 0,1", "draw realm", "reveal Portal")
AS_ONE: dict[str, OptionValue] = {"portals_touch_as_one": True, "manifest": "portal.copies:12"}
# Seats, options, steps played before, and the numbers of sequences of 1, 2, … further steps.
TABLE: list[tuple[int, dict[str, OptionValue], tuple[str, ...], tuple[int, ...]]] = [
    (2, {}, (), (20, 380, 6_840)),
    (3, {}, (), (20, 380, 6_840)),
    (3, {"player_powers": True}, (), (6, 30, 120, 2_400)),
    (2, {}, SETUP, (2, 14, 110, 1_982)),
    (3, {}, SETUP, (3, 21, 165, 2_973)),
    (2, {}, OPENING, (2, 8, 48, 718, 4_526)),
    (3, {}, OPENING, (2, 8, 48, 720, 4_540)),
    (2, AS_ONE, PORTAL, (9, 73, 1_321, 5_999)),
]
FEW = 400  # sequences that an ordinary run counts; the twin plays each of them from the beginning
rows = pytest.mark.parametrize(("seats", "options", "before", "numbers"), TABLE)


def start(seats: int, options: dict[str, OptionValue], before: Sequence[str]) -> State:
    state = GAME.initial(seats, GAME.options(None, **options))
    for text in before:
        state = GAME.play(state, GAME.to_move(state)[0], GAME.parse_move(state, text))
    return state


def count_with_twin(seats: int, options: dict[str, OptionValue], before: tuple[str, ...], depth: int) -> int:
    """Count sequences with the twin, which can only play from the beginning."""
    steps = Twin(seats, GAME.options(None, **options)).play()
    question = next(steps)
    for text in before:
        question = steps.send(text)
    if depth == 1:
        return len(question.steps)
    return sum(count_with_twin(seats, options, (*before, text), depth - 1) for text in question.steps)


@rows
def test_the_number_of_sequences(
    seats: int, options: dict[str, OptionValue], before: tuple[str, ...], numbers: tuple[int, ...]
) -> None:
    state = start(seats, options, before)
    few = [number for number in numbers if number <= FEW]
    assert [perft(GAME, state, depth + 1) for depth in range(len(few))] == few


@pytest.mark.slow
@rows
def test_the_number_of_long_sequences(
    seats: int, options: dict[str, OptionValue], before: tuple[str, ...], numbers: tuple[int, ...]
) -> None:
    assert perft(GAME, start(seats, options, before), len(numbers)) == numbers[-1]


@pytest.mark.slow
@rows
def test_the_twin_counts_the_same_sequences(
    seats: int, options: dict[str, OptionValue], before: tuple[str, ...], numbers: tuple[int, ...]
) -> None:
    for depth, number in enumerate(numbers[:3], 1):
        assert count_with_twin(seats, options, before, depth) == number
