"""A state as one line: both ways, written by hand, and refused with a reason; never a crash."""

from __future__ import annotations

import pytest

from realmtable.engine.options import OptionValue
from realmtable.games.oriental_realm.layout import KEY_CAPACITY
from tests.codec_checks import HandmadeChecks, check_present_position_is_seen, check_refusal, put_together
from tests.example_tables import read_table
from tests.oriental_realm.helpers import GAME, TESTED, phase_of, pieces, play, position, seat_of, start

BOARD = "W:Ee2,Mb5,Mc4 B:Eh11,Mb8"
CHOSEN = "W:Mb2,Ee2,Mh2,Mk2,Mb5,Me5,Mh5,Mk5 B:Mb8,Me8,Mh8,Mk8,Mb11,Me11,Mh11,Mk11"
KEY = "0123456789abcdef"


# ---- both ways


@pytest.mark.parametrize(
    ("steps", "options", "text"),
    [
        ("", {"free_setup": True}, "W: B: move=W options=free_setup=on phase=place"),
        ("Mb2", {"free_setup": True}, "W:Mb2 B: move=B options=free_setup=on phase=place"),
        ("Ee2", {"emperor": "choose"}, CHOSEN + " move=B options=emperor=choose phase=choose"),
    ],
)
def test_the_set_up_in_writing(steps: str, options: dict[str, OptionValue], text: str) -> None:
    assert GAME.encode(play(start(**options), steps)) == text


@pytest.mark.parametrize(
    ("board", "steps", "fields"),
    [
        (BOARD, "", ""),
        (BOARD, "Mb5b6", "from=b5 unmoved=c4"),
        (BOARD, "Ee2e3", "from=e2"),
        (BOARD, "Ee2e3 end", "turns=1"),
        ("W:Mb2 B:Ma2,Mc2", "pass", "turns=1 passed"),
        ("W: B:", "pass pass", "phase=over turns=2 passed end=two_passes"),
        ("W:Ma1 B:Ma2,Mb5 move=B", "Mb5b1", "phase=over end=surrounded won=B"),
    ],
)
def test_fields_are_written_where_they_differ_from_the_default(board: str, steps: str, fields: str) -> None:
    words = [word for word in GAME.encode(play(position(board), steps)).split() if word[:5] != "seen="]
    assert words[3:] == fields.split()


# ---- by hand


def test_a_board_alone_is_whites_turn() -> None:
    state = GAME.decode(BOARD)
    assert pieces(state) == {"e2": "WE", "b5": "WM", "c4": "WM", "h11": "BE", "b8": "BM"}
    assert (seat_of(state), phase_of(state), GAME.turn(state)) == (0, "turn", (1, 0))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (BOARD + " move=W", BOARD),
        ("B:Mb8,Eh11   W:Mc4,Mb5,Ee2", BOARD),
        (BOARD + " turns=0 phase=turn options=max_turns=400", BOARD),
        ("B:Eh11 W: move=B", "B:Eh11 move=B"),
        ("W:Mb2 phase=place options=free_setup=on", "W:Mb2 B: phase=place options=free_setup=on move=B"),
        ("move=W", "W: B:"),
    ],
)
def test_defaults_need_not_be_written(text: str, same: str) -> None:
    assert GAME.decode(text) == GAME.decode(same)


def test_the_present_position_counts_as_seen() -> None:
    check_present_position_is_seen(GAME, BOARD)


def test_the_longest_history_still_fits_in_a_line() -> None:
    keys = ",".join(f"{number:016x}" for number in range(KEY_CAPACITY - 1))
    state = position(f"{BOARD} turns=599 seen={keys}", max_turns=600)
    assert GAME.decode(GAME.encode(state)) == state
    after = play(state, "Ee2e3 end")
    assert GAME.outcome(after) is not None
    assert GAME.decode(GAME.encode(after)) == after


# ---- refused

