"""At least one test for every clause of RULES.md: board, set-up, moves, captures, ends, options, steps."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.games.modern_realm.rules import is_target
from realmtable.games.modern_realm.steps import Step, StepKind
from realmtable.kit.realm_board.geometry import CELLS, CENTERS, cell_name, realm_of
from tests.example_tables import PlayedExample
from tests.modern_realm.helpers import (
    FACTS,
    GAME,
    TESTED,
    expect_refusal,
    movers,
    pieces,
    play,
    position,
    start,
    targets,
)
from tests.realm_boards.clause_facts import each_clause
from tests.rule_checks import check_white_begins_and_the_loser_is_white_next

# East into h5 (friend on the Center), north into h8 (friend), west into e8 (friend), south: e5 is where it began.
CIRCLE = "W:Ae4,Ah5,Hh8,He8 B:Al12"
SEVEN = "W:{},He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:{}"
CLOSED, ENTRY = "options=origin_closed=on", "options=capture_on_entry=on"
HOMES = "Cb2 Ce2 Ch2 Ck2 Cb5 Ce5 Ch5 Ck5"

CLAUSES = f"""
d1 the set-up
    start => has b2=WA e2=WC h2=WA k2=WA b5=WA e5=WA h5=WA k5=WA; stock=8/8; acts W
    start => has b8=BA e8=BA h8=BA k8=BA b11=BA e11=BA h11=BC k11=BA
d2 all mobile pieces of the Realm move out
    OUT := W:Aa1,Ac3,Ak5 B:Al12
    OUT => movers a1 c3 k5
    OUT > Aa1a4 => acts W; movers c3; origin=b2; left=c3
    OUT > Aa1a4 Ac3c6 => acts B; origin=-
d2 a piece without a way out stays, but another may open the way for it
    W:Aa1,Ab1 B:Aa4,Al12 > Ab1d1 => acts B; has a1=WA
    W:Aa1,Ab1 B:Aa4,Al12 > Ab1b4 => movers a1
    W:Aa1,Aa2,Ab1 B:Al12 => movers a2 b1
    W:Aa1,Aa2,Ab1 B:Al12 > Ab1b4 Aa2a4 => movers a1
d2 the Realm must have a piece that can leave
    W:Aa1,Ak5 B:Aa2,Ab1,Al12 => movers k5
d3 mobility
    W:Aa7,Ak5 B:Ab8 => movers a7 k5; mobile=k5/a7/b8
    W:Aa7,Ak5 B:Ab8,Ac9 => movers k5; mobile=k5/b8/c9
    W:Aa7,Ac7,Ak5 B:Ab8,Ac9 => movable a7
    W:Aa7,Ak5 B:Aa9,Ac9 => movable a7
    W:Aa7,Hb8,Ak5 B:Aa9,Ac9,Aa8 => movable a7
    W:Ab5,Ak5 B:Aa4,Aa5,Aa6 => movable b5
    W:Ca7,Ak5 B:Ab8,Ac9 => movable a7
    W:Aa4,Ak5 B:Hb5 => movable a4
    W:Aa4,Ak5 B:Hb5,Ac4 => movers k5; mobile=c4/k5
d3 mobility is that of the start of the turn
    W:Aa7,Ac7 B:Ab8,Ac9 > Aa7a4 => movers c7; mobile=a4/c7/b8/c9
d4 lines in all directions to another Realm
    W:Ae4 B:Al12 => moves e4 a4 b4 c4 g4 h4 i4 j4 k4 l4 e1 e2 e3 e7 e8 e9 e10 e11 e12
    W:Ae4,Ah4 B:Ac4 => reaches e4 g4; misses e4 a4 b4 c4 h4 i4
d4 a way may lead back through the Realm it began in
    {CIRCLE} => reaches e4 g9 f9 d7 d1 d3 f2 a5 c6
d4 ending where it began is no move
    {CIRCLE} => misses e4 d4 e4 f4 d5 e5 f5 d6 e6 f6; refuses Ae4d5 D4
d4 coming back it finds its own space and Center vacant
    W:Ae5,Ah5,Hh8,He8 B:Al12 => reaches e5 e3 e1
    W:Ae5,Hh8,He8,Ah9 B:Al12 => misses e5 j4
d4 coming back to a friend on the Center it may turn there
    W:Ad4,Ad6,Ae5,Ah5,Hh8,He8 B:Al12 => reaches d4 j6
    W:Ad4,Ad6,Ae5,Ah5,Hh8,He8 B:Al12 {CLOSED} => misses d4 j6
    W:Ad4,Ad6,Ah5,Hh8,He8 B:Al12 => misses d4 j6
d4 the issue of the first turn
    start => reaches e5 d7
    start origin_closed=on => refuses Ae5d7 V4
d5 no piece enters the Realm of the enemy Counter-Agent
    W:Ae4 B:Cg6 => misses e4 g4 h4 i4 j4 k4 l4; refuses Ae4h4 D5
    W:Ae2 B:Cd6 => misses e2 e4 e7 e8
    W:Ag4 B:Cg6 => reaches g4 j4
