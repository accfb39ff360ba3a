"""The clauses of RULES.md, each in a test named after it."""

from __future__ import annotations

import pytest

from realmtable.games.medieval_realm.first_state import State
from realmtable.kit.realm_board.geometry import REALMS, cell_name, center_of, spaces_of
from tests.medieval_realm.helpers import (
    GAME,
    TESTED,
    border,
    centers,
    duke_rows,
    ending,
    expect_refusal,
    legal,
    off,
    play,
    position,
    random_game,
    seat_of,
    start,
    targets,
)
from tests.rule_checks import check_white_begins_and_the_loser_is_white_next
from tests.shipped_records import ShippedRecords

# A Realm of nine: White holds its Center over four Men of each side.
NINE = "Md4,Me4,Mf4,Md5,{top} B:Mf5,Md6,Me6,Mf6"


def spaces(state: State, seat: int, *, down: bool) -> list[str]:
    pieces = GAME.view(state, None)["pieces"]
    return [piece["at"] for piece in pieces if (piece["seat"], piece["down"]) == (seat, down)]


# ---- the board


def test_b1_a_realm_is_named_by_its_center() -> None:
    names = [cell_name(center_of(realm)) for realm in range(REALMS)]
    assert " ".join(names) == "b2 e2 h2 k2 b5 e5 h5 k5 b8 e8 h8 k8 b11 e11 h11 k11"
    assert all(len(spaces_of(realm)) == 9 for realm in range(REALMS))
    assert set(centers(start())) == set(names)


def test_b2_which_border_space_does_not_matter() -> None:
    here, there = position("W:De2,Ma1,Mc3 B:Db2,Ma3,Dk11"), position("W:De2,Ma1,Mb1 B:Db2,Mc3,Dk11")
    assert here == there
    assert (spaces(here, 0, down=True), spaces(here, 1, down=True)) == (["a1", "b1"], ["c3"])
    assert GAME.encode(here) == "W:Ma1,Mb1,De2 B:Db2,Mc3,Dk11 move=W"


def test_b2_no_other_piece_shifts_when_a_man_falls_or_rises() -> None:
    for seed in range(4):
        before: dict[str, tuple[int, str]] = {}
        for state, _ in random_game(seed):
            now = {piece["at"]: (piece["seat"], piece["kind"]) for piece in GAME.view(state, None)["pieces"]}
            changed = {at for at in before | now if before.get(at) != now.get(at)}
            assert not before or len(changed) <= 4  # the two Centers, a falling and a rising piece
            before = now


@pytest.mark.parametrize(
    ("board", "forward", "far"),
    [("W:Mh5,Mh11 B:Db11", "Mh5h8", "Mh11off"), ("W:Db2 B:Mh5,Mh2 move=B", "Mh5off", "Mh2off")],
)
def test_b3_forward_and_the_far_row(board: str, forward: str, far: str) -> None:
    assert {forward, far} <= legal(position(board))
    assert {step for step in legal(position(board)) if step.startswith("Mh5")} <= {
        forward,
        "Mh5e5",
        "Mh5k5",
        "Mh5e2",
        "Mh5k2",
    }


# ---- the set-up


def test_b4_white_begins_and_in_a_rematch_the_loser_is_white() -> None:
    check_white_begins_and_the_loser_is_white_next(TESTED)


def test_m1_the_set_up() -> None:
    state = start()
    white = dict.fromkeys(("b2", "k2", "b5", "e5", "h5", "k5"), "WM") | dict.fromkeys(("e2", "h2"), "WD")
    black = dict.fromkeys(("b8", "e8", "h8", "k8", "b11", "k11"), "BM") | dict.fromkeys(("e11", "h11"), "BD")
    assert centers(state) == white | black
    assert (border(state), off(state), seat_of(state)) == ({}, [0, 0], 0)


# ---- moves


def test_m2_a_duke_moves_all_four_ways_and_a_man_not_back() -> None:
    assert targets(position("W:De5 B:Dk11"), "e5") == {"e8", "h5", "e2", "b5"}
    assert targets(position("W:Me5 B:Dk11"), "e5") == {"e8", "h5", "b5"}
    assert targets(position("W:Dk2 B:Me8 move=B"), "e8") == {"e5", "h8", "b8"}


def test_m2_one_move_a_turn_of_a_piece_on_a_center() -> None:
    state = position("W:De5,Mg4 B:Dh5,Mb11")
    assert legal(state) == {"De5e8", "De5e2", "De5b5"}
    assert seat_of(play(state, "De5e8")) == 1
    assert seat_of(play(state, "De5e8 Mb11b8")) == 0


