"""The warning (V3): exactly the groups that the opponent can surround in one turn, checked exhaustively."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest

from realmtable.engine.errors import BadPosition
from realmtable.games.oriental_realm import threats
from realmtable.games.oriental_realm.first_state import State
from realmtable.games.oriental_realm.groups import empty_neighbours, groups_of, piece_cells
from realmtable.games.oriental_realm.threats import find_threatened_groups
from realmtable.kit.compile import is_compiling
from realmtable.kit.realm_board.geometry import REALMS, cell_name, realm_of
from tests.oriental_realm.helpers import GAME, pieces, play, position
from tests.oriental_realm.twin import NEIGHBOURS, OPPOSITES, destinations


def find_warnings(text: str, **options: bool) -> list[str]:
    names: list[str] = GAME.view(position(text, **{"warning": True} | options), 0)["warned"]
    return names


@pytest.mark.parametrize(
    ("board", "names"),
    [
        ("W:Ma1,Ek9 B:Ma2,Mb5", ["a1"]),  # one piece fills the last space
        ("W:Ma1,Ma2,Ek9 B:Mb1,Mb2,Mh3", ["a1", "a2"]),  # a group
        ("W:Ma1,Ek9 B:Md1,Me2", ["a1"]),  # two pieces of one Realm
        ("W:Ma1,Ek9 B:Md1,Mh2", []),  # of two Realms
        ("W:Ma1,Ek9,Mc5 B:Ma2,Mb4,Ma4", ["a1"]),  # b4 moves down
        ("W:Ma1,Ek9 B:Ma2,Mb5 move=B", []),  # White is warned, not Black
        ("W:Ma1,Ek9,Mc1 B:Ma3,Md1", []),  # c1 is in the way
        ("W:Ma1,Ek9 B:Md1,Mc1,Ma3", ["a1"]),  # c1 fills b1, a3 steps down: one Realm
        ("W:Ma1,Ek9 B:Ma2,Mb9,Mb7", ["a1"]),  # b7 slides; b9 is behind it
        ("W:Ma1,Ml8,Ek12 B:Ma2,Mj8,Mb8", ["a1"]),
        ("W:Ml1,Ek12 B:Ml2,Ma1,Mb1", ["l1"]),  # a1 or b1 along the rank
        ("W:Mb6,Mb8,Ma1,Ek12 B:Ma2,Mb7,Mh9", []),  # b7 is pinned, h9 is nowhere near
        ("W:Ma7,Mc7,Ma1,Ek12 B:Ma2,Mb7,Mh9", []),  # pinned across
        ("W:Ma7,Mc7,Ma1,Ek12 B:Ma2,Mb7,Eb9", ["a1"]),  # the Emperor comes to b8 and frees it
        ("W:Ma7,Mc7,Ma1,Ek12 B:Ma2,Mb7,Ea9", []),  # the Emperor cannot reach its side in one move
        ("W:Ml1,Ek12 B:Ml2,Ma1,Mb1,Mc1", ["l1"]),
        ("W:Ml1,Mb4,Ek12 B:Ml2,Ma1,Mb1,Mb3", ["l1"]),
    ],
)
def test_v3_threatened_pieces_are_marked(board: str, names: list[str]) -> None:
    assert find_warnings(board) == names
    assert find_warnings(board, warning=False) == []


def test_v3_a_way_is_cleared_first() -> None:
    assert find_warnings("W:Ml1,Ek12,Md2 B:Ml2,Md1,Me1 move=W") == ["l1"]
    assert find_warnings("W:Ma1,Ek12,Mg2,Mg1 B:Ma2,Mi2,Mh1") == []
    blocked = "W:Mf7,Ek12,Ma12 B:Me7,Mg7,Mf6,Mf9,Mf10"
    assert find_warnings(blocked) == ["f7"]


def test_v3_is_said_when_the_turn_begins() -> None:
    state = position("W:Ma1,Mb2,Ek9 B:Ma2,Mb5", warning=True)
    assert GAME.view(state, 0)["warned"] == []
    state = play(position("W:Ma1,Mc2,Ek9 B:Ma2,Mb5", warning=True), "Mc2c3")
    assert GAME.view(state, 0)["warned"] == []
    assert GAME.view(play(state, "end"), 0)["warned"] == []
    assert GAME.view(play(state, "end Mb5b6 end"), 0)["warned"] == ["a1"]


def test_v3_changes_nothing_that_is_legal() -> None:
    board = "W:Ma1,Ek9 B:Ma2,Mb5"
    steps = [GAME.legal_moves(position(board, warning=choice), 0) for choice in (False, True)]
    assert steps[0] == steps[1]


# ---- against every turn there is, in the words of the twin


def random_crowd(rng: Random, most: int) -> State | None:
    """Return at most sixteen pieces in a corner of the board, or None if a group is already surrounded."""
    side = rng.randint(4, 6)
    names = [cell_name(across + 12 * up) for across in range(side) for up in range(side)]
    rng.shuffle(names)
    white, black = rng.randint(1, 6), rng.randint(3, 8)
    texts = [("E" if number in (0, white) else "M") + name for number, name in enumerate(names[: white + black])]
    try:
        state = GAME.decode(f"W:{','.join(texts[:white])} B:{','.join(texts[white:])} options=warning=on")
    except BadPosition:
        return None
    men = piece_cells(state.position, 1)
    return state if max(sum(realm_of(cell) == realm for cell in men) for realm in range(REALMS)) <= most else None


def may_move(board: dict[str, str], space: str) -> bool:
    if board[space][1] == "E" or any(board.get(near) == "BE" for near in NEIGHBOURS[space]):
        return True
    return not any(board.get(a, "")[:1] == "W" == board.get(b, "")[:1] for a, b in OPPOSITES[space])


def is_shut(board: dict[str, str], group: set[str]) -> bool:
    return all(near in board for name in group for near in NEIGHBOURS[name])


def surroundable_groups(board: dict[str, str], men: list[str], groups: list[set[str]]) -> set[int]:
    """The groups that fall in some turn of these men, each moving at most once; every turn is played."""
    found: set[int] = set()
    for start in men:
        if not may_move(board, start):
            continue
        for end in destinations(board, start):
            after = {name: piece for name, piece in board.items() if name != start}
            after[end] = board[start]
            shut = {number for number, group in enumerate(groups) if is_shut(after, group)}
            found |= shut or surroundable_groups(after, [name for name in men if name != start], groups)
    return found


def brute_force_warnings(state: State) -> list[str]:
    groups = [{cell_name(cell) for cell in group} for group in groups_of(state.position, 0)]
    men = piece_cells(state.position, 1)
    found: set[int] = set()
    for realm in range(REALMS):
        found |= surroundable_groups(
            pieces(state), [cell_name(cell) for cell in men if realm_of(cell) == realm], groups
        )
    return sorted(name for number in found for name in groups[number])


def compare(seed: int, most: int) -> int:
    state = random_crowd(Random(seed), most)
    if state is None:
        return 0
    assert sorted(GAME.view(state, 0)["warned"]) == brute_force_warnings(state), GAME.encode(state)
    return 1


@pytest.mark.long
def test_v3_the_warning_is_exact() -> None:
    compared = sum(compare(seed, 2) for seed in range(1500 if is_compiling() else 120))
    assert compared > 10


@pytest.mark.slow
def test_v3_the_warning_is_exact_where_three_may_move() -> None:
    assert sum(compare(seed, 3) for seed in range(600)) > 20


def test_v3_the_search_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    board = "W:Ma1,Ek9 B:Md1,Me2"
    assert find_warnings(board) == ["a1"]
    monkeypatch.setattr(threats, "MAX_TRIALS", 1)
    assert find_warnings(board) == []


def test_v3_a_crowded_realm_is_looked_at_in_time() -> None:
    board = "W:Me9,Md8,Mf8,Mh5,Ma2 B:Ed4,Me4,Mf4,Md5,Me5,Mf5,Md6,Mf6"
    began = process_time()
    names = find_warnings(board)
    assert process_time() - began < 30
    assert names == sorted(names)


def test_the_room_of_a_group() -> None:
    state = position("W:Ma1,Ma2,Ek9 B:Mb1")
    assert [
        [cell_name(cell) for cell in empty_neighbours(state.position, group)] for group in groups_of(state.position, 0)
    ] == [
        ["b2", "a3"],
        ["k8", "j9", "l9", "k10"],
    ]
    assert find_threatened_groups(state.position, 1) == []
