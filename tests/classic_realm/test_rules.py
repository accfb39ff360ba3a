"""The clauses of RULES.md, one by one."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from realmtable.games.classic_realm.layout import DE_BRUIJN, KEY_COUNT, MAX_STEPS
from realmtable.games.classic_realm.rules import realm_of_bit, state_key
from realmtable.kit.realm_board.geometry import REALMS
from tests.classic_realm.helpers import (
    FACTS,
    FAR,
    FULL,
    GAME,
    NAMES,
    RING,
    TESTED,
    ending,
    expect_refusal,
    legal,
    phase_of,
    play,
    position,
    random_game,
    start,
)
from tests.example_tables import PlayedExample
from tests.realm_boards.clause_facts import each_clause
from tests.rule_checks import check_white_begins_and_the_loser_is_white_next

PLACING = "Fb2 Fb8 Fe2 Fe8 Fh2 Fh8 Fk2 Fk8 Fb5 Fb11 Fe5 Fe11 Fh5 Fh11 Fk5 Fk11"
RESCUE = "W:Fb2,~b2,Fe2,Fh2,Fk2,Fb5,Fe5,Fh5 B:Fb8,Fe8,Fh8,Fk8,Fb11,Fe11,Fh11,Fk11 right=W owed=0"  # b2 has a way out
TWICE = "options=double_moves=on"
LAST = "W:Fh11,~b2*7 B:Fk11,~e8*7"

CLAUSES = f"""
b1 pads are the Centers and the rest is water
    start => refuses Fa1b2 Fb2a1 C2
c1 eight frogs each in two rows and White moves
    start => has b2=W e2=W h2=W k2=W b5=W e5=W h5=W k5=W; water=; acts W; turn=1/0
    start => has b8=B e8=B h8=B k8=B b11=B e11=B h11=B k11=B
c2 players alternate and a frog jumps to the next pads
    {FAR} => moves b2 e2 b5; legal Fb2e2 Fb2b5
    {FAR} > Fb2b5 => acts B; changes b2 b5=W
    W:Fe5,~b2*7 B:Fk11,~h8*7 => moves e5 e2 h5 e8 b5
c3 frogs jump on over their own
    CHAIN := W:Fb2,Fe2,Fe5,Fk2,~k11*4 B:Fh5,Fk8,~b8*6
    CHAIN => moves b2 b5 h2 h5 e8; moves e5 b5 h2 h5 e8; moves k2 h2 k5
c3 a chain may not come back to its start
    W:Fb2,Fe2,~k11*6 B:Fk11,~h8*7 => moves b2 b5 h2 e5; moves e2 b5 h2 e5
c4 an enemy frog is dislodged
    start > Fb5b8 => has b8=W; water=b8:0+1; lacks b5
c5 a frog that leaves rescues a friend
    POND := W:Fb2,~b2*2,Fk2,~e8*4 B:Fk11,~b2*3,~h8*4
    POND > Fb2e2 => changes e2=W; water=b2:1+3/e8:4+0/h8:0+4
    POND > Fk2h2 => changes k2 h2=W
    W:Fb2,~e8*7 B:Fk11,~b2*7 > Fb2e2 => changes b2 e2=W
c5 v2 a rescued frog moves on a future turn
    {RESCUE} {TWICE} > Fb2k5 => phase second; rescued=b2; moves b2; refuses Fb2b8 C5; can Fk5k8 Fe5e8 Fb5b8 end
    {RESCUE} {TWICE} > Fb2k5 Fe5e8 Fb8b5 Fe2e5 Fb11b8 => acts W; rescued=-; movable b2
    W:Fb2,~b2,Fe2,~k11*5 B:Fb5,Fk8,~h11*6 right=W owed=0 {TWICE} > Fb2h2 => can Fe2b5
c5 s3 without a rescue every frog may move again
    W:Fb2,Fe2,~k11*6 B:Fb8,Fk8,~h11*6 right=W owed=0 {TWICE} > Fb2b5 => phase second; rescued=-; movers b5 e2; can end
c6 no frog lands in a full Realm or jumps through it
    {FULL} => moves e2 b5 h2; moves b2 b5 h2; moves e5 b5 h5 e8 h2
    {FULL} > Fk2k5 => moves e8 b5 b11 e11 h8
c6 a Realm opens when a frog leaves and closes when one lands
    {FULL} > Fe5h5 => reaches e8 e5
    {FULL} > Fe5h5 Fe8e5 => water=e5:3+5/k11:1+0; misses e2 e5
    W:Fb2,Fe2,~e5*4,~k11*2 B:~e5*4,Fe8,~h8*3 => reaches e2 e5
    W:Fb2,Fe2,~e5*4,~k11*2 B:~e5*4,Fe8,~h8*3 > Fe2e5 => misses e8 e5
c7 a player who dunks all wins at once
    {LAST} > Fh11k11 => ends all_in_water; wins W; legal
    {LAST} move=B > Fk11h11 => ends all_in_water; wins B
