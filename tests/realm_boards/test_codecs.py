"""A state as one line: both ways, written by hand, and refused with a reason."""

from __future__ import annotations

import re
from typing import Any

import pytest

from realmtable.engine.errors import BadPosition
from realmtable.games.oriental_realm.layout import KEY_CAPACITY as ORIENTAL_KEYS
from realmtable.games.realm.layout import KEY_CAPACITY as REALM_KEYS
from realmtable.kit.array_state import ArrayState
from tests.classic_realm import helpers as classic
from tests.classic_realm.helpers import FAR, FULL, RING, WON
from tests.example_tables import read_table
from tests.medieval_realm import helpers as medieval
from tests.modern_realm import helpers as modern
from tests.oriental_realm import helpers as oriental
from tests.realm import helpers as realm
from tests.realm_boards.boards import BOARDS, Board, each_board, list_cases, read_cases
from tests.seeds import list_seeds

State = ArrayState[Any]
KEY = "0123456789abcdef"

LINES = {  # positions without other fields
    "realm": "W:Bh11,Pg10 B:Bh2,Pg3",
    "classic_realm": FAR,
    "medieval_realm": "W:De2,Mb5,Ma7 B:Dh11,Mb8",
    "oriental_realm": "W:Ee2,Mb5,Mc4 B:Eh11,Mb8",
    "modern_realm": "W:Ab4,Aa9,Ce2,Hk8 B:Ab8,Ac7,Al12,Ch11",
}
BOARD, LAND, COURT = LINES["realm"], LINES["medieval_realm"], LINES["oriental_realm"]
SET = "W:Fb2,Fe2,Fh2,Fk2,Fb5,Fe5,Fh5,Fk5 B:Fb8,Fe8,Fh8,Fk8,Fb11,Fe11,Fh11,Fk11"
FREE, DOUBLE = "options=free_setup=on", "options=double_moves=on"
CHOSEN = "W:Mb2,Ee2,Mh2,Mk2,Mb5,Me5,Mh5,Mk5 B:Mb8,Me8,Mh8,Mk8,Mb11,Me11,Mh11,Mk11"
CHANGED = "options=counter_agent=k5,hq_counts=off,max_turns=77"
FIRST = "W:Ab2,Ce2,Ah2,Ak2,Ab5,Ae5,Ah5,Ak5 B:Ab8,Ae8,Ah8,Ak8,Ab11,Ae11,Ch11,Ak11 move=W"
OPEN = FIRST.replace("Ce2", "Ae2").replace("Ch11", "Ah11") + " options=counter_agent=choose choosing"
TURN = "W:Ac3,Aa4,Ak5 B:Al12 move=W from=b2 left=c3"
WAITING = "W:Hb8,Aa9 B:Al12 move=W from=b5 left= waiting=b8"
EIGHT = "W:Hb8,He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:Al1"


def check_round_trip(tested: Board, state: State) -> None:
    """Write a state and read it again: it is the same in everything."""
    text = tested.game.encode(state)
    back = tested.game.decode(text)
    assert (back, hash(back), back.options) == (state, hash(state), state.options)
    assert tested.game.encode(back) == text
    assert len(text.splitlines()) == 1
    assert tested.legal(back) == tested.legal(state)
    if tested.game.info.id == "classic_realm":  # which derives entries from others
        assert back.position.tobytes() == state.position.tobytes()


# ---- both ways

WRITTEN = {  # position or options; steps; the whole line
    "realm": """
                          |             | W: B: move=W phase=bases
                          | Bh11        | W:Bh11 B: move=B phase=bases placed=1
        choose_seat=place | place:Black | W: B: move=B options=choose_seat=place phase=bases first=B
    """,
    "classic_realm": f"""
                                      |     | {SET} move=W
        free_setup=on                 |     | W: B: move=W {FREE}
        free_setup=on                 | Fb2 | W:Fb2 B: move=B {FREE}
        {FAR}                         |     | {FAR} move=W
        {WON}                         |     | W:Fb2,~e5*7 B:~k11*8 move=W phase=over end=all_in_water
        {FAR} right=W owed=0 {DOUBLE} |     | {FAR} move=W {DOUBLE} right=W owed=0
    """,
    "medieval_realm": """
        | | W:Mb2,De2,Dh2,Mk2,Mb5,Me5,Mh5,Mk5 B:Mb8,Me8,Mh8,Mk8,Mb11,De11,Dh11,Mk11 move=W
    """,
    "oriental_realm": f"""
        free_setup=on      |     | W: B: move=W {FREE} phase=place
        free_setup=on      | Mb2 | W:Mb2 B: move=B {FREE} phase=place
        emperor=choose     | Ee2 | {CHOSEN} move=B options=emperor=choose phase=choose
    """,
    "modern_realm": f"""
                             | | {FIRST}
        counter_agent=choose | | {OPEN}
        {TURN}               | | {TURN}
        {WAITING}            | | {WAITING}
        {EIGHT} end=eight_headquarters | | {EIGHT} move=W end=eight_headquarters
    """,
}


