"""Notation both ways: mistakes are corrected with a warning, or refused with a reason; never a crash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.engine.errors import BadNotation, IllegalMove
from realmtable.games.medieval_realm.first_state import State
from realmtable.games.medieval_realm.notation import GRAMMAR, bare_text
from realmtable.games.medieval_realm.steps import OFF_CELL, PASS_STEP, Step
from realmtable.kit.realm_board.geometry import find_cell
from realmtable.kit.realm_board.notation import MAX_STEP, MAX_TURN
from tests.medieval_realm.helpers import GAME, TESTED, position, random_game, start, states
from tests.notation_checks import FUZZ, check_no_step, check_no_turn, check_reading, check_steps, check_turn

BOARD = "W:De2,Mb5,Mb11,Mk8 B:Mb4,Mb8,Dk11,Mf3"


@pytest.mark.parametrize(
    "text", ["De2e5(+Me2)", "Mb5b8(xMb8,+Mb5)", "Mb5e5(+Mb5)", "Mb11off", "Mb11e11", "Mk8h8", "De2h2(+Me2)"]
)
def test_a_turn_is_read_and_written_alike(text: str) -> None:
    state = position(BOARD)
    (step,) = check_turn(TESTED, state, text)
    assert GAME.format_move(state, step) == text
    assert GAME.parse_move(state, text) == step


@pytest.mark.parametrize("text", ["pass", "PASS", " pass ", "Pass"])
def test_a_pass(text: str) -> None:
    state = position("W:Ma4 B:Ml9,Dk2")
    found = GAME.parse_turn(state, text)
    assert (found.moves, GAME.format_turn(state, found.moves)) == ([PASS_STEP], "pass")


@pytest.mark.parametrize("seed", range(3))
def test_every_step_of_a_game_both_ways(seed: int) -> None:
    for state, _ in random_game(seed):
        check_steps(TESTED, state)
        for step in TESTED.steps(state):
            assert GAME.parse_move(state, bare_text(state, step)) == step
            assert GAME.parse_turn(state, GAME.format_move(state, step)) == ([step], [], "")


def test_a_missing_effect_is_warned_about() -> None:
    state = position(BOARD)
    for text, missing in [("Mb5b8", "xMb8,+Mb5"), ("Mb5b8(xMb8)", "+Mb5"), ("Mb5b8(+Mb5)", "xMb8")]:
        assert GAME.parse_turn(state, text).warnings == [f"Mb5b8 leads to ({missing}), which is missing."]


def test_what_does_not_happen_is_refused() -> None:
    with pytest.raises(BadNotation, match="Mb11off does not lead to xMb8"):
        GAME.parse_turn(position(BOARD), "Mb11off(xMb8)")


def test_text_after_the_turn_is_handed_back() -> None:
    assert GAME.parse_turn(position(BOARD), "Mb11off, Mk2k5").rest == "Mk2k5"


def test_an_illegal_step_is_written_as_it_is() -> None:
    state = start()
    centers = [find_cell(name) for name in ("b2", "e8", "a1")]
    b2, e8, a1 = (cell for cell in centers if cell is not None)
    assert GAME.format_move(state, Step(b2, OFF_CELL)) == "Mb2off"
    assert GAME.format_move(state, PASS_STEP) == "pass"
    assert GAME.format_move(state, Step(a1, e8)) == "Ma1e8"
    with pytest.raises(IllegalMove, match="M8"):
        GAME.parse_turn(state, "Mb2off")


@pytest.mark.parametrize(
    "text", ["", "hello", "Pb2b5", "Mb2", "b2b5", "Mb2b13", "Mm2b5", "Mb2 b5", "Mb2off2", "offMb2", "Mb2b5b8", "M", "-"]
)
def test_what_is_no_step_is_refused(text: str) -> None:
    check_no_step(TESTED, text, "is not a step; write a move like De2e5, Mb5b8 or Mb11off, or pass.")


def test_long_texts_are_refused() -> None:
    check_no_step(TESTED, "M" * (MAX_STEP + 1), "may have at most")
    check_no_turn(TESTED, start(), "M" * (MAX_TURN + 1), "may have at most")
    check_no_turn(TESTED, start(), "", "at least one step")


def test_a_turn_leaves_nothing_to_choose_or_to_close() -> None:
    assert not GRAMMAR.is_choice(start())
    assert GRAMMAR.closing_steps(start()) == []


@FUZZ
@given(states(max_plies=60), st.text(alphabet="DMbehk1258off()x+,pas i", max_size=14) | st.text(max_size=40))
def test_any_text_is_read_or_refused(state: State, text: str) -> None:
    check_reading(TESTED, state, text)
