"""The clauses of RULES.md, each in a test named after it."""

from __future__ import annotations

from realmtable.games.medieval_realm.first_state import State
from realmtable.kit.realm_board.geometry import REALMS, cell_name, center_of, spaces_of
from tests.example_tables import PlayedExample
from tests.medieval_realm.helpers import (
    FACTS,
    GAME,
    TESTED,
    border,
    centers,
    ending,
    play,
    position,
    random_game,
    start,
)
from tests.realm_boards.clause_facts import each_clause
from tests.rule_checks import check_white_begins_and_the_loser_is_white_next
from tests.shipped_records import ShippedRecords

CYCLE = "Mb11e11 Mk2h2 Me11b11 Mh2k2"
DUKES = "Db11e11 Dk2h2 De11b11 Dh2k2"

# NINE are White's Men on the Border of a Realm of nine, e5.
CLAUSES = f"""
b3 forward and the far row
    W:Mh5,Mh11 B:Db11 => moves h5 h8 e5 k5; can Mh11off
    W:Db2 B:Mh5,Mh2 move=B => moves h5 e5 k5 e2 k2 off; can Mh2off
m1 the set-up
    start => has b2=WM e2=WD h2=WD k2=WM b5=WM e5=WM h5=WM k5=WM; border=; off=0/0; acts W
    start => has b8=BM e8=BM h8=BM k8=BM b11=BM e11=BD h11=BD k11=BM
m2 a Duke moves all four ways and a Man not back
    W:De5 B:Dk11 => moves e5 e8 h5 e2 b5
    W:Me5 B:Dk11 => moves e5 e8 h5 b5
    W:Dk2 B:Me8 move=B => moves e8 e5 h8 b8
m2 one move a turn of a piece on a Center
    W:De5,Mg4 B:Dh5,Mb11 => legal De5e8 De5e2 De5b5
    W:De5,Mg4 B:Dh5,Mb11 > De5e8 => acts B
    W:De5,Mg4 B:Dh5,Mb11 > De5e8 Mb11b8 => acts W
m3 over own pieces a move continues and turns at will
    W:Mb2,Mb5,Me5,Dk2 B:Dk11 => moves b2 e2 b8 e8 h5; moves k2 h2 k5; refuses Mb2b5 M3
m3 it ends on a vacant Center or an enemy Man and goes no further
    W:Mb2,Mb5 B:Mb8,Mb11,De8 => moves b2 b8 e2 e5; moves b5 b8 e5
m3 no Center is visited twice
    W:Db2,Me2,Mb5,Me5 B:Dk11 => moves b2 h2 h5 b8 e8; refuses Db2b2 M3
    W:De5,Me8 B:Dk11 => misses e5 e5
m4 an enemy Man is dislodged
    W:Mb5,De2 B:Mb8,Dk11 > Mb5b8 => changes b5 b8=WM; border=b8:0+1
m5 no piece enters the Realm of an enemy Duke
    W:Mb5,Db2 B:Db8 => moves b5 e5; moves b2 e2 e5; refuses Mb5b8 M5
m6 an opponent's Man takes the Center that is left
    W:Mb5,Ma4 B:Mb4,Mc4,Dk11 > Mb5b8 => changes b5=BM b8=WM; border=b5:1+1
    W:Mb5,Ma4 B:Dk11 > Mb5b8 => changes b5 b8=WM; border=b5:1+0
    W:Me11,De2 B:Mf12,Dk11 > Me11off => has e11=BM
m6 the rising piece does not change the move, for the Center left is never visited again
    W:De5,Me8 B:Mf6,Dk11 => misses e5 e5
    W:De5,Me8 B:Mf6,Dk11 > De5e11 => changes e5=BM e11=WD
m7 a Realm of nine is not entered
    W:Me2,Dh5,Dk2,NINE,Me5 B:Mf5,Md6,Me6,Mf6,De8,Db5 move=B => misses e8 e5; misses b5 e5; refuses De8e5 M7
    W:Me2,Dh5,Dk2,Md4,Me4,Mf4,Me5 B:Mf5,Md6,Me6,Mf6,De8,Db5 move=B => reaches e8 e5
m7 nor jumped but the piece on its Center may leave
    TOP := W:Me2,NINE,De5 B:Mf5,Md6,Me6,Mf6,Dk11
    TOP => moves e2 b2 h2; moves e5 b5 h5 e8 b2 h2; refuses Me2e8 M7
    TOP > De5h5 => has e5=BM
m8 bearing off from the far row
    W:Mb11,De2 B:Dk11 > Mb11off => changes b11; off=7/7
m8 bearing off over an own piece in the far row
    W:Mb8,Db11,De11 B:Dk11 => moves b8 e8 h11 off
    W:Mb8,Db11,De11 B:Dk11 > Mb8off => off=6/7
    W:Mb8,Me5 B:Mb11 => misses b8 off
m8 nothing leaves by another side
    W:Db2 B:De11 => misses b2 off; refuses Db2off M8
    W:Dk2 B:De11 => misses k2 off; refuses Dk2off M8
    W:Db5 B:De11 => misses b5 off; refuses Db5off M8
    W:Dk8 B:De11 => misses k8 off; refuses Dk8off M8
m9 bearing off all eight wins at once
    W:Mb11 B:Dk11,Mk8 > Mb11off => ends borne_off; wins W; off=8/6
    W:Mb5 B:Dk2 move=B > Dk2off => ends borne_off; wins B
m9 is looked at before everything else
    W:Db11 B:Dk11 turns=299 dukes=2/3 > Db11off => ends borne_off
    W:Db11 B:Dk11 turns=299 dukes=2/3 > Db11b8 => ends duke_draw
m10 a player without moves passes
    W:Mb5,De2 B:Mc6 move=B => legal pass
    W:Mb5,De2 B:Mc6 move=B > pass De2e5 pass Mb5b8 => legal Mb5b2
m10 also between enemy Dukes and the edge
    W:Mb8 B:Db11,De8 => legal pass
    W:Mb5 B:Db11,De8 => refuses pass M10
m11 three Duke moves in a row by each are a draw
    W:De2,Mb2 B:De11,Mb11 > De2e5 De11e8 De5h5 De8b8 Dh5h8 => rows=3/2; ends -
    W:De2,Mb2 B:De11,Mb11 > De2e5 De11e8 De5h5 De8b8 Dh5h8 Db8e8 => rows=3/3; ends duke_draw; wins -; off=6/6
m11 a move of a Man and a pass break the row
    W:De2,Mb2 B:De11,Mb11 dukes=3/2 > Mb2b5 => rows=0/2
    W:De2,Mb2 B:Mc3 dukes=3/2 move=B > pass => rows=3/0
m11 bearing a Duke off counts
    W:De11,Mb2 B:Dk8,Mb11 dukes=2/3 > De11off => ends duke_draw
t1 two passes in a row are a draw
    W:Ma4 B:Ml9 > pass => ends -
    W:Ma4 B:Ml9 > pass pass => ends two_passes
    W:Ma4 B:Ml9 passed > pass => ends two_passes
t2 the third appearance of a position is a draw
    W:Mb11 B:Mk2 > {CYCLE} => ends -
    W:Mb11 B:Mk2 > {CYCLE} Mb11e11 Mk2h2 Me11b11 => ends -
    W:Mb11 B:Mk2 > {CYCLE} {CYCLE} => ends repetition
t2 counts the rows of Duke moves whether or not they matter
    PAIR := W:Db11 B:Dk2 options=duke_draw=off
    PAIR > {DUKES} {DUKES} => ends -; rows=3/3
    PAIR > {DUKES} {DUKES} {DUKES} Db11e11 => ends -
    PAIR > {DUKES} {DUKES} {DUKES} Db11e11 Dk2h2 => ends repetition
t3 the last turn is a draw
    W:Mb11,De2 B:Mk2,Dk11 turns=298 > Mb11e11 => ends -
    W:Mb11,De2 B:Mk2,Dk11 turns=298 > Mb11e11 Mk2h2 => ends max_plies
t3 the order in which ends are looked at
    W:Ma4 B:Ml9 passed turns=299 > pass => ends two_passes
    W:De2 B:De11 dukes=2/3 turns=299 > De2e5 => ends duke_draw
v1 where the Dukes begin
    start duke_squares=back_middle => dukes=e2/h2/e11/h11
    start duke_squares=back_corners => dukes=b2/k2/b11/k11
    start duke_squares=front_middle => dukes=e5/h5/e8/h8
    start duke_squares=front_corners => dukes=b5/k5/b8/k8
v2 without the Dukes' draw
    W:De2,Mb2 B:De11,Mb11 dukes=3/2 move=B options=duke_draw=off > De11e8 => ends -; rows=3/3
    W:De2,Mb2 B:De11,Mb11 dukes=3/2 move=B options=duke_draw=off > De11e8 De2e5 => rows=3/3
v3 how many turns
    W:Mb11,De2 B:Mk2,Dk11 turns=19 options=max_plies=20 > Mb11e11 => ends max_plies
    W:Mb11,De2 B:Mk2,Dk11 turns=499 options=max_plies=500 > Mb11e11 => ends max_plies
"""


