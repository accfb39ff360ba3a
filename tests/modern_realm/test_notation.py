"""Notation both ways: steps, their effects, whole turns, mistakes and damaged texts."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realmtable.engine.errors import BadNotation, IllegalMove, RealmtableError
from realmtable.games.modern_realm.first_state import State
from realmtable.games.modern_realm.steps import Step, StepKind, move_step
from realmtable.kit.realm_board.geometry import find_cell
from tests.game_under_test import turns_of
from tests.modern_realm.helpers import GAME, TESTED, position, random_game, start
from tests.notation_checks import check_no_step, check_reading, check_steps, check_turns

BOARD = "W:Ab4,Aa9,Ce2,Al3 B:Ab8,Al12,Ah11"


def cell(name: str) -> int:
    found = find_cell(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("Ab5b7", move_step(cell("b5"), cell("b7"))),
        ("Ce2h2", move_step(cell("e2"), cell("h2"))),
        ("Ab5b7(Hb8)", move_step(cell("b5"), cell("b7"))),
        ("Ab5b7(Hb8,xAb9)", move_step(cell("b5"), cell("b7"))),
        (" Aa12l12 ", move_step(cell("a12"), cell("l12"))),
        ("AL3I4", move_step(cell("l3"), cell("l4"))),
        ("xAb9", Step(StepKind.DISLODGE, cell("b9"))),
        ("Ce2", Step(StepKind.CHOOSE, cell("e2"))),
        ("pass", Step(StepKind.PASS)),
        ("PASS", Step(StepKind.PASS)),
    ],
)
def test_a_text_is_a_step(text: str, step: Step) -> None:
    assert GAME.parse_move(start(), text) == step


@pytest.mark.parametrize(
    "text", ["", "A", "Ab5", "b5b7", "Ab5b13", "Am1b2", "xAb5b7", "xCb9", "Hb8", "end", "Pb5b7", "Ab5-b7", "Ab5b7()("]
)
def test_any_other_text_is_refused(text: str) -> None:
    check_no_step(TESTED, text)


def test_a_long_text_is_refused() -> None:
    check_no_step(TESTED, "A" * 500, "may have at most")


@pytest.mark.parametrize("seed", range(4))
def test_a_step_is_its_text(seed: int) -> None:
    for state, _ in list(random_game(seed, max_turns=30))[::5]:
        check_steps(TESTED, state)


def test_an_illegal_step_is_written_bare() -> None:
    state = position(BOARD)
    assert GAME.format_move(state, GAME.parse_move(state, "Ab8b7")) == "Ab8b7"
    assert GAME.format_move(state, GAME.parse_move(state, "xAb9")) == "xAb9"


# ---- turns
@pytest.mark.parametrize("seed", range(4))
def test_a_turn_is_its_text(seed: int) -> None:
    def is_next(begin: State, state: State) -> bool:
        return not GAME.to_move(state) or GAME.turn(state) != GAME.turn(begin)

    check_turns(TESTED, turns_of(random_game(seed, max_turns=40), is_next))


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ("Ab4b7(Hb8,xAc7)", []),
        ("Ab4b7(xAc7)", ["Ab4b7 leads to (Hb8), which is missing."]),
        ("Al3l4", []),
        ("AL3L4", ["AL3L4 is read as Al3l4: file l is written with a small letter."]),
        ("Ai3l4", ["Ai3l4 is read as Al3l4: i and l look alike, and only this one is legal."]),
    ],
)
def test_mistakes_are_corrected_with_a_warning(text: str, warnings: list[str]) -> None:
    read = GAME.parse_turn(position(BOARD), text)
    assert (read.warnings, read.rest) == (warnings, "")


@pytest.mark.parametrize(
    ("board", "text", "error", "words"),
    [
        (BOARD, "", BadNotation, "at least one step"),
        (BOARD, "Ab4b7", BadNotation, "Write where the dislodged Agent goes"),
        (BOARD, "Ab4b7(Hb8)", BadNotation, "Write where the dislodged Agent goes"),
        (BOARD, "Ab4b7(Hb11,xAc7)", BadNotation, "Ab4b7 does not lead to Hb11"),
        (BOARD, "Ab4d4(Hb8)", BadNotation, "does not lead to"),
        (BOARD, "Ab4b7(", BadNotation, "parentheses"),
        (BOARD, "Ab4b7(Hb8,xAa9)", IllegalMove, "a9 is taken"),
        (BOARD, "Ab4b9", IllegalMove, "in the way"),
        ("W:Aa1,Ac3 B:Al12", "Aa1a4", BadNotation, "pieces must still move out from c3"),
        (BOARD, "A" * 5000, BadNotation, "may have at most"),
    ],
)
def test_what_a_turn_lacks_is_said(board: str, text: str, error: type[RealmtableError], words: str) -> None:
    with pytest.raises(error, match=words):
        GAME.parse_turn(position(board), text)


def test_what_follows_a_turn_is_handed_back() -> None:
    state = position(BOARD)
    read = GAME.parse_turn(state, "Al3l4,Al12j12")
    assert (len(read.moves), read.rest) == (1, "Al12j12")
    both = GAME.parse_turn(position("W:Aa1,Ac3 B:Al12"), "Aa1a4,Ac3c4")
    assert (len(both.moves), both.rest) == (2, "")


def test_the_turn_that_wins_is_complete() -> None:
    state = position("W:Cb4,He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:Ab8,Al3")
    read = GAME.parse_turn(state, "Cb4b7(Hb8)")
    assert (read.warnings, read.rest) == ([], "")
    assert GAME.format_turn(state, read.moves) == "Cb4b7(Hb8)"


@settings(max_examples=70, deadline=None)
@given(st.text(st.sampled_from("ACHxabl19012,() pas;-"), max_size=24), st.integers(0, 30))
def test_any_text_is_read_or_refused(text: str, steps: int) -> None:
    rng = Random(steps)
    state = position(BOARD)
    for _ in range(steps % 4):
        state = TESTED.play_steps(state, [TESTED.random_step(rng, state)])
    check_reading(TESTED, state, text)
