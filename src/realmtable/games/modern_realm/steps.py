"""The steps of Modern Realm, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from realmtable.games.modern_realm.layout import CHOOSE0, DISLODGE0, MOVE0, PASS, STEP_CODES
from realmtable.kit.realm_board.geometry import CELLS, Cell
from realmtable.kit.step_table import StepTable

NOWHERE = -1


class StepKind(IntEnum):
    """The kinds of steps."""

    MOVE = 0  # an Agent or Counter-Agent moves from `at` to `to`
    DISLODGE = 1  # the dislodged Agent is put on `at`
    CHOOSE = 2  # the Counter-Agent is the piece on `at` (V1)
    PASS = 3


class Step(NamedTuple):
    """A step. Steps sort in the order in which legal steps are listed."""

    kind: StepKind
    at: int = NOWHERE
    to: int = NOWHERE


def _make_code(step: Step) -> int:
    """Return the code of a step, or -1 if no board has such a step."""
    kind, at, to = step
    if kind == StepKind.PASS:
        return PASS if step == Step(kind) else -1
    if not 0 <= at < CELLS:
        return -1
    if kind == StepKind.MOVE:
        return MOVE0 + at * CELLS + to if 0 <= to < CELLS else -1
    return (DISLODGE0 if kind == StepKind.DISLODGE else CHOOSE0) + at if to == NOWHERE else -1


def _make_step(code: int) -> Step:
    if code < DISLODGE0:
        return Step(StepKind.MOVE, *divmod(code - MOVE0, CELLS))
    if code < CHOOSE0:
        return Step(StepKind.DISLODGE, code - DISLODGE0)
    return Step(StepKind.CHOOSE, code - CHOOSE0) if code < PASS else Step(StepKind.PASS)


def move_step(source: Cell, target: Cell) -> Step:
    """Return the step that moves a piece."""
    return Step(StepKind.MOVE, source, target)


STEP_TABLE: StepTable[Step] = StepTable(STEP_CODES, _make_step, _make_code)
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
