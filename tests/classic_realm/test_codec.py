"""A state as one line: both ways, written by hand, and refused with a reason; never a crash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.games.classic_realm.first_state import State
from tests.classic_realm.helpers import (
    GAME,
    TESTED,
    double_move_right,
    ending,
    pads,
    phase_of,
    play,
    seat_of,
    start,
    states,
    water,
)
from tests.classic_realm.test_rules import FAR, FULL, RING
from tests.codec_checks import FUZZ, CodecChecks, check_damaged, check_refusal, check_round_trip
from tests.example_tables import read_table

KEY = "0123456789abcdef"
SET = "W:Fb2,Fe2,Fh2,Fk2,Fb5,Fe5,Fh5,Fk5 B:Fb8,Fe8,Fh8,Fk8,Fb11,Fe11,Fh11,Fk11"
FREE = " options=free_setup=on"
DOUBLE = " options=double_moves=on"
WON = "W:Fb2,~e5*7 B:~k11*8 phase=over end=all_in_water"


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (start(), SET + " move=W"),
        (start(free_setup=True), "W: B: move=W options=free_setup=on"),
        (play(start(free_setup=True), "Fb2"), "W:Fb2 B: move=B options=free_setup=on"),
        (GAME.decode(FAR), FAR + " move=W"),
        (GAME.decode(WON), "W:Fb2,~e5*7 B:~k11*8 move=W phase=over end=all_in_water"),
        (GAME.decode(FAR + " right=W owed=0" + DOUBLE), FAR + " move=W" + DOUBLE + " right=W owed=0"),
    ],
)
def test_only_what_is_not_usual_is_written(state: State, text: str) -> None:
    assert GAME.encode(state) == text


def test_a_turn_under_way_is_written() -> None:
    state = play(GAME.decode(FAR + " right=W owed=0" + DOUBLE), "Fb2e2")
    assert phase_of(state) == "second"
    assert " phase=second right=W owed=0 seen=" in GAME.encode(state)
    assert GAME.decode(GAME.encode(state)) == state


def test_positions_seen_before_come_back() -> None:
    state = play(GAME.decode(FAR), RING + "Fb2e2 Fk11h11 Fe2b2")
    assert ending(play(GAME.decode(GAME.encode(state)), "Fh11k11")) == "repetition"


# ---- by hand


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("B:~e8*4,Fk11,~h5*3   W:Fb2,~e5*4,~h8*3", FAR),
        (FAR.replace("~e5*4", "~e5,~e5*2,~e5"), FAR),
        (FAR + " move=W phase=turn turns=0 options=max_plies=300", FAR),
        ("W:Fb2 B:" + FREE, "W:Fb2 B: move=B phase=place" + FREE),
        (FREE.strip(), "W: B:" + FREE),
        (SET + DOUBLE, SET + DOUBLE + " right=B owed=2"),
    ],
)
def test_defaults_need_not_be_written(text: str, same: str) -> None:
    assert GAME.decode(text) == GAME.decode(same)


def test_what_a_line_says() -> None:
    state = GAME.decode(FULL + " move=B turns=7")
    assert pads(state) == {"b2": "W", "e2": "W", "e5": "W", "k2": "W", "b8": "B", "e8": "B", "k8": "B"}
    assert water(state) == {"e5": [3, 5], "k11": [1, 0]}
    assert (seat_of(state), double_move_right(state), GAME.turn(state)) == (1, (None, 0), (4, 1))
    assert GAME.decode(SET) == start()


# ---- refused

REFUSED_FIELDS = """
    options=bases=3                    | bases
    options=max_plies=3                | max_plies
    phase=sleep                        | phase must be one of
    turns=501                          | turns must be a number from 0 to 500
    seen=xyz                           | seen must be a list
    right=W                            | need the option double_moves
    owed=1                             | need the option double_moves
    phase=second                       | A second move needs the right
    phase=over                         | needs both phase=over and a reason
    end=repetition                     | needs both phase=over and a reason
    phase=over end=all_in_water        | when one side has no frog on a pad
    turns=300                          | exactly when it has reached its last turn
    turns=20 phase=over end=max_plies  | exactly when it has reached its last turn
    turns=301 phase=over end=max_plies | exactly when it has reached its last turn
    phase=place                        | This is not a valid set-up
