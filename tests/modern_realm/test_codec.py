"""States as one line of text: round trips, what is left out, and everything that is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.codec_checks import CodecChecks, check_damaged, check_refusal
from tests.modern_realm.helpers import GAME, TESTED, legal, movers, phase_of, play, position, seat_of, start

BOARD = "W:Ab4,Aa9,Ce2,Hk8 B:Ab8,Ac7,Al12,Ch11"
FIRST = "W:Ab2,Ce2,Ah2,Ak2,Ab5,Ae5,Ah5,Ak5 B:Ab8,Ae8,Ah8,Ak8,Ab11,Ae11,Ch11,Ak11 move=W"
OPEN = FIRST.replace("Ce2", "Ae2").replace("Ch11", "Ah11") + " options=counter_agent=choose choosing"
TURN = "W:Ac3,Aa4,Ak5 B:Al12 move=W from=b2 left=c3"
WAITING = "W:Hb8,Aa9 B:Al12 move=W from=b5 left= waiting=b8"
EIGHT = "W:Hb8,He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:Al1"


@pytest.mark.parametrize("text", [FIRST, OPEN, TURN, WAITING, EIGHT + " move=W end=eight_headquarters"])
def test_a_text_stays_as_it_is(text: str) -> None:
    assert GAME.encode(GAME.decode(text)) == text


def test_the_first_state() -> None:
    assert GAME.encode(start()) == FIRST
    assert GAME.decode(OPEN) == start(counter_agent="choose")
    assert repr(start()) == f"<Modern Realm {FIRST}>"


def test_what_is_left_out_has_a_default() -> None:
    state = GAME.decode("W:Aa1")
    assert (seat_of(state), phase_of(state), legal(state) >= {"Aa1a4"}) == (0, "turn", True)
    assert GAME.decode("move=W") == GAME.decode("W: B: move=W")
    assert legal(GAME.decode("move=W")) == {"pass"}


def test_all_mobile_pieces_are_left_where_nothing_is_said() -> None:
    assert movers(GAME.decode("W:Aa1,Ac3,Ak5 B:Al12 from=b2")) == {"a1", "c3"}
    assert movers(GAME.decode("from=b2 W:Aa1,Ac3,Ak5 B:Al12 left=a1")) == {"a1"}


def test_a_dislodged_agent_waits() -> None:
    state = GAME.decode(WAITING)
    assert (phase_of(state), "xAa9" in legal(state), "xAa7" in legal(state)) == ("dislodge", False, True)
    assert seat_of(play(state, "xAa7")) == 1


def test_a_choice_that_black_has_still_to_make() -> None:
    text = OPEN.replace("Ak5", "Ck5").replace("move=W", "move=B")
    assert GAME.decode(text) == play(start(counter_agent="choose"), "Ck5")


REFUSED = [
    # fields
    ("passed=1", "takes no value"),
    ("W:Aa1 turns=1001", "turns must be a number"),
    ("W:Aa1 end=", "end must be one of"),
    ("W:Aa1 options=bases=13", "bases"),
    # pieces
    ("W:Pa1", "Pa1 is not a piece"),
    ("W:Am1", "Am1 is not a piece"),
    ("W:Aa13", "Aa13 is not a piece"),
    ("W:Aa1 B:Aa1", "a1 holds two pieces"),
    ("W:Aa1,Aa2,Aa3,Aa4,Aa5,Aa6,Aa7,Aa8,Aa9", "White has more than 8 pieces"),
    ("B:Ca1,Ca2", "Black has more than one Counter-Agent"),
    ("W:Hb5", "HQs must be on enemy Centers, and b5 is not one"),
    ("B:Ha1", "HQs must be on enemy Centers, and a1 is not one"),
    ("W:Ab8", "White's piece on the Center b8 would have become an HQ"),
    ("B:Cb2", "Black's piece on the Center b2 would have become an HQ"),
    # a turn that has begun
    ("W:Aa1 from=a1", "from must be a Realm's Center"),
    ("W:Aa1 from=z9", "from must be a Realm's Center"),
    ("W:Aa1 left=a1", "and a1 is not in it"),
    ("W:Aa1,Ak5 from=b2 left=k5", "and k5 is not in it"),
    ("W:Aa1 from=b2 left=a1,a1", "`left` names a1 twice"),
    ("W:Aa1 from=b2 left=a1,", "left must name spaces like b5, not nothing"),
    ("W:Aa1 from=b2 left=z1", "left must name spaces"),
    ("W:Aa1 from=b2 left=a2", "`left` names a2, where the mover has no Agent"),
    ("W:Aa1 B:Aa2 from=b2 left=a2", "`left` names a2, where the mover has no Agent"),
    ("W:Aa1,Hb8 from=b8 left=b8", "`left` names b8, where the mover has no Agent"),
    ("W:Aa1 B:Aa2,Ab1 from=b2 left=a1", "is complete"),
    ("W:Aa1 from=b2 left=", "is complete"),
    ("W:Ab4 turns=300 from=b5 end=max_turns", "no turn is under way"),
    (OPEN + " from=b2", "no turn is under way"),
    # a dislodged Agent
    ("W:Hb8 waiting=b8", "name the Realm of that turn in `from`"),
    ("W:Hb8 waiting=b8 from=b8 left=", "name the Realm of that turn in `from`"),
    ("W:Hb8 waiting=a8 from=b5 left=", "waiting must be a Realm's Center"),
    ("W:Aa8 waiting=b8 from=b5 left=", "has just founded an HQ"),
    ("B:Hb2 waiting=b2 from=b5 left=", "has just founded an HQ"),
    ("W:Hb8 waiting=b8 end=max_turns turns=300", "name the Realm of that turn in `from`"),
    ("W:Hb8 waiting=b8 from=b5 left= B:Al1,Al2,Al3,Al4,Al5,Al6,Al7,Al8", "Black has more than 8 pieces"),
    ("W:Hb8,Aa7,Ab7,Ac7,Aa8,Ac8 B:Aa9,Ab9,Ac9 waiting=b8 from=b5 left=", "is complete"),
    # choices
    (FIRST + " choosing", "only with options=counter_agent=choose"),
    (OPEN.replace("Ab2,", ""), "every other Center must hold an Agent"),
    (OPEN.replace("Ab2,", "Cb2,"), "every other Center must hold an Agent"),
    (OPEN.replace("move=W", "move=B"), "every other Center must hold an Agent"),
    (OPEN.replace("Ab8,", "Cb8,").replace("move=W", "move=B"), "every other Center must hold an Agent"),
    (OPEN + " turns=1", "every other Center must hold an Agent"),
    (OPEN + " passed", "every other Center must hold an Agent"),
    # ends
    (EIGHT, "write end=eight_headquarters"),
    (EIGHT + " move=B end=eight_headquarters", "The end does not match"),
    (EIGHT + " passed end=two_passes", "The end does not match"),
    ("W:Aa1 end=eight_headquarters", "The end does not match"),
    ("W:Aa1 end=two_passes", "The end does not match"),
    ("W:Aa1 turns=299 end=max_turns", "The end does not match"),
    ("W:Aa1 turns=300", "write end=max_turns"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_what_no_game_could_go_on_from_is_refused(text: str, words: str) -> None:
    check_refusal(GAME, text, words)


@pytest.mark.parametrize(
    "text", ["W:Aa1 passed end=two_passes", "W:Aa1 turns=300 end=max_turns", "W:Aa1 turns=20 options=max_turns=21"]
)
def test_other_ends_are_read(text: str) -> None:
    assert GAME.decode(GAME.encode(GAME.decode(text))) == GAME.decode(text)


@settings(max_examples=70, deadline=None)
@given(st.integers(0, 30), st.integers(0, 10**6), st.sampled_from(" :,=-x0123456789WBACHl"))
def test_a_damaged_position_is_read_or_refused(steps: int, at: int, sign: str) -> None:
    lines = [TURN, WAITING, OPEN, FIRST, EIGHT + " end=eight_headquarters"]
    check_damaged(TESTED, lines[steps % len(lines)], at, sign)


def test_options_travel_with_the_state() -> None:
    state = position("W:Aa1 B:Al12", counter_agent="k5", hq_counts=False, max_turns=77)
    assert "options=counter_agent=k5,hq_counts=off,max_turns=77" in GAME.encode(state)
    assert GAME.decode(GAME.encode(state)).options == state.options


class TestCodec(CodecChecks):
    tested = TESTED
    board = BOARD
    alphabet = " :,=-x0123456789WBACHlmovepasd"
    refused = REFUSED
