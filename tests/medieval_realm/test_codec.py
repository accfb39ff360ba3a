"""A state as one line: both ways, written by hand, and refused with a reason; never a crash."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from tests.codec_checks import HandmadeChecks, check_fields_are_written, check_present_position_is_seen, check_refusal
from tests.example_tables import read_table
from tests.medieval_realm.helpers import GAME, TESTED, border, centers, duke_rows, ending, off, play, position

BOARD = "W:De2,Mb5,Ma7 B:Dh11,Mb8"
KEY = "0123456789abcdef"


# ---- both ways


def test_the_set_up_in_writing() -> None:
    assert GAME.encode(TESTED.start()) == (
        "W:Mb2,De2,Dh2,Mk2,Mb5,Me5,Mh5,Mk5 B:Mb8,Me8,Mh8,Mk8,Mb11,De11,Dh11,Mk11 move=W"
    )


@pytest.mark.parametrize(
    ("board", "steps", "fields"),
    [
        (BOARD, "De2e5", "move=B turns=1 dukes=1/0"),
        (BOARD, "De2e5 Dh11h8", "move=W turns=2 dukes=1/1"),
        ("W:Ma4 B:Ml9,Dk2", "pass", "move=B turns=1 passed"),
        ("W:Ma4 B:Ml9", "pass pass", "end=two_passes"),
        ("W:Mb11 B:Ml9", "Mb11off", "W: move=W end=borne_off"),
    ],
)
def test_fields_are_written_where_they_differ_from_the_default(board: str, steps: str, fields: str) -> None:
    check_fields_are_written(TESTED, play(position(board), steps), fields)


# ---- by hand


def test_a_board_alone_is_whites_turn_and_the_rest_is_borne_off() -> None:
    state = GAME.decode("W:De2,Mb5,Ma7 B:Dh11,Mb8")
    assert centers(state) == {"e2": "WD", "b5": "WM", "h11": "BD", "b8": "BM"}
    assert border(state) == {"b8": [1, 0]}
    assert (off(state), TESTED.seat_of(state), duke_rows(state), ending(state)) == ([5, 6], 0, [0, 0], None)
    assert GAME.turn(state) == (1, 0)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (BOARD + " move=W turns=0 dukes=0/0 end=", BOARD),
        ("B:Mb8,Dh11   W:Ma7,De2,Mb5", BOARD),
        (BOARD.replace("Ma7", "Mc9"), BOARD),
        (BOARD + " options=max_plies=300", BOARD),
    ],
)
def test_defaults_need_not_be_written(text: str, same: str) -> None:
    assert GAME.decode(text) == GAME.decode(same)


def test_the_present_position_counts_as_seen() -> None:
    check_present_position_is_seen(GAME, BOARD)


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("W: B:Dk11 end=borne_off", 0),
        ("W:Dk2 B: move=B end=borne_off turns=300", 1),
        (BOARD + " end=duke_draw dukes=3/3", None),
        (BOARD + " end=max_plies turns=300", None),
    ],
)
def test_a_game_that_is_over(text: str, winner: int | None) -> None:
    outcome = GAME.outcome(GAME.decode(text))
    assert outcome is not None
    assert outcome.winner == winner


# ---- refused

REFUSED_FIELDS = """
    colour=red                    | has no field colour; it has W:, B:, options, move, turns, dukes, passed, end, seen
    passed=1                      | passed takes no value
    turns=301                     | turns must be a number from 0 to 300
    turns=21 options=max_plies=20 | turns must be a number from 0 to 20
    dukes=3                       | dukes needs a number for White and one for Black
    dukes=4/0                     | dukes must be a number from 0 to 3
    end=win                       | end must be one of borne_off
    seen=123                      | 16 hexadecimal digits
    options=max_plies=9           | Option max_plies must be 20 to 500
    options=bases=12              | There is no option bases
    end=borne_off                 | White has not borne off all pieces
    turns=300                     | The game has reached its last turn
    dukes=3/3                     | Both players have moved Dukes three times in a row
"""  # behind BOARD
REFUSED_LINES = """
    # pieces
    W:De2,Me2 B:Dh11                 | e2 holds two pieces
    W:De2,Ma1 B:Ma1                  | a1 holds two pieces
    W:Pe2 B:Dh11                     | Pe2 is not a piece on a space
    W:Dm2 B:Dh11                     | Dm2 is not a piece
    W:De13 B:Dh11                    | De13 is not a piece
    W:De1 B:Dh11                     | De1 is not possible: Dukes are never dislodged
    W:De2,Dh2,Db2 B:Dh11             | White has 3 Dukes, but the limit is 2
    W:De2 B:Ma1,Mb1,Mc1,Ma2,Mb2,Mc2,Ma3 | Black has 7 Men, but the limit is 6
    # the end
    W: B:Dh11                        | White has borne off all pieces, so the game is over; write move=W end=borne_off
    W:De2 B:                         | Black has borne off all pieces, so the game is over; write move=B end=borne_off
    W:De2 B: end=borne_off           | Black has borne off all pieces
    W: B: end=borne_off              | Black has borne off all pieces
    W: B:De2 end=max_plies turns=300 | White has borne off all pieces
"""
REFUSED = [
    *((f"{BOARD} {fields}", words) for fields, words in read_table(REFUSED_FIELDS)),
    *((line, words) for line, words in read_table(REFUSED_LINES)),
    (BOARD + f" seen={KEY},{KEY}", "`seen` lists more positions"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_a_position_is_refused_with_a_sentence(text: str, words: str) -> None:
    check_refusal(GAME, text, words)


# ---- anything at all

SPACES = [f"{file}{rank}" for file in "abcdefghijkl" for rank in range(1, 13)]


@st.composite
def men_anywhere(draw: st.DrawFn) -> str:
    """Some Men of each side on any spaces, with at most one field."""
    spaces = draw(st.lists(st.sampled_from(SPACES), unique=True, max_size=12))
    half = draw(st.integers(0, len(spaces)))
    white, black = (",".join(f"M{space}" for space in part) for part in (spaces[:half], spaces[half:]))
    field = draw(st.sampled_from(["", "move=B", "turns=299", "dukes=2/3", "passed", "end=borne_off"]))
    return f"W:{white} B:{black} {field}"


class TestCodec(HandmadeChecks):
    tested = TESTED
    board = BOARD
    alphabet = "WB:DMabehk1258,= /-_movedukspt"
    refused = REFUSED
    handmade = men_anywhere()