@pytest.mark.parametrize(("tested", "where", "steps", "line"), read_cases(WRITTEN))
def test_a_state_in_writing(tested: Board, where: str, steps: str, line: str) -> None:
    state = tested.at(where, steps)
    assert tested.game.encode(state) == line
    assert tested.game.decode(line) == state


FIELDS = {  # position; steps; fields that are written then
    "realm": f"""
        {BOARD} | offer                    | offer=made
        {BOARD} | offer Pg10g7 end         | turns=1 offer=standing
        {BOARD} | offer Pg10g7 end accept  | phase=over turns=1 end=agreement
        {BOARD} | Pg10g7                   | progress from=h11 into=h8
        {BOARD} options=optional_creation=on | Pg10g7 | phase=found moved from=h11 into=h8 at=g7
        {BOARD} | Rh11                     | phase=rearrange from=h11 lifted=WPg10
        {BOARD} | Rh11 Ph10                | turns=1 quiet=1 rowW=h11*1
    """,
    "classic_realm": f"""
        {FAR} right=W owed=0 {DOUBLE} | Fb2e2 | phase=second right=W owed=0
    """,
    "medieval_realm": f"""
        {LAND}            | De2e5        | move=B turns=1 dukes=1/0
        {LAND}            | De2e5 Dh11h8 | move=W turns=2 dukes=1/1
        W:Ma4 B:Ml9,Dk2   | pass         | move=B turns=1 passed
        W:Ma4 B:Ml9       | pass pass    | end=two_passes
        W:Mb11 B:Ml9      | Mb11off      | W: move=W end=borne_off
    """,
    "oriental_realm": f"""
        {COURT}                  |           |
        {COURT}                  | Mb5b6     | from=b5 unmoved=c4
        {COURT}                  | Ee2e3     | from=e2
        {COURT}                  | Ee2e3 end | turns=1
        W:Mb2 B:Ma2,Mc2          | pass      | turns=1 passed
        W: B:                    | pass pass | phase=over turns=2 passed end=two_passes
        W:Ma1 B:Ma2,Mb5 move=B   | Mb5b1     | phase=over end=surrounded won=B
    """,
    "modern_realm": f"""
        W:Aa1 B:Al12 {CHANGED} | | {CHANGED}
    """,
}


@pytest.mark.parametrize(("tested", "where", "steps", "fields"), read_cases(FIELDS))
def test_fields_are_written_where_they_differ_from_the_default(
    tested: Board, where: str, steps: str, fields: str
) -> None:
    state = tested.at(where, steps)
    words = tested.game.encode(state).split()
    assert [field for field in fields.split() if field not in words] == []
    if tested.game.info.id == "oriental_realm":
        assert [word for word in words[3:] if word[:5] != "seen="] == fields.split()
    check_round_trip(tested, state)


@each_board
@pytest.mark.parametrize("seed", list_seeds(6, quick=3))
def test_every_state_of_a_game_comes_back(tested: Board, seed: int) -> None:
    for state, _ in tested.random_game(seed, **tested.limits):
        check_round_trip(tested, state)


def test_positions_seen_before_come_back() -> None:
    state = classic.play(classic.GAME.decode(FAR), RING + "Fb2e2 Fk11h11 Fe2b2")
    assert classic.ending(classic.play(classic.GAME.decode(classic.GAME.encode(state)), "Fh11k11")) == "repetition"


def test_the_longest_history_still_fits_in_a_line() -> None:
    keys = ",".join(f"{number:016x}" for number in range(ORIENTAL_KEYS - 1))
    state = oriental.position(f"{COURT} turns=599 seen={keys}", max_turns=600)
    assert oriental.GAME.decode(oriental.GAME.encode(state)) == state
    after = oriental.play(state, "Ee2e3 end")
    assert oriental.GAME.outcome(after) is not None
    assert oriental.GAME.decode(oriental.GAME.encode(after)) == after


