"""Alpha-beta for people and matches: deeper and deeper, until the time or the nodes are used up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from threading import Timer
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import AnyGame, Seat
from realmtable.kit.array_state import ArrayState
from realmtable.kit.evaluation import Judgement
from realmtable.search.compiled import specialised, style_of
from realmtable.search.result import Limits, Line, Thought
from realmtable.search.tree_bot import kernel_game

DEEPEST: Final = 40  # plies; the kernels have room for some more
MOST_KEPT: Final = 1 << 20  # positions in the table
LONGEST: Final = 16  # steps of a line
ENDLESS: Final = 1 << 60

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Deepened:
    """What a search found: every step of the root with its value, the best first."""

    steps: list[int]
    values: list[float]  # to who acts; exact as far as was wanted, the others are not better
    depth: int  # the last that was searched to its end
    nodes: int


class Deepening:
    """A search of one state, depth by depth."""

    def __init__(
        self, judgement: Judgement, state: ArrayState[Any], limits: Limits, *, contempt: float = 0.0, wanted: int = 1
    ) -> None:
        self.limits = limits
        self.state = state
        self.kernels = specialised(judgement, "alphabeta")
        self.board = _new_board(self.kernels, judgement, state, contempt, limits.nodes)
        self.wanted = wanted

    def run(self, deepest: int = DEEPEST) -> Deepened:
        """Search until a limit is reached, the end is seen or it is deep enough.

        A depth that is cut short still counts as far as it came: it began with what was best before.
        """
        kernels, board = self.kernels, self.board
        with _stopped_in_time(board.counters, kernels.LIMIT, self.limits):
            count = kernels.list_steps(board, 0, kernels.NOTHING)
            steps, values = board.steps[0, :count].copy(), board.values[0, :count].copy()
            wanted = min(self.wanted, count)
            depth = 1
            while depth < deepest and not board.counters[kernels.STOPPED] and not _is_settled(values[:wanted]):
                new_steps, new_values = steps.copy(), values.copy()
                done = kernels.search_root(board, depth + 1, new_steps, new_values, wanted)
                if done >= wanted:
                    steps, values = new_steps, new_values
                depth += done == count
        return Deepened(steps.tolist(), values.tolist(), depth, int(board.counters[kernels.NODES]))

    def line(self, step: int) -> list[int]:
        """A step of the root and how the search would go on, as far as its table tells."""
        found = [step]
        state = self.state.after(step)
        while len(found) < LONGEST and (follower := self._known_step(state)) in state.codes():
            found.append(follower)
            state = state.after(follower)
        return found

    def _known_step(self, state: ArrayState[Any]) -> int:
        """The best step of a state by the table, or -1."""
        key = int(self.kernels.state_key(state.position))
        slot = key & (self.board.table_key.size - 1)
        known = self.board.table_key[slot] == key and self.board.table_depth[slot] > 0
        return int(self.board.table_step[slot]) if known else -1


def _is_settled(values: Floats) -> bool:
    """Whether every wanted value is a win or a loss, so that nothing is left to find."""
    return bool((np.abs(values) > 1.0).all())


@contextmanager
def _stopped_in_time(counters: Ints, limit: int, limits: Limits) -> Iterator[None]:
    """Set the limit of nodes; another thread takes it back to nothing when the time is up."""
    counters[limit] = ENDLESS if limits.nodes is None else limits.nodes
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
    """Room for what a search finds: more would only have to be made, less would be written over."""
    return MOST_KEPT if nodes is None else min(MOST_KEPT, 1 << nodes.bit_length())


def _new_board(
    kernels: Any,  # noqa: ANN401 - the module
    judgement: Judgement,
    state: ArrayState[Any],
    contempt: float,
    nodes: int | None,
) -> Any:  # noqa: ANN401 - its `Board`
    size = state.position.size
    plies = kernels.DEEPEST + 1
    seat = int(state.position[judgement.seat_entry])
    positions = np.empty((plies, size), dtype=np.int64)
    positions[0] = state.position
    kept = _table_size(nodes)
    return kernels.Board(
        positions=positions,
        steps=np.empty((plies, judgement.room), dtype=np.int64),
        values=np.empty((plies, judgement.room)),
        killers=np.full(plies, kernels.NOTHING, dtype=np.int64),
        trial=np.empty(size, dtype=np.int64),
        measures=np.empty(len(judgement.features)),
        weights=np.array([feature.weight for feature in judgement.features]),
        drawn=np.array([-contempt if seat == who else contempt for who in range(2)]),
        counters=np.zeros(kernels.COUNTERS, dtype=np.int64),
        table_key=np.zeros(kept, dtype=np.int64),
        table_depth=np.zeros(kept, dtype=np.int64),
        table_bound=np.zeros(kept, dtype=np.int64),
        table_value=np.zeros(kept),
        table_step=np.zeros(kept, dtype=np.int64),
    )


def deepened(
    judgement: Judgement, state: ArrayState[Any], limits: Limits, contempt: float = 0.0, deepest: int = DEEPEST
) -> Deepened:
    """What alpha-beta finds in a state; a draw is worth less than nothing to who would rather win."""
    return Deepening(judgement, state, limits, contempt=contempt).run(deepest)


def think_deep(game: AnyGame, state: Any, limits: Limits, *, lines: int = 1) -> Thought:  # noqa: ANN401 - the game's own
    """What alpha-beta makes of a state: as `think.think`, but each line begins with another step."""
    start = time.monotonic()
    playing = kernel_game(game)
    search = Deepening(playing.judgement(), state, limits, wanted=lines)
    found = search.run()
    told = tuple(
        Line(
            moves=tuple(playing.parts.table.step_of(code) for code in search.line(step)),
            value=min(max((1.0 + value) / 2.0, 0.0), 1.0),
            visits=found.nodes,
            proven=abs(value) > 1.0,
        )
        for step, value in list(zip(found.steps, found.values, strict=True))[:lines]
    )
    return Thought(told[0].value, told[0].proven, found.nodes, time.monotonic() - start, told)


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
