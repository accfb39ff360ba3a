"""Perft: the number of step sequences, counted by the game and by its slow twin. Realm has a table of its own."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from realmtable.engine.options import parse_pairs
from realmtable.engine.perft import count_sequences, perft
from realmtable.kit.array_state import ArrayState
from realmtable.kit.compile import is_compiling
from tests.modern_realm.helpers import pieces as modern_pieces
from tests.oriental_realm.helpers import pieces as oriental_pieces
from tests.realm_boards.boards import BOARDS, Board, list_cases
from tests.realm_boards.test_twin import TWINS, start_twin
from tests.shipped_records import ShippedRecords
from tests.twin_games import Twin

PLACED = "Fb2 Fb8 Fe2 Fe8 Fh2 Fh8 Fk2 Fk8 Fb5 Fb11 Fe5 Fe11 Fh5 Fh11 Fk5 Fk11"
OPENING = "Fe5b8 Fk8b8 Fh5b8 Fe8b8"
MIDDLE = OPENING + " Fh2b8 Fb11b8 Fb5b8 Fh11b11 Fb8b11 Fe11b11 Fb8b11 Fh8h11"
CROWD = "W:Ed5,Mb4,Mc4,Mb5,Ma6,Me5,Md4,Mk9 B:Ed7,Mb6,Ma4,Mc5,Mc6,Me6,Mf5,Ml1 move="
CORNERED = "W:Af4,Hb8,He8,Hh8,Hk8,Hb11,Hk11,Ab12 B:Hb2,He2,Hh2,Hb5,He5,Hh5,Hk5,Aj12 move=B"
GATHERED = "W:Ca7,Ac8,Ab9,Ak2,Hh8,Hk8 B:Ab8,Aa9,Cg3,Ad4,Hb2,Hk5 move=W"
LOCKED = "W:Aa4,Ak10,Hb8 B:Hb5,Ac6,Ck11,Aj2 move=W"
CIRCLING = "W:Ae4,Ad6,Ab2,Ae2,Ab5,Ah5,He8,Hh8 B:Ck11,Ae11,Aa9,Hk2 move=W"  # ways back through e5, with a turn there
ON_ENTRY, CLOSED = "capture_on_entry=on", "origin_closed=on"


# Position or options; steps; numbers by length. For Medieval Realm: a record, how many of its turns are played, and
# what is changed in its options.
PERFT: dict[str, list[tuple[str, str, list[int | None]]]] = {
    "classic_realm": [
        ("", "", [32, 896, 29638, 838306]),
        ("", MIDDLE, [18, 108, 2276, 14779]),
        ("max_plies=20", MIDDLE + " Fb8e11 Fk11h8 Fk2k8 Fh11h5 Fe11h11 Fh8h2", [23, 204, 0]),
        ("free_setup=on", "", [16, 240, 3360, 43680]),
        ("free_setup=on", PLACED, [32, 896, 29638, 838306]),
        ("double_moves=on", "", [32, 896, 29638, 838306]),
        ("double_moves=on", OPENING + " Fh2b8", [20, 463, 8925, 193751]),
        ("double_moves=on", "Fb2k8 Fb8h5 Fe2k11 Fb11k11 Fk2h5", [25, 668, 17393]),  # a rescue by the first move
        ("double_moves=on,free_setup=on", PLACED + " Fk8h5 Fk2b8 Fb11k8 Fe5k2 Fe11b11", [35, 1099, 28975, 780546]),
    ],
    "medieval_realm": [
        ("end-borne-off-white 0 duke_squares=back_middle", "", [32, 776, 19178, 419662]),
        ("end-borne-off-white 0 duke_squares=back_corners", "", [32, 776, 19056, 406884]),
        ("end-borne-off-white 0 duke_squares=front_middle", "", [16, 224, 4024, 73382]),
        ("end-borne-off-white 0 duke_squares=front_corners", "", [16, 222, 4564, 79998]),
        ("end-borne-off-white 12", "", [20, 427, 7008]),
        ("end-borne-off-white 24", "", [22, 86, 1745, 7915]),
        ("end-borne-off-white 38", "", [17, 83, 1036, 5897]),
        ("end-duke-draw 17", "", [14, 198, 2452, 40802]),
        ("end-duke-draw 17 duke_draw=off", "", [14, 198, 2659, 43766]),
        ("end-max-plies 17", "", [5, 70, 413, 0]),
        ("end-max-plies 17 max_plies=300", "", [5, 70, 413, 5196]),
    ],
    "oriental_realm": [
        ("", "", [56, 56, 3178, 3178, 212_772]),
        ("emperor=b5", "", [56, 56, 3178, 3178, 212_772]),
        ("emperor=choose", "", [8, 64, 3584, 3584, 203_392]),
        ("free_setup=on", "", [288, 77_760]),
        ("warning=on", "", [56, 56, 3178, 3178, 212_772]),
        (CROWD + "W", "", [52, 341, 6625, 71_204]),
        (CROWD + "B", "", [87, 756, 6659, 79_360]),
        (CROWD + "W turns=19 options=max_turns=20", "", [52, 341, 2127, 5738]),
    ],
    "modern_realm": [
        ("", "", [672, 442_696]),
        ("counter_agent=choose", "", [8, 64, 41_216]),
        ("counter_agent=b2", "", [672, 442_712]),
        ("counter_agent=h2", "", [672, 442_696]),
        ("counter_agent=k2", "", [672, 442_712]),
        ("counter_agent=b5", "", [616, 383_098]),
        ("counter_agent=e5", "", [616, 383_535]),
        ("counter_agent=h5", "", [616, 383_535]),
        ("counter_agent=k5", "", [616, 383_098]),
        (CORNERED, "", [10, 1141, 44_883]),
        (GATHERED, "", [123, 10_365, 473_741]),
        (LOCKED, "", [18, 1146, 17_462]),
        (f"{LOCKED} options=hq_counts=off", "", [58, 3739, 121_350]),
        (f"{LOCKED} turns=18 options=max_turns=20", "", [None, 1146, 15, 0]),
        (CLOSED, "", [646, 407_590]),
        (f"{CORNERED} options={CLOSED}", "", [None, 1134, 44_262]),
        (ON_ENTRY, "", [672]),
        (f"{GATHERED} options={ON_ENTRY}", "", [18, 420]),
        (f"{LOCKED} options={ON_ENTRY}", "", [2, 29]),
        (f"{LOCKED} options={ON_ENTRY},{CLOSED}", "", [None, 29]),
        (CIRCLING, "", [499, 42_941]),
        (f"{CIRCLING} options={CLOSED}", "", [488]),
    ],
}
PIECES: dict[str, Callable[[ArrayState[Any]], dict[str, str]]] = {
    "oriental_realm": oriental_pieces,
    "modern_realm": modern_pieces,
}
each_row = pytest.mark.parametrize(("tested", "where", "steps", "numbers"), list_cases(PERFT))
# The largest number that is counted in the ordinary run, by a game that is interpreted and by one that is compiled.
MOST = {
    "classic_realm": (1100, 1100),
    "medieval_realm": (800, 20_000),
    "oriental_realm": (400, 4000),
    "modern_realm": (11_000, 11_000),
}
MOST_EXPANDED = 500  # states whose steps are listed


def make_both(tested: Board, where: str, steps: str) -> tuple[ArrayState[Any], Twin]:
    """Return a state, and the twin of it."""
    name = tested.game.info.id
    if where.startswith("end-"):
        return replay_both(tested, *where.split())
    state = tested.at(where)
    if ":" in where:
        options = TWINS[name].options(**dataclasses.asdict(state.options))
        turns = int(state.position[tested.game.rules.turns_entry])
        return state, TWINS[name].twin.at_turn(options, PIECES[name](state), tested.seat_of(state), turns)
    twin = start_twin(name, state.options)
    for text in steps.split():
        state, twin = tested.play(state, text), twin.play(text)
    return state, twin


def replay_both(tested: Board, name: str, turns: str, *changed: str) -> tuple[ArrayState[Any], Twin]:
    """Play the first turns of a record, under its options but for those changed."""
    record = ShippedRecords(tested.game.info.id).record_of(name)
    options_type = tested.game.info.options_type
    options = dataclasses.replace(record.start.options, **parse_pairs(options_type, [*changed]))
    state, twin = tested.game.initial(2, options), start_twin(tested.game.info.id, options)
    for turn in record.turns[: int(turns)]:
        twin = twin.play(tested.game.grammar.format_bare(state, turn.moves[0]))
        state = tested.game.play(state, turn.seat, turn.moves[0])
    return state, twin


def count_twin_sequences(twin: Twin, depth: int) -> int:
    """The twin's own perft, without playing the last step."""
    steps = twin.steps()
    return len(steps) if depth <= 1 else sum(count_twin_sequences(twin.play(step), depth - 1) for step in steps)