# ---- by hand

SAME = {  # two lines for one state
    "realm": f"""
        {BOARD} move=W               | {BOARD}
        B:Bh2,Pg3   W:Pg10,Bh11      | {BOARD}
        {BOARD} captured=0/0 left=11/11 stock=8/8 turns=0 quiet=0 first=W offer=none phase=turn | {BOARD}
        {BOARD} options=bases=12     | {BOARD}
        B:Bh2,Pg3 W: move=B          | B:Bh2,Pg3 move=B
    """,
    "classic_realm": f"""
        B:~e8*4,Fk11,~h5*3   W:Fb2,~e5*4,~h8*3 | {FAR}
        {FAR.replace("~e5*4", "~e5,~e5*2,~e5")} | {FAR}
        {FAR} move=W phase=turn turns=0 options=max_plies=300 | {FAR}
        W:Fb2 B: {FREE}              | W:Fb2 B: move=B phase=place {FREE}
        {FREE}                       | W: B: {FREE}
        {SET} {DOUBLE}               | {SET} {DOUBLE} right=B owed=2
    """,
    "medieval_realm": f"""
        {LAND} move=W turns=0 dukes=0/0 end= | {LAND}
        B:Mb8,Dh11   W:Ma7,De2,Mb5   | {LAND}
        {LAND.replace("Ma7", "Mc9")} | {LAND}
        {LAND} options=max_plies=300 | {LAND}
    """,
    "oriental_realm": f"""
        {COURT} move=W               | {COURT}
        B:Mb8,Eh11   W:Mc4,Mb5,Ee2   | {COURT}
        {COURT} turns=0 phase=turn options=max_turns=400 | {COURT}
        B:Eh11 W: move=B             | B:Eh11 move=B
        W:Mb2 phase=place {FREE}     | W:Mb2 B: phase=place {FREE} move=B
        move=W                       | W: B:
    """,
    "modern_realm": f"""
        move=W                       | W: B: move=W
        {FIRST.removesuffix(" move=W")} | {FIRST}
        W:Aa1,Ac3,Ak5 B:Al12 from=b2 | W:Aa1,Ac3,Ak5 B:Al12 from=b2 left=a1,c3
        from=b2 W:Aa1,Ac3,Ak5 B:Al12 left=a1 | W:Aa1,Ac3,Ak5 B:Al12 left=a1 from=b2
    """,
}


@pytest.mark.parametrize(("tested", "text", "same"), read_cases(SAME))
def test_defaults_need_not_be_written(tested: Board, text: str, same: str) -> None:
    assert tested.game.decode(text) == tested.game.decode(same)


@pytest.mark.parametrize("name", ["realm", "classic_realm", "medieval_realm", "oriental_realm"])
def test_the_present_position_counts_as_seen(name: str) -> None:
    game = BOARDS[name].game
    state, unseen = game.decode(LINES[name]), game.decode(LINES[name] + " seen=")
    assert "seen" not in game.encode(state)
    assert unseen != state
    assert game.decode(game.encode(unseen)) == unseen


def test_what_a_line_of_realm_says() -> None:
    state = realm.GAME.decode("W:Bh11,Bh8,Pg10,Eg12S,Ea7x B:Bh2,Pg3")
    assert realm.pieces(state) == {
        "h11": "WB", "h8": "WB", "g10": "WP", "g12": "WES", "a7": "WEx", "h2": "BB", "g3": "BP"
    }  # fmt: skip
    assert (realm.seat_of(state), realm.phase_of(state), realm.GAME.turn(state)) == (0, "turn", (7, 0))
    assert (realm.bases_left(state), realm.enforcers_left(state), realm.captures(state)) == ((10, 11), (6, 8), (0, 0))
    assert realm.bases_left(realm.GAME.decode(BOARD + " captured=2/1")) == (10, 9)


def test_what_a_line_of_classic_realm_says() -> None:
    state = classic.GAME.decode(FULL + " move=B turns=7")
    assert classic.pads(state) == {"b2": "W", "e2": "W", "e5": "W", "k2": "W", "b8": "B", "e8": "B", "k8": "B"}
    assert classic.water(state) == {"e5": [3, 5], "k11": [1, 0]}
    assert (classic.seat_of(state), classic.double_move_right(state)) == (1, (None, 0))
    assert classic.GAME.turn(state) == (4, 1)


