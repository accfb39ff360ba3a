"""Realm's notation: the magazine's game both ways; mistakes are corrected with a warning or refused."""

from __future__ import annotations

import re
from functools import cache
from itertools import permutations
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.engine.errors import IllegalMove
from realmtable.engine.options import OptionValue
from realmtable.games.realm.first_state import State
from realmtable.games.realm.steps import Step
from realmtable.kit.realm_board.notation import MAX_STEP, MAX_TURN
from tests.notation_checks import (
    FUZZ,
    check_no_step,
    check_no_turn,
    check_reading,
    check_steps,
    check_turn,
    check_turns,
)
from tests.realm.helpers import (
    GAME,
    SETUP,
    TESTED,
    bases_left,
    captures,
    ending,
    pieces,
    play,
    position,
    random_turns,
    start,
    states,
)

# The sample game as printed, and as it is read where that differs.
SAMPLE = [
    ("Pi10i6(Bh5),Pc4g4(Ei4W)", ""),
    ("Pd6d1(Be2),Pg3d3(Ed2N)", ""),
    ("Pi6j6(Bk5),Pg4g9(Bh8),Ei4d4", ""),
    ("Pd3a3(Bb2),Ed2c2,Pd1L1(Bk2)", "Pd3a3(Bb2),Ed2c2,Pd1l1(Bk2)"),
    ("Pg9l9(Bk8),Pj6j7(Ei7W)", "Pg9l9(Bk8),Pj6j7(El7W)"),
    ("Pc9c10(Bb11),Pa3a12(Ec12S)", ""),
    ("Pf7f12(Be11),Ed4d10", ""),
    ("Pa12a6,Pc10c6,Ec2c4(xBb5)", ""),
    ("Pj7j10(Bk11),Pl9c9,EI7a7(xBb8,xEa7)", "Pj7j10(Bk11),Pl9c9,El7a7(xBb8,xEa7)"),
    ("PL1L6,Pc6j6,Ec4j4(xBk5)", "Pl1l6,Pc6j6,Ec4j4(xBk5)"),
    ("Pf12f7(Ef9S),Pc9d9", ""),
    ("Pj6b6(Bb5),Pl6l7,Ej4j7(xBk8,xEj7)", ""),
    ("Pf7c7(Bb8),Pd9d6,Ef9f6(xBe5,xEf6)", ""),
    ("Pl7l4(Bk5)", ""),
    ("Pj10j9(Bk8)", ""),
    ("Pl4l10,Ec12j12(xBk11,xEj12)", ""),
    ("Pc7e7(Ef7N)", ""),
    ("Pl10l4(EI6W)", "Pl10l4(El6W)"),
    ("Pe7e6(Be5)", ""),
]


def read(state: State, text: str) -> tuple[State, list[str], str]:
    """The state after a turn's text, the warnings and the rest."""
    found = GAME.parse_turn(state, text)
    return TESTED.play_steps(state, found.moves), found.warnings, found.rest


# ---- the magazine's game


