"""The rules clause by clause."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from realmtable.engine.errors import BadOptions
from realmtable.games.oriental_realm.first_state import state_of
from realmtable.games.oriental_realm.layout import MAX_STEPS, PIECE_LIST, SEAT, TURNS
from realmtable.games.oriental_realm.moves import has_empty_neighbour, is_surrounded
from realmtable.games.oriental_realm.steps import StepKind
from realmtable.kit.realm_board.geometry import CENTERS, cell_name, realm_of
from tests.example_tables import PlayedExample
from tests.oriental_realm.helpers import (
    FACTS,
    GAME,
    TESTED,
    cell,
    legal,
    options_of,
    phase_of,
    play,
    position,
    random_game,
    random_turns,
    seat_of,
    start,
)
from tests.realm_boards.clause_facts import each_clause
from tests.rule_checks import check_white_begins_and_the_loser_is_white_next

# White, with all pieces, has no move: the Emperor is walled in, every Mandarin with an empty neighbour pinned.
STUCK = "W:Ea1,Ma2,Mb2,Mf2,Me3,Mg3,Mf4,Mh2 B:Mb1,Ma3,Mb3,Me2,Mg2,Me4,Eg4,Mi2"
SHUTTLE = "Mb5b6 end Mk8k7 end Mb6b5 end Mk7k8"
PACING = "Ea1a2 end Ek9k8 end Ea2a1 end Ek8k9"
FOURTEEN = " ".join(f"M{cell_name(center)}" for center in CENTERS[:14])

CLAUSES = f"""
b1 Centers are spaces like any other
    W:Ea5 B:Mb9 => reaches a5 b5 a8
    W:Ea5 B:Mb9 > Ea5b5 end => movers b9
    start free_setup=on => steps=288
o1 the set-up
    start => has b2=WM e2=WE h2=WM k2=WM b5=WM e5=WM h5=WM k5=WM; acts W; phase turn; turn=1/0
    start => has b8=BM e8=BM h8=BM k8=BM b11=BM e11=BM h11=BE k11=BM
o2 s2 the first move fixes the Realm
    NEAR := W:Ed4,Me4,Md5,Mk9 B:Mh8
    NEAR => movers d4 e4 d5 k9
    NEAR > Ed4a4 => movers e4 d5; can end
    NEAR > Ed4a4 Me4e6 => movers d5
    NEAR > Ed4a4 Me4e6 Md5d4 => legal end
    NEAR > Ed4a4 Me4e6 Md5d4 end => acts B
o2 a piece that entered the Realm does not move again
    W:Ed4,Me4 B:Mh8 > Ed4d5 => movers e4; refuses Ed5d6 O2
o3 a piece goes any distance and stops before any piece
    LINES := W:Me5,Mh5 B:Me8,Ea1
    LINES => moves e5 a5 b5 c5 d5 f5 g5 e1 e2 e3 e4 e6 e7; refuses Me5e8 Me5e9 Me5h5 Me5f6 O3
o4 a Mandarin between two enemies is pinned
    W:Me5,Ma1 B:Md5,Mf5 => movers a1; refuses Me5e9 O4
    W:Me5,Ma1 B:Me4,Me6 => movers a1; refuses Me5a5 O4
    W:Me5,Ma1 B:Ed5,Mf5 => movers a1; refuses Me5e9 O4
    W:Me5,Ma1 B:Me4,Ee6 => movers a1; refuses Me5a5 O4
o4 enemies that are not opposite neighbours pin no piece
    W:Me5,Ma1 B:Md5,Me6 => movable e5
    W:Me5,Ma1 B:Me4,Mf5 => movable e5
    W:Me5,Ma1 B:Md5 => movable e5
    W:Me5,Ma1 B:Mc5,Mg5 => movable e5
    W:Me5,Ma1 B:Md4,Mf6 => movable e5
o4 own pieces and the edge pin no piece
    W:Me5,Md5,Mf5 B:Mh9 => movers d5 e5 f5
    W:Ma5,Ma1 B:Mb5 => movable a5
    W:Ma5,Mk1 B:Ma4,Ma6 => stuck a5
o4 pinned pieces pin
    W:Mc5,Me5,Mk1 B:Mb5,Md5,Mf5 => movers k1
    W:Mc5,Me5,Mk1 B:Mb5,Md5,Mf5 > Mk1k2 end => movers b5 f5
o5 the Emperor is never pinned
    W:Ee5 B:Md5,Mf5 => movers e5
o5 o6 a Mandarin next to its Emperor may move though pinned
    W:Me5,Ee4,Ma1 B:Md5,Mf5,Mk9 => movers a1 e4 e5
    W:Me5,Ee4,Ma1 B:Md5,Mf5,Mk9 > Ee4a4 => movers
    W:Me5,Ed4,Ma1 B:Md5,Mf5,Mk9 => movers a1 d4
    W:Me5,Ed4,Ma1 B:Md5,Mf5,Mk9 > Ed4e4 => movers e5
    W:Me5,Ed4,Ma1 B:Ee4,Me6,Mk9 => movers a1 d4
