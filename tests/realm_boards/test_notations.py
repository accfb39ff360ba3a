"""Notation both ways: steps and turns are read as they are written; mistakes bring a warning or a refusal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import permutations
from time import process_time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from realmtable.engine.errors import BadNotation, IllegalMove
from realmtable.games.classic_realm.steps import StepKind as ClassicKind
from realmtable.games.medieval_realm.steps import OFF_CELL, PASS_STEP
from realmtable.games.medieval_realm.steps import Step as MedievalStep
from realmtable.games.modern_realm.steps import Step as ModernStep
from realmtable.games.modern_realm.steps import StepKind as ModernKind
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.geometry import find_cell
from realmtable.kit.realm_board.notation import MAX_STEP, MAX_TURN
from tests.classic_realm.helpers import FAR
from tests.game_under_test import turns_of
from tests.realm.helpers import SETUP, bases_left, begins_turn, captures, pieces
from tests.realm_boards.boards import BOARDS, Board, each_board, list_cases, read_cases

State = ArrayState[Any]
REALM = BOARDS["realm"]
LIMITS = {  # options that shorten random games
    "realm": {"max_turns": 60},
    "classic_realm": {"max_plies": 60},
    "medieval_realm": {"max_plies": 60},
    "oriental_realm": {"max_turns": 20},
    "modern_realm": {"max_turns": 40},
}


def random_turns(tested: Board, seed: int, **limits: int) -> Iterator[tuple[State, list[Any], State]]:
    """Every turn of a random game: the state it begins in, its steps and the state after it."""

    def is_next(begin: State, state: State) -> bool:
        if tested is REALM:
            return begins_turn(state)
        return not tested.game.to_move(state) or tested.game.turn(state) != tested.game.turn(begin)

    return turns_of(tested.random_game(seed, **limits), is_next)


# ---- steps


def check_steps(tested: Board, state: State) -> None:
    """Check that every legal step has its own text and is read back from it."""
    if not tested.game.to_move(state):
        return
    steps = tested.steps(state)
    texts = [tested.game.format_move(state, step) for step in steps]
    assert texts == tested.game.format_legal_moves(state, steps)
    assert len(set(texts)) == len(steps) == len(tested.legal(state))
    assert [tested.game.parse_move(state, text) for text in texts] == steps
    assert [tested.game.parse_move(state, text.partition("(")[0]) for text in texts if "(E" not in text] == [
        step for step, text in zip(steps, texts, strict=True) if "(E" not in text
    ]


FUZZ = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.long
@each_board
@FUZZ
@given(data=st.data())
def test_every_legal_step_has_its_own_text_and_is_read_back(tested: Board, data: st.DataObject) -> None:
    limits = {**LIMITS[tested.game.info.id], **tested.limits}
    check_steps(tested, data.draw(tested.states(**limits)))


WRITTEN = {  # position or options; a step, however it is written; the step without its effects
    "realm": """
        W:Bh11,Ea7E,Pe9,Pi12 B:Bh2,Be8 | Pa1a4 | Ea1a4
    """,
    "classic_realm": """
        | Fb2e2            | Fb2e2
        | b2e2             | Fb2e2
        | Fb2e2(xFe2,+Fb2) | Fb2e2
        | Fb2              | Fb2
        | b2               | Fb2
        | END              | end
        | Pass             | pass
        | FL1I1            | Fl1l1
    """,
    "medieval_realm": """
        | Mb2off           | Mb2off
        | pass             | pass
        | PASS             | pass
        | Ma1e8            | Ma1e8
    """,
    "oriental_realm": """
        W:Ee2,Mb5,Mc4,Ml1 B:Eh11,Mb8,Mk9 | Eb5b7    | Mb5b7
        W:Ee2,Mb5,Mc4,Ml1 B:Eh11,Mb8,Mk9 | Mb5b7(x) | Mb5b7
        W:Ee2,Mb5,Mc4,Ml1 B:Eh11,Mb8,Mk9 | Mk12k1   | Mk12k1
        W:Ee2,Mb5,Mc4,Ml1 B:Eh11,Mb8,Mk9 | END      | end
    """,
    "modern_realm": """
        W:Ab4,Aa9,Ce2,Al3 B:Ab8,Al12,Ah11 | Ab8b7   | Ab8b7
        W:Ab4,Aa9,Ce2,Al3 B:Ab8,Al12,Ah11 | xAb9    | xAb9
        W:Ab4,Aa9,Ce2,Al3 B:Ab8,Al12,Ah11 | AL3I4   | Al3l4
        W:Ab4,Aa9,Ce2,Al3 B:Ab8,Al12,Ah11 | PASS    | pass
    """,
}


@pytest.mark.parametrize(("tested", "where", "text", "bare"), read_cases(WRITTEN))
def test_a_step_legal_or_not_is_read_generously_and_written_in_one_way(
    tested: Board, where: str, text: str, bare: str
) -> None:
    state = tested.at(where)
    step = tested.game.parse_move(state, f" {text} ")
    assert tested.game.format_move(state, step).partition("(")[0] == bare
    assert tested.game.parse_move(state, bare) == step


def cell(name: str) -> int:
    found = find_cell(name)
    assert found is not None
    return found


MEANT: dict[str, list[tuple[str, tuple[Any, ...]]]] = {
    "medieval_realm": [
        ("Mb2off", MedievalStep(cell("b2"), OFF_CELL)),
        ("Ma1e8", MedievalStep(cell("a1"), cell("e8"))),
        ("pass", PASS_STEP),
    ],
    "modern_realm": [
        ("Ab5b7", ModernStep(ModernKind.MOVE, cell("b5"), cell("b7"))),
        ("Ce2h2", ModernStep(ModernKind.MOVE, cell("e2"), cell("h2"))),
        ("Ab5b7(Hb8)", ModernStep(ModernKind.MOVE, cell("b5"), cell("b7"))),
        ("Ab5b7(Hb8,xAb9)", ModernStep(ModernKind.MOVE, cell("b5"), cell("b7"))),
        ("Aa12l12", ModernStep(ModernKind.MOVE, cell("a12"), cell("l12"))),
        ("xAb9", ModernStep(ModernKind.DISLODGE, cell("b9"))),
        ("Ce2", ModernStep(ModernKind.CHOOSE, cell("e2"))),
        ("pass", ModernStep(ModernKind.PASS)),
    ],
}


@pytest.mark.parametrize(("tested", "text", "step"), list_cases(MEANT))
def test_a_text_is_a_step(tested: Board, text: str, step: tuple[Any, ...]) -> None:
    assert tested.game.parse_move(tested.start(), text) == step


@pytest.mark.parametrize("text", ["END", "Pass", "OFFER", " accept ", "-", "Pg10g7(anything)", "PL1L4", "EI1I4"])
def test_words_of_realm_are_read_in_any_case(text: str) -> None:
    REALM.game.parse_move(REALM.start(), text)


def test_a_step_shows_what_it_sets_off_by_itself() -> None:
    state = REALM.at("W:Bh11,Ea7E,Pe9,Pi12 B:Bh2,Be8")
    texts = {REALM.game.format_move(state, step) for step in REALM.steps(state)}
    assert {"Ea7d7(xBe8,xEd7)", "Pi12i9(Bh8)", "Pi12l12(Bk11)", "offer", "Rh11"} < texts


NO_STEPS = {
    "realm": [
        "hello", "Pm1a1", "Pa13a1", "Pa0a1", "Bh11h8", "Bh11N", "Pg10x", "Eg10", "xPa1", "xPa1(Eb1x)", "place:white",
        "pg10g7", "Pg\u0661\u0660g7",
    ],
    "classic_realm": ["hello", "Fb13", "Fm1", "Fb2e2h2", "Pb2e2", "Fb2-e2", "(xFb2)"],
    "medieval_realm": [
        "hello", "Pb2b5", "Mb2", "b2b5", "Mb2b13", "Mm2b5", "Mb2 b5", "Mb2off2", "offMb2", "Mb2b5b8", "M", "-",
    ],
    "oriental_realm": ["hello", "Mm1a1", "Ma13", "Pa1a2", "mb5b9", "M"],
    "modern_realm": [
        "A", "Ab5", "b5b7", "Ab5b13", "Am1b2", "xAb5b7", "xCb9", "Hb8", "end", "Pb5b7", "Ab5-b7", "Ab5b7()(",
    ],
}  # fmt: skip
EXAMPLES = {
    "realm": "write a move like Pc10g10, a piece like Eg12S, or Rh11, end, pass, offer.",
    "classic_realm": "write a move like Fb2e5, a new frog like Fb2, or end.",
    "medieval_realm": "write a move like De2e5, Mb5b8 or Mb11off, or pass.",
    "oriental_realm": "write a move like Mb5b9, a piece like Ee2, or end or pass.",
    "modern_realm": "write a move like Ab5b7 or Ce2h2, xAb9, Ce2 or pass.",
}


def check_no_step(tested: Board, text: str, words: str) -> None:
    with pytest.raises(BadNotation) as caught:
        tested.game.parse_move(tested.start(), text)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("tested", "text"), list_cases({name: [(text,) for text in texts] for name, texts in NO_STEPS.items()})
)
def test_what_is_no_step_is_refused_with_examples(tested: Board, text: str) -> None:
    check_no_step(tested, text, f"{text} is not a step; {EXAMPLES[tested.game.info.id]}")


@each_board
def test_an_empty_or_long_text_is_refused(tested: Board) -> None:
    examples = EXAMPLES[tested.game.info.id]
    check_no_step(tested, "", f"An empty text is not a step; {examples}")
    check_no_step(tested, "x" * 41, f"{'x' * 40}… is not a step; {examples}")
    check_no_step(tested, "x" * (MAX_STEP + 1), f"A step may have at most {MAX_STEP} characters.")
    for text, words in (("x" * (MAX_TURN + 1), "may have at most"), ("", "at least one step")):
        check_no_turn(tested, tested.start(), text, words)


# ---- turns

OPTIONAL = "options=optional_creation=on"
GIFT = "options=power_sacrifice=on"
CONQUEST = "options=capture_replaces=on"
WHITE_BLACK = "W:Bh11,Pg10,Eg12S,Ei12x B:Bh2,Pg3"
GUARDS = "W:Bh11,Ea7E B:Bh2,Ef8N,Ef9N"
READY = FAR + " right=W owed=0 options=double_moves=on"
LAND = "W:De2,Mb5,Mb11,Mk8 B:Mb4,Mb8,Dk11,Mf3"
COURT = "W:Ee2,Mb5,Mc4,Ml1 B:Eh11,Mb8,Mk9"
CITY = "W:Ab4,Aa9,Ce2,Al3 B:Ab8,Al12,Ah11"
TURNS = {  # position or options; a turn
    "realm": f"""
        {WHITE_BLACK}                              | Rh11(Ph10,Eg10N,Ei10x)
        W:Bh11,Pg10 B:Bh2,Ph10,Ei10S options=rearrange_both=on | Rh11(Pg10;Ph10,Ei10N)
        {WHITE_BLACK} {GIFT}                       | xPg10(Ei12N),Ei12l12
        {WHITE_BLACK}                              | offer,Pg10g7(Bh8)
        {WHITE_BLACK}                              | offer,Rh11(Ph10,Eg10N,Ei10x)
        {WHITE_BLACK} {GIFT}                       | offer,xPg10(Ei12N),Ei12l12
        {WHITE_BLACK} offer=standing               | accept
        W:Bh11 B:Bh2                               | pass
        W:Bh11 B:Bh2                               | offer,pass
        {WHITE_BLACK} {OPTIONAL}                   | Pg10g7(-),Eg12d12
        {WHITE_BLACK} {OPTIONAL}                   | Pg10g7(Bh8)
        W:Bh11,Pe12 B:Bh2 {OPTIONAL}               | Pe12g12(-)
        W:Bh11,Pe12 B:Bh2                          | Pe12g12(Eg10N)
        {GUARDS}                                   | Ea7d7(xEf9,xEd7)
        W:Bh11,Ea7E,Pe9 B:Bh2,Ef8N,Ef9N            | Ea7d7(xEf9)
        W:Bh11,Ea7E B:Bh2,Ef8N                     | Ea7d7(xEf8,xEd7)
        W:Bh11,Ea7E,Pe9 B:Bh2,Ef8N                 | Ea7d7(xEf8)
        W:Bh11,Ea7E,Pe9 B:Bh2,Be8 {CONQUEST}       | Ea7d7(xBe8,xEd7,Be8)
        W:Bh11,Ea7E,Pe9,Pf9 B:Bh2,Be8 {CONQUEST}   | Ea7d7(xBe8,Be8)
        W:Bh11,Pa7,Pd4 B:Bh2 left=1/5              | Pa7d7(Be8)
        choose_seat=both                           | place:Black
                                                   | Bh11
    """,
    "classic_realm": f"""
        {READY} | Fb2e2
        {READY} | Fb2e2,Fe2h2
    """,
    "medieval_realm": f"""
        {LAND} | De2e5(+Me2)
        {LAND} | Mb5b8(xMb8,+Mb5)
        {LAND} | Mb5e5(+Mb5)
        {LAND} | Mb11off
        {LAND} | Mb11e11
        {LAND} | Mk8h8
        {LAND} | De2h2(+Me2)
        W:Me11,De2 B:Mf12,Dk11 | Me11off(+Me11)
        W:Ma4 B:Ml9,Dk2 | pass
    """,
    "oriental_realm": f"""
                            | Mb5b7
        free_setup=on       | Mb2
        free_setup=on       | El12
        emperor=choose      | Ek5
        {COURT}             | Mb5b7
        {COURT}             | Mb5b7,Mc4c8
        {COURT}             | Ee2a2
        W:Mb2 B:Ma2,Mc2     | pass
        W:Ma1,Ek9 B:Md1,Me2 move=B | Md1b1,Me2a2
    """,
    "modern_realm": f"""
        {CITY} | Ab4b7(Hb8,xAc7)
        {CITY} | Al3l4
        W:Cb4,He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:Ab8,Al3 | Cb4b7(Hb8)
    """,
}


def check_turn(tested: Board, state: State, text: str) -> None:
    """Check that a turn is read without a warning, is complete and is written as it was."""
    moves, warnings, rest = tested.game.parse_turn(state, text)
    assert (tested.game.format_turn(state, moves), warnings, rest) == (text, [], "")
    after = tested.play_steps(state, moves)
    assert tested.ending(after) or tested.seat_of(after) != tested.seat_of(state) or text == "place:Black"


@pytest.mark.parametrize(("tested", "where", "text"), read_cases(TURNS))
def test_a_turn_is_read_and_written_alike(tested: Board, where: str, text: str) -> None:
    check_turn(tested, tested.at(where), text)


GAMES = {name: [(seed,) for seed in range(8 if name == "realm" else 4)] for name in BOARDS}


@pytest.mark.parametrize(("tested", "seed"), list_cases(GAMES))
def test_every_turn_of_a_random_game_is_read_and_written_alike(tested: Board, seed: int) -> None:
    for begin, steps, after in random_turns(tested, seed, **LIMITS[tested.game.info.id]):
        text = tested.game.format_turn(begin, steps)
        assert tested.game.parse_turn(begin, text) == (steps, [], "")
        assert tested.play_steps(begin, steps) == after


@pytest.mark.parametrize("seed", range(3))
def test_every_step_of_a_game_of_single_steps_is_a_turn(seed: int) -> None:
    tested = BOARDS["medieval_realm"]
    for state, _ in list(tested.random_game(seed))[:-1]:
        for step in tested.steps(state):
            assert tested.game.parse_turn(state, tested.game.format_move(state, step)) == ([step], [], "")


SMALL = "file l is written with a small letter."
ALIKE = "i and l look alike, and only this one is legal."
WARNINGS = {  # position; turn; how it is meant; warnings
    "realm": f"""
        W:Bh11,El9S,Pj6 B:Bh2,Bk5 | El9l6       | El9l6(xBk5,xEl6) | El9l6 leads to (xBk5,xEl6), which is missing.
        W:Bh11,El9S,Pj6 B:Bh2,Bk5 | El9l6(xBk5) | El9l6(xBk5,xEl6) | El9l6 leads to (xEl6), which is missing.
        W:Bh11,El9S,Pj6 B:Bh2,Bk5 | El9l6(xEl6) | El9l6(xBk5,xEl6) | El9l6 leads to (xBk5), which is missing.
        W:Bh11,Pl9 B:Bh2          | Pl9l6(Bk5)  | Pl9l6(Bk5)       |
        W:Bh11,El9S,Pj6 B:Bh2,Bk5 | El9l6(xBk5,xEL6) | El9l6(xBk5,xEl6) |
        W:Bh11,Pi10 B:Bh2,Pg3     | Ei10i6(Bh5) | Pi10i6(Bh5) | Ei10i6 is read as Pi10i6, the piece that stands there.
        # if both readings are legal, the text is taken literally
        W:Bh11,Pi12,Pl12 B:Bh2,Bh8,Bk8 | Pi12i9 | Pi12i9           |
        W:Bh11,Pi12,Pl12 B:Bh2,Bh8,Bk8 | Pl12l9 | Pl12l9           |
        # blanks and commas do not matter
        W:Bh11,Pg10,Pi10 B:Bh2,Bh8,Bk11 | Pg10g7 , Pi10j10   | Pg10g7,Pi10j10 |
        W:Bh11,Pg10,Pi10 B:Bh2,Bh8,Bk11 | Pg10g7,Pi10j10,    | Pg10g7,Pi10j10 |
        W:Bh11,Pg10,Pi10 B:Bh2,Bh8,Bk11 | Pg10g7,,Pi10j10    | Pg10g7,Pi10j10 |
        W:Bh11,Pg10,Pi10 B:Bh2,Bh8,Bk11 | Pg10g7(),Pi10j10   | Pg10g7,Pi10j10 |
        W:Bh11,Pg10,Pi10 B:Bh2,Bh8,Bk11 | Pg10g7,Pi10j10,end | Pg10g7,Pi10j10 |
        # the order in parentheses does not matter, and i and l are forgiven where one reading is legal
        {GUARDS}                  | Ea7d7(xEd7,xEf9) | Ea7d7(xEf9,xEd7) |
        W:Bh11,Pl4 B:Bk8          | PL4L7  | Pl4l7 | PL4L7 is read as Pl4l7: {SMALL}
        W:Bh11,Pl4 B:Bk8          | PI4I7  | Pl4l7 | PI4I7 is read as Pl4l7: {SMALL}
        W:Bh11,Pl4 B:Bk8,Bh5      | Pl4I7  | Pl4l7 | Pl4I7 is read as Pl4l7: {SMALL}
        W:Bh11,Pl4 B:Bk8,Bh5      | Pi4h4  | Pl4h4 | Pi4h4 is read as Pl4h4: {ALIKE}
        W:Bh11,Pi4 B:Bk8,Bh5,Bb5  | Pl4a4  | Pi4a4 | Pl4a4 is read as Pi4a4: {ALIKE}
        W:Bh11,Pi4 B:Bk8,Bh5,Bb5  | PI4a4  | Pi4a4 | PI4a4 is read as Pi4a4: {ALIKE}
        W:Bh11,Pl12 B:Bh2 | Pl12i12(El10S) | Pl12i12(Ei10S) | El10S is read as Ei10S: {ALIKE}
        W:Bh11,Pl12 B:Bh2 | PL12i12(Ei10S) | Pl12i12(Ei10S) | PL12i12 is read as Pl12i12: {SMALL}
    """,
    "classic_realm": """
        W:Fb2,~b2*7 B:Fb5,Fk2,~h8*6 | Fb2b5(xFb5,+Fb2) | Fb2b5 |
        W:Fb2,~b2*7 B:Fb5,Fk2,~h8*6 | Fb2b5 | Fb2b5 | Fb2b5 leads to (xFb5,+Fb2), which is missing.
    """,
    "medieval_realm": f"""
        {LAND}          | Mb5b8       | Mb5b8(xMb8,+Mb5) | Mb5b8 leads to (xMb8,+Mb5), which is missing.
        {LAND}          | Mb5b8(xMb8) | Mb5b8(xMb8,+Mb5) | Mb5b8 leads to (+Mb5), which is missing.
        {LAND}          | Mb5b8(+Mb5) | Mb5b8(xMb8,+Mb5) | Mb5b8 leads to (xMb8), which is missing.
    """,
    "oriental_realm": f"""
        {COURT} | ML1L4     | Ml1l4 | ML1L4 is read as Ml1l4: {SMALL}
        {COURT} | MI1l4     | Ml1l4 | MI1l4 is read as Ml1l4: {SMALL}
        {COURT} | Ml1i1     | Ml1i1 |
        {COURT} | Mb5b7,end | Mb5b7 |
    """,
    "modern_realm": f"""
        {CITY} | Ab4b7(xAc7) | Ab4b7(Hb8,xAc7) | Ab4b7 leads to (Hb8), which is missing.
        {CITY} | AL3L4       | Al3l4 | AL3L4 is read as Al3l4: {SMALL}
        {CITY} | Ai3l4       | Al3l4 | Ai3l4 is read as Al3l4: {ALIKE}
    """,
}  # fmt: skip


@pytest.mark.parametrize(("tested", "where", "text", "meant", "warning"), read_cases(WARNINGS))
def test_mistakes_are_corrected_with_a_warning(tested: Board, where: str, text: str, meant: str, warning: str) -> None:
    state = tested.at(where)
    for written in (text, f" {text} "):
        found = tested.game.parse_turn(state, written)
        assert tested.game.format_turn(state, found.moves).startswith(meant)
        assert (found.warnings, found.rest) == ([warning] if warning else [], "")


@pytest.mark.parametrize(
    ("where", "text"),
    [
        (GUARDS, "Ea7d7(xEf9,xEd7)"),
        (f"W:Bh11,Ea7E,Pe9 B:Bh2,Be8 {CONQUEST}", "Ea7d7(xBe8,xEd7,Be8)"),
        (WHITE_BLACK, "Rh11(Ph10,Eg10N,Ei10x)"),
    ],
)
def test_the_order_in_parentheses_does_not_matter(where: str, text: str) -> None:
    state = REALM.at(where)
    head, _, inner = text.removesuffix(")").partition("(")
    for parts in permutations(inner.split(",")):
        found = REALM.game.parse_turn(state, f"{head}({','.join(parts)})")
        assert (REALM.game.format_turn(state, found.moves), found.warnings) == (text, [])


RESTS = {  # position or options; text; what follows the turn
    "realm": f"""
                         | Bh11 , Bh2       | Bh2
                         | Bh11,Bh2,Be8     | Bh2,Be8
        W:Bh11,Pa7,Pd4 B:Bh2 left=1/5 | Pa7d7(Be8),Pd4d1 | Pd4d1
        {WHITE_BLACK}    | Pg10f10,end,Pg3g4 | Pg3g4
        {WHITE_BLACK}    | Rh11(Ph10,Eg10N,Ei10x),Pg3g4 | Pg3g4
        W:Bh11 B:Bh2     | pass,pass        | pass
    """,
    "classic_realm": f"""
        {FAR}            | Fb2e2,Fe2h2      | Fe2h2
    """,
    "medieval_realm": f"""
        {LAND}           | Mb11off, Mk2k5   | Mk2k5
    """,
    "oriental_realm": f"""
        {COURT}          | Mb5b7,end,Mb8b9  | Mb8b9
        free_setup=on    | Mb2,Mh2          | Mh2
        W:Ma1,Ek9 B:Md1,Me2 move=B | Md1b1,Me2a2,Ek9k8 | Ek9k8
    """,
    "modern_realm": f"""
        {CITY}           | Al3l4,Al12j12    | Al12j12
        W:Aa1,Ac3 B:Al12 | Aa1a4,Ac3c4      |
    """,
}


@pytest.mark.parametrize(("tested", "where", "text", "rest"), read_cases(RESTS))
def test_what_follows_the_turn_is_handed_back(tested: Board, where: str, text: str, rest: str) -> None:
    assert tested.game.parse_turn(tested.at(where), text).rest == rest


def test_a_turn_that_still_runs_stops_where_its_text_does() -> None:
    for name, where, text in (("oriental_realm", COURT, "Mb5b7"), ("classic_realm", READY, "Fb2e2")):
        tested = BOARDS[name]
        state = tested.at(where)
        moves = tested.game.parse_turn(state, text).moves
        assert tested.game.format_move(tested.play_steps(state, moves[:-1]), moves[-1]) == "end"
        assert tested.game.parse_turn(state, text, running=True).moves == moves[:-1]
        assert tested.game.parse_turn(state, f"{text},end").moves == moves


def test_the_beginning_of_a_turn_is_written_too() -> None:
    game, state = REALM.game, REALM.at(WHITE_BLACK)
    steps = game.parse_turn(state, "offer,Rh11(Ph10,Eg10N,Ei10x)").moves
    assert [game.format_turn(state, steps[:count]) for count in range(5)] == [
        "", "offer", "offer,Rh11", "offer,Rh11(Ph10)", "offer,Rh11(Ph10,Eg10N)"
    ]  # fmt: skip
    assert game.format_turn(REALM.at(WHITE_BLACK, "Rh11"), steps[2:3]) == "Ph10"


def test_the_second_choice_is_written_with_move() -> None:
    state = REALM.at("choose_seat=move", SETUP)
    assert REALM.game.format_turn(state, REALM.game.parse_turn(state, "move:Black").moves) == "move:Black"


def test_a_turn_of_one_step_leaves_nothing_to_choose_or_to_close() -> None:
    tested = BOARDS["medieval_realm"]
    assert not tested.game.grammar.is_choice(tested.start())
    assert tested.game.grammar.closing_steps(tested.start()) == []


NO_TURNS = {  # position; text; words of the refusal
    "realm": f"""
        {WHITE_BLACK}             | , ,                 | A turn needs at least one step
        {WHITE_BLACK}             | Pg10g7(Bh8          | The parentheses in Pg10g7(Bh8 do not match
        {WHITE_BLACK}             | Pg10g7)Bh8(         | do not match
        {WHITE_BLACK}             | Pg10g7(((Bh8)))     | do not match
        {WHITE_BLACK}             | Pg10g7(Bh8)Eg12d12  | do not match
        {WHITE_BLACK}             | (Bh8)               | An empty text is not a step
        {WHITE_BLACK}             | hello               | hello is not a step
        {WHITE_BLACK}             | Pg10g7(Bh5)         | Pg10g7 does not lead to Bh5
        {WHITE_BLACK}             | Pg10g7(Bh8,Eg9N)    | Pg10g7 does not lead to Eg9N
        {WHITE_BLACK}             | Pg10g7(Bh8,Bh8)     | Pg10g7 does not lead to Bh8
        {WHITE_BLACK}             | Pg10g7(Bh8,)        | Pg10g7 does not lead to An empty text
        {WHITE_BLACK}             | offer               | The turn needs a move after this
        {WHITE_BLACK} {GIFT}      | xPg10(Ei12N)        | The turn needs a move after this
        {WHITE_BLACK}             | Rh11                | Write where every lifted piece goes
        {WHITE_BLACK}             | Rh11(Pg10)          | Write where every lifted piece goes
        W:Bh11,Pe12 B:Bh2         | Pe12g12             | Write the space and facing of the new Enforcer
        W:Bh11,Pe12 B:Bh2 {OPTIONAL} | Pe12e9           | Write (Be8), or (-) for no Base
        {GUARDS}                  | Ea7d7               | Write which enemy Enforcer becomes immobile
        W:Bh11,Pe12 B:Bh2         | Pe12g12(hello)      | hello is not a step
        W:Bh11,Pg10,Pe12 B:Bh2,Pg3,Eg8S | Pg10g12       | (R7)
        W:Bh11,Pg10,Pe12 B:Bh2,Pg3,Eg8S | Rh2           | (R11)
        W:Bh11,Pg10,Pe12 B:Bh2,Pg3,Eg8S | Pe12g12(Eg12S) | (E2)
        W:Bh11,Pg10,Pe12 B:Bh2,Pg3,Eg8S | end           | (S7)
    """,
    "classic_realm": f"""
        {FAR}                     | Fb2h2               | (C3)
        {FAR}                     | Fb2e2(              | do not match
        {FAR}                     | Fb2e2(xFe2)         | does not lead to
    """,
    "medieval_realm": f"""
        {LAND}                    | Mb11off(xMb8)       | Mb11off does not lead to xMb8
        {LAND}                    | Mb5off              | (M8)
    """,
    "oriental_realm": f"""
        {COURT}                   | Mb5b7(x)            | does not lead to x
        {COURT}                   | Mb5b7(              | do not match
        {COURT}                   | Mi1i4               | (O2)
    """,
    "modern_realm": f"""
        {CITY}                    | Ab4b7               | Write where the dislodged Agent goes
        {CITY}                    | Ab4b7(Hb8)          | Write where the dislodged Agent goes
        {CITY}                    | Ab4b7(Hb11,xAc7)    | Ab4b7 does not lead to Hb11
        {CITY}                    | Ab4d4(Hb8)          | does not lead to
        {CITY}                    | Ab4b7(              | parentheses
        {CITY}                    | Ab4b7(Hb8,xAa9)     | a9 is taken
        {CITY}                    | Ab4b9               | in the way
        W:Aa1,Ac3 B:Al12          | Aa1a4               | pieces must still move out from c3
    """,
}


def check_no_turn(tested: Board, state: State, text: str, words: str) -> None:
    with pytest.raises((BadNotation, IllegalMove)) as caught:
        tested.game.parse_turn(state, text)
    assert words in str(caught.value)
    assert str(caught.value).endswith(".") == isinstance(caught.value, BadNotation)


@pytest.mark.parametrize(("tested", "where", "text", "words"), read_cases(NO_TURNS))
def test_what_is_no_turn_is_refused(tested: Board, where: str, text: str, words: str) -> None:
    check_no_turn(tested, tested.at(where), text, words)


def test_a_double_turn_is_two_moves_and_a_single_one_ends_with_its_text() -> None:
    tested = BOARDS["classic_realm"]
    single, double = (tested.game.parse_turn(tested.at(READY), text).moves for text in ("Fb2e2", "Fb2e2,Fe2h2"))
    assert [step.kind for step in single] == [ClassicKind.MOVE, ClassicKind.END]
    assert [step.kind for step in double] == [ClassicKind.MOVE, ClassicKind.MOVE]


# ---- the magazine's game

# As printed, and as it is read where that differs.
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


def test_the_sample_game_both_ways() -> None:
    game, state = REALM.game, REALM.start()
    for text in SETUP.split():
        found = game.parse_turn(state, text)
        assert (game.format_turn(state, found.moves), found.warnings) == (text, [])
        state = REALM.play_steps(state, found.moves)
    for number, (printed, meant) in enumerate(SAMPLE):
        assert game.turn(state) == (7 + number // 2, number % 2)
        found = game.parse_turn(state, printed)
        assert game.format_turn(state, found.moves) == (meant or printed)
        assert bool(found.warnings) == bool(meant)
        assert found.rest == ""
        state = REALM.play_steps(state, found.moves)
    assert REALM.ending(state) == "last_base"
    assert (bases_left(state), captures(state)) == ((0, 3), (2, 4))
    owners = [{space for space, piece in pieces(state).items() if piece == base} for base in ("WB", "BB")]
    assert owners[0] == {"e5", "h5", "b8", "e8", "h8", "k8", "e11", "h11"}
    assert owners[1] == {"b2", "e2", "h2", "k2", "b5", "k5", "b11"}


# ---- anything at all

STARTS = {
    "realm": ["", "choose_seat=both", f"{WHITE_BLACK} options=power_sacrifice=on,optional_creation=on"],
    "classic_realm": ["", "free_setup=on", READY],
    "medieval_realm": ["", LAND],
    "oriental_realm": [
        "", "free_setup=on", "emperor=choose", f"{COURT} from=b5 unmoved=c4",
        "W:Ma1 B:Ma2,Mb1 move=B phase=over end=surrounded won=B",
    ],
    "modern_realm": ["", "counter_agent=choose", CITY],
}  # fmt: skip
ALPHABETS = {
    "realm": "PERBxghiIlL1207NS(),;- ",
    "classic_realm": "Fbehk2581,()+xend ps",
    "medieval_realm": "DMbehk1258off()x+,pas i",
    "oriental_realm": "MEPabkl129IL(), endpas",
    "modern_realm": "ACHxabl19012,() pas;-",
}


def check_reading(tested: Board, state: State, text: str) -> None:
    """Read any text as a step and as a turn: it is read or refused, and nothing else is raised."""
    with suppress(BadNotation):
        tested.game.parse_move(state, text)
    with suppress(BadNotation, IllegalMove):
        moves = tested.game.parse_turn(state, text).moves
        assert moves
        is_only_closed = [tested.game.format_move(state, move) for move in moves] == ["end"]  # which is not written
        assert bool(tested.game.format_turn(state, moves)) != is_only_closed


@pytest.mark.long
@each_board
@FUZZ
@given(data=st.data())
def test_any_text_is_read_or_refused(tested: Board, data: st.DataObject) -> None:
    name = tested.game.info.id
    limits = {**LIMITS[name], **tested.limits}
    drawn = st.sampled_from(STARTS[name]).map(tested.at) | tested.states(**limits)
    text = data.draw(st.text(max_size=60) | st.text(ALPHABETS[name], max_size=40))
    check_reading(tested, data.draw(drawn), text)


@cache
def list_turns(name: str, seed: int) -> list[tuple[State, list[Any], State]]:
    return list(random_turns(BOARDS[name], seed, **dict.fromkeys(LIMITS[name], 20)))


@pytest.mark.long
@pytest.mark.parametrize("name", ["realm", "oriental_realm"])
@FUZZ
@given(seed=st.integers(0, 7), number=st.integers(0, 60), data=st.data())
def test_a_changed_turn_is_read_or_refused(name: str, seed: int, number: int, data: st.DataObject) -> None:
    tested, turns = BOARDS[name], list_turns(name, seed)
    begin, steps, _ = turns[number % len(turns)]
    text = tested.game.format_turn(begin, steps)
    spot = data.draw(st.integers(0, len(text)))
    changed = text[:spot] + data.draw(st.text(ALPHABETS[name], max_size=3))
    check_reading(tested, begin, changed + text[spot + data.draw(st.integers(0, 2)) :])


@pytest.mark.parametrize(
    "text", [" " * 3990 + ")", "(" * 3990, "a " * 1900 + ")", ", " * 1900 + ")", "(" + " " * 3900 + "(", ")" * 3000]
)
def test_hostile_text_is_refused_at_once(text: str) -> None:
    began = process_time()
    check_reading(REALM, REALM.start(), text)
    assert process_time() - began < 2
