"""Alpha-beta with iterative deepening until the time or the nodes are used up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import AnyGame, Move, Seat, State
from realmtable.kit.array_state import ArrayState
from realmtable.kit.rules import Rules
from realmtable.kit.specialise import specialise
from realmtable.search.compiled_games import require_array_game
from realmtable.search.search_result import SearchLimits

ALPHABETA_SOURCE: Final = Path(__file__).with_name("alphabeta_kernels.py")
MAX_DEPTH: Final = 40  # plies; the kernels allow a few more
MAX_TABLE_SIZE: Final = 1 << 20  # positions
UNLIMITED_NODES: Final = 1 << 60

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class DeepeningResult:
    """The result of a search: every step of the root with its value, best first."""

    steps: list[int]
    values: list[float]  # for the acting seat; exact for the best step, upper bounds for the others
    depth: int  # the last depth searched completely
    nodes: int


def deepen(
    rules: Rules, state: ArrayState[Any], limits: SearchLimits, contempt: float = 0.0, deepest: int = MAX_DEPTH
) -> DeepeningResult:
    """Search a state depth by depth until a limit is reached, the result is decided or the deepest depth is done.

    An interrupted depth still counts as far as it got, because it starts with the best steps so far. With positive
    contempt, the acting seat rates a draw below even.
    """
    kernels = specialise(ALPHABETA_SOURCE, __package__, rules)
    board = _new_arrays(kernels, rules, state, contempt, limits.nodes)
    with _apply_limits(board.counters, kernels.LIMIT, limits):
        count = kernels.list_steps(board, 0, kernels.NOTHING)
        steps, values = board.steps[0, :count].copy(), board.values[0, :count].copy()
        depth = 1
        while depth < deepest and not board.counters[kernels.STOPPED] and abs(values[0]) <= 1.0:
            new_steps, new_values = steps.copy(), values.copy()
            done = kernels.search_root(board, depth + 1, new_steps, new_values)
            if done:
                steps, values = new_steps, new_values
            depth += done == count
    return DeepeningResult(steps.tolist(), values.tolist(), depth, int(board.counters[kernels.NODES]))


@contextmanager
def _apply_limits(counters: Ints, limit: int, limits: SearchLimits) -> Iterator[None]:
    """Set the node limit; a timer thread lowers it when the time is up."""
    counters[limit] = UNLIMITED_NODES if limits.nodes is None else limits.nodes
    if limits.seconds is None:
        yield
        return
    timer = Timer(limits.seconds, counters.__setitem__, (limit, -1))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _table_size(nodes: int | None) -> int:
    """Return a table size that fits the search: a larger one costs time to allocate, a smaller one loses entries."""
    return MAX_TABLE_SIZE if nodes is None else min(MAX_TABLE_SIZE, 1 << nodes.bit_length())


def _new_arrays(
    kernels: Any,  # noqa: ANN401 - the module
    rules: Rules,
    state: ArrayState[Any],
    contempt: float,
    nodes: int | None,
) -> Any:  # noqa: ANN401 - its `SearchArrays`
    size = state.position.size
    plies = kernels.MAX_PLY + 1
    seat = int(state.position[rules.seat_entry])
    positions = np.empty((plies, size), dtype=np.int64)
    positions[0] = state.position
    table_size = _table_size(nodes)
    return kernels.SearchArrays(
        positions=positions,
        steps=np.empty((plies, rules.step_capacity), dtype=np.int64),
        values=np.empty((plies, rules.step_capacity)),
        killers=np.full(plies, kernels.NOTHING, dtype=np.int64),
        trial=np.empty(size, dtype=np.int64),
        measures=np.empty(len(rules.features)),
        weights=np.array([feature.weight for feature in rules.features]),
        draw_values=np.array([-contempt if seat == other else contempt for other in range(2)]),
        counters=np.zeros(kernels.COUNTERS, dtype=np.int64),
        table_key=np.zeros(table_size, dtype=np.int64),
        table_depth=np.zeros(table_size, dtype=np.int64),
        table_bound=np.zeros(table_size, dtype=np.int64),
        table_value=np.zeros(table_size),
        table_step=np.zeros(table_size, dtype=np.int64),
    )


class AlphaBetaBot:
    """Plays the best step that alpha-beta finds."""

    name = "alphabeta"

    def __init__(self, nodes: int | None = None, seconds: float | None = None) -> None:
        self.limits = SearchLimits(seconds=seconds, nodes=nodes)

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:  # noqa: ARG002 - it is deterministic
        playing = require_array_game(game)
        found = deepen(playing.rules, state, self.limits, playing.rules.search_parameters.contempt)
        return playing.spec.step_table.step_of(found.steps[0])
