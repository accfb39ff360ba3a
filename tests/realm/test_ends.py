"""How a game ends and which seat wins: R12, R13, T1 to T5, V12, V17 to V19."""

from __future__ import annotations

import pytest

from realmtable.engine.options import OptionValue
from realmtable.games.realm.first_state import State
from realmtable.games.realm.rules import position_key
from tests.realm.helpers import GAME, SETUP, captures, ending, expect_refusal, legal, play, position, seat_of, start

QUIET_BOARD = "W:Bh11,Bk11,Pa1 B:Bb2,Be2,Pg12"  # both Powers stand in enemy Realms and can go to and fro
WHITE = "W:Bb2,Bb5,Bb8,Bb11,Be2,Be5,Be8,Be11"
BLACK = "B:Bh2,Bh5,Bh8,Bh11,Bk2,Bk5,Bk8,Bk11"
FULL = f"{WHITE},Pg1{{white}} {BLACK},Pa12{{black}} stock=0/0"  # no Center is vacant
TO_AND_FRO = ["Pa1d1 end", "Pg12j12 end", "Pd1a1 end", "Pj12g12 end"]
AGREED = " phase=over end=agreement"


def full_board(white: str = "", black: str = "") -> str:
    return FULL.format(white=white, black=black)


def turns_until_end(state: State, turns: list[str], limit: int = 40) -> int:
    """How many turns of a round, played again and again, end the game."""
    for count in range(1, limit + 1):
        state = play(state, turns[(count - 1) % len(turns)])
        if ending(state):
            return count
    return limit + 1


# ---- the winner


@pytest.mark.parametrize(
    ("board", "ranking", "text"),
    [
        ("W:Bh11,Bh8 B:Bh2", (1, 2), "White wins with 2 Realms to 1."),
        ("W:Bh11 B:Bh2,Bh5,Eg10S", (2, 1), "Black wins with 2 Realms to 1."),
        ("W:Bh11 B:Bh2 stock=7/8", (2, 1), "1 Realms each; Black wins on the tie-break, 8 to 7."),
        ("W:Bh11,Ea1N,Ea3x B:Bh2,Eg12x,Eg10x", (1, 2), "1 Realms each; White wins on the tie-break, 7 to 6."),
        ("W:Bh11,Ea1N B:Bh2", (1, 1), "1 Realms each and 8 on the tie-break: a draw."),
    ],
)
def test_r13_realms_then_mobile_and_uncreated_enforcers(board: str, ranking: tuple[int, int], text: str) -> None:
    outcome = GAME.outcome(position(board + AGREED))
    assert outcome is not None
    assert (outcome.ranking, outcome.text) == (ranking, "Both players agreed to end the game. " + text)
    assert outcome.winner == (None if ranking == (1, 1) else ranking.index(1))


def test_r13_the_scores_are_the_realms() -> None:
    outcome = GAME.outcome(position("W:Bh11,Bh8 B:Bh2 stock=1/8" + AGREED))
    assert outcome is not None
    assert list(outcome.scores) == [2, 1]
    assert GAME.outcome(position("W:Bh11,Bh8 B:Bh2")) is None


@pytest.mark.parametrize(("tie_break", "winner"), [("enforcers", 1), ("enforcers+captures", 0)])
def test_v12_captured_bases_may_count_in_the_tie_break(tie_break: str, winner: int) -> None:
    outcome = GAME.outcome(position("W:Bh11 B:Bh2 captured=3/1 stock=7/8" + AGREED, tie_break=tie_break))
    assert outcome is not None
    assert outcome.winner == winner


def test_r12_names_the_creator_of_the_last_base() -> None:
    state = play(position("W:Bh11 B:Bh2,Pg3 move=B left=5/1"), "Pg3d3")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.text == "Black created the last Base. Black wins with 2 Realms to 1."


# ---- T1


def test_t1_s3_an_offer_comes_first_and_the_turn_continues() -> None:
    state = position(QUIET_BOARD)
    assert {"offer"} == legal(state) & {"offer", "accept"}
    offered = play(state, "offer")
    assert (seat_of(offered), legal(offered) & {"offer", "accept"}) == (0, set())
    assert legal(offered) == legal(state) - {"offer"}
    assert expect_refusal(offered, "offer").clause == "T1"


def test_t1_the_opponent_accepts_before_anything_else() -> None:
    state = play(position(QUIET_BOARD), "offer Pa1d1 end")
    assert {"offer", "accept"} <= legal(state)
    assert GAME.view(state, 1)["offered"]
    agreed = play(state, "accept")
    assert (ending(agreed), captures(agreed)) == ("agreement", (0, 0))


