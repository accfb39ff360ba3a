"""The clauses of RULES.md, one by one."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionValue
from realmtable.games.classic_realm.layout import DE_BRUIJN, KEY_COUNT, MAX_STEPS
from realmtable.games.classic_realm.rules import realm_of_bit, state_key
from realmtable.kit.realm_board.geometry import REALMS
from tests.classic_realm.helpers import (
    FAR,
    FULL,
    GAME,
    NAMES,
    RING,
    TESTED,
    double_move_right,
    ending,
    expect_refusal,
    legal,
    options_of,
    pads,
    phase_of,
    play,
    position,
    random_game,
    seat_of,
    start,
    targets,
    water,
)
from tests.rule_checks import check_white_begins_and_the_loser_is_white_next

PLACING = "Fb2 Fb8 Fe2 Fe8 Fh2 Fh8 Fk2 Fk8 Fb5 Fb11 Fe5 Fe11 Fh5 Fh11 Fk5 Fk11"


# ---- board, pieces and set-up


def test_b3_white_begins_and_in_a_rematch_the_loser_is_white() -> None:
    check_white_begins_and_the_loser_is_white_next(TESTED)


def test_b1_pads_are_the_centers_and_the_rest_is_water() -> None:
    assert [file + rank for rank in ("2", "5", "8", "11") for file in "behk"] == NAMES
    assert expect_refusal(start(), "Fa1b2").clause == "C2"
    assert expect_refusal(start(), "Fb2a1").clause == "C2"


def test_b2_frogs_in_the_water_lie_on_the_lowest_free_spaces() -> None:
    view = GAME.view(position("W:Fb2,~h5*3,~e5*4 B:Fh5,~h5*2,~k11*5"), None)
    swimmers = {piece["at"]: piece["seat"] for piece in view["pieces"] if piece["swims"]}
    assert {at: seat for at, seat in swimmers.items() if at[0] in "ghi"} == {
        "g4": 0,
        "h4": 0,
        "i4": 0,
        "g5": 1,
        "i5": 1,
    }
    assert {at for at in swimmers if at[0] in "jkl"} == {"j10", "k10", "l10", "j11", "l11"}


def test_c1_eight_frogs_each_in_two_rows_and_white_moves() -> None:
    state = start()
    assert pads(state) == {name: "W" if name[1:] in ("2", "5") else "B" for name in NAMES}
    assert (water(state), seat_of(state), GAME.turn(state)) == ({}, 0, (1, 0))


# ---- the turn


def test_c2_players_alternate_and_a_frog_jumps_to_the_next_pads() -> None:
    state = position(FAR)
    assert targets(state, "b2") == {"e2", "b5"}
    after = play(state, "Fb2b5")
    assert (seat_of(after), pads(after)) == (1, {"b5": "W", "k11": "B"})
    assert targets(position("W:Fe5,~b2*7 B:Fk11,~h8*7"), "e5") == {"e2", "h5", "e8", "b5"}


def test_c2_only_a_frog_on_a_pad_moves() -> None:
    assert legal(position(FAR)) == {"Fb2e2", "Fb2b5"}


def test_c3_frogs_jump_on_over_their_own() -> None:
    state = position("W:Fb2,Fe2,Fe5,Fk2,~k11*4 B:Fh5,Fk8,~b8*6")
    assert targets(state, "b2") == {"b5", "h2", "h5", "e8"}
    assert targets(state, "e5") == {"b5", "h2", "h5", "e8"}
    assert targets(state, "k2") == {"h2", "k5"}
    assert not targets(state, "b2") & {"e2", "e5", "b2"}


def test_c3_a_chain_may_not_come_back_to_its_start() -> None:
    state = position("W:Fb2,Fe2,~k11*6 B:Fk11,~h8*7")
    assert targets(state, "b2") == {"b5", "h2", "e5"}
    assert targets(state, "e2") == {"b5", "h2", "e5"}


def test_c4_an_enemy_frog_is_dislodged() -> None:
    after = play(start(), "Fb5b8")
    assert pads(after)["b8"] == "W"
    assert water(after) == {"b8": [0, 1]}
    assert "b5" not in pads(after)


def test_c5_a_frog_that_leaves_rescues_a_friend() -> None:
    state = position("W:Fb2,~b2*2,Fk2,~e8*4 B:Fk11,~b2*3,~h8*4")
    after = play(state, "Fb2e2")
    assert pads(after) == {"b2": "W", "e2": "W", "k2": "W", "k11": "B"}
    assert water(after) == {"b2": [1, 3], "e8": [4, 0], "h8": [0, 4]}
    assert pads(play(state, "Fk2h2")) == {"b2": "W", "h2": "W", "k11": "B"}


RESCUE = "W:Fb2,~b2,Fe2,Fh2,Fk2,Fb5,Fe5,Fh5 B:Fb8,Fe8,Fh8,Fk8,Fb11,Fe11,Fh11,Fk11 right=W owed=0"  # b2 has a way out


def test_c5_v2_a_rescued_frog_moves_on_a_future_turn() -> None:
    state = play(position(RESCUE, double_moves=True), "Fb2k5")
    assert (phase_of(state), GAME.view(state, 0)["rescued"]) == ("second", "b2")
    assert not {text for text in legal(state) if text.startswith("Fb2")}
    assert expect_refusal(state, "Fb2b8").clause == "C5"
    assert {"Fk5k8", "Fe5e8", "end"} <= legal(state)  # the frog that moved, another one, or none
    assert "Fb5b8" in legal(state)
    later = play(state, "Fe5e8 Fb8b5 Fe2e5 Fb11b8")
    assert (seat_of(later), GAME.view(later, 0)["rescued"]) == (0, None)
    assert {text for text in legal(later) if text.startswith("Fb2")}


def test_c5_v2_the_others_may_jump_over_a_rescued_frog() -> None:
    state = play(position("W:Fb2,~b2,Fe2,~k11*5 B:Fb5,Fk8,~h11*6 right=W owed=0", double_moves=True), "Fb2h2")
    assert "Fe2b5" in legal(state)


def test_c5_s3_without_a_rescue_every_frog_may_move_again() -> None:
    state = play(position("W:Fb2,Fe2,~k11*6 B:Fb8,Fk8,~h11*6 right=W owed=0", double_moves=True), "Fb2b5")
    assert (phase_of(state), GAME.view(state, 0)["rescued"]) == ("second", None)
    assert {text[:3] for text in legal(state)} == {"Fb5", "Fe2", "end"}


def test_c5_states_with_and_without_a_rescued_frog_differ() -> None:
    state = play(position(RESCUE, double_moves=True), "Fb2k5")
    plain = GAME.decode(GAME.encode(state).replace(" rescued=b2", ""))
    assert state != plain
    assert GAME.decode(GAME.encode(state)) == state
    assert state_key(state.position) != state_key(plain.position)
    assert play(state, "end").position[:KEY_COUNT].tolist() == play(plain, "end").position[:KEY_COUNT].tolist()


def test_c5_frogs_rescue_only_their_own_side() -> None:
    after = play(position("W:Fb2,~e8*7 B:Fk11,~b2*7"), "Fb2e2")
    assert pads(after) == {"e2": "W", "k11": "B"}


def test_c6_no_frog_lands_in_a_full_realm_or_jumps_through_it() -> None:
    state = position(FULL)
    assert targets(state, "e2") == targets(state, "b2") == {"b5", "h2"}
    assert targets(state, "e5") == {"b5", "h5", "e8", "h2"}  # its own frog may leave, along a chain too
    assert targets(play(state, "Fk2k5"), "e8") == {"b5", "b11", "e11", "h8"}


def test_c6_a_realm_opens_when_a_frog_leaves_and_closes_when_one_lands() -> None:
    opened = play(position(FULL), "Fe5h5")
    assert "e5" in targets(opened, "e8")
    closed = play(opened, "Fe8e5")
    assert water(closed)["e5"] == [3, 5]
    assert "e5" not in targets(closed, "e2")
    vacant = position("W:Fb2,Fe2,~e5*4,~k11*2 B:~e5*4,Fe8,~h8*3")
    assert "e5" in targets(vacant, "e2")
    assert "e5" not in targets(play(vacant, "Fe2e5"), "e8")


def test_c7_a_player_who_dunks_all_wins_at_once() -> None:
    state = play(position("W:Fh11,~b2*7 B:Fk11,~e8*7"), "Fh11k11")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.winner, outcome.scores, outcome.ranking) == ("all_in_water", 0, (1, 0), (1, 2))
    assert "White wins" in outcome.text
    assert legal(state) == set()
    lost = GAME.outcome(play(position("W:Fh11,~b2*7 B:Fk11,~e8*7 move=B"), "Fk11h11"))
    assert lost is not None
    assert (lost.winner, lost.scores, lost.ranking) == (1, (0, 1), (2, 1))


def spread(mask: np.ndarray[tuple[int], np.dtype[np.int64]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return (mask & 0x7777) << 1 | (mask & 0xEEEE) >> 1 | mask << 4 & 0xFFFF | mask >> 4


def test_c8_there_is_always_a_move_so_no_player_ever_passes() -> None:
    """Every set of up to eight own pads, with no Realm full or any one of them: some frog has somewhere to go."""
    own = np.array([mask for mask in range(1, 1 << 16) if mask.bit_count() <= 8], dtype=np.int64)
    for full in (0, *(1 << realm for realm in range(REALMS))):
        assert np.all(spread(own) & ~own & ~full), f"{full:x}"  # next to some frog, vacant or the enemy's, and open


@pytest.mark.parametrize("seed", range(3))
def test_c8_s4_no_list_holds_a_pass_and_asking_for_it_is_refused(seed: int) -> None:
    for state, step in random_game(seed, max_plies=60):
        assert "pass" not in legal(state)
        if step is not None and phase_of(state) == "turn":
            assert expect_refusal(state, "pass").clause == "C8"


# ---- ends
def test_t1_the_game_knows_no_end_by_passes() -> None:
    reasons: set[str] = set()
    for options in ({}, {"double_moves": True}, {"free_setup": True, "max_plies": 20}):
        reasons |= set(GAME.playouts(start(**options), range(3)).reasons)
    assert reasons <= {"all_in_water", "repetition", "max_plies"}


def test_t2_the_third_appearance_is_a_draw() -> None:
    state = play(position(FAR), RING + "Fb2e2 Fk11h11 Fe2b2")
    assert ending(state) is None
    state = play(state, "Fh11k11")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.winner, outcome.ranking) == ("repetition", None, (1, 1))


def test_t2_the_water_counts() -> None:
    state = position("W:Fb2,~b2*2,~e5*3,~h8*2 B:Fk11,~e8*4,~h5*3")
    state = play(state, "Fb2e2 Fk11h11 Fe2b5 Fh11k11")  # a friend climbed out: never the same again
    assert ending(play(state, "Fb5e5 Fk11h11 Fe5b5 Fh11k11")) is None


def test_t2_the_right_to_a_double_move_counts() -> None:
    plain, double = position(FAR), position(FAR, double_moves=True)
    for text in (RING * 2).split():
        plain, double = play(plain, text), play(double, text)
        if phase_of(double) == "second":
            double = play(double, "end")
    assert (ending(plain), ending(double)) == ("repetition", None)
    assert double_move_right(double) == (1, 0)


def test_t3_v3_the_last_turn() -> None:
    state = position(FAR + " turns=18", max_plies=20)
    state = play(state, "Fb2e2")
    assert ending(state) is None
    assert ending(play(state, "Fk11h11")) == "max_plies"
    won = play(position("W:Fh11,~b2*7 B:Fk11,~e8*7 turns=19", max_plies=20), "Fh11k11")
    assert ending(won) == "all_in_water"
    twice = position(FAR, max_plies=20)
    for text in (RING * 5).split():
        if ending(twice) is None:
            twice = play(twice, text)
    assert ending(twice) == "repetition"


# ---- options


@pytest.mark.parametrize("max_plies", [20, 300, 500])
def test_v3_says_after_how_many_turns_the_game_is_drawn(max_plies: int) -> None:
    last = position(f"{FAR} turns={max_plies - 1}", max_plies=max_plies)
    assert ending(play(last, "Fb2e2")) == "max_plies"
    before = position(f"{FAR} turns={max_plies - 2}", max_plies=max_plies)
    assert ending(play(before, "Fb2e2")) is None


def test_s1_a_placement_is_a_separate_turn() -> None:
    state = start(free_setup=True)
    assert GAME.format_turn(state, GAME.parse_turn(state, "Fb2").moves) == "Fb2"
    after = [state, play(state, "Fb2"), play(state, "Fb2 Fe5")]
    assert [tuple(GAME.turn(each)) for each in after] == [(1, 0), (1, 1), (2, 0)]
    assert expect_refusal(state, "Fa1").clause == "V1"


def test_s4_a_pass_is_written_as_a_turn_and_never_legal() -> None:
    step = GAME.parse_move(start(), "pass")
    assert GAME.format_move(start(), step) == "pass"
    assert step not in GAME.legal_moves(start(), 0)
    assert expect_refusal(start(), "pass").clause == "C8"


def test_v1_s1_frogs_are_placed_in_turn_and_black_moves_first() -> None:
    state = start(free_setup=True)
    assert (pads(state), seat_of(state), legal(state)) == ({}, 0, {"F" + name for name in NAMES})
    for number, text in enumerate(PLACING.split()):
        assert GAME.turn(state) == (number // 2 + 1, number % 2)
        assert len(legal(state)) == 16 - number
        state = play(state, text)
    assert (phase_of(state), GAME.turn(state)) == ("turn", (9, 1))
    assert set(pads(state).values()) == {"W", "B"}
    assert legal(state) >= {"Fb8b5"}


def test_v2_s3_the_second_player_may_move_twice_from_their_third_turn_on() -> None:
    state = start(double_moves=True)
    assert double_move_right(state) == (1, 2)
    state = play(state, "Fe5b8 Fk8b8")
    assert double_move_right(state) == (1, 1)
    state = play(state, "Fh5b8 Fe8b8")
    assert double_move_right(state) == (1, 0)
    state = play(state, "Fh2b8")
    first = play(state, "Fb11b8")
    assert (phase_of(first), seat_of(first), GAME.turn(first)) == ("second", 1, GAME.turn(state))
    assert "end" in legal(first)
    assert len(legal(first)) > 1
    ended = play(first, "end")
    assert (double_move_right(ended), seat_of(ended)) == ((1, 0), 0)
    doubled = play(first, "Fb8b5")
    assert (double_move_right(doubled), seat_of(doubled)) == ((0, 2), 0)
    assert int(GAME.turn(doubled).number) == 4


def test_v2_the_other_makes_two_regular_turns_first() -> None:
    state = play(position(FAR + " right=W owed=0", double_moves=True), "Fb2e2 Fe2h2")
    assert double_move_right(state) == (1, 2)
    state = play(state, "Fk11h11 Fh2e2 Fh11k11 Fe2b2")
    assert double_move_right(state) == (1, 0)
    assert phase_of(play(state, "Fk11h11")) == "second"


def test_v2_a_win_by_the_first_move_ends_the_game() -> None:
    state = position("W:Fh11,~b2*7 B:Fk11,~e8*7 right=W owed=0", double_moves=True)
    assert ending(play(state, "Fh11k11")) == "all_in_water"


def test_v2_with_a_free_setup_white_moves_second() -> None:
    assert double_move_right(start(double_moves=True, free_setup=True)) == (0, 2)
    assert double_move_right(start()) == (None, 0)


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ({"max_plies": 19}, "max_plies"),
        ({"max_plies": 501}, "max_plies"),
        ({"free_setup": 3}, "free_setup"),
        ({"double_moves": "maybe"}, "double_moves"),
        ({"frogs": 9}, "frogs"),
    ],
)
def test_options_out_of_bounds_are_refused_by_name(values: dict[str, OptionValue], word: str) -> None:
    with pytest.raises(BadOptions, match=word):
        options_of(**values)


# ---- steps


@pytest.mark.parametrize(
    ("board", "move", "text"),
    [
        (FAR, "Fb2e2", "Fb2e2"),
        ("W:Fb2,~k2*7 B:Fb5,Fk11,~h8*6", "Fb2b5", "Fb2b5(xFb5)"),
        ("W:Fb2,~b2*7 B:Fk5,~h8*7", "Fb2b5", "Fb2b5(+Fb2)"),
        ("W:Fb2,~b2*7 B:Fb5,Fk2,~h8*6", "Fb2b5", "Fb2b5(xFb5,+Fb2)"),
    ],
)
def test_s2_what_follows_is_written_behind_the_move(board: str, move: str, text: str) -> None:
    state = position(board)
    assert GAME.format_move(state, GAME.parse_move(state, move)) == text


def test_steps_rise_and_fit_their_room() -> None:
    rng = Random(1)
    for seed in range(4):
        for state, _ in random_game(rng.randrange(1000) + seed, max_plies=60):
            codes = state.legal_codes()
            assert codes == sorted(set(codes))
            assert len(codes) < MAX_STEPS


def test_the_place_of_a_bit() -> None:
    assert [realm_of_bit(1 << realm) for realm in range(REALMS)] == list(range(REALMS))
    assert len({DE_BRUIJN << place >> 12 & 15 for place in range(16)}) == 16


def test_s3_without_the_right_there_is_no_second_move() -> None:
    state = position(FAR + " right=B", double_moves=True)
    assert seat_of(play(state, "Fb2e2")) == 1