def test_the_sample_game_both_ways() -> None:
    state = start()
    for text in SETUP.split():
        found = GAME.parse_turn(state, text)
        assert (GAME.format_turn(state, found.moves), found.warnings) == (text, [])
        state = TESTED.play_steps(state, found.moves)
    for number, (printed, meant) in enumerate(SAMPLE):
        assert GAME.turn(state) == (7 + number // 2, number % 2)
        found = GAME.parse_turn(state, printed)
        assert GAME.format_turn(state, found.moves) == (meant or printed)
        assert bool(found.warnings) == bool(meant)
        assert found.rest == ""
        state = TESTED.play_steps(state, found.moves)
    assert ending(state) == "last_base"
    assert (bases_left(state), captures(state)) == ((0, 3), (2, 4))
    owners = pieces(state)
    assert {space for space, piece in owners.items() if piece == "WB"} == {
        "e5",
        "h5",
        "b8",
        "e8",
        "h8",
        "k8",
        "e11",
        "h11",
    }
    assert {space for space, piece in owners.items() if piece == "BB"} == {"b2", "e2", "h2", "k2", "b5", "k5", "b11"}


# ---- slips


@pytest.mark.parametrize(
    ("board", "text", "meant"),
    [
        ("W:Bh11,Pl4 B:Bk8", "PL4L7", "Pl4l7"),
        ("W:Bh11,Pl4 B:Bk8", "PI4I7", "Pl4l7"),
        ("W:Bh11,Pl4 B:Bk8,Bh5", "Pl4I7", "Pl4l7"),
        ("W:Bh11,Pl4 B:Bk8,Bh5", "Pi4h4", "Pl4h4"),
        ("W:Bh11,Pi4 B:Bk8,Bh5,Bb5", "Pl4a4", "Pi4a4"),
        ("W:Bh11,Pi4 B:Bk8,Bh5,Bb5", "PI4a4", "Pi4a4"),
        ("W:Bh11,Pl12 B:Bh2", "Pl12i12(El10S)", "Pl12i12(Ei10S)"),
        ("W:Bh11,Pl12 B:Bh2", "PL12i12(Ei10S)", "Pl12i12(Ei10S)"),
    ],
)
def test_i_and_l_are_forgiven_where_one_reading_is_legal(board: str, text: str, meant: str) -> None:
    state = position(board)
    found = GAME.parse_turn(state, text)
    assert GAME.format_turn(state, found.moves) == meant
    assert len(found.warnings) == 1
    assert re.fullmatch(r"\S+ is read as \S+: .*(small letter|look alike).*\.", found.warnings[0])
    assert found.warnings[0].split()[0] in text


def test_if_both_readings_are_legal_the_text_is_taken_literally() -> None:
    state = position("W:Bh11,Pi12,Pl12 B:Bh2,Bh8,Bk8")
    assert GAME.parse_turn(state, "Pi12i9").warnings == []
    assert GAME.parse_turn(state, "Pl12l9").warnings == []


def test_an_event_in_capitals_is_the_same_event() -> None:
    state = position("W:Bh11,Pl9 B:Bh2")
    assert GAME.parse_turn(state, "Pl9l6(Bk5)").warnings == []
    state = position("W:Bh11,El9S,Pj6 B:Bh2,Bk5")
    assert GAME.parse_turn(state, "El9l6(xBk5,xEL6)").warnings == []


def test_a_missing_event_is_warned_about() -> None:
    state = position("W:Bh11,El9S,Pj6 B:Bh2,Bk5")
    for text, missing in [("El9l6", "xBk5,xEl6"), ("El9l6(xBk5)", "xEl6"), ("El9l6(xEl6)", "xBk5")]:
        found = GAME.parse_turn(state, text)
        assert found.warnings == [f"El9l6 leads to ({missing}), which is missing."]
        assert GAME.format_turn(state, found.moves) == "El9l6(xBk5,xEl6)"


def test_blanks_and_commas_do_not_matter() -> None:
    state = position("W:Bh11,Pg10,Pi10 B:Bh2,Bh8,Bk11")
    moves = GAME.parse_turn(state, "Pg10g7,Pi10j10").moves
    for text in (" Pg10g7 , Pi10j10 ", "Pg10g7,Pi10j10,", "Pg10g7,,Pi10j10", "Pg10g7(),Pi10j10", "Pg10g7,Pi10j10,end"):
        assert GAME.parse_turn(state, text).moves == moves


# ---- what else is written

WHITE_BLACK = "W:Bh11,Pg10,Eg12S,Ei12x B:Bh2,Pg3"


@pytest.mark.parametrize(
    ("board", "options", "text"),
    [
        (WHITE_BLACK, {}, "Rh11(Ph10,Eg10N,Ei10x)"),
        ("W:Bh11,Pg10 B:Bh2,Ph10,Ei10S", {"rearrange_both": True}, "Rh11(Pg10;Ph10,Ei10N)"),
        (WHITE_BLACK, {"power_sacrifice": True}, "xPg10(Ei12N),Ei12l12"),
        (WHITE_BLACK, {}, "offer,Pg10g7(Bh8)"),
        (WHITE_BLACK, {}, "offer,Rh11(Ph10,Eg10N,Ei10x)"),
        (WHITE_BLACK, {"power_sacrifice": True}, "offer,xPg10(Ei12N),Ei12l12"),
        (WHITE_BLACK + " offer=standing", {}, "accept"),
        ("W:Bh11 B:Bh2", {}, "pass"),
        ("W:Bh11 B:Bh2", {}, "offer,pass"),
        (WHITE_BLACK, {"optional_creation": True}, "Pg10g7(-),Eg12d12"),
        (WHITE_BLACK, {"optional_creation": True}, "Pg10g7(Bh8)"),
        ("W:Bh11,Pe12 B:Bh2", {"optional_creation": True}, "Pe12g12(-)"),
        ("W:Bh11,Pe12 B:Bh2", {}, "Pe12g12(Eg10N)"),
        ("W:Bh11,Ea7E B:Bh2,Ef8N,Ef9N", {}, "Ea7d7(xEf9,xEd7)"),
        ("W:Bh11,Ea7E,Pe9 B:Bh2,Ef8N,Ef9N", {}, "Ea7d7(xEf9)"),
        ("W:Bh11,Ea7E B:Bh2,Ef8N", {}, "Ea7d7(xEf8,xEd7)"),
        ("W:Bh11,Ea7E,Pe9 B:Bh2,Ef8N", {}, "Ea7d7(xEf8)"),
        ("W:Bh11,Ea7E,Pe9 B:Bh2,Be8", {"capture_replaces": True}, "Ea7d7(xBe8,xEd7,Be8)"),
        ("W:Bh11,Ea7E,Pe9,Pf9 B:Bh2,Be8", {"capture_replaces": True}, "Ea7d7(xBe8,Be8)"),
        ("W:Bh11,Pa7,Pd4 B:Bh2 left=1/5", {}, "Pa7d7(Be8)"),
    ],
)
def test_a_turn_is_read_and_written_alike(board: str, options: dict[str, OptionValue], text: str) -> None:
    check_turn(TESTED, position(board, **options), text)


@pytest.mark.parametrize(
    ("board", "options", "text"),
    [
        ("W:Bh11,Ea7E B:Bh2,Ef8N,Ef9N", {}, "Ea7d7(xEf9,xEd7)"),
        ("W:Bh11,Ea7E,Pe9 B:Bh2,Be8", {"capture_replaces": True}, "Ea7d7(xBe8,xEd7,Be8)"),
        ("W:Bh11,Pg10,Eg12S,Ei12x B:Bh2,Pg3", {}, "Rh11(Ph10,Eg10N,Ei10x)"),
    ],
)
def test_the_order_in_parentheses_does_not_matter(board: str, options: dict[str, OptionValue], text: str) -> None:
    state = position(board, **options)
    head, _, inner = text.removesuffix(")").partition("(")
    for parts in permutations(inner.split(",")):
        found = GAME.parse_turn(state, f"{head}({','.join(parts)})")
        assert (GAME.format_turn(state, found.moves), found.warnings) == (text, [])


@pytest.mark.parametrize(("options", "text"), [({"choose_seat": "both"}, "place:Black"), ({}, "Bh11")])
def test_the_set_up_is_written_step_by_step(options: dict[str, OptionValue], text: str) -> None:
    found = GAME.parse_turn(start(**options), text)
    assert GAME.format_turn(start(**options), found.moves) == text


def test_the_second_choice_is_written_with_move() -> None:
    state = play(start(choose_seat="move"), SETUP)
    assert GAME.format_turn(state, GAME.parse_turn(state, "move:Black").moves) == "move:Black"


def test_the_beginning_of_a_turn_is_written_too() -> None:
    state = position(WHITE_BLACK)
    steps = GAME.parse_turn(state, "offer,Rh11(Ph10,Eg10N,Ei10x)").moves
    assert [GAME.format_turn(state, steps[:count]) for count in range(5)] == [
        "", "offer", "offer,Rh11", "offer,Rh11(Ph10)", "offer,Rh11(Ph10,Eg10N)"
    ]  # fmt: skip
    assert GAME.format_turn(play(state, "Rh11"), steps[2:3]) == "Ph10"


def test_what_follows_the_turn_is_handed_back() -> None:
    for text, rest in [("Bh11 , Bh2", "Bh2"), ("Bh11,Bh2,Be8", "Bh2,Be8")]:
        assert read(start(), text)[2] == rest
    board = position("W:Bh11,Pa7,Pd4 B:Bh2 left=1/5")
    assert GAME.parse_turn(board, "Pa7d7(Be8),Pd4d1").rest == "Pd4d1"
    assert GAME.parse_turn(position(WHITE_BLACK), "Pg10f10,end,Pg3g4").rest == "Pg3g4"
    assert GAME.parse_turn(position(WHITE_BLACK), "Rh11(Ph10,Eg10N,Ei10x),Pg3g4").rest == "Pg3g4"
    assert GAME.parse_turn(position("W:Bh11 B:Bh2"), "pass,pass").rest == "pass"


# ---- steps alone


def test_a_step_shows_what_it_sets_off_by_itself() -> None:
    state = position("W:Bh11,Ea7E,Pe9,Pi12 B:Bh2,Be8")
    texts = {GAME.format_move(state, step) for step in GAME.legal_moves(state, 0)}
    assert {"Ea7d7(xBe8,xEd7)", "Pi12i9(Bh8)", "Pi12l12(Bk11)", "offer", "Rh11"} < texts
    assert GAME.format_move(state, GAME.parse_move(state, "Pa1a4")) == "Ea1a4"  # not legal: as it is


@FUZZ
@given(states(max_turns=40))
def test_every_legal_step_has_its_own_text_and_is_read_back(state: State) -> None:
    check_steps(TESTED, state)


@pytest.mark.parametrize("text", ["END", "Pass", "OFFER", " accept ", "-", "Pg10g7(anything)", "PL1L4", "EI1I4"])
def test_a_step_is_read_generously(text: str) -> None:
    GAME.parse_move(start(), text)


# ---- refused


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "An empty text is not a step"),
        ("hello", "hello is not a step; write a move like Pc10g10"),
        ("Pm1a1", "is not a step"),
        ("Pa13a1", "is not a step"),
        ("Pa0a1", "is not a step"),
        ("Bh11h8", "is not a step"),
        ("Bh11N", "is not a step"),
        ("Pg10x", "is not a step"),
        ("Eg10", "is not a step"),
        ("xPa1", "is not a step"),
        ("xPa1(Eb1x)", "is not a step"),
        ("place:white", "is not a step"),
        ("pg10g7", "is not a step"),
        ("Pg\u0661\u0660g7", "is not a step"),
        ("x" * 41, "x" * 40 + "… is not a step"),
        ("x" * (MAX_STEP + 1), "at most 400 characters"),
    ],
)
def test_a_text_that_is_no_step_is_refused(text: str, words: str) -> None:
    check_no_step(TESTED, text, words)


