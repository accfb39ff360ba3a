"""The events that a stopping piece causes: R10, E1 to E4, R12, V6, V7, V16, S5, S6."""

from __future__ import annotations

import pytest

from realmtable.games.realm.layout import PROGRESS, QUIET_TURNS
from tests.realm.helpers import (
    bases_left,
    captures,
    diff_pieces,
    ending,
    enforcers_left,
    expect_refusal,
    legal,
    phase_of,
    pieces,
    play,
    position,
    seat_of,
)

# A Power or an Enforcer of White's comes from a8 along rank 7 or 9 into the Realm e8; the pieces there are filled in.
POWER_COMES = "W:Bh11,Pa7{white} B:Bk2{black}"
ENFORCER_COMES = "W:Bh11,Ea7E{white} B:Be8,Bk2{black}"
CORNERS = ("d9", "e9", "f9", "d8")  # Border spaces of e8 off rank 7
FACES = ("N", "E", "S", "W")


def fill_board(board: str, white: str = "", black: str = "") -> str:
    return board.format(
        white="".join(f",{piece}" for piece in white.split()), black="".join(f",{p}" for p in black.split())
    )


def powers(count: int, first: int = 0) -> str:
    return " ".join("P" + space for space in CORNERS[first : first + count])


# ---- E1


@pytest.mark.parametrize(("white", "black"), [("", ""), ("Pd9", ""), ("Ed9N", "Ee9S Ef9x")])
def test_e1_a_power_creates_a_base_on_a_vacant_center(white: str, black: str) -> None:
    state = position(fill_board(POWER_COMES, white, black))
    after = play(state, "Pa7d7")
    assert diff_pieces(state, after) == {"a7": "", "d7": "WP", "e8": "WB"}
    assert (bases_left(after), after.position[PROGRESS]) == ((10, 11), 1)


def test_e1_an_enemy_power_prevents_it_and_nothing_follows_later() -> None:
    state = position(fill_board(POWER_COMES, "", "Pe9"))
    after = play(state, "Pa7d7")
    assert diff_pieces(state, after) == {"a7": "", "d7": "WP"}
    gone = play(after, "end Pe9h9 end")
    assert "e8" not in pieces(gone)  # the enemy has left, but only a new move founds
    assert pieces(play(gone, "Pd7c7"))["b8"] == "WB"


def test_e1_needs_a_vacant_center() -> None:
    state = position("W:Bh11,Pa7 B:Be8")
    assert diff_pieces(state, play(state, "Pa7d7")) == {"a7": "", "d7": "WP"}


def test_e1_r10_never_leads_on_to_e2() -> None:
    after = play(position(fill_board(POWER_COMES)), "Pa7d7")
    assert (phase_of(after), enforcers_left(after)) == ("turn", (8, 8))


@pytest.mark.parametrize(("white", "founds"), [("", True), ("Pd9", False), ("Ed9x", True)])
def test_v6_a_power_founds_only_alone(white: str, founds: bool) -> None:
    state = position(fill_board(POWER_COMES, white), lone_power_base=True)
    assert ("e8" in pieces(play(state, "Pa7d7"))) == founds


def test_v6_an_enemy_power_prevents_it_still() -> None:
    state = position(fill_board(POWER_COMES, "", "Pd9"), lone_power_base=True)
    assert "e8" not in pieces(play(state, "Pa7d7"))


# ---- E2

OWN = "Be8 {}"


@pytest.mark.parametrize(("white", "black"), [("", ""), ("Ed9x", ""), ("", "Ed9x"), ("Pd9", "Pe9")])
def test_e2_s5_a_power_creates_an_enforcer_where_its_player_controls(white: str, black: str) -> None:
    state = position(fill_board(POWER_COMES, OWN.format(white), black))
    after = play(state, "Pa7d7")
    assert phase_of(after) == "create"
    vacant = {"d7", "e7", "f7", "d8", "f8", "d9", "e9", "f9"} - set(pieces(after))
    assert legal(after) == {f"E{space}{facing}" for space in vacant for facing in FACES}
    made = play(after, "Ef8W")
    assert diff_pieces(after, made) == {"f8": "WEW"}
    assert (enforcers_left(made)[0], bases_left(made), phase_of(made)) == (
        enforcers_left(after)[0] - 1,
        (10, 11),
        "turn",
    )
    assert made.position[PROGRESS] == 1


