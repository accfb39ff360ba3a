"""A state as one line: both ways, written by hand, and refused with a reason; never a crash."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from realmtable.games.medieval_realm.state import State
from tests.board_game import seeds
from tests.codec_checks import check_refusal, check_round_trip, overwrite_line, play_randomly, try_decode
from tests.medieval_realm.helpers import (
    GAME,
    TESTED,
    border,
    centers,
    duke_rows,
    ending,
    off,
    play,
    position,
    random_game,
    seat_of,
    start,
    states,
)

BOARD = "W:De2,Mb5,Ma7 B:Dh11,Mb8"
FUZZ = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
KEY = "0123456789abcdef"
ALPHABET = "WB:DMabehk1258,= /-_movedukspt"


# ---- both ways


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(6))
def test_every_state_of_a_game_comes_back(seed: int) -> None:
    for state, _ in random_game(seed):
        check_round_trip(TESTED, state)


@pytest.mark.no_cover
@FUZZ
@given(states())
def test_any_state_comes_back(state: State) -> None:
    check_round_trip(TESTED, state)


def test_the_set_up_in_writing() -> None:
    assert GAME.encode(start()) == ("W:Mb2,De2,Dh2,Mk2,Mb5,Me5,Mh5,Mk5 B:Mb8,Me8,Mh8,Mk8,Mb11,De11,Dh11,Mk11 move=W")


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
    words = GAME.encode(play(position(board), steps)).split()
    assert [word for word in fields.split() if word not in words] == []


# ---- by hand


def test_a_board_alone_is_whites_turn_and_the_rest_is_borne_off() -> None:
    state = GAME.decode("W:De2,Mb5,Ma7 B:Dh11,Mb8")
    assert centers(state) == {"e2": "WD", "b5": "WM", "h11": "BD", "b8": "BM"}
    assert border(state) == {"b8": [1, 0]}
    assert (off(state), seat_of(state), duke_rows(state), ending(state)) == ([5, 6], 0, [0, 0], None)
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
    state = GAME.decode(BOARD)
    assert "seen" not in GAME.encode(state)
    assert GAME.decode(BOARD + " seen=") != state
    assert GAME.decode(GAME.encode(GAME.decode(BOARD + " seen="))) == GAME.decode(BOARD + " seen=")


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

REFUSED = [
    ("x" * 20_000, "A position may have at most"),
    ("hello", "hello is not a field"),
    (BOARD + " W:Dh2", "given twice"),
    (BOARD + " move=W move=W", "The field move is given twice"),
    (BOARD + " colour=red", "has no field colour; it has W:, B:, options, move, turns, dukes, passed, end, seen"),
    (BOARD + " passed=1", "passed takes no value"),
    (BOARD + " move=White", "move must be one of W, B"),
    (BOARD + " turns=301", "turns must be a number from 0 to 300"),
    (BOARD + " turns=-1", "turns must be a number"),
    (BOARD + " turns=21 options=max_plies=20", "turns must be a number from 0 to 20"),
    (BOARD + " dukes=3", "dukes needs a number for White and one for Black"),
    (BOARD + " dukes=4/0", "dukes must be a number from 0 to 3"),
    (BOARD + " end=win", "end must be one of borne_off"),
    (BOARD + " seen=123", "16 hexadecimal digits"),
    (BOARD + f" seen={KEY},{KEY}", "`seen` lists more positions"),
    (BOARD + " options=max_plies=9", "Option max_plies must be 20 to 500"),
    (BOARD + " options=bases=12", "There is no option bases"),
    # pieces
    ("W:De2,Me2 B:Dh11", "e2 holds two pieces"),
    ("W:De2,Ma1 B:Ma1", "a1 holds two pieces"),
    ("W:Pe2 B:Dh11", "Pe2 is not a piece on a space"),
    ("W:De2, B:Dh11", "Nothing is not a piece"),
    ("W:Dm2 B:Dh11", "Dm2 is not a piece"),
    ("W:De13 B:Dh11", "De13 is not a piece"),
    ("W:De1 B:Dh11", "De1 is not possible: Dukes are never dislodged"),
    ("W:De2,Dh2,Db2 B:Dh11", "White has 3 Dukes, but the limit is 2"),
    ("W:De2 B:Ma1,Mb1,Mc1,Ma2,Mb2,Mc2,Ma3", "Black has 7 Men, but the limit is 6"),
    # the end
    ("W: B:Dh11", "White has borne off all pieces, so the game is over; write move=W end=borne_off"),
    ("W:De2 B:", "Black has borne off all pieces, so the game is over; write move=B end=borne_off"),
    ("W:De2 B: end=borne_off", "Black has borne off all pieces"),
    ("W: B: end=borne_off", "Black has borne off all pieces"),
    ("W: B:De2 end=max_plies turns=300", "White has borne off all pieces"),
    (BOARD + " end=borne_off", "White has not borne off all pieces"),
    (BOARD + " turns=300", "The game has reached its last turn"),
    (BOARD + " dukes=3/3", "Both players have moved Dukes three times in a row"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_a_position_is_refused_with_a_sentence(text: str, words: str) -> None:
    check_refusal(GAME, text, words)


# ---- anything at all


@FUZZ
@given(st.text(max_size=200) | st.text(alphabet=ALPHABET, max_size=60))
@example("W:\x00 B:")
@example("=\n=")
@example("W:B:W:")
def test_any_text_is_a_position_or_refused(text: str) -> None:
    try_decode(GAME, text)


@pytest.mark.no_cover
@FUZZ
@given(states(), st.data())
def test_a_changed_line_is_a_position_that_can_be_played_or_refused(state: State, data: st.DataObject) -> None:
    text = overwrite_line(data, GAME.encode(state), ALPHABET)
    if (changed := try_decode(GAME, text)) is not None:
        assert GAME.draw(GAME.view(changed, None))
        play_randomly(TESTED, changed, data.draw(seeds), 20)


SPACES = [f"{file}{rank}" for file in "abcdefghijkl" for rank in range(1, 13)]


@pytest.mark.no_cover
@FUZZ
@given(st.lists(st.sampled_from(SPACES), unique=True, max_size=12), st.data())
def test_what_is_put_together_by_hand_can_be_played_or_is_refused(spaces: list[str], data: st.DataObject) -> None:
    half = data.draw(st.integers(0, len(spaces)))
    white, black = (",".join(f"M{space}" for space in part) for part in (spaces[:half], spaces[half:]))
    field = data.draw(st.sampled_from(["", "move=B", "turns=299", "dukes=2/3", "passed", "end=borne_off"]))
    if (state := try_decode(GAME, f"W:{white} B:{black} {field}")) is not None:
        assert GAME.draw(GAME.view(state, None))
        play_randomly(TESTED, state, data.draw(seeds), 20)