def test_what_a_line_of_medieval_realm_says() -> None:
    state = medieval.GAME.decode(LAND)
    assert medieval.centers(state) == {"e2": "WD", "b5": "WM", "h11": "BD", "b8": "BM"}
    assert medieval.border(state) == {"b8": [1, 0]}
    assert (medieval.off(state), medieval.seat_of(state), medieval.duke_rows(state)) == ([5, 6], 0, [0, 0])
    assert (medieval.ending(state), medieval.GAME.turn(state)) == (None, (1, 0))


def test_what_a_line_of_oriental_realm_says() -> None:
    state = oriental.GAME.decode(COURT)
    assert oriental.pieces(state) == {"e2": "WE", "b5": "WM", "c4": "WM", "h11": "BE", "b8": "BM"}
    assert (oriental.seat_of(state), oriental.phase_of(state), oriental.GAME.turn(state)) == (0, "turn", (1, 0))


def test_what_a_line_of_modern_realm_says() -> None:
    state = modern.GAME.decode("W:Aa1")
    assert (modern.seat_of(state), modern.phase_of(state), modern.legal(state) >= {"Aa1a4"}) == (0, "turn", True)
    assert modern.legal(modern.GAME.decode("move=W")) == {"pass"}
    assert modern.movers(modern.GAME.decode("W:Aa1,Ac3,Ak5 B:Al12 from=b2")) == {"a1", "c3"}
    assert modern.movers(modern.GAME.decode("from=b2 W:Aa1,Ac3,Ak5 B:Al12 left=a1")) == {"a1"}
    waiting = modern.GAME.decode(WAITING)
    assert (modern.phase_of(waiting), modern.legal(waiting) & {"xAa9", "xAa7"}) == ("dislodge", {"xAa7"})
    assert modern.seat_of(modern.play(waiting, "xAa7")) == 1
    chosen = OPEN.replace("Ak5", "Ck5").replace("move=W", "move=B")
    assert modern.GAME.decode(chosen) == modern.play(modern.start(counter_agent="choose"), "Ck5")


ENDED: dict[str, list[tuple[str, int | None]]] = {  # a finished game and its winner
    "medieval_realm": [
        ("W: B:Dk11 end=borne_off", 0),
        ("W:Dk2 B: move=B end=borne_off turns=300", 1),
        (LAND + " end=duke_draw dukes=3/3", None),
        (LAND + " end=max_plies turns=300", None),
    ],
    "modern_realm": [("W:Aa1 passed end=two_passes", None), ("W:Aa1 turns=300 end=max_turns", None)],
}


@pytest.mark.parametrize(("tested", "text", "winner"), list_cases(ENDED))
def test_a_game_that_is_over_is_read(tested: Board, text: str, winner: int | None) -> None:
    state = tested.game.decode(text)
    outcome = tested.game.outcome(state)
    assert outcome is not None
    assert outcome.winner == winner
    check_round_trip(tested, state)


def test_a_turn_before_the_last_is_read() -> None:
    check_round_trip(BOARDS["modern_realm"], modern.GAME.decode("W:Aa1 turns=20 options=max_turns=21"))


# ---- refused