def is_quick(name: str, numbers: list[int | None], depth: int) -> bool:
    """Whether the ordinary run counts the sequences of a length."""
    expanded = numbers[depth - 2] if depth > 1 else 1
    return (numbers[depth - 1] or 0) <= MOST[name][is_compiling()] and (expanded or 0) <= MOST_EXPANDED


def check_row(tested: Board, where: str, steps: str, numbers: list[int | None], *, quick: bool) -> None:
    state, twin = make_both(tested, where, steps)
    for depth, number in enumerate(numbers, 1):
        if number is not None and is_quick(tested.game.info.id, numbers, depth) == quick:
            assert (tested.game.perft(state, depth), count_twin_sequences(twin, depth)) == (number, number)


@each_row
def test_short_sequences_are_counted_alike(tested: Board, where: str, steps: str, numbers: list[int | None]) -> None:
    assert is_quick(tested.game.info.id, numbers, 1) or numbers[0] is None
    check_row(tested, where, steps, numbers, quick=True)


@pytest.mark.slow
@each_row
def test_longer_sequences_are_counted_alike(tested: Board, where: str, steps: str, numbers: list[int | None]) -> None:
    check_row(tested, where, steps, numbers, quick=False)


@pytest.mark.parametrize("name", PERFT)
def test_the_protocol_counts_the_same(name: str) -> None:
    where, steps, numbers = PERFT[name][0] if name != "modern_realm" else (CORNERED, "", [10, 1141])
    state, _ = make_both(BOARDS[name], where, steps)
    for count in (perft, count_sequences):
        assert [count(BOARDS[name].game, state, depth) for depth in range(3)] == [1, *numbers[:2]]


def test_a_finished_game_has_no_sequences() -> None:
    over = BOARDS["realm"].at("W:Bh11 B:Bh2 phase=over end=agreement")
    assert [BOARDS["realm"].game.perft(over, depth) for depth in range(3)] == [1, 0, 0]