REFUSED_FIELDS = """
    # fields
    colour=red                           | has no field colour; it has W, B, options, move
    passed=1                             | passed takes no value
    turns=601                            | turns must be a number from 0 to 600
    phase=end                            | phase must be one of place, choose, turn, over
    end=win                              | end must be one of surrounded
    end=self_surrounded                  | end must be one of surrounded
    won=x                                | won must be one of W, B
    from=a1                              | from must be a Realm's Center like b5, not a1
    from=b5 unmoved=                     | unmoved must be a space like b5, not nothing
    from=b5 unmoved=z9                   | unmoved must be a space like b5, not z9
    unmoved=b5                           | must be in the Realm that `from` names
    from=b2 unmoved=b5                   | must be in the Realm that `from` names
    seen=123                             | 16 hexadecimal digits
    options=max_turns=9                  | Option max_turns must be 20 to 600
    options=free_setup=on,emperor=choose | keep one of them
    # the turn
    phase=over                           | needs both phase=over and a reason
    end=repetition                       | needs both phase=over and a reason
    phase=over end=surrounded            | Name the winner
    phase=over end=repetition won=W      | Name the winner
    won=W                                | Name the winner
    turns=400                            | write phase=over end=max_turns
    from=b5 unmoved=a4                   | one of the mover's pieces has moved
    phase=over end=repetition from=b5    | no turn is under way
"""  # behind BOARD
REFUSED_LINES = """
    # pieces
    W:Mb5 B:Eb5                          | b5 holds two pieces
    W:Mm5 B:                             | Mm5 is not a piece on a space
    W:Ma1,Ma3,Ma5,Ma7,Ma9,Mc1,Mc3,Mc5 B: | White has 8 Mandarins, but the limit is 7
    W: B:Ea1,Ek9                         | Black has 2 Emperors, but the limit is one
    W:Ma1 B:Ma2,Mb1                      | White's group on a1 is surrounded, so the game is over
    W:Ma2,Mb1 B:Ma1                      | Black's group on a1 is surrounded, so the game is over
    W:Mb5 B:Mk9 from=b5 unmoved=b5       | one of the mover's pieces has moved
    W: B:Mk9 from=b5                     | one of the mover's pieces has moved
"""
REFUSED = [
    *((f"{BOARD} {fields}", words) for fields, words in read_table(REFUSED_FIELDS)),
    *((line, words) for line, words in read_table(REFUSED_LINES)),
    ("", "Write a position"),
    (BOARD + " seen=" + ",".join([KEY] * (KEY_CAPACITY + 1)), "16 hexadecimal digits"),
    (BOARD + f" seen={KEY},{KEY}", "`seen` lists more positions"),
    # the set-up
    *[
        (text, "do not match the set-up")
        for text in [
            "phase=place",
            "phase=place move=B options=free_setup=on",
            "phase=place W:Mb2 move=W options=free_setup=on",
            "phase=place W:Mb2 B:Mb3 options=free_setup=on",
            "phase=place B:Mb3 options=free_setup=on",
            "phase=place turns=3 options=free_setup=on",
            "phase=place passed options=free_setup=on",
            f"phase=place seen={KEY} options=free_setup=on",
            f"phase=place {CHOSEN.replace('Mh11', 'Eh11')} options=free_setup=on",
            "phase=choose options=emperor=choose",
            f"phase=choose {CHOSEN}",
            f"phase=choose {CHOSEN} move=W options=emperor=choose",
            f"phase=choose {CHOSEN.replace('Mh11', 'Eh11')} options=emperor=choose",
            f"phase=choose {CHOSEN.replace('Ee2', 'Me2').replace('Mh11', 'Eh11')} options=emperor=choose",
        ]
    ],
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_a_position_is_refused_with_a_sentence(text: str, words: str) -> None:
    check_refusal(GAME, text, words)


# ---- anything at all

FIELDS = [
    ["move=W", "move=B"],
    ["phase=place", "phase=choose", "phase=over end=surrounded won=B"],
    ["passed", "turns=19", "turns=399"],
    ["from=b5", "from=b2", "from=b5 unmoved=c4", "from=b5 unmoved=b5,c4"],
    [f"seen={KEY}", "seen="],
    ["options=free_setup=on", "options=emperor=choose", "options=warning=on", "options=max_turns=20"],
]
HANDMADE = [BOARD, CHOSEN, "W: B:", "W:Mb5,Mc4 B:Mc5,Mb4", "W:Mb2,Ed4 B:Mh8"]


class TestCodec(HandmadeChecks):
    tested = TESTED
    board = BOARD
    alphabet = "WB:MEabghl1290,= /*-_move"
    refused = REFUSED
    steps_played = 8
    handmade = put_together(HANDMADE, FIELDS)
