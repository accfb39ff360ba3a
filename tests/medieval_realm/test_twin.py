"""Step by step with the slow twin: the same steps, states and ends, and the same numbers of step sequences."""

from __future__ import annotations

import dataclasses

import pytest

from realmtable.engine.options import OptionValue
from realmtable.engine.perft import perft
from realmtable.games.medieval_realm.first_state import State
from realmtable.games.medieval_realm.notation import bare_text
from realmtable.kit.compile import is_compiling
from tests.medieval_realm.helpers import GAME, TESTED, record_of, summary
from tests.medieval_realm.twin import WIDTHS, MedievalTwin, MedievalTwinOptions
from tests.twin_checks import TwinChecks, count_twin_sequences


class TestTwin(TwinChecks):
    tested = TESTED
    summary = staticmethod(summary)
    twin = MedievalTwin
    twin_options = MedievalTwinOptions
    widths = WIDTHS


# ---- perft


def both_after(name: str, turns: int, **changed: OptionValue) -> tuple[State, MedievalTwin]:
    """Game and twin after the first turns of a record, under its options but for those given."""
    record = record_of(name)
    options = dataclasses.replace(record.start.options, **changed)
    state, twin = GAME.initial(2, options), TestTwin.start_twin(options)
    for turn in record.turns[:turns]:
        twin = twin.play(bare_text(state, turn.moves[0]))
        state = GAME.play(state, turn.seat, turn.moves[0])
    return state, twin


# Numbers of step sequences by length: from each set-up, then from games under way, with options that matter there.
PERFT: list[tuple[str, int, dict[str, OptionValue], list[int]]] = [
    ("end-borne-off-white", 0, {"duke_squares": "back_middle"}, [1, 32, 776, 19178, 419662]),
    ("end-borne-off-white", 0, {"duke_squares": "back_corners"}, [1, 32, 776, 19056, 406884]),
    ("end-borne-off-white", 0, {"duke_squares": "front_middle"}, [1, 16, 224, 4024, 73382]),
    ("end-borne-off-white", 0, {"duke_squares": "front_corners"}, [1, 16, 222, 4564, 79998]),
    ("end-borne-off-white", 12, {}, [1, 20, 427, 7008]),
    ("end-borne-off-white", 24, {}, [1, 22, 86, 1745, 7915]),
    ("end-borne-off-white", 38, {}, [1, 17, 83, 1036, 5897]),
    ("end-duke-draw", 17, {}, [1, 14, 198, 2452, 40802]),
    ("end-duke-draw", 17, {"duke_draw": False}, [1, 14, 198, 2659, 43766]),
    ("end-max-plies", 17, {}, [1, 5, 70, 413, 0]),
    ("end-max-plies", 17, {"max_plies": 300}, [1, 5, 70, 413, 5196]),
]
QUICK = 2  # the depth that is counted step by step without a compiler
USUAL = 3


def check_perft(name: str, turns: int, options: dict[str, OptionValue], numbers: list[int]) -> None:
    state, twin = both_after(name, turns, **options)
    assert [perft(GAME, state, depth) for depth in range(len(numbers))] == numbers
    assert [count_twin_sequences(twin, depth) for depth in range(1, len(numbers))] == numbers[1:]


@pytest.mark.parametrize(("name", "turns", "options", "numbers"), PERFT)
def test_perft(name: str, turns: int, options: dict[str, OptionValue], numbers: list[int]) -> None:
    check_perft(name, turns, options, numbers[: 1 + (USUAL if is_compiling() else QUICK)])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "turns", "options", "numbers"), PERFT)
def test_deep_perft(name: str, turns: int, options: dict[str, OptionValue], numbers: list[int]) -> None:
    check_perft(name, turns, options, numbers)
