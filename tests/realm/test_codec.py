"""A state as one line: both ways, written by hand, and refused with a reason; never a crash."""

from __future__ import annotations

import pytest

from realmtable.engine.options import OptionValue
from realmtable.games.realm.layout import KEY_CAPACITY
from tests.codec_checks import (
    HandmadeChecks,
    check_fields_are_written,
    check_present_position_is_seen,
    check_refusal,
    put_together,
)
from tests.example_tables import read_table
from tests.realm.helpers import GAME, TESTED, bases_left, captures, enforcers_left, phase_of, pieces, play, position

BOARD = "W:Bh11,Pg10 B:Bh2,Pg3"
KEY = "0123456789abcdef"


# ---- both ways


@pytest.mark.parametrize(
    ("steps", "options", "text"),
    [
        ("", {}, "W: B: move=W phase=bases"),
        ("Bh11", {}, "W:Bh11 B: move=B phase=bases placed=1"),
        ("place:Black", {"choose_seat": "place"}, "W: B: move=B options=choose_seat=place phase=bases first=B"),
    ],
)  # fmt: skip
def test_the_set_up_in_writing(steps: str, options: dict[str, OptionValue], text: str) -> None:
    assert GAME.encode(play(TESTED.start(**options), steps)) == text


@pytest.mark.parametrize(
    ("steps", "options", "fields"),
    [
        ("offer", {}, "offer=made"),
        ("offer Pg10g7 end", {}, "turns=1 offer=standing"),
        ("offer Pg10g7 end accept", {}, "phase=over turns=1 end=agreement"),
        ("Pg10g7", {}, "progress from=h11 into=h8"),
        ("Pg10g7", {"optional_creation": True}, "phase=found moved from=h11 into=h8 at=g7"),
        ("Rh11", {}, "phase=rearrange from=h11 lifted=WPg10"),
        ("Rh11 Ph10", {}, "turns=1 quiet=1 rowW=h11*1"),
    ],
)
def test_fields_are_written_where_they_differ_from_the_default(
    steps: str, options: dict[str, OptionValue], fields: str
) -> None:
    check_fields_are_written(TESTED, play(position(BOARD, **options), steps), fields)


# ---- by hand


def test_a_board_alone_is_whites_turn_with_full_stocks() -> None:
    state = GAME.decode("W:Bh11,Bh8,Pg10,Eg12S,Ea7x B:Bh2,Pg3")
    assert pieces(state) == {
        "h11": "WB", "h8": "WB", "g10": "WP", "g12": "WES", "a7": "WEx", "h2": "BB", "g3": "BP"
    }  # fmt: skip
    assert (TESTED.seat_of(state), phase_of(state)) == (0, "turn")
    assert (bases_left(state), enforcers_left(state), captures(state)) == ((10, 11), (6, 8), (0, 0))
    assert GAME.turn(state) == (7, 0)


def test_captures_lower_what_is_left() -> None:
    assert bases_left(GAME.decode(BOARD + " captured=2/1")) == (10, 9)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (BOARD + " move=W", BOARD),
        ("B:Bh2,Pg3   W:Pg10,Bh11", BOARD),
        (BOARD + " captured=0/0 left=11/11 stock=8/8 turns=0 quiet=0 first=W offer=none phase=turn", BOARD),
        (BOARD + " options=bases=12", BOARD),
        ("B:Bh2,Pg3 W: move=B", "B:Bh2,Pg3 move=B"),
    ],
)
def test_defaults_need_not_be_written(text: str, same: str) -> None:
    assert GAME.decode(text) == GAME.decode(same)


def test_the_present_position_counts_as_seen() -> None:
    check_present_position_is_seen(GAME, BOARD)


# ---- refused

