"""Alpha-beta for people and matches: deeper and deeper, until the time or the nodes are used up."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np

from realmtable.engine.protocol import AnyGame, Seat
from realmtable.kit.array_state import ArrayState
from realmtable.kit.judging import Judgement
from realmtable.search.compiled import specialised, style_of
from realmtable.search.thinking import Limits
from realmtable.search.tree_bot import kernel_game

TABLE_SIZE: Final = 1 << 20
DEEPEST: Final = 40  # plies; the kernels have room for some more
FIRST_NODES: Final = 20_000  # searched before anything is known of the speed
SPARE: Final = 0.9  # of the nodes that the time would allow, for the clock is looked at between depths only


@dataclass(frozen=True)
class Deepened:
    """What a search found: every step of the root with its value, the best first."""

    steps: list[int]
    values: list[float]  # to who acts; only the first is exact, the others are not better
    depth: int  # the last that was searched to its end
    nodes: int


def deepened(
    judgement: Judgement, state: ArrayState[Any], limits: Limits, contempt: float = 0.0, deepest: int = DEEPEST
) -> Deepened:
    """Search a state depth by depth; one that is cut short still counts as far as it found something better."""
    kernels = specialised(judgement, "alphabeta")
    board = _new_board(kernels, judgement, state, contempt)
    start = time.monotonic()
    board.counters[kernels.LIMIT] = limits.nodes or FIRST_NODES
    count = kernels.list_steps(board, 0, kernels.NOTHING)
    steps, values = board.steps[0, :count].copy(), board.values[0, :count].copy()
    depth = 0
    while depth < deepest and abs(values[0]) <= 1.0 and count > 1:
        limit = _node_limit(limits, int(board.counters[kernels.NODES]), time.monotonic() - start)
        if limit <= board.counters[kernels.NODES]:
            break
        board.counters[kernels.LIMIT] = limit
        new_steps, new_values = steps.copy(), values.copy()
        searched = kernels.search_root(board, depth + 1, new_steps, new_values, count)
        if searched > 0:
            steps, values = new_steps, new_values
        if searched < count:
            break
        depth += 1
    return Deepened(steps.tolist(), values.tolist(), depth, int(board.counters[kernels.NODES]))


def _node_limit(limits: Limits, nodes: int, passed: float) -> int:
    """Up to how many nodes the next depth may go, by what was reached in the time so far."""
    most = limits.nodes if limits.nodes is not None else 1 << 60
    if limits.seconds is None:
        return most
    left = limits.seconds - passed
    rate = nodes / max(passed, 1e-4)
    return min(most, nodes + int(SPARE * rate * left)) if left > 0 else 0


def _new_board(kernels: Any, judgement: Judgement, state: ArrayState[Any], contempt: float) -> Any:  # noqa: ANN401
    size = state.position.size
    seat = int(state.position[judgement.seat_entry])
    positions = np.empty((kernels.DEEPEST + 1, size), dtype=np.int64)
    positions[0] = state.position
    return kernels.Board(
        positions=positions,
        steps=np.empty((kernels.DEEPEST + 1, judgement.room), dtype=np.int64),
        values=np.empty((kernels.DEEPEST + 1, judgement.room)),
        trial=np.empty(size, dtype=np.int64),
        measures=np.empty(len(judgement.features)),
        weights=np.array([feature.weight for feature in judgement.features]),
        drawn=np.array([-contempt if seat == who else contempt for who in range(2)]),
        counters=np.zeros(kernels.COUNTERS, dtype=np.int64),
        table_key=np.zeros(TABLE_SIZE, dtype=np.int64),
        table_depth=np.full(TABLE_SIZE, -1, dtype=np.int64),
        table_bound=np.zeros(TABLE_SIZE, dtype=np.int64),
        table_value=np.zeros(TABLE_SIZE),
        table_step=np.zeros(TABLE_SIZE, dtype=np.int64),
    )


class AlphaBetaBot:
    """Plays the step that alpha-beta likes best."""

    name = "alphabeta"

    def __init__(self, nodes: int | None = None, seconds: float | None = None) -> None:
        self.limits = Limits(seconds=seconds, nodes=nodes)

    def choose(self, game: AnyGame, state: Any, seat: Seat, rng: Random) -> Any:  # noqa: ANN401, ARG002 - no chance here
        """The best step found."""
        playing = kernel_game(game)
        found = deepened(playing.judgement(), state, self.limits, style_of(game.info.id).contempt)
        return playing.parts.table.step_of(found.steps[0])