d6 where the enemy holds the Center a piece must end
    W:Ae10 B:Ah11 => reaches e10 g10 h10 i10; misses e10 j10 k10 l10 g9 h9 i9 g11 h11 i11
    W:Ae4 B:Hh5 => reaches e4 g4 h4 i4; misses e4 j4 k4 l4 g3 h3 i3 g5 h5 i5
d7 where a friend holds the Center a piece may turn
    W:Ae4,Ah5 B: => reaches e4 g4 g5 g6 i6 h3 h1 g7 i12 j4 l4; misses e4 j5 l6
    W:Ae4,Ah5,Hh8,Hk8 B: => reaches e4 j7 k9 l9 l10 k6
    W:Ae4,Ah5,Hh8 B: => misses e4 k6 j6
d7 a vacant Center gives no turn and nor does home
    W:Ae4 B: => misses e4 g5 g3 a5
    W:Ad4,Ae5 B: => misses d4 g5 g6
d7 a piece turns in both directions and again further on
    W:Ab1,Ae2,Ae5 B: => reaches b1 d1 d3 d4 d5 g4 g6 c6
d9 a vacant Center falls to any piece
    W:Ab4 B:Al12 > Ab4b7 => changes b4 b8=WH
    W:Ab4 B:Al12 > Ab4b8 => changes b4 b8=WH
    W:Ab4 B:Al12 > Ab4b9 => changes b4 b8=WH
    W:Cb4 B:Al12 > Cb4b7 => changes b4 b8=WH
    W:Cb4 B:Al12 > Cb4b8 => changes b4 b8=WH
    W:Ab4 B:Aa7,Aa8,Aa9 > Ab4b7 => changes b4 b8=WH
    W:Ab4 B:Al12 > Ab4b12 => changes b4 b11=WH
d9 an Agent needs more pieces than the enemy
    W:Ab4 B:Ab8 > Ab4b7 => changes b4 b7=WA
    W:Ab4,Aa9 B:Ab8 > Ab4b7 => phase dislodge
    W:Ab4,Aa9 B:Ab8,Aa8 > Ab4b7 => changes b4 b7=WA
d9 a Counter-Agent always captures
    W:Cb4 B:Ab8,Aa8,Aa9,Ac9 > Cb4b7 => phase dislodge; changes b4 b8=WH
d9 no capture at home or where one has an HQ
    W:Ab4,Ce2 B:Al12 > Ab4d4 => changes b4 d4=WA
    W:Ab4,Ce2 B:Al12 > Ab4b2 => changes b4 b2=WA
    W:Ab4,Hb8 B:Al12 > Ab4b7 => changes b4 b7=WA
d10 the captor places the dislodged Agent
    W:Ab4,Aa9 B:Ab8,Al12 > Ab4b7 => acts W; legal xAa7 xAb7 xAc7 xAa8 xAc8 xAb9 xAc9
    W:Ab4,Aa9 B:Ab8,Al12 > Ab4b7 xAb7 => changes b4 b8=WH b7=BA; acts B
d11 an HQ never moves and is never captured
    W:Hb8,Ak5 B:Al12 => refuses Ab8b5 D11
    W:Hb8,Ak5 B:Ab11,Aa8,Aa9 move=B > Ab11b9 => has b8=WH
d12 a player without moves passes
    PINNED := W:Aa4 B:Hb5,Ac4,Ak11 move=W
    PINNED => legal pass
    PINNED > pass Ak11k9 => acts W; legal pass
    PINNED > pass Ak11k9 pass Ac4c12 => cannot pass; refuses pass D12
d13 the eighth HQ wins at once
    {SEVEN.format("Ab4", "Al1,Al3")} > Ab4b7 => ends eight_headquarters; wins W; scores=8/0; legal
d13 it wins before a dislodged Agent is placed
    {SEVEN.format("Cb4", "Ab8,Al3")} > Cb4b7 => ends eight_headquarters; lacks b7
    W:Al12 B:Cb9,He2,Hh2,Hk2,Hb5,He5,Hh5,Hk5 move=B > Cb9b3 => wins B
t1 two passes in a row draw
    W:Hb11,Ab12,Hk8 B:Ac12 => legal pass
    W:Hb11,Ab12,Hk8 B:Ac12 > pass => ends -; legal pass
    W:Hb11,Ab12,Hk8 B:Ac12 > pass pass => ends two_passes; wins -; scores=2/0
    W:Aa4 B:Hb5,Ac4,Ak11 > pass Ak11k9 pass => ends -
t1 comes before t2
    W:Hb11,Ab12 B:Ac12 turns=298 > pass pass => ends two_passes
    W:Hb11,Ab12 B:Ac12 turns=299 > pass => ends max_turns
