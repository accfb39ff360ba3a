"""Perft: the number of step sequences, counted by the game and confirmed by the twin."""

from __future__ import annotations

import dataclasses

import pytest

from realmtable.engine.options import OptionValue
from realmtable.engine.perft import perft
from realmtable.games.oriental_realm.first_state import State
from realmtable.games.oriental_realm.layout import TURNS
from realmtable.kit.compile import is_compiling
from tests.oriental_realm.helpers import GAME, pieces, position, seat_of, start
from tests.oriental_realm.twin import OrientalTwin, OrientalTwinOptions
from tests.twin_checks import count_twin_sequences

CROWD = "W:Ed5,Mb4,Mc4,Mb5,Ma6,Me5,Md4,Mk9 B:Ed7,Mb6,Ma4,Mc5,Mc6,Me6,Mf5,Ml1 move="
TABLE: list[tuple[str, dict[str, OptionValue], list[int]]] = [
    ("", {}, [56, 56, 3178, 3178, 212_772]),
    ("", {"emperor": "b5"}, [56, 56, 3178, 3178, 212_772]),
    ("", {"emperor": "choose"}, [8, 64, 3584, 3584, 203_392]),
    ("", {"free_setup": True}, [288, 77_760]),
    ("", {"warning": True}, [56, 56, 3178, 3178, 212_772]),
    (CROWD + "W", {}, [52, 341, 6625, 71_204]),
    (CROWD + "B", {}, [87, 756, 6659, 79_360]),
    (CROWD + "W turns=19", {"max_turns": 20}, [52, 341, 2127, 5738]),
]
QUICK = 4000
ids = [f"{board[-1:] or 'start'}-{options}" for board, options, _ in TABLE]


def state_of(board: str, options: dict[str, OptionValue]) -> State:
    return position(board, **options) if board else start(**options)


def twin_of(state: State) -> OrientalTwin:
    options = OrientalTwinOptions(**dataclasses.asdict(state.options))
    if GAME.view(state, None)["phase"] != "turn":
        return OrientalTwin.initial(options)
    return OrientalTwin(options, pieces(state), 0, seat_of(state), int(state.position[TURNS]))._begin_turn()


@pytest.mark.parametrize(("board", "options", "numbers"), TABLE, ids=ids)
def test_perft(board: str, options: dict[str, OptionValue], numbers: list[int]) -> None:
    state = state_of(board, options)
    most = QUICK if is_compiling() else 400
    few = [number for number in numbers if number <= most]
    assert [perft(GAME, state, depth + 1) for depth in range(len(few))] == few
    assert [count_twin_sequences(twin_of(state), depth + 1) for depth in range(len(few))] == few


@pytest.mark.slow
@pytest.mark.parametrize(("board", "options", "numbers"), TABLE, ids=ids)
def test_perft_deeper(board: str, options: dict[str, OptionValue], numbers: list[int]) -> None:
    state = state_of(board, options)
    assert [perft(GAME, state, depth + 1) for depth in range(len(numbers))] == numbers
    assert [count_twin_sequences(twin_of(state), depth + 1) for depth in range(len(numbers))] == numbers