FAULTY_FIELDS = [  # behind a board of any game
    ("x" * 20_000, "A position may have at most"),
    ("hello", "hello is not a field"),
    ("W:Bh8", "The field W is given twice"),
    ("move=W move=W", "The field move is given twice"),
    ("colour=red", "has no field colour; it has W"),
    ("move=White", "move must be one of W, B"),
    ("move=", "move must be one of W, B"),
    ("turns=1001", "turns must be a number from 0 to"),
    ("turns=-1", "not -1"),
    ("turns=²", "turns must be a number"),
    ("turns=many", "turns must be a number"),
    ("turns=000001", "turns must be a number"),
    ("end=win", "end must be one of"),
    ("options=colour=red", "There is no option colour"),
]
REFUSED_FIELDS = {  # behind the game's board
    "realm": """
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
    """,
    "classic_realm": f"""
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
        owed=3 {DOUBLE}                    | owed must be a number
        right=X {DOUBLE}                   | right must be one of
        phase=second right=W {DOUBLE}      | owed=0
        phase=second right=W owed=0 rescued=e5 {DOUBLE} | `rescued` must name a pad of the player
        right=W owed=0 rescued=b2 {DOUBLE} | with phase=second
        rescued=a1 {DOUBLE}                | rescued must be a pad like b2, not a1
    """,
    "medieval_realm": """
        colour=red | has no field colour; it has W, B, options, move, turns, dukes, passed, end, seen
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
    """,
    "oriental_realm": """
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
    """,
}
EVENT = "`at` must name the piece that has just moved"
NO_SETUP = "do not match the set-up"
SIX = "W:Bh11,Be8,Bb5,Pg10,Pd7,Pa4 B:Bh2,Be5,Bb8,Pg1,Pd4,Pa7"
REFUSED_LINES = {
    "realm": f"""
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
        # a pending event
        {BOARD} phase=create moved from=e8                       | {EVENT}
        {BOARD} phase=create moved from=e8 at=g11                | {EVENT}
        {BOARD} phase=create from=e8 at=g10                      | {EVENT}
        {BOARD} phase=create moved from=e8 at=g3                 | {EVENT}
        {BOARD} phase=create moved from=e8 at=g10 stock=0/0      | {EVENT}
        {BOARD} phase=found moved from=e8 at=g10                 | {EVENT}
        W:Bh11,Pg7 B:Bh2 phase=create moved from=e8 at=g7        | {EVENT}
        # without V16 there is nothing to decide
        W:Bh11,Pg7 B:Bh2 phase=found moved from=e8 at=g7         | {EVENT}
        {BOARD} phase=immobilise moved from=e8 at=g10            | {EVENT}
        W:Bh11,Ea1N B:Bh2,Ea3N phase=immobilise moved from=e8 at=a1 | {EVENT}
        W:Bh11,Ea1x B:Bh2,Ea3N,Ec3N phase=immobilise moved from=e8 at=a1 | {EVENT}
        # the set-up
        phase=bases move=B                                       | {NO_SETUP}
        phase=bases placed=1 W:Bh11                              | {NO_SETUP}
        phase=bases placed=1 move=B                              | {NO_SETUP}
        phase=bases placed=6 W:Bh11,Be8,Bb5 B:Bh2,Be5,Bb8        | {NO_SETUP}
        phase=bases W:Bh11                                       | {NO_SETUP}
        phase=bases turns=3                                      | {NO_SETUP}
        phase=bases left=11/2                                    | {NO_SETUP}
        phase=bases placed=1 move=B W:Bh11 left=12/12            | {NO_SETUP}
        phase=bases placed=2 W:Bh11 B:Bh2,Eg3N                   | {NO_SETUP}
        phase=powers W:Bh11 B:Bh2                                | {NO_SETUP}
        phase=powers placed=1 move=B W:Bh11,Be8,Bb5,Pa1 B:Bh2,Be5,Bb8 | {NO_SETUP}
        phase=powers placed=2 W:Bh11,Be8,Bb5,Pg10 B:Bh2,Be5,Bb8,Pa12 | {NO_SETUP}
        phase=powers placed=6 {SIX}                              | {NO_SETUP}
        phase=choose_place placed=1 move=B options=choose_seat=place | {NO_SETUP}
        phase=choose_move {SIX} options=choose_seat=move         | {NO_SETUP}
        # what has been seen
        {BOARD} seen={",".join([KEY] * REALM_KEYS)}              | 16 hexadecimal digits
        {BOARD} seen={KEY},{KEY}                                 | `seen` lists more positions
    """,
    "classic_realm": f"""
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
        W:Fb2 B: {FREE} rescued=b2         | not a valid set-up
        {WON} move=B                       | the winner
        W:Fb2,Fe2 B: {FREE}                | This is not a valid set-up
        W: B:Fb2 {FREE}                    | This is not a valid set-up
        W:Fb2 B: move=W {FREE}             | This is not a valid set-up
        W:~b2 B: {FREE}                    | This is not a valid set-up
        W:Fb2 B: turns=1 {FREE}            | This is not a valid set-up
        W:Fb2 B: end=repetition {FREE}     | This is not a valid set-up
        W:Fb2 B: owed=1 {FREE}             | This is not a valid set-up
        {SET} phase=place {FREE}           | This is not a valid set-up
        {FAR} seen={KEY},{KEY}             | `seen` lists more positions
        W:Fb2 B: {FREE} seen={KEY},{KEY}   | `seen` lists more positions
    """,
    "medieval_realm": f"""
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
        W: B:Dh11 | White has borne off all pieces, so the game is over; write move=W end=borne_off
        W:De2 B: | Black has borne off all pieces, so the game is over; write move=B end=borne_off
        W:De2 B: end=borne_off           | Black has borne off all pieces
        W: B: end=borne_off              | Black has borne off all pieces
        W: B:De2 end=max_plies turns=300 | White has borne off all pieces
        {LAND} seen={KEY},{KEY}            | `seen` lists more positions
    """,
    "oriental_realm": f"""
                                             | Write a position
        # pieces
        W:Mb5 B:Eb5                          | b5 holds two pieces
        W:Mm5 B:                             | Mm5 is not a piece on a space
        W:Ma1,Ma3,Ma5,Ma7,Ma9,Mc1,Mc3,Mc5 B: | White has 8 Mandarins, but the limit is 7
        W: B:Ea1,Ek9                         | Black has 2 Emperors, but the limit is one
        W:Ma1 B:Ma2,Mb1                      | White's group on a1 is surrounded, so the game is over
        W:Ma2,Mb1 B:Ma1                      | Black's group on a1 is surrounded, so the game is over
        W:Mb5 B:Mk9 from=b5 unmoved=b5       | one of the mover's pieces has moved
        W: B:Mk9 from=b5                     | one of the mover's pieces has moved
        {COURT} seen={",".join([KEY] * (ORIENTAL_KEYS + 1))} | 16 hexadecimal digits
        {COURT} seen={KEY},{KEY}             | `seen` lists more positions
        # the set-up
        phase=place                          | {NO_SETUP}
        phase=place move=B {FREE}            | {NO_SETUP}
        phase=place W:Mb2 move=W {FREE}      | {NO_SETUP}
        phase=place W:Mb2 B:Mb3 {FREE}       | {NO_SETUP}
        phase=place B:Mb3 {FREE}             | {NO_SETUP}
        phase=place turns=3 {FREE}           | {NO_SETUP}
        phase=place passed {FREE}            | {NO_SETUP}
        phase=place seen={KEY} {FREE}        | {NO_SETUP}
        phase=place {CHOSEN.replace("Mh11", "Eh11")} {FREE} | {NO_SETUP}
        phase=choose options=emperor=choose  | {NO_SETUP}
        phase=choose {CHOSEN}                | {NO_SETUP}
        phase=choose {CHOSEN} move=W options=emperor=choose | {NO_SETUP}
        phase=choose {CHOSEN.replace("Mh11", "Eh11")} options=emperor=choose | {NO_SETUP}
        phase=choose {CHOSEN.replace("Ee2", "Me2").replace("Mh11", "Eh11")} options=emperor=choose | {NO_SETUP}
    """,
    "modern_realm": f"""
        # fields
        passed=1 | takes no value
        W:Aa1 turns=1001 | turns must be a number
        W:Aa1 end= | end must be one of
        W:Aa1 options=bases=13 | bases
        # pieces
        W:Pa1 | Pa1 is not a piece
        W:Am1 | Am1 is not a piece
        W:Aa13 | Aa13 is not a piece
        W:Aa1 B:Aa1 | a1 holds two pieces
        W:Aa1,Aa2,Aa3,Aa4,Aa5,Aa6,Aa7,Aa8,Aa9 | White has more than 8 pieces
        B:Ca1,Ca2 | Black has more than one Counter-Agent
        W:Hb5 | HQs must be on enemy Centers, and b5 is not one
        B:Ha1 | HQs must be on enemy Centers, and a1 is not one
        W:Ab8 | White's piece on the Center b8 would have become an HQ
        B:Cb2 | Black's piece on the Center b2 would have become an HQ
        # a turn that has begun
        W:Aa1 from=a1 | from must be a Realm's Center
        W:Aa1 from=z9 | from must be a Realm's Center
        W:Aa1 left=a1 | and a1 is not in it
        W:Aa1,Ak5 from=b2 left=k5 | and k5 is not in it
        W:Aa1 from=b2 left=a1,a1 | `left` names a1 twice
        W:Aa1 from=b2 left=a1, | left must name spaces like b5, not nothing
        W:Aa1 from=b2 left=z1 | left must name spaces
        W:Aa1 from=b2 left=a2 | `left` names a2, where the mover has no Agent
        W:Aa1 B:Aa2 from=b2 left=a2 | `left` names a2, where the mover has no Agent
        W:Aa1,Hb8 from=b8 left=b8 | `left` names b8, where the mover has no Agent
        W:Aa1 B:Aa2,Ab1 from=b2 left=a1 | is complete
        W:Aa1 from=b2 left= | is complete
        W:Ab4 turns=300 from=b5 end=max_turns | no turn is under way
        {OPEN} from=b2 | no turn is under way
        # a dislodged Agent
        W:Hb8 waiting=b8 | name the Realm of that turn in `from`
        W:Hb8 waiting=b8 from=b8 left= | name the Realm of that turn in `from`
        W:Hb8 waiting=a8 from=b5 left= | waiting must be a Realm's Center
        W:Aa8 waiting=b8 from=b5 left= | has just founded an HQ
        B:Hb2 waiting=b2 from=b5 left= | has just founded an HQ
        W:Hb8 waiting=b8 end=max_turns turns=300 | name the Realm of that turn in `from`
        W:Hb8 waiting=b8 from=b5 left= B:Al1,Al2,Al3,Al4,Al5,Al6,Al7,Al8 | Black has more than 8 pieces
        W:Hb8,Aa7,Ab7,Ac7,Aa8,Ac8 B:Aa9,Ab9,Ac9 waiting=b8 from=b5 left= | is complete
        # choices
        {FIRST} choosing | only with options=counter_agent=choose
        {OPEN.replace("Ab2,", "")} | every other Center must hold an Agent
        {OPEN.replace("Ab2,", "Cb2,")} | every other Center must hold an Agent
        {OPEN.replace("move=W", "move=B")} | every other Center must hold an Agent
        {OPEN.replace("Ab8,", "Cb8,").replace("move=W", "move=B")} | every other Center must hold an Agent
        {OPEN} turns=1 | every other Center must hold an Agent
        {OPEN} passed | every other Center must hold an Agent
        # ends
        {EIGHT} | write end=eight_headquarters
        {EIGHT} move=B end=eight_headquarters | The end does not match
        {EIGHT} passed end=two_passes | The end does not match
        W:Aa1 end=eight_headquarters | The end does not match
        W:Aa1 end=two_passes | The end does not match
        W:Aa1 turns=299 end=max_turns | The end does not match
        W:Aa1 turns=300 | write end=max_turns
    """,
}
REFUSED = {
    name: [
        *((f"{LINES[name]} {fields}", words) for fields, words in read_table(REFUSED_FIELDS.get(name, ""))),
        *read_table(lines),
    ]
    for name, lines in REFUSED_LINES.items()
}