def test_m3_over_own_pieces_a_move_continues_and_turns_at_will() -> None:
    state = position("W:Mb2,Mb5,Me5,Dk2 B:Dk11")
    assert targets(state, "b2") == {"e2", "b8", "e8", "h5"}
    assert targets(state, "k2") == {"h2", "k5"}
    assert expect_refusal(state, "Mb2b5").clause == "M3"


def test_m3_it_ends_on_a_vacant_center_or_an_enemy_man_and_goes_no_further() -> None:
    state = position("W:Mb2,Mb5 B:Mb8,Mb11,De8")
    assert targets(state, "b2") == {"b8", "e2", "e5"}
    assert targets(state, "b5") == {"b8", "e5"}


def test_m3_no_center_is_visited_twice() -> None:
    state = position("W:Db2,Me2,Mb5,Me5 B:Dk11")
    assert targets(state, "b2") == {"h2", "h5", "b8", "e8"}
    assert expect_refusal(state, "Db2b2").clause == "M3"
    alone = position("W:De5,Me8 B:Dk11")
    assert "e5" not in targets(alone, "e5")


def test_m4_an_enemy_man_is_dislodged() -> None:
    state = play(position("W:Mb5,De2 B:Mb8,Dk11"), "Mb5b8")
    assert centers(state) == {"b8": "WM", "e2": "WD", "k11": "BD"}
    assert border(state) == {"b8": [0, 1]}
    assert GAME.format_move(position("W:Mb5 B:Mb8"), GAME.parse_move(state, "Mb5b8")) == "Mb5b8(xMb8)"


def test_m5_no_piece_enters_the_realm_of_an_enemy_duke() -> None:
    state = position("W:Mb5,Db2 B:Db8")
    assert targets(state, "b5") == {"e5"}
    assert targets(state, "b2") == {"e2", "e5"}
    assert expect_refusal(state, "Mb5b8").clause == "M5"


def test_m6_an_opponents_man_takes_the_center_that_is_left() -> None:
    state = position("W:Mb5,Ma4 B:Mb4,Mc4,Dk11")
    after = play(state, "Mb5b8")
    assert centers(after) == {"b5": "BM", "b8": "WM", "k11": "BD"}
    assert border(after) == {"b5": [1, 1]}
    assert GAME.format_move(state, GAME.parse_move(state, "Mb5b8")) == "Mb5b8(+Mb5)"


def test_m6_own_men_stay_down() -> None:
    after = play(position("W:Mb5,Ma4 B:Dk11"), "Mb5b8")
    assert (centers(after), border(after)) == ({"b8": "WM", "k11": "BD"}, {"b5": [1, 0]})


def test_m6_the_rising_piece_does_not_change_the_move() -> None:
    """The Center left is never visited again, so the piece on it is replaced before the move continues."""
    state = position("W:De5,Me8 B:Mf6,Dk11")
    assert "e5" not in targets(state, "e5")
    after = play(state, "De5e11")
    assert centers(after) == {"e5": "BM", "e8": "WM", "e11": "WD", "k11": "BD"}


def test_m6_also_when_a_piece_is_borne_off() -> None:
    state = position("W:Me11,De2 B:Mf12,Dk11")
    assert GAME.format_move(state, GAME.parse_move(state, "Me11off")) == "Me11off(+Me11)"
    assert centers(play(state, "Me11off"))["e11"] == "BM"


def test_m7_a_realm_of_nine_is_not_entered() -> None:
    state = position("W:Me2,Dh5,Dk2," + NINE.format(top="Me5") + ",De8,Db5 move=B")
    assert "e5" not in targets(state, "e8") | targets(state, "b5")
    assert expect_refusal(state, "De8e5").clause == "M7"
    eight = position("W:Me2,Dh5,Dk2," + NINE.format(top="Me5").replace("Md5,", "") + ",De8,Db5 move=B")
    assert "e5" in targets(eight, "e8")


def test_m7_nor_jumped_but_the_piece_on_its_center_may_leave() -> None:
    state = position("W:Me2," + NINE.format(top="De5") + ",Dk11")
    assert targets(state, "e2") == {"b2", "h2"}
    assert targets(state, "e5") == {"b5", "h5", "e8", "b2", "h2"}
    assert centers(play(state, "De5h5"))["e5"] == "BM"
    assert expect_refusal(state, "Me2e8").clause == "M7"