@pytest.mark.parametrize("step", ["Pg12j12", "Rh11"])
def test_t1_any_other_step_declines(step: str) -> None:
    state = play(position(QUIET_BOARD), "offer Pa1d1 end " + step)
    assert legal(state) & {"offer", "accept"} == set()
    state = play(state, "end" if step[0] == "P" else "Ph12")
    assert legal(state) & {"offer", "accept"} == {"offer"}


def test_t1_a_counter_offer_declines_and_is_open_in_turn() -> None:
    state = play(position(QUIET_BOARD), "offer Pa1d1 end offer")
    assert legal(state) & {"offer", "accept"} == set()
    assert "accept" in legal(play(state, "Pg12j12 end"))


def test_t1_an_offer_is_open_for_one_turn() -> None:
    state = play(position(QUIET_BOARD), "offer Pa1d1 end Pg12j12 end Pd1a1 end")
    assert "accept" not in legal(state)
    assert expect_refusal(state, "accept").clause == "T1"


def test_t1_comes_at_the_start_of_a_turn_and_not_in_the_set_up() -> None:
    assert expect_refusal(play(position(QUIET_BOARD), "Pa1d1"), "offer").clause == "T1"
    assert expect_refusal(GAME.initial(), "offer").clause == "R2"


def test_t1_may_come_before_a_rearrangement_a_sacrifice_and_a_pass() -> None:
    state = play(position("W:Bh11,Pg10,Ei12x B:Bh2", power_sacrifice=True), "offer")
    assert {"Rh11", "xPg10(Ei12N)"} < legal(state)
    for steps in ("Rh11 Ph10 Ei12x", "xPg10(Ei12N) Ei12f12 end"):
        assert legal(play(state, steps)) == {"pass", "offer", "accept"}
    assert "accept" in legal(play(state, "Pg10g7 end offer pass"))


def test_v17_without_agreement_there_are_no_offers() -> None:
    state = position(QUIET_BOARD, agree_end=False)
    assert legal(state) & {"offer", "accept"} == set()
    assert expect_refusal(state, "offer").clause == "V17"


# ---- T2


@pytest.mark.parametrize(
    ("board", "options", "reason"),
    [
        (full_board(), {}, "dead_position"),
        (full_board(",Eg3x", ",Ea10x"), {}, "dead_position"),
        (full_board(",Eg3N"), {}, None),  # a mobile Enforcer
        (full_board("", ",Ea10S"), {}, None),
        (full_board().replace("0/0", "1/0"), {}, None),  # an uncreated one
        (full_board().replace("0/0", "0/1"), {}, None),
        (full_board().replace(",Be11", ""), {}, None),  # a vacant Center
        (full_board(",Eg3x"), {"power_sacrifice": True}, None),
        (full_board("", ",Ea10x"), {"power_sacrifice": True}, None),
        (full_board(), {"power_sacrifice": True}, "dead_position"),
        (full_board("", ",Ea10x").replace(",Pa12", ""), {"power_sacrifice": True}, "dead_position"),  # no Power is left
    ],
)
def test_t2_a_dead_position_is_scored(board: str, options: dict[str, OptionValue], reason: str | None) -> None:
    assert ending(play(position(board, **options), "Pg1j1 end")) == reason


def test_t2_v13_counts_each_players_own_power_and_enforcer() -> None:
    board = full_board("", ",Eg3x").replace(",Pa12", "")  # White has a Power, Black an immobile Enforcer
    assert ending(play(position(board, power_sacrifice=True), "Pg1j1 end")) == "dead_position"


def test_t2_is_looked_at_when_a_turn_is_complete() -> None:
    state = play(position(full_board()), "Pg1j1")
    assert (ending(state), legal(state)) == (None, {"end"})


# ---- T3


def check_that_the_second_turn_ends(state: State, reason: str) -> None:
    """From the quiet board a quiet turn goes on, and the next one ends the game."""
    state = play(state, "Pa1d1 end")
    assert ending(state) is None
    assert ending(play(state, "Pg12j12 end")) == reason


@pytest.mark.parametrize(("values", "quiet"), [({}, 59), ({"no_progress": 10}, 9), ({"no_progress": 120}, 119)])
def test_t3_v18_too_many_turns_without_progress_are_scored(values: dict[str, OptionValue], quiet: int) -> None:
    check_that_the_second_turn_ends(position(f"{QUIET_BOARD} quiet={quiet - 1}", **values), "no_progress")


@pytest.mark.parametrize("no_progress", [10, 60, 120])
def test_v18_says_how_many_quiet_turns_end_the_game(no_progress: int) -> None:
    check_that_the_second_turn_ends(
        position(f"{QUIET_BOARD} quiet={no_progress - 2}", no_progress=no_progress), "no_progress"
    )