o6 a pin is looked at when the move starts
    W:Me5,Md5 B:Mc5,Mf5,Mk1 move=B => movers c5 f5 k1
    W:Md5,Me5,Mk9 B:Mc5,Mf5 => movers d5 e5 k9
    W:Md5,Me5,Mk9 B:Mc5,Mf5 > Md5d9 => movers e5
    W:Md6,Me5,Mk9 B:Mc5,Md5,Mf5 > Md6d7 => stuck e5
o7 s3 a player passes only without moves
    {STUCK} => legal pass
    {STUCK} > pass => acts B; turns=1
    start => refuses pass O7
    start > Mb5b6 => refuses pass O7
o8 a group is surrounded as a whole
    W:Ma1,Ma2,Me5 B:Mb1,Mb2,Mh3 move=B > Mh3a3 => ends surrounded
    W:Ma1,Ma2,Ma3,Me5 B:Mb1,Mb2,Mh4 move=B > Mh4a4 => ends -
o8 o9 an empty space within keeps a ring from being surrounded
    W:Ma2,Mb1,Ek9 B:Ma3,Mc1,Mh2 move=B > Mh2b2 => ends -
o9 surrounding a group wins at once
    W:Ea1,Mk9 B:Ma2,Mb5 move=B > Mb5b1 => ends surrounded; wins B; legal
    W:Ma1,Ek9 B:Ma2,Eb5 move=B > Eb5b1 => ends surrounded; wins B
    W:Me4,Me6,Md5,Mf9,Ea1 B:Me5,Mk1 > Mf9f5 => ends surrounded; wins W
    W:Me4,Me6,Md5,Mf9,Ea1 B:Ee5,Mk1 > Mf9f5 => ends surrounded; wins W
o9 it is looked at after every single move
    W:Ma1,Ek9 B:Md1,Me2 move=B > Md1b1 => ends -
    W:Ma1,Ek9 B:Md1,Me2 move=B > Md1b1 Me2a2 => ends surrounded; wins B; surrounded=a1
    W:Ma5,Ek9 B:Mb1,Mb2 > Ma5a1 => ends -
o10 two passes in a row draw
    W: B: > pass => ends -
    W: B: > pass pass => ends two_passes; wins -
    W:Mb2 B:Ma2,Mc2,Mk9 > pass Mk9k8 end pass => ends -
t1 the third appearance draws
    start > {SHUTTLE} end => ends -
    start > {SHUTTLE} end {SHUTTLE} => ends -
    start > {SHUTTLE} end {SHUTTLE} end => ends repetition; wins -; turns=8
t1 another player to move is another position
    LATER := W:Ea1 B:Ek9
    LATER > Ea1a2 end Ek9k8 end Ea2a3 end Ek8k9 end Ea3a1 end => acts B
    LATER > Ea1a2 end Ek9k8 end Ea2a3 end Ek8k9 end Ea3a1 end Ek9k8 end Ea1a2 end Ek8k9 end Ea2a1 end => ends -
t2 the last turn draws
    W:Ea1 B:Ek9 turns=18 options=max_turns=20 > Ea1a2 end Ek9k8 => ends -
    W:Ea1 B:Ek9 turns=18 options=max_turns=20 > Ea1a2 end Ek9k8 end => ends max_turns; wins -
v4 says after how many turns the game is drawn
    W:Ea1 B:Ek9 turns=399 > Ea1a2 end => ends max_turns
    W:Ea1 B:Ek9 turns=599 options=max_turns=600 > Ea1a2 end => ends max_turns
    W:Ea1 B:Ek9 turns=598 options=max_turns=600 > Ea1a2 end => ends -
t1 comes before t2
    W:Ea1 B:Ek9 turns=12 options=max_turns=20 > {PACING} end {PACING} end => ends repetition
    W: B: turns=18 options=max_turns=20 > pass pass => ends two_passes
v1 s1 the players place one piece in every Realm
    start free_setup=on => phase place; steps=288; lacks b2 e2
    start free_setup=on > Mb2 => acts B; steps=270; refuses Ma1 V1
    start free_setup=on > Mb2 Ea12 Ml1 => refuses Ed4 V1; kinds=M
v1 after the placements White moves first
    start free_setup=on > {FOURTEEN} => kinds=E; refuses Mh11 V1
    start free_setup=on > {FOURTEEN} Eh11 Ek11 => acts W; phase turn; turn=9/0; emperors=h11/k11
v2 the Emperors stand half a turn apart
    start emperor=b2 => emperors=b2/k11
    start emperor=e2 => emperors=e2/h11
    start emperor=h2 => emperors=h2/e11
    start emperor=k2 => emperors=k2/b11
    start emperor=b5 => emperors=b5/k8
    start emperor=e5 => emperors=e5/h8
    start emperor=h5 => emperors=h5/e8
    start emperor=k5 => emperors=k5/b8
