"""The sacrifice of a Power: V13 with S3 and S4."""

from __future__ import annotations

import pytest

from realmtable.games.realm.first_state import State
from realmtable.games.realm.layout import PROGRESS
from tests.realm.helpers import diff_pieces, expect_refusal, legal, movers, open_plays, play, position, seat_of

BOARD = "W:Bh11,Pa1,Ec3x,Pc1,Pg10 B:Be8,Bh2,Bb2,Be5"


def board(text: str = BOARD) -> State:
    return position(text, power_sacrifice=True)


def sacrifices(state: State) -> set[str]:
    return {text for text in legal(state) if text.startswith("xP")}


def test_v13_a_power_leaves_and_an_enforcer_of_its_realm_is_free() -> None:
    state = board()
    assert sacrifices(state) == {f"xP{power}(Ec3{facing})" for power in ("a1", "c1") for facing in "NESW"}
    after = play(state, "xPa1(Ec3E)")
    assert diff_pieces(state, after) == {"a1": "", "c3": "WEE"}
    assert (seat_of(after), after.position[PROGRESS]) == (0, 1)


def test_v13_s4_the_turn_must_be_a_dispersal_from_that_realm() -> None:
    state = play(board(), "xPa1(Ec3N)")
    assert open_plays(state) == ("b2", None)
    assert movers(state) == {"c1", "c3"}
    assert {text[0] for text in legal(state)} == {"P", "E"}  # no end, offer, rearrangement or second sacrifice
    for text in ("end", "Pg10g7"):
        assert expect_refusal(state, text).clause == "V13"
    assert expect_refusal(state, "xPc1(Ec3N)").clause == expect_refusal(state, "Rb2").clause == "V13"
    moved = play(state, "Ec3c4")
    assert (open_plays(moved), "end" in legal(moved), movers(moved)) == (("b2", None), True, {"c1"})
    assert seat_of(play(moved, "Pc1d1 end")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "W:Bh11,Pa1,Pg10 B:Bh2,Bb2,Ec3x",  # the enemy's Enforcer
        "W:Bh11,Pa1,Ec3N B:Bh2,Bb2",  # a mobile one
        "W:Bh11,Pa1,Ed3x B:Bh2,Bb2",  # in another Realm
        "W:Bh11,Ec3x B:Bh2,Bb2,Pa1",  # the enemy's Power
    ],
)
def test_v13_needs_a_power_and_an_immobile_enforcer_of_ones_own_in_one_realm(text: str) -> None:
    assert sacrifices(board(text)) == set()


def test_v13_is_illegal_where_nothing_could_move_afterwards() -> None:
    shut = board("W:Bh11,Pa1,Ec3x B:Bh2,Bb2,Ec4x,Ed3x")
    assert sacrifices(shut) == set()
    assert expect_refusal(shut, "xPa1(Ec3N)").clause == "V13"
    one_way = board("W:Bh11,Pa1,Ec3x B:Bh2,Bb2,Ec4x")  # only to the east, so not facing west
    assert sacrifices(one_way) == {"xPa1(Ec3N)", "xPa1(Ec3E)", "xPa1(Ec3S)"}


def test_v13_another_piece_of_the_realm_may_be_the_one_that_can_move() -> None:
    assert len(sacrifices(board("W:Bh11,Pa1,Pc1,Ec3x B:Bh2,Bb2,Ec4x,Ed3x"))) == 8


def test_v13_the_vacated_space_may_open_the_line() -> None:
    state = board("W:Bh11,Pb3,Ec3x B:Bh2,Bb2,Bb5,Ec4x,Ed3x,Ec2x,Eb4x,Ea4x")
    assert sacrifices(state) == set()  # the line west ends inside the Realm
    assert "xPd3(Ef3W)" in sacrifices(board("W:Bh11,Pd3,Ef3x B:Bh2,Be2,Ef4x,Eg3x,Ef2x"))


def test_v13_is_off_by_default() -> None:
    assert sacrifices(position(BOARD)) == set()
    assert expect_refusal(position(BOARD), "xPa1(Ec3N)").clause == "V13"


def test_v13_the_dispersal_may_capture_with_the_freed_enforcer() -> None:
    state = board("W:Bh11,Pa1,Ec3x,Pd6 B:Be5,Bh2,Bb2")
    after = play(state, "xPa1(Ec3N) Ec3d3 end")
    assert diff_pieces(state, after) == {"a1": "", "c3": "", "d3": "WEE"}
    state = board("W:Bh11,Pa4,Ec4x,Pd6 B:Be5,Bh2,Bb5")
    after = play(state, "xPa4(Ec4N) Ec4d4")
    assert diff_pieces(state, after) == {"a4": "", "c4": "", "d4": "WEx", "e5": ""}