@pytest.mark.parametrize(
    ("board", "steps"),
    [
        ("W:Bh11,Pg10 B:Bh2", "Pg10g7 end"),  # a Base is created
        ("W:Bh11,Pe10 B:Bh2", "Pe10g10 Eg12S end"),  # an Enforcer
        ("W:Bh11,Ea7E,Pd9 B:Be8,Bh2", "Ea7d7 end"),  # a Base is captured
        ("W:Bh11,Ea7E B:Be8,Bh2,Ef8N", "Ea7d7 end"),  # an Enforcer is immobilised
        ("W:Bh11,Pa1,Ec3x B:Be8,Bh2,Bb2", "xPa1(Ec3N) Ec3c4 end"),  # a Power is sacrificed
    ],
)
def test_t3_progress_resets_the_count(board: str, steps: str) -> None:
    state = play(position(board + " quiet=59", power_sacrifice=True), steps)
    assert (ending(state), "quiet=" in GAME.encode(state)) == (None, False)


def test_t3_the_third_appearance_of_a_position_is_scored() -> None:
    assert turns_until_end(position(QUIET_BOARD), TO_AND_FRO) == 8
    state = position(QUIET_BOARD)
    for turn in TO_AND_FRO * 2:
        state = play(state, turn)
    assert ending(state) == "repetition"


def test_t3_the_first_position_after_the_set_up_counts() -> None:
    begun = play(start(optional_creation=True), SETUP)
    assert turns_until_end(begun, ["Pf7f6 end", "Pd6d7 end", "Pf6f7 - end", "Pd7d6 - end"]) == 8


def test_t3_the_seat_to_move_counts() -> None:
    white, black = position(QUIET_BOARD), position(QUIET_BOARD + " move=B")
    assert position_key(white.position) != position_key(black.position)


def test_t3_v17_rearrangement_rows_count_while_they_are_kept() -> None:
    rounds = ["Rb2 Pb1", "Pg12j12 end", "Rb2 Pa1", "Pj12g12 end", *TO_AND_FRO]
    assert turns_until_end(position(QUIET_BOARD, rearrange_limit=False), rounds) == 8
    assert turns_until_end(position(QUIET_BOARD), rounds) == 16


# ---- T4, T5 and the order


@pytest.mark.parametrize(("values", "last"), [({}, 300), ({"max_turns": 20}, 20), ({"max_turns": 1000}, 1000)])
def test_t4_v19_the_last_turn_is_scored(values: dict[str, OptionValue], last: int) -> None:
    check_that_the_second_turn_ends(position(f"{QUIET_BOARD} turns={last - 2}", **values), "max_turns")


@pytest.mark.parametrize("max_turns", [20, 300, 1000])
def test_v19_says_after_how_many_turns_the_game_ends(max_turns: int) -> None:
    check_that_the_second_turn_ends(position(f"{QUIET_BOARD} turns={max_turns - 2}", max_turns=max_turns), "max_turns")


BLOCKED = "W:Bh11,Pa1 B:Bb2,Eb1x,Ec1x,Ea2x,Ec2x,Ea3x,Eb3x,Ec3x"


@pytest.mark.parametrize("board", [BLOCKED, "W:Bh11 B:Bh2"])
def test_t5_two_passes_in_a_row_are_scored(board: str) -> None:
    state = play(position(board), "pass")
    assert (ending(state), seat_of(state), legal(state)) == (None, 1, {"pass", "offer"})
    assert ending(play(state, "pass")) == "two_passes"


def test_t5_a_turn_between_breaks_the_passes() -> None:
    state = play(position("W:Bh11,Bk11 B:Bh2,Pg12"), "pass Pg12j12 end")
    assert ending(play(state, "pass")) is None


@pytest.mark.parametrize(
    ("board", "steps", "reason"),
    [
        (full_board().replace(",Pg1", "").replace(",Pa12", "") + " quiet=59 turns=299 passed", "pass", "dead_position"),
        (BLOCKED + " quiet=59 turns=299 passed", "pass", "two_passes"),
        (QUIET_BOARD + " quiet=59 turns=299", "Pa1d1 end", "no_progress"),
    ],
)
def test_t2_t5_t3_t4_the_first_reason_that_holds_is_given(board: str, steps: str, reason: str) -> None:
    assert ending(play(position(board), steps)) == reason


def test_t3_t4_repetition_comes_before_the_last_turn() -> None:
    state = position(QUIET_BOARD + " turns=292")
    for turn in TO_AND_FRO * 2:
        state = play(state, turn)
    assert ending(state) == "repetition"
