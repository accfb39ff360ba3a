"""Notation of steps and turns: mistakes are corrected with a warning, or refused with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.engine.errors import IllegalMove
from realmtable.engine.options import OptionValue
from realmtable.games.oriental_realm.first_state import State
from tests.notation_checks import (
    FUZZ,
    check_no_step,
    check_no_turn,
    check_reading,
    check_steps,
    check_turn,
    check_turns,
)
from tests.oriental_realm.helpers import GAME, TESTED, play, position, random_turns, start, states

BOARD = "W:Ee2,Mb5,Mc4,Ml1 B:Eh11,Mb8,Mk9"


@pytest.mark.parametrize(
    ("board", "options", "text"),
    [
        ("", {}, "Mb5b7"),
        ("", {"free_setup": True}, "Mb2"),
        ("", {"free_setup": True}, "El12"),
        ("", {"emperor": "choose"}, "Ek5"),
        (BOARD, {}, "Mb5b7"),
        (BOARD, {}, "Mb5b7,Mc4c8"),
        (BOARD, {}, "Ee2a2"),
        ("W:Mb2 B:Ma2,Mc2", {}, "pass"),
        ("W:Ma1,Ek9 B:Md1,Me2 move=B", {}, "Md1b1,Me2a2"),
    ],
)
def test_s1_s2_s3_a_turn_is_read_and_written_alike(board: str, options: dict[str, OptionValue], text: str) -> None:
    check_turn(TESTED, position(board, **options) if board else start(**options), text)


def test_a_turn_that_still_runs_stops_where_its_text_does() -> None:
    state = position(BOARD)
    moves = GAME.parse_turn(state, "Mb5b7").moves
    assert GAME.parse_turn(state, "Mb5b7", running=True).moves == moves[:-1]


def test_end_may_be_written_and_what_follows_is_handed_back() -> None:
    state = position(BOARD)
    assert GAME.parse_turn(state, "Mb5b7,end").moves == GAME.parse_turn(state, "Mb5b7").moves
    assert GAME.parse_turn(state, "Mb5b7,end,Mb8b9").rest == "Mb8b9"
    assert GAME.parse_turn(start(free_setup=True), "Mb2,Mh2").rest == "Mh2"
    surrounding = position("W:Ma1,Ek9 B:Md1,Me2 move=B")
    assert GAME.parse_turn(surrounding, "Md1b1,Me2a2,Ek9k8").rest == "Ek9k8"


@pytest.mark.parametrize(("text", "meant"), [("ML1L4", "Ml1l4"), ("MI1l4", "Ml1l4"), ("Mi1i4", None), ("Ml1i1", "")])
def test_i_and_l_are_forgiven_where_one_reading_is_legal(text: str, meant: str | None) -> None:
    state = position(BOARD)
    if meant is None:
        with pytest.raises(IllegalMove):
            GAME.parse_turn(state, text)
        return
    found = GAME.parse_turn(state, text)
    assert GAME.format_turn(state, found.moves) == (meant or text)
    assert bool(found.warnings) == bool(meant)


def test_of_a_move_the_spaces_count_not_the_letter() -> None:
    state = position(BOARD)
    assert GAME.parse_move(state, "Mb5b7") == GAME.parse_move(state, " Eb5b7 ") == GAME.parse_move(state, "Mb5b7(x)")
    assert GAME.format_move(state, GAME.parse_move(state, "Eb5b7")) == "Mb5b7"
    assert GAME.format_move(state, GAME.parse_move(state, "Mk12k1")) == "Mk12k1"  # not legal: as it is
    assert GAME.parse_move(state, "END") == GAME.parse_move(state, "end")


@FUZZ
@given(states(max_turns=20))
def test_every_legal_step_has_its_own_text_and_is_read_back(state: State) -> None:
    check_steps(TESTED, state)


@pytest.mark.parametrize("seed", range(4))
def test_every_turn_of_a_random_game_is_read_and_written_alike(seed: int) -> None:
    check_turns(TESTED, random_turns(seed, max_turns=20))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "An empty text is not a step"),
        ("hello", "hello is not a step; write a move like Mb5b9"),
        ("Mm1a1", "is not a step"),
        ("Ma13", "is not a step"),
        ("Pa1a2", "is not a step"),
        ("mb5b9", "is not a step"),
        ("M", "is not a step"),
        ("x" * 401, "at most 400 characters"),
    ],
)
def test_a_text_that_is_no_step_is_refused(text: str, words: str) -> None:
    check_no_step(TESTED, text, words)


@pytest.mark.parametrize(
    ("text", "words"), [("", "at least one step"), ("Mb5b7(x)", "does not lead to x"), ("Mb5b7(", "do not match")]
)
def test_a_text_that_is_no_turn_is_refused(text: str, words: str) -> None:
    check_no_turn(TESTED, position(BOARD), text, words)


OVER = play(position("W:Ma1 B:Ma2,Mb5 move=B"), "Mb5b1")
BOARDS = [start(), start(free_setup=True), start(emperor="choose"), play(position(BOARD), "Mb5b6"), OVER]


@FUZZ
@given(st.sampled_from(BOARDS), st.text(max_size=60) | st.text(alphabet="MEPabkl129IL(), endpas", max_size=30))
def test_any_text_is_read_or_refused(state: State, text: str) -> None:
    check_reading(TESTED, state, text)


@FUZZ
@given(st.sampled_from(BOARDS), st.sampled_from(["Mb5b7", "Eb2", "Ek5", "pass", "end", "Ma4a1"]), st.data())
def test_a_changed_turn_is_read_or_refused(state: State, text: str, data: st.DataObject) -> None:
    spot = data.draw(st.integers(0, len(text)))
    check_reading(TESTED, state, text[:spot] + data.draw(st.text(alphabet="MEab129,()", max_size=3)) + text[spot:])