def test_m8_bearing_off_from_the_far_row() -> None:
    state = position("W:Mb11,De2 B:Dk11")
    after = play(state, "Mb11off")
    assert (centers(after), off(after)) == ({"e2": "WD", "k11": "BD"}, [7, 7])
    assert "b11" not in centers(after)


def test_m8_bearing_off_over_an_own_piece_in_the_far_row() -> None:
    state = position("W:Mb8,Db11,De11 B:Dk11")
    assert targets(state, "b8") == {"e8", "h11", "off"}
    after = play(state, "Mb8off")
    assert off(after) == [6, 7]
    assert "off" not in targets(position("W:Mb8,Me5 B:Mb11"), "b8")


def test_m8_nothing_leaves_by_another_side() -> None:
    for home in ("b2", "k2", "b5", "k8"):
        state = position(f"W:D{home} B:De11")
        assert "off" not in targets(state, home)
        assert expect_refusal(state, f"D{home}off").clause == "M8"


# ---- ends


def test_m9_bearing_off_all_eight_wins_at_once() -> None:
    state = play(position("W:Mb11 B:Dk11,Mk8"), "Mb11off")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.winner, outcome.reason) == ((8, 6), 0, "borne_off")
    black = GAME.outcome(play(position("W:Mb5 B:Dk2 move=B"), "Dk2off"))
    assert black is not None
    assert (black.winner, black.ranking, black.text[:5]) == (1, (2, 1), "Black")


def test_m9_is_looked_at_before_everything_else() -> None:
    state = position("W:Db11 B:Dk11 turns=299 dukes=2/3")
    assert ending(play(state, "Db11off")) == "borne_off"
    assert ending(play(state, "Db11b8")) == "duke_draw"


def test_m10_a_player_without_moves_passes() -> None:
    state = position("W:Mb5,De2 B:Mc6 move=B")
    assert legal(state) == {"pass"}
    state = play(state, "pass De2e5 pass Mb5b8")
    assert legal(state) == {"Mb5b2"}


def test_m10_also_for_other_reasons() -> None:
    """A Man on a Center between enemy Dukes and the edge cannot move either."""
    state = position("W:Mb8 B:Db11,De8")
    assert legal(state) == {"pass"}
    assert expect_refusal(position("W:Mb5 B:Db11,De8"), "pass").clause == "M10"


def test_m11_three_duke_moves_in_a_row_by_each_are_a_draw() -> None:
    state = position("W:De2,Mb2 B:De11,Mb11")
    state = play(state, "De2e5 De11e8 De5h5 De8b8 Dh5h8")
    assert (duke_rows(state), ending(state)) == ([3, 2], None)
    state = play(state, "Db8e8")
    assert (duke_rows(state), ending(state)) == ([3, 3], "duke_draw")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winner, outcome.ranking, outcome.scores) == (None, (1, 1), (6, 6))


def test_m11_a_move_of_a_man_and_a_pass_break_the_row() -> None:
    state = position("W:De2,Mb2 B:De11,Mb11 dukes=3/2")
    assert duke_rows(play(state, "Mb2b5")) == [0, 2]
    stuck = position("W:De2,Mb2 B:Mc3 dukes=3/2 move=B")
    assert duke_rows(play(stuck, "pass")) == [3, 0]


def test_m11_bearing_a_duke_off_counts() -> None:
    state = position("W:De11,Mb2 B:Dk8,Mb11 dukes=2/3")
    assert ending(play(state, "De11off")) == "duke_draw"


def test_t1_two_passes_in_a_row_are_a_draw() -> None:
    state = position("W:Ma4 B:Ml9")
    assert ending(play(state, "pass")) is None
    assert ending(play(state, "pass pass")) == "two_passes"
    assert ending(play(position("W:Ma4 B:Ml9 passed"), "pass")) == "two_passes"


def test_t1_in_play_a_realm_is_a_heap_of_turns() -> None:
    """White and Black lie in turns with the latest comer on the Center, so no vacant Center has Men around it."""
    for seed in range(6):
        for state, _ in random_game(seed):
            for name, (white, black) in border(state).items():
                holder = centers(state)[name][0]
                own, other = (white, black) if holder == "W" else (black, white)
                assert other - own in (0, 1)


CYCLE = "Mb11e11 Mk2h2 Me11b11 Mh2k2"