t2 the last turn draws
    W:Ab4,Hk8 B:Al12 turns=19 options=max_turns=20 > Ab4b2 => ends max_turns; wins -; scores=1/0
v1 where the Counter-Agents begin
    start counter_agent=b2 => counters=b2/k11
    start counter_agent=e2 => counters=e2/h11
    start counter_agent=h2 => counters=h2/e11
    start counter_agent=k2 => counters=k2/b11
    start counter_agent=b5 => counters=b5/k8
    start counter_agent=e5 => counters=e5/h8
    start counter_agent=h5 => counters=h5/e8
    start counter_agent=k5 => counters=k5/b8
v1 the players choose
    start counter_agent=choose => counters=; legal {HOMES}
    start counter_agent=choose > Ck5 => acts B; legal Cb8 Ce8 Ch8 Ck8 Cb11 Ce11 Ch11 Ck11
    start counter_agent=choose > Ck5 Cb8 => acts W; phase turn; counters=k5/b8
v2 HQs do not count
    W:Aa4,Ak5 B:Hb5,Ac4 options=hq_counts=off => movers a4 k5
    W:Aa4,Ak5 B:Hb5,Ac4 => movers k5
v3 the number of turns
    W:Ab4,Ak2 B:Al12,Aa12 turns=49 options=max_turns=50 > Ab4b2 => ends max_turns
    W:Ab4,Ak2 B:Al12,Aa12 turns=48 options=max_turns=50 > Ab4b2 => ends -
v4 no way leads back through the Realm it began in
    SHUT := {CIRCLE} {CLOSED}
    SHUT => reaches e4 g9 f9 d7; misses e4 d4 f4 d5 e5 f5 d6 e6 f6 d1 d3 f2 a5 c6
    SHUT => refuses Ae4d1 Ae4a5 V4; refuses Ae4d5 D4; refuses Ae4a12 D7
v5 a vacant target is captured as a piece enters it
    TAKEN := W:Ab4,Ce2 B:Al12 {ENTRY}
    TAKEN => reaches b4 b7; misses b4 b8 b9 b10 b12; reaches e2 e7; misses e2 e8 e9 e10; refuses Ab4b8 Ab4b9 Ab4b12 V5
    TAKEN > Ab4b7 => changes b4 b8=WH
v5 elsewhere pieces stop where they like
    W:Ab4 B:Al12 {ENTRY} => reaches b4 b1 b3 d4 l4
    W:Aa4,Hb8 B:Al12 {ENTRY} => reaches a4 a7 a8 a9 a10; misses a4 a11 a12
    W:Ab4 B:Ab11,Aa12 {ENTRY} => refuses Ab4b10 V5
    W:Al12 B:Ab9 move=B {ENTRY} => reaches b9 b6; misses b9 b5 b4 b3 b2 b1
v5 a way with turns ends there too
    W:Ae4,Ah5 B:Al12 {ENTRY} => reaches e4 g7; refuses Ae4g8 Ae4g12 V5; refuses Ae4k8 D7
v5 it does not come back into a vacant target
    W:Ag7,Hk8,Hk11,Hh11 B:Al1 move=W => reaches g7 g6 i4
    W:Ag7,Hk8,Hk11,Hh11 B:Al1 move=W {ENTRY} => misses g7 i4
s1 a choice is a separate turn
    start counter_agent=choose => turn=1/0
    start counter_agent=choose > Ce2 => turn=1/1
    start counter_agent=choose > Ce2 Ch11 => turn=2/0
    start => turn=1/0
"""


@each_clause(CLAUSES)
def test_clause(examples: list[PlayedExample]) -> None:
    FACTS.check(examples)


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


@pytest.mark.parametrize("foe", ["He5", "Cf6"])
def test_d4_d5_d6_it_does_not_come_back_where_it_would_have_to_end(foe: str) -> None:
    board = "W:Ad4,Ae2,Ah2,Ah5 B:{},Al12"
    closed = targets(position(board.format(foe), origin_closed=True), "d4")
    assert targets(position(board.format(foe)), "d4") == closed
    assert "a6" in targets(position(board.format("Al1")), "d4") - closed


def test_d8_a_move_is_identified_by_its_ends() -> None:
    state = position("W:Ae4,Ah5,Hh8,He8 B:Al12")
    steps = [step for step in GAME.legal_moves(state, 0) if cell_name(step.at) == "e4"]
    assert len(steps) == len({step.to for step in steps})
    assert {(step.kind, cell_name(step.at)) for step in steps} == {(StepKind.MOVE, "e4")}


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
    assert GAME.turn(play(state, "pass")) == (1, 1)


def test_s5_orders_that_lead_to_the_same_pieces_are_one_state() -> None:
    state = position("W:Aa1,Ab2,Ac3,Ak5 B:Al12")
    one, other = play(state, "Aa1a4 Ac3c6"), play(state, "Ac3c6 Aa1a4")
    assert (one, hash(one)) == (other, hash(other))
    assert movers(one) == {"b2"}
