"""At least one test for every clause of RULES.md: board, set-up, moves, captures, ends, options, steps."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.engine.protocol import Turn
from realmtable.games.modern_realm.rules import is_target
from realmtable.games.modern_realm.steps import Step, StepKind
from realmtable.kit.realm_board.geometry import CELLS, CENTERS, cell_name, realm_of
from tests.modern_realm.helpers import (
    GAME,
    HOMES,
    TESTED,
    diff_pieces,
    ending,
    expect_refusal,
    legal,
    movers,
    phase_of,
    pieces,
    play,
    position,
    seat_of,
    start,
    targets,
)
from tests.rule_checks import check_white_begins_and_the_loser_is_white_next


def targets_of_agent(space: str, white: str = "", black: str = "") -> set[str]:
    """Where a White Agent may go that has these other pieces about it."""
    return targets(position(f"W:A{space}{white and ','}{white} B:{black}"), space)


# ---- the board and the set-up


def test_b1_sixteen_realms_are_named_by_their_centers() -> None:
    names = [cell_name(center) for center in CENTERS]
    assert names == [file + rank for rank in ("2", "5", "8", "11") for file in "behk"]
    assert expect_refusal(start(), "Aa1a1").clause == "D2"
    with pytest.raises(IllegalMove) as caught:
        GAME.play(start(), 0, Step(StepKind.MOVE, 0, CELLS))
    assert caught.value.clause == "B1"


def test_b2_each_side_aims_at_the_other_half() -> None:
    for center in CENTERS:
        upper = cell_name(center)[1:] in ("8", "11")
        assert (is_target(realm_of(center), 0), is_target(realm_of(center), 1)) == (upper, not upper)


def test_b3_white_begins_and_in_a_rematch_the_loser_is_white() -> None:
    check_white_begins_and_the_loser_is_white_next(TESTED)


def test_d1_the_set_up() -> None:
    found = pieces(start())
    white = {space: "WC" if space == "e2" else "WA" for space in HOMES}
    black = {f"{file}{rank}": "BC" if (file, rank) == ("h", 11) else "BA" for file in "behk" for rank in (8, 11)}
    assert found == white | black
    assert GAME.view(start(), None)["stock"] == [8, 8]
    assert seat_of(start()) == 0


# ---- the turn


def test_d2_all_mobile_pieces_of_the_realm_move_out() -> None:
    state = position("W:Aa1,Ac3,Ak5 B:Al12")
    assert movers(state) == {"a1", "c3", "k5"}
    first = play(state, "Aa1a4")
    assert (seat_of(first), movers(first)) == (0, {"c3"})
    assert GAME.view(first, None)["open"] == {"origin": "b2", "left": ["c3"]}
    second = play(first, "Ac3c6")
    assert (seat_of(second), GAME.view(second, None)["open"]["origin"]) == (1, None)


def test_d2_a_piece_without_a_way_out_stays() -> None:
    state = position("W:Aa1,Ab1 B:Aa4,Al12")
    after = play(state, "Ab1d1")
    assert (seat_of(after), pieces(after)["a1"]) == (1, "WA")
    assert movers(play(state, "Ab1b4")) == {"a1"}


def test_d2_a_piece_may_open_the_way_for_another() -> None:
    walls = "W:Aa1,Aa2,Ab1 B:Al12"
    assert movers(position(walls)) == {"a2", "b1"}
    assert movers(play(position(walls), "Ab1b4 Aa2a4")) == {"a1"}


def test_d2_the_realm_must_have_a_piece_that_can_leave() -> None:
    state = position("W:Aa1,Ak5 B:Aa2,Ab1,Al12")
    assert movers(state) == {"k5"}


@pytest.mark.parametrize(
    ("board", "mobile"),
    [
        ("W:Aa7,Ak5 B:Ab8", True),  # as many as the enemy
        ("W:Aa7,Ak5 B:Ab8,Ac9", False),
        ("W:Aa7,Ac7,Ak5 B:Ab8,Ac9", True),
        ("W:Aa7,Ak5 B:Aa9,Ac9", True),  # the Center is vacant
        ("W:Aa7,Hb8,Ak5 B:Aa9,Ac9,Aa8", True),  # a friend on the Center
        ("W:Ab5,Ak5 B:Aa4,Aa5,Aa6", True),  # itself on the Center
        ("W:Ca7,Ak5 B:Ab8,Ac9", True),  # a Counter-Agent always
        ("W:Aa4,Ak5 B:Hb5", True),
        ("W:Aa4,Ak5 B:Hb5,Ac4", False),
    ],
)
def test_d3_mobility(board: str, mobile: bool) -> None:
    state = position(board)
    man = next(space for space in ("a7", "b5", "a4") if space in pieces(state) and pieces(state)[space][0] == "W")
    assert (man in movers(state)) == mobile
    shown = {piece["at"]: piece["mobile"] for piece in GAME.view(state, None)["pieces"]}
    assert shown[man] == mobile


def test_d3_mobility_is_that_of_the_start_of_the_turn() -> None:
    state = position("W:Aa7,Ac7 B:Ab8,Ac9")
    after = play(state, "Aa7a4")
    assert movers(after) == {"c7"}  # one against two by now
    shown = {piece["at"]: piece["mobile"] for piece in GAME.view(after, None)["pieces"]}
    assert shown["c7"]


def test_d4_lines_in_all_directions_to_another_realm() -> None:
    rank = {f"{file}4" for file in "abcghijkl"}
    file = {f"e{number}" for number in (1, 2, 3, 7, 8, 9, 10, 11, 12)}
    assert targets(position("W:Ae4 B:Al12"), "e4") == rank | file


def test_d4_no_piece_is_passed_over() -> None:
    assert targets_of_agent("e4", "Ah4", "Ac4") >= {"g4"}
    assert not targets_of_agent("e4", "Ah4", "Ac4") & {"a4", "b4", "c4", "h4", "i4"}


# East into h5 (friend on the Center), north into h8 (friend), west into e8 (friend), south: e5 is where it began.
CIRCLE = "W:Ae4,Ah5,Hh8,He8 B:Al12"
E5 = {f"{file}{rank}" for file in "def" for rank in (4, 5, 6)}


def test_d4_a_way_may_lead_back_through_the_realm_it_began_in() -> None:
    found = targets(position(CIRCLE), "e4")
    assert {"g9", "f9", "d7"} <= found
    assert {"d1", "d3", "f2"} <= found  # south through e5
    assert {"a5", "c6"} <= found  # west through e5, from h5


def test_d4_ending_where_it_began_is_no_move() -> None:
    assert not targets(position(CIRCLE), "e4") & E5
    assert expect_refusal(position(CIRCLE), "Ae4d5").clause == "D4"


def test_d4_coming_back_it_finds_its_own_space_and_center_vacant() -> None:
    state = position("W:Ae5,Ah5,Hh8,He8 B:Al12")
    found = targets(state, "e5")
    assert {"e3", "e1"} <= found  # down file e, over the Center it left
    assert not found & {"g4", "j4"} - targets(position("W:Ae5,Ah5,Hh8,He8 B:Al12", origin_closed=True), "e5")
    assert "j4" not in targets(
        position("W:Ae5,Hh8,He8,Ah9 B:Al12"), "e5"
    )  # with its Center vacant it cannot turn in e5


def test_d4_coming_back_to_a_friend_on_the_center_it_may_turn_there() -> None:
    board = "W:Ad4,Ad6,Ae5,Ah5,Hh8,He8 B:Al12"  # by h5, h8 and e8 south into e5, and there east along rank 6
    assert "j6" in targets(position(board), "d4")
    assert "j6" not in targets(position(board, origin_closed=True), "d4")
    assert "j6" not in targets(position(board.replace(",Ae5", "")), "d4")


@pytest.mark.parametrize("foe", ["He5", "Cf6"])
def test_d4_d5_d6_it_does_not_come_back_where_it_would_have_to_end(foe: str) -> None:
    board = "W:Ad4,Ae2,Ah2,Ah5 B:{},Al12"
    closed = targets(position(board.format(foe), origin_closed=True), "d4")
    assert targets(position(board.format(foe)), "d4") == closed
    assert "a6" in targets(position(board.format("Al1")), "d4") - closed


def test_d4_the_issue_of_the_first_turn() -> None:
    assert "d7" in targets(start(), "e5")
    assert expect_refusal(start(origin_closed=True), "Ae5d7").clause == "V4"


def test_d5_no_piece_enters_the_realm_of_the_enemy_counter_agent() -> None:
    assert not targets_of_agent("e4", "", "Cg6") & {"g4", "h4", "i4", "j4", "k4", "l4"}
    assert not targets_of_agent("e2", "", "Cd6") & {"e4", "e7", "e8"}
    assert expect_refusal(position("W:Ae4 B:Cg6"), "Ae4h4").clause == "D5"
    # Who is there may leave.
    assert "j4" in targets(position("W:Ag4 B:Cg6"), "g4")


@pytest.mark.parametrize(("rank", "center"), [(10, "Ah11"), (4, "Hh5")])
def test_d6_where_the_enemy_holds_the_center_a_piece_must_end(rank: int, center: str) -> None:
    found = targets_of_agent(f"e{rank}", "", center)
    assert {f"{file}{rank}" for file in "ghi"} <= found
    assert not found & {f"{file}{rank}" for file in "jkl"}
    assert not found & {f"{file}{rank + side}" for file in "ghi" for side in (-1, 1)}


def test_d7_where_a_friend_holds_the_center_a_piece_may_turn() -> None:
    found = targets_of_agent("e4", "Ah5")
    assert {"g4", "g5", "g6", "i6", "h3", "h1", "g7", "i12", "j4", "l4"} <= found  # on the space where it enters too
    assert not found & {"j5", "l6"}  # once in a Realm: east, north, east would be twice


def test_d7_a_move_may_turn_in_every_realm_with_a_friend() -> None:
    found = targets_of_agent("e4", "Ah5,Hh8,Hk8")
    assert {"j7", "k9", "l9", "l10", "k6"} <= found
    assert not targets_of_agent("e4", "Ah5,Hh8") & {"k6", "j6"}


def test_d7_a_vacant_center_gives_no_turn_and_nor_does_home() -> None:
    assert not targets_of_agent("e4") & {"g5", "g3", "a5"}
    assert not targets_of_agent("d4", "Ae5") & {"g5", "g6"}  # a friend on the Center of the Realm it begins in


def test_d7_a_piece_turns_in_both_directions_and_again_further_on() -> None:
    found = targets_of_agent("b1", "Ae2,Ae5")
    assert {"d1", "d3", "d4", "d5", "g4", "g6", "c6"} <= found


def test_d8_a_move_is_identified_by_its_ends() -> None:
    state = position("W:Ae4,Ah5,Hh8,He8 B:Al12")
    steps = [step for step in GAME.legal_moves(state, 0) if cell_name(step.at) == "e4"]
    assert len(steps) == len({step.to for step in steps})
    assert {(step.kind, cell_name(step.at)) for step in steps} == {(StepKind.MOVE, "e4")}


# ---- capture


def test_d9_a_vacant_center_falls_to_any_piece() -> None:
    for board in ("W:Ab4 B:Al12", "W:Cb4 B:Al12"):
        state = position(board)
        letter = board[2]
        for target in ("b7", "b8", "b9"):  # on the Center too
            assert diff_pieces(state, play(state, f"{letter}b4{target}")) == {"b4": "", "b8": "WH"}


def test_d9_a_vacant_center_falls_whatever_surrounds_it() -> None:
    state = position("W:Ab4 B:Aa7,Aa8,Aa9")
    assert diff_pieces(state, play(state, "Ab4b7")) == {"b4": "", "b8": "WH"}


def test_d9_an_agent_needs_more_pieces_than_the_enemy() -> None:
    one = position("W:Ab4 B:Ab8")
    assert diff_pieces(one, play(one, "Ab4b7")) == {"b4": "", "b7": "WA"}
    two = position("W:Ab4,Aa9 B:Ab8")
    assert phase_of(play(two, "Ab4b7")) == "dislodge"
    even = position("W:Ab4,Aa9 B:Ab8,Aa8")
    assert diff_pieces(even, play(even, "Ab4b7")) == {"b4": "", "b7": "WA"}


def test_d9_a_counter_agent_always_captures() -> None:
    state = position("W:Cb4 B:Ab8,Aa8,Aa9,Ac9")
    after = play(state, "Cb4b7")
    assert phase_of(after) == "dislodge"
    assert diff_pieces(state, after) == {"b4": "", "b8": "WH"}


def test_d9_no_capture_at_home_or_where_one_has_an_hq() -> None:
    home = position("W:Ab4,Ce2 B:Al12")
    assert diff_pieces(home, play(home, "Ab4d4")) == {"b4": "", "d4": "WA"}
    assert diff_pieces(home, play(home, "Ab4b2")) == {"b4": "", "b2": "WA"}
    held = position("W:Ab4,Hb8 B:Al12")
    assert diff_pieces(held, play(held, "Ab4b7")) == {"b4": "", "b7": "WA"}


def test_d9_a_capture_is_where_a_piece_ends() -> None:
    state = position("W:Ab4 B:Al12")
    assert diff_pieces(state, play(state, "Ab4b12")) == {"b4": "", "b11": "WH"}


def test_d10_the_captor_places_the_dislodged_agent() -> None:
    state = play(position("W:Ab4,Aa9 B:Ab8,Al12"), "Ab4b7")
    assert seat_of(state) == 0
    assert legal(state) == {f"xA{space}" for space in ("a7", "b7", "c7", "a8", "c8", "b9", "c9")}  # b7 is vacant again
    after = play(state, "xAb7")
    assert diff_pieces(state, after) == {"b7": "BA"}
    assert seat_of(after) == 1


def test_d11_an_hq_never_moves_and_is_never_captured() -> None:
    state = position("W:Hb8,Ak5 B:Ab11,Aa8,Aa9 move=B")
    assert expect_refusal(position("W:Hb8,Ak5 B:Al12"), "Ab8b5").clause == "D11"
    after = play(state, "Ab11b9")
    assert pieces(after)["b8"] == "WH"


def test_d11_an_hq_counts_as_a_piece() -> None:
    board = "W:Aa4,Ak5 B:Hb5,Ac4"
    assert "a4" not in movers(position(board))
    assert "a4" in movers(position(board, hq_counts=False))


def test_d12_a_player_without_moves_passes() -> None:
    state = position("W:Aa4 B:Hb5,Ac4,Ak11 move=W")
    assert legal(state) == {"pass"}
    after = play(state, "pass Ak11k9")
    assert (seat_of(after), legal(after)) == (0, {"pass"})
    freed = play(after, "pass Ac4c12")
    assert "pass" not in legal(freed)
    assert expect_refusal(freed, "pass").clause == "D12"


SEVEN = "W:{},He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:{}"


def test_d13_the_eighth_hq_wins_at_once() -> None:
    after = play(position(SEVEN.format("Ab4", "Al1,Al3")), "Ab4b7")
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert (outcome.reason, outcome.winner, outcome.scores) == ("eight_headquarters", 0, (8, 0))
    assert outcome.text == "White founded the eighth HQ and wins, 8 to 0."
    assert GAME.to_move(after) == ()


def test_d13_it_wins_before_a_dislodged_agent_is_placed() -> None:
    after = play(position(SEVEN.format("Cb4", "Ab8,Al3")), "Cb4b7")
    assert ending(after) == "eight_headquarters"
    assert "b7" not in pieces(after)
    black = play(position("W:Al12 B:Cb9,He2,Hh2,Hk2,Hb5,He5,Hh5,Hk5 move=B"), "Cb9b3")
    outcome = GAME.outcome(black)
    assert outcome is not None
    assert (outcome.winner, outcome.ranking) == (1, (2, 1))


# ---- ends that are ours


def test_t1_two_passes_in_a_row_draw() -> None:
    state = position("W:Hb11,Ab12,Hk8 B:Ac12")
    assert legal(state) == {"pass"}
    after = play(state, "pass")
    assert (ending(after), legal(after)) == (None, {"pass"})
    end = play(after, "pass")
    outcome = GAME.outcome(end)
    assert outcome is not None
    assert (outcome.reason, outcome.winner, outcome.scores, outcome.ranking) == ("two_passes", None, (2, 0), (1, 1))


def test_t1_a_move_between_them_breaks_the_row() -> None:
    state = play(position("W:Aa4 B:Hb5,Ac4,Ak11"), "pass Ak11k9 pass")
    assert ending(state) is None


def test_t1_comes_before_t2() -> None:
    board = "W:Hb11,Ab12 B:Ac12 turns={}"
    assert ending(play(position(board.format(298)), "pass pass")) == "two_passes"
    assert ending(play(position(board.format(299)), "pass")) == "max_turns"


def test_t2_the_last_turn_draws() -> None:
    state = play(position("W:Ab4,Hk8 B:Al12 turns=19", max_turns=20), "Ab4b2")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.winner, outcome.scores) == ("max_turns", None, (1, 0))


# ---- options


@pytest.mark.parametrize(
    ("white", "black"),
    list(zip(HOMES, ("k11", "h11", "e11", "b11", "k8", "h8", "e8", "b8"), strict=True)),
)
def test_v1_where_the_counter_agents_begin(white: str, black: str) -> None:
    found = pieces(start(counter_agent=white))
    assert [space for space, piece in found.items() if piece[1] == "C"] == [white, black]


def test_v1_the_players_choose() -> None:
    state = start(counter_agent="choose")
    assert "C" not in {piece[1] for piece in pieces(state).values()}
    assert legal(state) == {f"C{space}" for space in HOMES}
    white = play(state, "Ck5")
    assert (seat_of(white), legal(white)) == (1, {f"C{file}{rank}" for file in "behk" for rank in (8, 11)})
    both = play(white, "Cb8")
    assert (seat_of(both), phase_of(both), pieces(both)["k5"], pieces(both)["b8"]) == (0, "turn", "WC", "BC")


def test_v2_hqs_do_not_count() -> None:
    board = "W:Aa4,Ak5 B:Hb5,Ac4"
    assert movers(position(board, hq_counts=False)) == {"a4", "k5"}
    assert movers(position(board)) == {"k5"}


def test_v3_the_number_of_turns() -> None:
    text = "W:Ab4,Ak2 B:Al12,Aa12 turns={}"
    assert ending(play(position(text.format(49), max_turns=50), "Ab4b2")) == "max_turns"
    assert ending(play(position(text.format(48), max_turns=50), "Ab4b2")) is None


def test_v4_no_way_leads_back_through_the_realm_it_began_in() -> None:
    state = position(CIRCLE, origin_closed=True)
    found = targets(state, "e4")
    assert {"g9", "f9", "d7"} <= found
    assert not found & (E5 | {"d1", "d3", "f2", "a5", "c6"})
    for target in ("d1", "a5"):
        assert expect_refusal(state, f"Ae4{target}").clause == "V4"
    assert expect_refusal(state, "Ae4d5").clause == "D4"
    assert expect_refusal(state, "Ae4a12").clause == "D7"


def test_v5_a_vacant_target_is_captured_as_a_piece_enters_it() -> None:
    state = position("W:Ab4,Ce2 B:Al12", capture_on_entry=True)
    assert {space for space in targets(state, "b4") if int(space[1:]) > 6} == {"b7"}
    assert diff_pieces(state, play(state, "Ab4b7")) == {"b4": "", "b8": "WH"}
    for target in ("b8", "b9", "b12"):
        assert expect_refusal(state, f"Ab4{target}").clause == "V5"
    assert {space for space in targets(state, "e2") if int(space[1:]) > 6} == {"e7"}  # a Counter-Agent too


def test_v5_elsewhere_pieces_stop_where_they_like() -> None:
    assert {"b1", "b3", "d4", "l4"} <= targets(
        position("W:Ab4 B:Al12", capture_on_entry=True), "b4"
    )  # in their own half
    held = targets(position("W:Aa4,Hb8 B:Al12", capture_on_entry=True), "a4")
    assert {"a7", "a8", "a9", "a10"} <= held  # through a captured Realm, up to the next target
    assert not {"a11", "a12"} & held
    guarded = position("W:Ab4 B:Ab11,Aa12", capture_on_entry=True)
    assert expect_refusal(guarded, "Ab4b10").clause == "V5"
    black = position("W:Al12 B:Ab9 move=B", capture_on_entry=True)
    assert {space for space in targets(black, "b9") if int(space[1:]) < 7} == {"b6"}


def test_v5_a_way_with_turns_ends_there_too() -> None:
    state = position("W:Ae4,Ah5 B:Al12", capture_on_entry=True)
    assert "g7" in targets(state, "e4")
    assert expect_refusal(state, "Ae4g8").clause == expect_refusal(state, "Ae4g12").clause == "V5"
    assert expect_refusal(state, "Ae4k8").clause == "D7"


def test_v5_it_does_not_come_back_into_a_vacant_target() -> None:
    board = "W:Ag7,Hk8,Hk11,Hh11 B:Al1 move=W"  # from h8, vacant, by k8, k11 and h11 south again
    assert "g6" in targets(position(board), "g7")
    assert "i4" in targets(position(board), "g7")
    assert "i4" not in targets(position(board, capture_on_entry=True), "g7")


# ---- steps


def test_s1_a_choice_is_a_separate_turn() -> None:
    state = start(counter_agent="choose")
    turns = [GAME.turn(each) for each in (state, play(state, "Ce2"), play(state, "Ce2 Ch11"))]
    assert turns == [Turn(1, 0), Turn(1, 1), Turn(2, 0)]
    assert GAME.format_turn(state, [GAME.parse_move(state, "Ce2")]) == "Ce2"
    assert GAME.turn(start()) == Turn(1, 0)


def test_s2_a_move_and_what_follows_by_itself() -> None:
    state = position("W:Ab4,Ce2 B:Al12")
    texts = {GAME.format_move(state, step) for step in GAME.legal_moves(state, 0)}
    assert {"Ab4b7(Hb8)", "Ab4a4", "Ce2h2"} - texts == {"Ab4a4"}  # a4 is in the Realm of b4
    assert expect_refusal(position("W:Aa1,Ac3,Ak5 B:Al12"), "Aa1a2").clause == "D4"
    assert expect_refusal(play(position("W:Aa1,Ac3,Ak5 B:Al12"), "Aa1a4"), "Ak5k7").clause == "D2"


def test_s3_the_space_of_a_dislodged_agent_is_a_step() -> None:
    state = position("W:Ab4,Aa9 B:Ab8,Al12")
    steps = [GAME.parse_move(state, text) for text in ("Ab4b7", "xAc7")]
    assert GAME.format_turn(state, steps) == "Ab4b7(Hb8,xAc7)"
    captured = play(state, "Ab4b7")
    assert "b7" not in pieces(captured)
    assert GAME.view(captured, None)["dislodged"] == {"seat": 1, "kind": "agent", "realm": "b8"}


def test_s4_a_pass_is_a_whole_turn() -> None:
    state = position("W:Aa4 B:Hb5,Ac4,Ak11")
    assert GAME.parse_turn(state, "pass").moves == GAME.legal_moves(state, 0)
    assert GAME.turn(play(state, "pass")) == Turn(1, 1)


def test_s5_orders_that_lead_to_the_same_pieces_are_one_state() -> None:
    state = position("W:Aa1,Ab2,Ac3,Ak5 B:Al12")
    one, other = play(state, "Aa1a4 Ac3c6"), play(state, "Ac3c6 Aa1a4")
    assert (one, hash(one)) == (other, hash(other))
    assert movers(one) == {"b2"}
