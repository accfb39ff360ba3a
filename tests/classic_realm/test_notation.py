"""Notation of steps and turns, both ways; unreadable texts are refused in one sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.engine.errors import BadNotation, IllegalMove, RealmtableError
from realmtable.games.classic_realm.first_state import State
from realmtable.games.classic_realm.steps import Step, StepKind
from tests.classic_realm.helpers import GAME, TESTED, legal, play, position, random_turns, start, states
from tests.classic_realm.test_rules import FAR
from tests.notation_checks import FUZZ, check_no_step, check_reading, check_steps, check_turns

READY = FAR + " right=W owed=0 options=double_moves=on"


@pytest.mark.parametrize("seed", range(4))
def test_every_turn_of_a_game_both_ways(seed: int) -> None:
    turns = list(random_turns(seed, max_plies=60))
    check_turns(TESTED, turns)
    for before, _, _ in turns:
        check_steps(TESTED, before)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Fb2e2", "Fb2e2"),
        ("b2e2", "Fb2e2"),
        (" Fb2e2 ", "Fb2e2"),
        ("Fb2e2(xFe2,+Fb2)", "Fb2e2"),
        ("Fb2", "Fb2"),
        ("b2", "Fb2"),
        ("END", "end"),
        ("Pass", "pass"),
        ("FL1I1", "Fl1l1"),
    ],
)
def test_a_step_is_read(text: str, bare: str) -> None:
    state = start()
    assert GAME.format_move(state, GAME.parse_move(state, text)).split("(")[0] == bare


@pytest.mark.parametrize("text", ["", "hello", "Fb13", "Fm1", "Fb2e2h2", "Pb2e2", "Fb2-e2", "(xFb2)", "F" * 500])
def test_what_is_no_step_is_refused(text: str) -> None:
    check_no_step(TESTED, text, "may have at most" if len(text) > 400 else "is not a step")


def test_an_illegal_step_is_written_bare() -> None:
    assert GAME.format_move(start(), Step(StepKind.MOVE, 13, 16)) == "Fb2e2"


def test_s3_a_double_turn_is_two_moves_and_a_single_one_ends_with_its_text() -> None:
    state = position(READY)
    single, double = GAME.parse_turn(state, "Fb2e2"), GAME.parse_turn(state, "Fb2e2,Fe2h2")
    assert [step.kind for step in single.moves] == [StepKind.MOVE, StepKind.END]
    assert [step.kind for step in double.moves] == [StepKind.MOVE, StepKind.MOVE]
    assert GAME.format_turn(state, single.moves) == "Fb2e2"
    assert GAME.format_turn(state, double.moves) == "Fb2e2,Fe2h2"
    assert GAME.parse_turn(state, "Fb2e2,end").moves == single.moves
    assert [step.kind for step in GAME.parse_turn(state, "Fb2e2", running=True).moves] == [StepKind.MOVE]


def test_s2_what_follows_is_checked_and_may_be_forgotten() -> None:
    state = position("W:Fb2,~b2*7 B:Fb5,Fk2,~h8*6")
    assert GAME.parse_turn(state, "Fb2b5(xFb5,+Fb2)").warnings == []
    assert GAME.parse_turn(state, "Fb2b5").warnings == ["Fb2b5 leads to (xFb5,+Fb2), which is missing."]
    with pytest.raises(BadNotation, match="does not lead to"):
        GAME.parse_turn(state, "Fb2e2(xFe2)")


def test_a_turn_may_be_followed_by_more() -> None:
    assert GAME.parse_turn(position(FAR), "Fb2e2,Fe2h2").rest == "Fe2h2"


@pytest.mark.parametrize(("text", "error"), [("", BadNotation), ("Fb2h2", IllegalMove), ("Fb2e2(", BadNotation)])
def test_a_turn_that_cannot_be_played_is_refused(text: str, error: type[RealmtableError]) -> None:
    with pytest.raises(error):
        GAME.parse_turn(position(FAR), text)


@FUZZ
@given(st.text(st.sampled_from("Fbehk2581,()+xend ps") | st.characters(), max_size=30), states(max_plies=40))
def test_any_text_is_read_or_refused(text: str, state: State) -> None:
    check_reading(TESTED, state, text)


@FUZZ
@given(states(max_plies=40))
def test_texts_of_steps_differ(state: State) -> None:
    check_steps(TESTED, state)


def test_the_words_of_a_game_in_full() -> None:
    state = play(start(), "Fb5b8(xFb8) Fe8b8(xFb8)")
    assert "Fb2b5" in legal(state)