@each_clause(CLAUSES, NINE="Md4,Me4,Mf4,Md5")
def test_clause(examples: list[PlayedExample]) -> None:
    FACTS.check(examples)


def spaces(state: State, seat: int, *, down: bool) -> list[str]:
    pieces = GAME.view(state, None)["pieces"]
    return [piece["at"] for piece in pieces if (piece["seat"], piece["down"]) == (seat, down)]


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


def test_b4_white_begins_and_in_a_rematch_the_loser_is_white() -> None:
    check_white_begins_and_the_loser_is_white_next(TESTED)


def test_t1_in_play_a_realm_is_a_heap_of_turns() -> None:
    """White and Black lie in turns with the latest comer on the Center, so no vacant Center has Men around it."""
    for seed in range(6):
        for state, _ in random_game(seed):
            for name, (white, black) in border(state).items():
                holder = centers(state)[name][0]
                own, other = (white, black) if holder == "W" else (black, white)
                assert other - own in (0, 1)


def test_t2_an_earlier_position_does_not_come_back_after_a_man_has_gone_forward() -> None:
    state = play(position("W:Mb11,Mb5 B:Mk2,Mk8"), CYCLE)
    assert len(GAME.encode(state).split("seen=")[1].split(",")) == 5
    assert len(GAME.encode(play(state, "Mb5b8")).split("seen=")) == 1
    assert len(GAME.encode(play(state, "Mb11off")).split("seen=")) == 1


def test_t3_repetition_comes_before_the_last_turn() -> None:
    state = play(position("W:Mb11 B:Mk2", max_plies=20), CYCLE + " Mb11e11 Mk2h2 Me11b11")
    state = GAME.decode(GAME.encode(state).replace("turns=7", "turns=19"))
    assert ending(play(state, "Mh2k2")) == "repetition"


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