@pytest.mark.parametrize(
    ("board", "options", "text", "words"),
    [
        (WHITE_BLACK, {}, "", "A turn needs at least one step"),
        (WHITE_BLACK, {}, " , ,", "A turn needs at least one step"),
        (WHITE_BLACK, {}, "x" * (MAX_TURN + 1), "A turn may have at most 4000 characters"),
        (WHITE_BLACK, {}, "Pg10g7(Bh8", "The parentheses in Pg10g7(Bh8 do not match"),
        (WHITE_BLACK, {}, "Pg10g7)Bh8(", "do not match"),
        (WHITE_BLACK, {}, "Pg10g7(((Bh8)))", "do not match"),
        (WHITE_BLACK, {}, "Pg10g7(Bh8)Eg12d12", "do not match"),
        (WHITE_BLACK, {}, "(Bh8)", "An empty text is not a step"),
        (WHITE_BLACK, {}, "hello", "hello is not a step"),
        (WHITE_BLACK, {}, "Pg10g7(Bh5)", "Pg10g7 does not lead to Bh5"),
        (WHITE_BLACK, {}, "Pg10g7(Bh8,Eg9N)", "Pg10g7 does not lead to Eg9N"),
        (WHITE_BLACK, {}, "Pg10g7(Bh8,Bh8)", "Pg10g7 does not lead to Bh8"),
        (WHITE_BLACK, {}, "Pg10g7(Bh8,)", "Pg10g7 does not lead to An empty text"),
        (WHITE_BLACK, {}, "offer", "The turn needs a move after this"),
        (WHITE_BLACK, {"power_sacrifice": True}, "xPg10(Ei12N)", "The turn needs a move after this"),
        (WHITE_BLACK, {}, "Rh11", "Write where every lifted piece goes"),
        (WHITE_BLACK, {}, "Rh11(Pg10)", "Write where every lifted piece goes"),
        ("W:Bh11,Pe12 B:Bh2", {}, "Pe12g12", "Write the space and facing of the new Enforcer"),
        ("W:Bh11,Pe12 B:Bh2", {"optional_creation": True}, "Pe12e9", "Write (Be8), or (-) for no Base"),
        ("W:Bh11,Ea7E B:Bh2,Ef8N,Ef9N", {}, "Ea7d7", "Write which enemy Enforcer becomes immobile"),
        ("W:Bh11,Pe12 B:Bh2", {}, "Pe12g12(hello)", "hello is not a step"),
    ],
)
def test_a_text_that_is_no_turn_is_refused(board: str, options: dict[str, OptionValue], text: str, words: str) -> None:
    check_no_turn(TESTED, position(board, **options), text, words)