REFUSED_FIELDS = """
    # fields
    moved=1                                        | moved takes no value
    turns=1001                                     | turns must be a number from 0 to 1000
    quiet=121                                      | quiet must be a number from 0 to 120
    left=3                                         | left needs a number for White and one for Black
    left=16/3                                      | left must be a number
    stock=3/x                                      | stock must be a number
    captured=31/0                                  | captured must be a number
    captured=3                                     | captured needs a number
    first=x                                        | first must be one of W, B
    phase=end                                      | phase must be one of choose_place
    offer=yes                                      | offer must be one of none, made, standing
    from=a1                                        | from must be a Realm's Center like h11
    into=x                                         | into must be a Realm's Center like h11
    at=h11                                         | at must be a Border space
    at=m1                                          | at must be a Border space
    rowW=h11                                       | like rowW=h11*2
    rowB=h11*3                                     | like rowW=h11*2
    rowB=h10*1                                     | Realm's Center
    seen=123                                       | 16 hexadecimal digits
    options=bases=99                               | Option bases must be 11 to 14
    options=second_moves_first=on,choose_seat=move | keep one of them
    stock=9/8                                      | White has more than 8 Enforcers
    left=12/3                                      | White has more than 12 Bases
    captured=5/0 left=3/7                          | Black has more than 12 Bases
    left=0/3                                       | White has no Base left to create, so the game is over
    captured=0/12                                  | White has no Base left
    # the turn
    phase=over                                     | needs both phase=over and a reason
    end=agreement                                  | needs both phase=over and a reason
    moved                                          | Write `from` or `into`
    freed                                          | Write `from` or `into`
    from=h11                                       | Write `from` or `into`
    lifted=WPi12                                   | Write `from` or `into`
    lifted=WPi12 moved                             | Lifted pieces need the phase rearrange
    at=g10                                         | but no event is
    turns=300                                      | reached its limit
    turns=20 options=max_turns=20                  | reached its limit
    quiet=60                                       | reached its limit
    # lifted pieces
    phase=rearrange                                | A rearrangement needs lifted pieces
    phase=rearrange from=h11                       | A rearrangement needs lifted pieces
    phase=rearrange lifted=WPi12 moved             | and no move
    phase=rearrange lifted=WPi12 freed             | and no move
    phase=rearrange lifted=WPi12 into=h11          | and no move
    phase=rearrange lifted=                        | with their owner
    phase=rearrange lifted=Pi12                    | with their owner
    phase=rearrange lifted=WBh11                   | Powers and Enforcers of the Realm
    phase=rearrange lifted=WPi12,WPl12             | Powers and Enforcers of the Realm
    phase=rearrange from=b2 lifted=WPi12           | Powers and Enforcers of the Realm
    phase=rearrange lifted=WPi12 from=b2           | Powers and Enforcers of the Realm
    phase=rearrange lifted=WPi12,WEi12N            | i12 held two lifted pieces
    phase=rearrange lifted=WPi12                   | needs lifted pieces to put back
"""  # behind BOARD
REFUSED_LINES = """
    # pieces
    W:Bh11,Pg10,Eg10N B:Bh2                                   | g10 holds two pieces
    W:Bh11 B:Bh11                                             | h11 holds two pieces
    W:Bh11,Eg10 B:Bh2                                         | Eg10 is not a piece on a space
    W:Bh11,Pg10N B:Bh2                                        | Pg10N is not a piece on a space
    W:Bh11,Pm1 B:Bh2                                          | Pm1 is not a piece on a space
    W:Bh10 B:Bh2                                              | Bh10 is not possible
    W:Ph11 B:Bh2                                              | Ph11 is not possible
    W:Eh11N B:Bh2                                             | Eh11N is not possible
    # counts
    W:Bh11,Pg10,Pg11,Pg12,Pi12 B:Bh2                          | White has 4 Powers, but the limit is 3
    W:Bh11 B:Bh2,Ea1N stock=8/8                               | Black has more than 8 Enforcers
    W:Bh11 B:Bh2,Ea1N,Eb1N,Ec1N,Ea2N,Ec2N options=enforcers=4 | Black has more than 4 Enforcers
    W:Bh11 B:Bh2 phase=rearrange lifted=BPi12                 | needs lifted pieces to put back
    W:Bh11,Pg10,Ph10 B:Bh2 phase=rearrange lifted=WPi12       | do not match the lifted ones
    W:Bh11,Eg10N B:Bh2 phase=rearrange lifted=WPi12,WEi11N    | do not match the lifted ones
    W:Bh11,Pi12 B:Bh2 phase=rearrange lifted=WPg10,WPi11      | no legal step in the phase rearrange
"""
REFUSED = [
    *((f"{BOARD} {fields}", words) for fields, words in read_table(REFUSED_FIELDS)),
    *((line, words) for line, words in read_table(REFUSED_LINES)),
    (BOARD + " seen=" + ",".join([KEY] * KEY_CAPACITY), "16 hexadecimal digits"),
    (BOARD + f" seen={KEY},{KEY}", "`seen` lists more positions"),
    # a pending event
    *[
        (f"{board} {fields}", "`at` must name the piece that has just moved")
        for board, fields in [
            (BOARD, "phase=create moved from=e8"),
            (BOARD, "phase=create moved from=e8 at=g11"),
            (BOARD, "phase=create from=e8 at=g10"),
            (BOARD, "phase=create moved from=e8 at=g3"),
            (BOARD, "phase=create moved from=e8 at=g10 stock=0/0"),
            (BOARD, "phase=found moved from=e8 at=g10"),
            ("W:Bh11,Pg7 B:Bh2", "phase=create moved from=e8 at=g7"),
            ("W:Bh11,Pg7 B:Bh2", "phase=found moved from=e8 at=g7"),  # without V16 there is nothing to decide
            (BOARD, "phase=immobilise moved from=e8 at=g10"),
            ("W:Bh11,Ea1N B:Bh2,Ea3N", "phase=immobilise moved from=e8 at=a1"),
            ("W:Bh11,Ea1x B:Bh2,Ea3N,Ec3N", "phase=immobilise moved from=e8 at=a1"),
        ]
    ],
    # the set-up
    *[
        (text, "do not match the set-up")
        for text in [
            "phase=bases move=B",
            "phase=bases placed=1 W:Bh11",
            "phase=bases placed=1 move=B",
            "phase=bases placed=6 W:Bh11,Be8,Bb5 B:Bh2,Be5,Bb8",
            "phase=bases W:Bh11",
            "phase=bases turns=3",
            "phase=bases left=11/2",
            "phase=bases placed=1 move=B W:Bh11 left=12/12",
            "phase=bases placed=2 W:Bh11 B:Bh2,Eg3N",
            "phase=powers W:Bh11 B:Bh2",
            "phase=powers placed=1 move=B W:Bh11,Be8,Bb5,Pa1 B:Bh2,Be5,Bb8",
            "phase=powers placed=2 W:Bh11,Be8,Bb5,Pg10 B:Bh2,Be5,Bb8,Pa12",
            "phase=powers placed=6 W:Bh11,Be8,Bb5,Pg10,Pd7,Pa4 B:Bh2,Be5,Bb8,Pg1,Pd4,Pa7",
            "phase=choose_place placed=1 move=B options=choose_seat=place",
            "phase=choose_move W:Bh11,Be8,Bb5,Pg10,Pd7,Pa4 B:Bh2,Be5,Bb8,Pg1,Pd4,Pa7 options=choose_seat=move",
        ]
    ],
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_a_position_is_refused_with_a_sentence(text: str, words: str) -> None:
    check_refusal(GAME, text, words)


# ---- anything at all

PHASES = ["choose_place", "bases", "powers", "choose_move", "turn", "found", "create", "immobilise", "rearrange"]
FIELDS = [
    ["move=W", "move=B"],
    [f"phase={phase}" for phase in PHASES],
    ["moved", "moved progress", "freed", "passed"],
    ["from=h11", "from=b2", "from=e8"],
    ["into=h11", "into=b2", "into=e8"],
    ["at=g10", "at=a1", "at=d7"],
    ["left=1/1", "left=11/2", "left=2/13"],
    ["stock=0/0", "stock=1/4"],
    ["lifted=WPg10", "lifted=WPg10,WEh10N", "lifted=BPa1,WPa2", "lifted=BEa1x"],
    ["placed=1", "placed=5", "placed=6", "placed=8"],
    ["first=B", "offer=made", "offer=standing", "captured=2/3"],
    ["rowW=h11*2", "rowB=b2*1", "quiet=9", "quiet=120", "turns=1000", "turns=19"],
]
LAWS = "powers=4 optional_creation=on power_sacrifice=on rearrange_both=on rearrange=all_move extra_base_second=on"
HANDMADE = [
    "W:Bh11,Pg10 B:Bh2,Pa1",
    "W:Bh11,Pg10,Eg12S,Ea2x B:Bb2,Pa1,Ec3N,Ec1S",
    "W:Bh11,Be8,Bb5 B:Bh2,Be5,Bb8",
    "W:Bb2,Pa1,Pa2,Eb1x,Ec1N B:Pd7,Ee7N,Ef7W,Be11",
    "W: B:",
    "W:Bb2,Be2,Bh2,Bk2,Bb5,Be5,Bh5,Bk5 B:Bb8,Be8,Bh8,Bk8,Bb11,Be11,Bh11,Bk11",
]


class TestCodec(HandmadeChecks):
    tested = TESTED
    board = BOARD
    alphabet = "WB:BPEabghl1290NSx,= /*-_mover"
    refused = REFUSED
    steps_played = 30
    handmade = put_together(HANDMADE, FIELDS, LAWS)