v2 s1 the players choose
    CHOICE := start emperor=choose
    CHOICE => legal Eb2 Ee2 Eh2 Ek2 Eb5 Ee5 Eh5 Ek5; emperors=
    CHOICE > Ek5 => acts B; phase choose; legal Eb8 Ee8 Eh8 Ek8 Eb11 Ee11 Eh11 Ek11
    CHOICE > Ek5 Eb8 => acts W; phase turn; turn=2/0; emperors=k5/b8; has e2=WM h11=BM
s3 a pass is a whole turn
    {STUCK} => legal pass
    {STUCK} > pass => acts B; turn=1/1
"""


@each_clause(CLAUSES)
def test_clause(examples: list[PlayedExample]) -> None:
    FACTS.check(examples)


@pytest.mark.parametrize(("at", "around"), [("a1", "a2 b1"), ("f1", "e1 f2 g1"), ("f6", "e6 f5 f7 g6")])
def test_b2_o8_the_neighbours_of_a_space(at: str, around: str) -> None:
    guards = around.split()
    text = f"W:M{at} B:{','.join('M' + name for name in guards)} phase=over end=surrounded won=B"
    state = position(text)
    assert is_surrounded(state.position, cell(at))
    for guard in guards:
        trial = state.position.copy()
        trial[cell(guard)] = 0
        assert not is_surrounded(trial, cell(at))


def test_b3_white_begins_and_in_a_rematch_the_loser_is_white() -> None:
    check_white_begins_and_the_loser_is_white_next(TESTED)


@pytest.mark.parametrize("seed", range(6))
def test_o9_no_player_can_surround_their_own_pieces(seed: int) -> None:
    for state, step in random_game(seed, max_turns=100):
        if step is not None and step.kind == StepKind.MOVE:
            after = GAME.play(state, seat_of(state), step)
            assert has_empty_neighbour(after.position, step.to)


def test_o10_at_least_one_player_can_always_move() -> None:
    rng = Random(5)
    for _ in range(150):  # crowds of every size in a corner, where it would be likeliest
        spaces = rng.sample([across + 12 * up for across in range(5) for up in range(5)], rng.randint(1, 16))
        board = start().position.copy()
        board[:144] = 0
        for number, at in enumerate(spaces):
            board[at] = 1 + 4 * (number % 2)
        found = 0
        for seat in range(2):
            board[SEAT] = seat
            found += legal(state_of(board.copy(), options_of())) != {"pass"}
        assert found


@pytest.mark.parametrize("seed", range(4))
def test_t2_every_game_ends_within_its_turns(seed: int) -> None:
    """A turn moves at most eight pieces, and turns are counted: no game is longer than 16 + 9 max_turns steps."""
    turns = 0
    for begin, steps, after in random_turns(seed, max_turns=60):
        moves = [step for step in steps if step.kind == StepKind.MOVE]
        assert len(moves) <= 8
        assert len({realm_of(step.at) for step in moves}) <= 1
        assert len(steps) <= 9
        assert int(after.position[TURNS]) - int(begin.position[TURNS]) in (0, 1)
        turns = int(after.position[TURNS])
    assert turns <= 60


@pytest.mark.parametrize("preset", GAME.info.presets)
def test_t1_t2_random_games_end_by_the_rules(preset: str) -> None:
    numbers = GAME.playouts(GAME.initial(2, GAME.options(preset, max_turns=40)), range(5))
    assert set(numbers.reasons) <= {"surrounded", "repetition", "max_turns"}
    assert numbers.turns <= 5 * 40
    assert numbers.steps <= 5 * (16 + 9 * 40)


def test_v2_has_nothing_to_choose_with_v1() -> None:
    with pytest.raises(BadOptions, match=r"free_setup.*emperor=choose.*keep one of them"):
        options_of(free_setup=True, emperor="choose")
    assert phase_of(start(free_setup=True, emperor="k5")) == "place"


# ---- steps


def test_s4_orders_that_lead_to_the_same_are_the_same_state() -> None:
    board = position("W:Ed4,Me4,Mf6 B:Mh8")
    states = {play(board, " ".join(steps)) for steps in permutations(["Ed4d9", "Me4e9", "Mf6f9"])}
    assert len(states) == 1
    one, other = play(board, "Ed4d9 Mf6f9"), play(board, "Mf6f9 Ed4d9")
    assert (one, hash(one)) == (other, hash(other))
    assert one != play(board, "Ed4d9")


def test_s2_a_list_of_steps_fits_its_room() -> None:
    """Two kinds of placement on 144 spaces are the longest list; the pieces are noted behind it."""
    assert len(start(free_setup=True).legal_codes()) == PIECE_LIST < MAX_STEPS
    open_board = position("W:Ea1,Mb2,Mc3,Md4,Me5,Mf6,Mg7,Mh8 B:")
    assert len(open_board.legal_codes()) == 8 * 22


@pytest.mark.parametrize(("where", "text"), [("", "Mb5b7"), ("free_setup=on", "El12"), ("emperor=choose", "Ek5")])
def test_s1_s2_a_step_is_written_with_its_piece_and_a_turn_without_its_end(where: str, text: str) -> None:
    state = TESTED.at(where)
    found = GAME.parse_turn(state, text)
    assert GAME.format_move(state, found.moves[0]) == GAME.format_turn(state, found.moves) == text