@pytest.mark.parametrize(
    ("text", "clause"), [("Pg10g12", "R7"), ("Rh2", "R11"), ("Pe12g12(Eg12S)", "E2"), ("end", "S7")]
)
def test_an_illegal_turn_is_refused_with_its_clause(text: str, clause: str) -> None:
    board = position("W:Bh11,Pg10,Pe12 B:Bh2,Pg3,Eg8S")
    with pytest.raises(IllegalMove) as caught:
        GAME.parse_turn(board, text)
    assert caught.value.clause == clause


# ---- anything at all
@pytest.mark.parametrize("seed", range(8))
def test_every_turn_of_a_random_game_is_read_and_written_alike(seed: int) -> None:
    check_turns(TESTED, random_turns(seed, max_turns=60))


BOARDS = [start(), start(choose_seat="both"), position(WHITE_BLACK, power_sacrifice=True, optional_creation=True)]


@FUZZ
@given(st.sampled_from(BOARDS), st.text(max_size=60))
def test_any_text_is_read_or_refused(state: State, text: str) -> None:
    check_reading(TESTED, state, text)


@FUZZ
@given(st.sampled_from(BOARDS), st.text(alphabet="PERBxghiIlL1207NS(),;- ", max_size=40))
def test_any_text_of_the_right_letters_is_read_or_refused(state: State, text: str) -> None:
    check_reading(TESTED, state, text)