"""  # behind FAR
REFUSED_LINES = """
    W:Pb2 B:                                               | Pb2 is not a frog
    W:Fa1 B:                                               | Fa1 is not a frog
    W:Fb99 B:                                              | Fb99 is not a frog
    W:~a1 B:                                               | ~a1 is not a frog
    W:Fb2*2 B:                                             | not a frog
    W:~b2*9 B:                                             | not a frog
    W:~b2*0 B:                                             | not a frog
    W:Fb2,Fb2 B:                                           | b2 holds two frogs
    W:Fb2 B:Fb2                                            | b2 holds two frogs
    W:Fb2 B:Fk11,Fk11                                      | k11 holds two frogs
    W:Fb2 B:Fk11                                           | White has 1 frogs
    W:Fb2,~e5*7 B:Fk11,~e5*8                               | Black has 9 frogs
    W:Fb2,~e5*7 B:Fk11,Fe5,~e5*6                           | The Realm e5 holds more than 9
    W:Fb2,~e5*7 B:~k11*8                                   | when one side has no frog on a pad
    W:~e5*8 B:~k11*8 phase=over end=all_in_water           | when one side has no frog on a pad
    W:Fb2 B: right=B options=free_setup=on,double_moves=on | This is not a valid set-up
"""
REFUSED = [
    *((f"{FAR} {fields}", words) for fields, words in read_table(REFUSED_FIELDS)),
    *((line, words) for line, words in read_table(REFUSED_LINES)),
    (FAR + " owed=3" + DOUBLE, "owed must be a number"),
    (FAR + " right=X" + DOUBLE, "right must be one of"),
    (FAR + f" seen={KEY},{KEY}", "`seen` lists more positions"),
    ("W:Fb2 B:" + FREE + f" seen={KEY},{KEY}", "`seen` lists more positions"),
    (FAR + " phase=second right=W" + DOUBLE, "owed=0"),
    (FAR + " phase=second right=W owed=0 rescued=e5" + DOUBLE, "`rescued` must name a pad of the player"),
    (FAR + " right=W owed=0 rescued=b2" + DOUBLE, "with phase=second"),
    (FAR + " rescued=a1" + DOUBLE, "rescued must be a pad like b2, not a1"),
    ("W:Fb2 B:" + FREE + " rescued=b2", "not a valid set-up"),
    (WON + " move=B", "the winner"),
    ("W:Fb2,Fe2 B:" + FREE, "This is not a valid set-up"),
    ("W: B:Fb2" + FREE, "This is not a valid set-up"),
    ("W:Fb2 B: move=W" + FREE, "This is not a valid set-up"),
    ("W:~b2 B:" + FREE, "This is not a valid set-up"),
    ("W:Fb2 B: turns=1" + FREE, "This is not a valid set-up"),
    ("W:Fb2 B: end=repetition" + FREE, "This is not a valid set-up"),
    ("W:Fb2 B: owed=1" + FREE, "This is not a valid set-up"),
    (SET + " phase=place" + FREE, "This is not a valid set-up"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_what_no_game_could_go_on_from_is_refused(text: str, words: str) -> None:
    check_refusal(GAME, text, words)


@FUZZ
@given(states(max_plies=40), st.integers(0, 10**6), st.sampled_from(" :,=~*0123456789WBFbehk"))
def test_a_damaged_position_is_read_or_refused(state: State, at: int, sign: str) -> None:
    check_damaged(TESTED, GAME.encode(state), at, sign)


class TestCodec(CodecChecks):
    tested = TESTED
    board = FAR
    alphabet = "WB:Fbehk2581,~*= move"
    refused = REFUSED

    def check_state(self, state: State) -> None:
        assert check_round_trip(TESTED, state).position.tobytes() == state.position.tobytes()