t2 the third appearance is a draw
    {FAR} > {RING} Fb2e2 Fk11h11 Fe2b2 => ends -
    {FAR} > {RING} Fb2e2 Fk11h11 Fe2b2 Fh11k11 => ends repetition; wins -
t2 the water counts
    CLIMB := W:Fb2,~b2*2,~e5*3,~h8*2 B:Fk11,~e8*4,~h5*3
    CLIMB > Fb2e2 Fk11h11 Fe2b5 Fh11k11 Fb5e5 Fk11h11 Fe5b5 Fh11k11 => ends -
t3 v3 the last turn
    {FAR} turns=18 options=max_plies=20 > Fb2e2 => ends -
    {FAR} turns=18 options=max_plies=20 > Fb2e2 Fk11h11 => ends max_plies
    {LAST} turns=19 options=max_plies=20 > Fh11k11 => ends all_in_water
    {FAR} options=max_plies=20 > {RING * 2} => ends repetition
v3 says after how many turns the game is drawn
    {FAR} turns=18 options=max_plies=20 > Fb2e2 => ends -
    {FAR} turns=19 options=max_plies=20 > Fb2e2 => ends max_plies
    {FAR} turns=498 options=max_plies=500 > Fb2e2 => ends -
    {FAR} turns=499 options=max_plies=500 > Fb2e2 => ends max_plies
    {FAR} turns=299 > Fb2e2 => ends max_plies
s1 a placement is a separate turn
    start free_setup=on => turn=1/0; refuses Fa1 V1
    start free_setup=on > Fb2 => turn=1/1
    start free_setup=on > Fb2 Fe5 => turn=2/0
s4 a pass is never legal
    start => cannot pass; refuses pass C8
v1 s1 Black moves first after the placements
    start free_setup=on > {PLACING} => phase turn; turn=9/1; can Fb8b5; has b2=W b8=B k11=B
v2 s3 the second player may move twice from their third turn on
    THIRD := start double_moves=on
    THIRD => right=1/2
    THIRD > Fe5b8 Fk8b8 => right=1/1
    THIRD > Fe5b8 Fk8b8 Fh5b8 Fe8b8 => right=1/0
    THIRD > Fe5b8 Fk8b8 Fh5b8 Fe8b8 Fh2b8 Fb11b8 => phase second; acts B; turn=3/1; can end Fb8b5
    THIRD > Fe5b8 Fk8b8 Fh5b8 Fe8b8 Fh2b8 Fb11b8 end => right=1/0; acts W
    THIRD > Fe5b8 Fk8b8 Fh5b8 Fe8b8 Fh2b8 Fb11b8 Fb8b5 => right=0/2; acts W; turn=4/0
v2 the other makes two regular turns first
    HELD := {FAR} right=W owed=0 {TWICE}
    HELD > Fb2e2 Fe2h2 => right=1/2
    HELD > Fb2e2 Fe2h2 Fk11h11 Fh2e2 Fh11k11 Fe2b2 => right=1/0
    HELD > Fb2e2 Fe2h2 Fk11h11 Fh2e2 Fh11k11 Fe2b2 Fk11h11 => phase second
v2 a win by the first move ends the game
    {LAST} right=W owed=0 {TWICE} > Fh11k11 => ends all_in_water
v2 with a free set-up White moves second
    start double_moves=on,free_setup=on => right=0/2
    start => right=-/0
s3 without the right there is no second move
    {FAR} right=B {TWICE} > Fb2e2 => acts B
"""


@each_clause(CLAUSES)
def test_clause(examples: list[PlayedExample]) -> None:
    FACTS.check(examples)


# ---- board, pieces and set-up


def test_b3_white_begins_and_in_a_rematch_the_loser_is_white() -> None:
    check_white_begins_and_the_loser_is_white_next(TESTED)


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


def test_v1_s1_frogs_are_placed_in_turn() -> None:
    state = start(free_setup=True)
    for number, text in enumerate(PLACING.split()):
        assert GAME.turn(state) == (number // 2 + 1, number % 2)
        assert legal(state) == {"F" + name for name in NAMES} - set(PLACING.split()[:number])
        state = play(state, text)


# ---- the turn


def test_c5_states_with_and_without_a_rescued_frog_differ() -> None:
    state = play(position(RESCUE, double_moves=True), "Fb2k5")
    plain = GAME.decode(GAME.encode(state).replace(" rescued=b2", ""))
    assert state != plain
    assert GAME.decode(GAME.encode(state)) == state
    assert state_key(state.position) != state_key(plain.position)
    assert play(state, "end").position[:KEY_COUNT].tolist() == play(plain, "end").position[:KEY_COUNT].tolist()


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


def test_t2_the_right_to_a_double_move_counts() -> None:
    plain, double = position(FAR), position(FAR, double_moves=True)
    for text in (RING * 2).split():
        plain, double = play(plain, text), play(double, text)
        if phase_of(double) == "second":
            double = play(double, "end")
    assert (ending(plain), ending(double)) == ("repetition", None)


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