@pytest.mark.parametrize(("white", "black"), [("Ed9N", ""), ("", "Ed9S"), ("Ed9x", "Ee9W")])
def test_e2_a_mobile_enforcer_of_either_side_prevents_it(white: str, black: str) -> None:
    state = position(fill_board(POWER_COMES, OWN.format(white), black))
    after = play(state, "Pa7d7")
    assert (diff_pieces(state, after), phase_of(after)) == ({"a7": "", "d7": "WP"}, "turn")


def test_e2_needs_an_uncreated_enforcer() -> None:
    after = play(position(fill_board(POWER_COMES, OWN.format("")) + " stock=0/3"), "Pa7d7")
    assert (phase_of(after), enforcers_left(after)) == ("turn", (0, 3))


def test_e2_needs_a_vacant_border_space() -> None:
    flat = "Ee7x Ef7x Ed8x Ef8x Ed9x Ee9x {}"
    assert phase_of(play(position(fill_board(POWER_COMES, "Be8", flat.format("Ef9x"))), "Pa7d7")) == "turn"
    state = play(position(fill_board(POWER_COMES, "Be8", flat.format(""))), "Pa7d7")
    assert legal(state) == {"Ef9" + facing for facing in FACES}


def test_e2_needs_control_by_the_mover() -> None:
    assert phase_of(play(position("W:Bh11,Pa7 B:Be8"), "Pa7d7")) == "turn"


def test_e2_s5_comes_before_anything_else() -> None:
    state = play(position(fill_board(POWER_COMES, "Be8 Pa9")), "Pa7d7")
    for text in ("end", "Pa9d9", "pass", "offer", "Rh11", "Ea1N", "Ed7N", "Pf9", "-"):
        assert expect_refusal(state, text).clause == "E2"


# ---- E3


@pytest.mark.parametrize(
    ("own", "enemy", "mover"),
    [(0, 0, "WEx"), (1, 1, "WEx"), (0, 1, "WEx"), (1, 2, "WEx"), (1, 0, "WEE"), (2, 1, "WEE"), (2, 0, "WEE")],
)
@pytest.mark.parametrize("center", ["Be8", "Bh5"])
def test_e3_an_enforcer_immobilises_an_enemy_and_itself_unless_it_has_more_powers(
    own: int, enemy: int, mover: str, center: str
) -> None:
    state = position(
        fill_board(f"W:Bh11,Ea7E{{white}} B:Bk2,{center}{{black}}", powers(own), f"Ef8N {powers(enemy, own)}")
    )
    after = play(state, "Ea7d7")
    assert diff_pieces(state, after) == {"a7": "", "d7": mover, "f8": "BEx"}  # E3 never leads to E4: e8 stays
    assert (captures(after), after.position[PROGRESS]) == ((0, 0), 1)


def test_e3_happens_in_an_own_and_in_a_vacant_realm_too() -> None:
    for base in ("Be8", "Bh8"):
        state = position(f"W:Bh11,{base},Ea7E B:Bk2,Ef8N")
        assert diff_pieces(state, play(state, "Ea7d7")) == {"a7": "", "d7": "WEx", "f8": "BEx"}


def test_e3_r10_the_capture_waits_for_another_enforcer() -> None:
    state = position(fill_board("W:Bh11,Ea7E,Ea8E{white} B:Be8,Bk2{black}", powers(1), "Ef8N"))
    after = play(state, "Ea7d7 Ea8d8")
    assert diff_pieces(state, after) == {"a7": "", "a8": "", "d7": "WEE", "d8": "WEx", "f8": "BEx", "e8": ""}


def test_s5_a_base_appears_by_itself_and_an_enforcer_is_a_step() -> None:
    state = position("W:Bh11,Pe12,Pe10 B:Bh2")
    creating = play(state, "Pe12g12")
    spaces = ["g10", "h10", "i10", "g11", "i11", "h12", "i12"]
    assert legal(creating) == {f"E{space}{face}" for space in spaces for face in "NESW"}
    assert pieces(play(state, "Pe10e7"))["e8"] == "WB"
    asked = position("W:Bh11,Pe12,Pe10 B:Bh2", optional_creation=True)
    assert legal(play(asked, "Pe10e7")) == {"Be8", "-"}
    assert legal(play(asked, "Pe12g12")) == legal(creating) | {"-"}


