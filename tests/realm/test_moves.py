"""Moves of pieces and the structure of turns: R6 to R9, V5, V9, S3, S4, S7, S9."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import GameOver, NotYourTurn
from realmtable.games.realm.first_state import State
from tests.realm.helpers import (
    GAME,
    SETUP,
    diff_pieces,
    ending,
    expect_refusal,
    legal,
    movers,
    open_plays,
    phase_of,
    pieces,
    play,
    position,
    seat_of,
    start,
    targets,
)

# Targets of a piece on e4 on an empty board.
NORTH = {"e7", "e9", "e10", "e12"}  # over the vacant Centers e5, e8 and e11
EAST = {"g4", "h4", "i4", "j4", "k4", "l4"}
SOUTH = {"e3", "e1"}
WEST = {"c4", "b4", "a4"}

# Pieces of White's in e5, b8 and k8; no move below sets off an event.
MANY = "W:Bh2,Pa7,Pd4,Pf5,Pk7,Ee4W B:Be8,Be11,Bh5"
FROM_E5 = {"Ee4c4", "Ee4b4", "Ee4a4", "Ee4e7", "Ee4e3", "Ee4e1"}
BLOCKED = "W:Bh11,Pa1 B:Bb2,Eb1x,Ec1x,Ea2x,Ec2x,Ea3x,Eb3x,Ec3x"  # no player can move or rearrange


def many_pieces() -> State:
    return position(MANY, powers=4)


# ---- pieces


def test_r6_a_base_never_moves() -> None:
    state = position("W:Bh11,Pg10 B:Bh2")
    assert targets(state, "h11") == set()
    assert expect_refusal(state, "Ph11h9").clause == "R6"


def test_r7_a_power_moves_any_distance_over_vacant_centers_but_never_stops_on_one() -> None:
    assert targets(position("W:Bb2,Pe4 B:Bk11"), "e4") == NORTH | EAST | SOUTH | WEST


@pytest.mark.parametrize("piece", ["Be8", "Pe9", "Ee9S", "Ee9x"])
@pytest.mark.parametrize("board", ["W:Bb2,Pe4,{} B:Bk11", "W:Bb2,Pe4 B:Bk11,{}"])
def test_r7_any_piece_stops_a_move(board: str, piece: str) -> None:
    assert targets(position(board.format(piece)), "e4") == {"e7"} | EAST | SOUTH | WEST


@pytest.mark.parametrize(
    ("facing", "ends"),
    [
        ("N", NORTH | EAST | WEST),
        ("E", NORTH | EAST | SOUTH),
        ("S", EAST | SOUTH | WEST),
        ("W", NORTH | SOUTH | WEST),
        ("x", set()),
    ],
)
def test_r8_an_enforcer_does_not_go_straight_back_and_an_immobile_one_nowhere(facing: str, ends: set[str]) -> None:
    assert targets(position(f"W:Bb2,Ee4{facing} B:Bk11"), "e4") == ends


@pytest.mark.parametrize(
    ("facing", "step", "after"), [("N", "e4e7", "N"), ("N", "e4g4", "E"), ("W", "e4e3", "S"), ("S", "e4c4", "W")]
)
def test_r8_an_enforcer_faces_the_way_it_moved(facing: str, step: str, after: str) -> None:
    state = position(f"W:Bb2,Ee4{facing} B:Bk11")
    assert diff_pieces(state, play(state, "E" + step)) == {"e4": "", step[2:]: "WE" + after}


# ---- turns


def test_r9_s4_the_first_move_opens_a_dispersal_and_a_concentration() -> None:
    state = play(many_pieces(), "Pd4d9")
    assert open_plays(state) == ("e5", "e8")
    assert targets(state, "f5") == {"f7", "f8", "f9", "f10", "f11", "f12", "f3", "f2", "f1", "c5", "a5", "g5"}
    assert targets(state, "a7") == targets(state, "k7") == {"d7", "e7", "f7"}  # from elsewhere into e8 alone
    assert movers(state) == {"f5", "e4", "a7", "k7"}


def test_r9_s4_a_dispersal_continues_only_from_its_origin() -> None:
    state = play(many_pieces(), "Pd4d9 Pf5g5")
    assert (open_plays(state), legal(state)) == (("e5", None), FROM_E5 | {"end"})
    assert expect_refusal(state, "Pa7d7").clause == "R9"


def test_r9_s4_a_concentration_continues_only_into_its_target() -> None:
    state = play(many_pieces(), "Pd4d9 Pa7d7")
    assert open_plays(state) == (None, "e8")
    assert legal(state) == {"Pf5f7", "Pf5f8", "Pf5f9", "Pk7f7", "Pk7e7", "Ee4e7", "end"}
    assert expect_refusal(state, "Pf5g5").clause == "R9"


def test_s4_each_later_move_keeps_a_play_open_and_closes_what_it_does_not_fit() -> None:
    state = position("W:Bh11,Pd4,Pf5,Pa8,Pg10 B:Bh2,Be8,Be2,Bh5,Bk5", powers=4)
    first = play(state, "Pd4d7")
    assert open_plays(first) == ("e5", "e8")
    assert open_plays(play(first, "Pf5f7")) == ("e5", "e8")  # from e5 into e8 fits both
    assert open_plays(play(first, "Pf5g5")) == ("e5", None)
    assert open_plays(play(first, "Pa8d8")) == (None, "e8")
    assert expect_refusal(first, "Pg10l10").clause == "R9"


def test_r9_s4_a_move_that_fits_both_keeps_both_open() -> None:
    assert open_plays(play(many_pieces(), "Pd4d9 Pf5f7")) == ("e5", "e8")


def test_r9_no_piece_moves_twice() -> None:
    state = play(many_pieces(), "Pd4d9 Pf5f7 Ee4e7")
    assert movers(state) == {"a7"}  # k7 is blocked by f7
    assert expect_refusal(state, "Pd9d10").clause == "R9"


def test_r9_s7_a_turn_of_one_piece_is_legal_and_end_closes_it() -> None:
    assert expect_refusal(many_pieces(), "end").clause == "S7"
    state = play(many_pieces(), "Pd4d9 end")
    assert (seat_of(state), open_plays(state), phase_of(state)) == (1, (None, None), "turn")


def test_s7_end_waits_for_a_pending_event() -> None:
    state = play(position("W:Bh11,Pe12 B:Bh2,Pg3"), "Pe12g12")
    assert (phase_of(state), "end" in legal(state)) == ("create", False)
    assert "end" in legal(play(state, "Eg10S"))


def test_r9_there_is_no_voluntary_pass() -> None:
    assert "pass" not in legal(many_pieces())
    assert expect_refusal(many_pieces(), "pass").clause == "R9"
    lone = position("W:Bh11,Pa1 B:Bb2,Eb1x,Ea2x")
    assert legal(lone) == {"Rb2", "offer"}  # a Rearrangement is left


@pytest.mark.parametrize("text", ["W:Bh11 B:Bh2,Pg3", BLOCKED])
def test_r9_s3_a_player_who_can_do_nothing_passes(text: str) -> None:
    state = position(text)
    assert legal(state) == {"pass", "offer"}
    after = play(state, "pass")
    assert (seat_of(after), pieces(after), GAME.turn(after).seat) == (1, pieces(state), 1)


def test_r9_v13_a_sacrifice_leaves_no_room_for_a_pass() -> None:
    board = "W:Bh11,Pa1,Ec1x B:Bb2,Eb1x,Ea2x,Ec2x rowW=b2*2"
    assert legal(position(board)) == {"pass", "offer"}
    assert legal(position(board, power_sacrifice=True)) == {f"xPa1(Ec1{facing})" for facing in "NES"} | {"offer"}


def test_s3_what_a_turn_begins_with() -> None:
    state = position("W:Bh11,Pg10,Ei12x B:Bh2,Pg3 offer=standing", power_sacrifice=True)
    words = {text for text in legal(state) if not text.startswith("P")}
    assert words == {"Rh11", "offer", "accept"} | {f"xPg10(Ei12{facing})" for facing in "NESW"}


def test_s9_the_order_of_moves_leaves_no_trace() -> None:
    for one, other in [
        ("Pd4d9 Pf5g5", "Pf5g5 Pd4d9"),  # a Dispersal
        ("Pd4d9 Pa7e7", "Pa7e7 Pd4d9"),  # a Concentration
        ("Pd4d9 Pf5f7", "Pf5f7 Pd4d9"),  # both still open
        ("Pd4d9 Pf5g5 end", "Pf5g5 Pd4d9 end"),
    ]:
        first, second = play(many_pieces(), one), play(many_pieces(), other)
        assert (first, hash(first)) == (second, hash(second))
    assert play(many_pieces(), "Pd4d9") != play(many_pieces(), "Pd4d9 end")


def test_s9_what_is_still_open_counts() -> None:
    board = "W:Bh2,Pd9,Pf5 B:Be8,Be11 moved from=e5"
    assert position(board) != position(board + " into=e8")
    assert hash(position(board)) != hash(position(board + " into=e8"))


# ---- options


def test_v5_a_piece_that_enters_an_enemy_realm_stops_there() -> None:
    board = "W:Bh11,Pa4 B:Be5,Bk2"
    far = {"g4", "h4", "i4", "j4", "k4", "l4"}
    near = {"d4", "e4", "f4"}
    up_and_down = {"a7", "a8", "a9", "a10", "a11", "a12", "a3", "a2", "a1"}
    assert targets(position(board), "a4") == near | far | up_and_down
    closed = position(board, stop_in_enemy_realm=True)
    assert targets(closed, "a4") == near | up_and_down
    assert expect_refusal(closed, "Pa4g4").clause == "V5"


@pytest.mark.parametrize(("board", "ends"), [
    ("W:Bh11,Pa4 B:Be5,Ed4x", set()),  # the line offers no space of e5
    ("W:Bh11,Pa5 B:Be5", {"d5"}),  # the Base is in the way
    ("W:Bh11,Pa4 B:Bb5,Bh5", {"d4", "e4", "f4", "g4", "h4", "i4"}),  # it may leave an enemy Realm
    ("W:Be5,Pa4 B:Bh5", {"d4", "e4", "f4", "g4", "h4", "i4"}),  # its own Realm does not stop it
])  # fmt: skip
def test_v5_looks_at_each_realm_on_the_line(board: str, ends: set[str]) -> None:
    state = position(board, stop_in_enemy_realm=True)
    assert {name for name in targets(state, "a" + board.split("Pa")[1][0]) if name[0] != "a"} == ends


def test_v5_binds_enforcers_too() -> None:
    state = position("W:Bh11,Ea4E B:Be5", stop_in_enemy_realm=True)
    assert {name for name in targets(state, "a4") if name[0] != "a"} == {"d4", "e4", "f4"}


def test_v9_the_first_turn_moves_one_single_power() -> None:
    state = play(start(first_turn_single_power=True), SETUP)
    assert {text[0] for text in legal(state) - {"offer"}} == {"P"}
    assert expect_refusal(state, "Rh11").clause == "V9"
    state = play(state, "Pi10i6")
    assert pieces(state)["h5"] == "WB"  # with its event
    assert legal(state) == {"end"}
    state = play(state, "end")
    assert "Rh2" in legal(state)
    assert len(movers(play(state, "Pd6d1"))) > 0


def test_v9_moves_no_enforcer_and_sacrifices_nothing() -> None:
    board = "W:Bh11,Pg10,Eg12S,Ei12x B:Bh2,Pg3"
    state = position(board, first_turn_single_power=True, power_sacrifice=True)
    assert movers(state) == {"g10"}
    assert {text[0] for text in legal(state)} == {"P", "o"}
    assert expect_refusal(state, "xPg10(Ei12N)").clause == expect_refusal(state, "Eg12f12").clause == "V9"


# ---- the acting seat


def test_only_the_acting_seat_acts_and_no_seat_after_the_end() -> None:
    state = position("W:Bh11,Pg10 B:Bh2,Pg3")
    step = GAME.parse_move(state, "Pg10g7")
    assert (GAME.to_move(state), GAME.legal_moves(state, 1)) == ((0,), [])
    with pytest.raises(NotYourTurn, match="White's turn"):
        GAME.play(state, 1, step)
    over = position("W:Bh11,Pg10 B:Bh2,Pg3 phase=over end=agreement")
    assert (GAME.to_move(over), legal(over), ending(over)) == ((), set(), "agreement")
    with pytest.raises(GameOver):
        GAME.play(over, 0, step)