@cache
def turns_of(seed: int) -> list[tuple[State, list[Step], State]]:
    return list(random_turns(seed, max_turns=20))


@FUZZ
@given(st.integers(0, 7), st.integers(0, 60), st.data())
def test_a_changed_turn_is_read_or_refused(seed: int, number: int, data: st.DataObject) -> None:
    turns = turns_of(seed)
    begin, steps, _ = turns[number % len(turns)]
    text = GAME.format_turn(begin, steps)
    spot = data.draw(st.integers(0, len(text)))
    changed = text[:spot] + data.draw(st.text(alphabet="PERBxaglI129NS(),;-", max_size=3))
    check_reading(TESTED, begin, changed + text[spot + data.draw(st.integers(0, 2)) :])


@pytest.mark.parametrize(
    "text", [" " * 3990 + ")", "(" * 3990, "a " * 1900 + ")", ", " * 1900 + ")", "(" + " " * 3900 + "(", ")" * 3000]
)
def test_hostile_text_is_refused_at_once(text: str) -> None:
    began = process_time()
    check_reading(TESTED, start(), text)
    assert process_time() - began < 2


def test_a_wrong_letter_is_named() -> None:
    state = GAME.decode("W:Bh11,Pi10 B:Bh2,Pg3 move=W")
    read = GAME.parse_turn(state, "Ei10i6(Bh5)")
    assert read.warnings == ["Ei10i6 is read as Pi10i6, the piece that stands there."]