def test_t2_the_third_appearance_of_a_position_is_a_draw() -> None:
    state = position("W:Mb11 B:Mk2")
    state = play(state, CYCLE)
    assert ending(state) is None
    state = play(state, "Mb11e11 Mk2h2 Me11b11")
    assert ending(state) is None
    assert ending(play(state, "Mh2k2")) == "repetition"


def test_t2_counts_the_rows_of_duke_moves_whether_or_not_they_matter() -> None:
    cycle = "Db11e11 Dk2h2 De11b11 Dh2k2"
    state = play(position("W:Db11 B:Dk2", duke_draw=False), f"{cycle} {cycle}")
    assert (ending(state), duke_rows(state)) == (None, [3, 3])  # three appearances, but with other rows
    state = play(state, f"{cycle} Db11e11")
    assert ending(state) is None
    assert ending(play(state, "Dk2h2")) == "repetition"


def test_t2_an_earlier_position_does_not_come_back_after_a_man_has_gone_forward() -> None:
    state = position("W:Mb11,Mb5 B:Mk2,Mk8")
    state = play(state, "Mb11e11 Mk2h2 Me11b11 Mh2k2")
    assert len(GAME.encode(state).split("seen=")[1].split(",")) == 5
    assert len(GAME.encode(play(state, "Mb5b8")).split("seen=")) == 1
    assert len(GAME.encode(play(state, "Mb11off")).split("seen=")) == 1


def test_t3_after_max_plies_the_game_is_drawn() -> None:
    state = position("W:Mb11,De2 B:Mk2,Dk11 turns=298")
    assert ending(play(state, "Mb11e11")) is None
    assert ending(play(state, "Mb11e11 Mk2h2")) == "max_plies"


def test_t3_the_order_in_which_ends_are_looked_at() -> None:
    last = " turns=299"
    assert ending(play(position("W:Ma4 B:Ml9 passed" + last), "pass")) == "two_passes"
    assert ending(play(position("W:De2 B:De11 dukes=2/3" + last), "De2e5")) == "duke_draw"
    state = play(position("W:Mb11 B:Mk2", max_plies=20), CYCLE + " Mb11e11 Mk2h2 Me11b11")
    state = GAME.decode(GAME.encode(state).replace("turns=7", "turns=19"))
    assert ending(play(state, "Mh2k2")) == "repetition"


# ---- options


@pytest.mark.parametrize(
    ("places", "dukes"),
    [
        ("back_middle", "e2 h2 e11 h11"),
        ("back_corners", "b2 k2 b11 k11"),
        ("front_middle", "e5 h5 e8 h8"),
        ("front_corners", "b5 k5 b8 k8"),
    ],
)
def test_v1_where_the_dukes_begin(places: str, dukes: str) -> None:
    pieces = centers(start(duke_squares=places))
    assert [name for name, piece in pieces.items() if piece[1] == "D"] == dukes.split()
    assert len(pieces) == 16


def test_v2_without_the_dukes_draw() -> None:
    state = position("W:De2,Mb2 B:De11,Mb11 dukes=3/2 move=B", duke_draw=False)
    after = play(state, "De11e8")
    assert (ending(after), duke_rows(after)) == (None, [3, 3])
    assert duke_rows(play(after, "De2e5")) == [3, 3]


@pytest.mark.parametrize("plies", [20, 500])
def test_v3_how_many_turns(plies: int) -> None:
    state = position(f"W:Mb11,De2 B:Mk2,Dk11 turns={plies - 1}", max_plies=plies)
    assert ending(play(state, "Mb11e11")) == "max_plies"


# ---- steps


def test_s1_how_a_move_is_written() -> None:
    state = position("W:De2,Mb5,Mb11 B:Mb4,Mb8,Dk11")
    steps = GAME.legal_moves(state, 0)
    texts = {GAME.format_move(state, step) for step in steps}
    assert {"De2e5", "Mb5b8(xMb8,+Mb5)", "Mb11off"} <= texts
    over = position("W:Mb8,Mb11 B:Dk11")
    assert GAME.parse_turn(over, "Mb8off").moves == [GAME.parse_move(over, "Mb8off")]


def test_s2_a_step_is_a_whole_turn() -> None:
    for name in ("end-borne-off-white", "end-two-passes"):
        assert all(len(turn.moves) == 1 for turn in ShippedRecords("medieval_realm").record_of(name).turns)
    assert GAME.turn(start()) == (1, 0)
    assert GAME.turn(play(start(), "Mb5b8")) == (1, 1)
    assert GAME.turn(play(start(), "Mb5b8 Me8e5")) == (2, 0)