def test_s6_only_with_two_or_more_is_there_a_choice() -> None:
    one, two = position("W:Bh11,Ea7E B:Bh2,Ef8N"), position("W:Bh11,Ea7E B:Bh2,Ef8N,Ef9N,Ee7x")
    assert pieces(play(one, "Ea7d7"))["f8"] == "BEx"
    choosing = play(two, "Ea7d7")
    assert legal(choosing) == {"xEf8", "xEf9"}
    assert pieces(play(choosing, "xEf9"))["f9"] == "BEx"


@pytest.mark.parametrize(("own", "mover"), [(0, "WEx"), (1, "WEE")])
def test_e3_s6_the_mover_chooses_among_several(own: int, mover: str) -> None:
    state = position(fill_board(ENFORCER_COMES, powers(own), "Ef8N Ef9S Ee7x"))
    pending = play(state, "Ea7d7")
    assert (phase_of(pending), legal(pending)) == ("immobilise", {"xEf8", "xEf9"})
    after = play(pending, "xEf9")
    assert diff_pieces(state, after) == {"a7": "", "d7": mover, "f9": "BEx"}
    assert (phase_of(after), seat_of(after)) == ("turn", 0)
    assert expect_refusal(pending, "xEe7").clause == expect_refusal(pending, "end").clause == "E3"


def test_e3_an_immobile_enemy_is_no_target() -> None:
    state = position(fill_board(ENFORCER_COMES, "", "Ef8x"))
    assert diff_pieces(state, play(state, "Ea7d7")) == {"a7": "", "d7": "WEE"}


# ---- E4


@pytest.mark.parametrize(
    ("own", "enemy", "mover"),
    [
        (1, 0, "WEx"), (2, 1, "WEx"), (3, 2, "WEx"),  # exactly one more
        (2, 0, "WEE"), (3, 1, "WEE"), (3, 0, "WEE"),
    ],
)  # fmt: skip
def test_e4_a_capture_immobilises_the_captor_with_exactly_one_power_more(own: int, enemy: int, mover: str) -> None:
    spaces = ["d9", "e9", "f9", "d8", "f8"]
    white, black = (" ".join("P" + space for space in part) for part in (spaces[:own], spaces[own : own + enemy]))
    state = position(fill_board(ENFORCER_COMES, white, black))
    after = play(state, "Ea7d7")
    assert diff_pieces(state, after) == {"a7": "", "d7": mover, "e8": ""}
    assert (captures(after), bases_left(after), after.position[PROGRESS]) == ((1, 0), bases_left(state), 1)


@pytest.mark.parametrize(("own", "enemy"), [(0, 0), (1, 1), (0, 1), (1, 2)])
def test_e4_needs_more_powers(own: int, enemy: int) -> None:
    state = position(fill_board(ENFORCER_COMES, powers(own), powers(enemy, own)))
    assert diff_pieces(state, play(state, "Ea7d7")) == {"a7": "", "d7": "WEE"}


def test_e4_an_immobile_enemy_enforcer_does_not_protect() -> None:
    state = position(fill_board(ENFORCER_COMES, powers(2), "Ef8x"))
    assert diff_pieces(state, play(state, "Ea7d7")) == {"a7": "", "d7": "WEE", "e8": ""}


def test_e4_captures_neither_an_own_base_nor_an_empty_center() -> None:
    for board in ("W:Bh11,Be8,Ea7E,Pd9,Pe9 B:Bk2", "W:Bh11,Ea7E,Pd9,Pe9 B:Bk2"):
        state = position(board)
        assert diff_pieces(state, play(state, "Ea7d7")) == {"a7": "", "d7": "WEE"}


def test_e4_r10_powers_are_counted_when_the_enforcer_stops() -> None:
    state = position("W:Bh11,Ea7E,Pa9 B:Be8,Bk2")
    early = play(state, "Ea7d7 Pa9d9")
    assert diff_pieces(state, early) == {"a7": "", "a9": "", "d7": "WEE", "d9": "WP"}
    late = play(state, "Pa9d9 Ea7d7")
    assert diff_pieces(state, late) == {"a7": "", "a9": "", "d7": "WEx", "d9": "WP", "e8": ""}