def check_refusal(tested: Board, text: str, words: str) -> None:
    with pytest.raises(BadPosition) as caught:
        tested.game.decode(text)
    message = str(caught.value)
    assert words in message
    assert re.fullmatch(r"[^\n]{10,400}\.", message)


@pytest.mark.parametrize(("tested", "text", "words"), list_cases(REFUSED))
def test_what_no_game_could_go_on_from_is_refused_with_a_sentence(tested: Board, text: str, words: str) -> None:
    check_refusal(tested, text, words)


@each_board
@pytest.mark.parametrize(("fields", "words"), FAULTY_FIELDS, ids=range(len(FAULTY_FIELDS)))
def test_faulty_fields_are_refused_with_a_sentence(tested: Board, fields: str, words: str) -> None:
    check_refusal(tested, f"{LINES[tested.game.info.id]} {fields}", words)


@each_board
@pytest.mark.parametrize(
    ("piece", "words"), [("", "Nothing is not a "), ("Xb5", "Xb5 is not a "), ("Xm5", "Xm5 is not a ")]
)
def test_what_is_no_piece_is_refused_with_a_sentence(tested: Board, piece: str, words: str) -> None:
    check_refusal(tested, LINES[tested.game.info.id].replace("W:", f"W:{piece},"), words)


@each_board
def test_two_pieces_on_a_space_are_refused_with_a_sentence(tested: Board) -> None:
    line = LINES[tested.game.info.id]
    first = line.removeprefix("W:").partition(",")[0]
    check_refusal(tested, line.replace("W:", f"W:{first},"), "holds two ")
    check_refusal(tested, line.replace("B:", f"B:{first},"), "holds two ")