def test_e4_e1_a_capture_leaves_room_for_a_base_in_the_same_turn() -> None:
    state = position("W:Bh11,Ea7E,Pd9,Pa8 B:Be8,Bk2")
    after = play(state, "Ea7d7 Pa8d8")
    assert diff_pieces(state, after) == {"a7": "", "a8": "", "d7": "WEx", "d8": "WP", "e8": "WB"}
    assert (bases_left(after), captures(after)) == ((10, 10), (1, 0))


def test_r10_a_captured_base_is_never_created_again() -> None:
    before = position("W:Bh11,Ea7E,Pd9 B:Be8,Bk2")
    after = play(before, "Ea7d7 end")
    assert bases_left(after) == bases_left(before) == (11, 10)


def test_r10_one_event_at_most_follows_a_piece() -> None:
    state = position("W:Bh11,Ea7E,Pd9,Pe9 B:Be8,Bk2,Ef8N")
    after = play(state, "Ea7d7")
    assert (pieces(after)["f8"], pieces(after)["e8"], after.position[QUIET_TURNS]) == ("BEx", "BB", 0)


# ---- the last Base


def test_r12_the_last_base_ends_the_game_in_the_middle_of_a_turn() -> None:
    state = position("W:Bh11,Pd4,Pf5 B:Bk2 left=1/5")
    after = play(state, "Pd4d7")
    assert (ending(after), bases_left(after), legal(after)) == ("last_base", (0, 5), set())


def test_r12_the_set_up_counts_towards_the_last_base() -> None:
    board = "W:Bb2,Bb5,Bb8,Bb11,Be2,Be5,Be11,Bh2,Bh5,Bh8{},Pa7 B:Bk2"
    assert ending(play(position(board.format("")), "Pa7d7")) is None
    assert ending(play(position(board.format(",Bh11")), "Pa7d7")) == "last_base"


@pytest.mark.parametrize("lead", [1, 2])
def test_v7_the_captor_places_a_base_at_once(lead: int) -> None:
    state = position(fill_board(ENFORCER_COMES, powers(lead)), capture_replaces=True, optional_creation=True)
    after = play(state, "Ea7d7")
    assert diff_pieces(state, after) == {"a7": "", "d7": "WEx" if lead == 1 else "WEE", "e8": "WB"}
    assert (bases_left(after), captures(after), phase_of(after)) == ((10, 10), (1, 0), "turn")


def test_v7_r12_the_base_it_places_may_end_the_game() -> None:
    after = play(position(fill_board(ENFORCER_COMES, powers(1)) + " left=1/5", capture_replaces=True), "Ea7d7")
    assert (ending(after), captures(after)) == ("last_base", (1, 0))


# ---- declining


def test_v16_s5_a_base_may_be_declined() -> None:
    state = play(position(fill_board(POWER_COMES), optional_creation=True), "Pa7d7")
    assert (phase_of(state), legal(state)) == ("found", {"Be8", "-"})
    declined = play(state, "-")
    assert (diff_pieces(state, declined), phase_of(declined), bases_left(declined)) == ({}, "turn", (11, 11))
    made = play(state, "Be8")
    assert (diff_pieces(state, made), phase_of(made), bases_left(made)) == ({"e8": "WB"}, "turn", (10, 11))
    assert "end" in legal(declined) & legal(made)
    assert declined.position[PROGRESS] == 0


def test_v16_s5_an_enforcer_may_be_declined() -> None:
    state = play(position(fill_board(POWER_COMES, "Be8"), optional_creation=True), "Pa7d7")
    assert "-" in legal(state)
    declined = play(state, "-")
    assert (phase_of(declined), enforcers_left(declined), declined.position[PROGRESS]) == ("turn", (8, 8), 0)


def test_v16_a_declined_last_base_does_not_end_the_game() -> None:
    state = play(position(fill_board(POWER_COMES) + " left=1/5", optional_creation=True), "Pa7d7")
    assert ending(play(state, "-")) is None
    assert ending(play(state, "Be8")) == "last_base"
