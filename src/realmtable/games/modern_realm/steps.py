"""The steps of Modern Realm, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from realmtable.games.modern_realm.layout import CHOOSE0, DISLODGE0, MOVE0, PASS, STEP_CODES
from realmtable.kit.realm_board.geometry import Cell
from realmtable.kit.realm_board.steps import ALL_CELLS, NOWHERE, StepRange, make_step_table
from realmtable.kit.step_table import StepTable


class StepKind(IntEnum):
    """The kinds of steps."""

    MOVE = 0  # an Agent or Counter-Agent moves from `at` to `to`
    DISLODGE = 1  # the dislodged Agent is put on `at`
    CHOOSE = 2  # the Counter-Agent is the piece on `at` (V1)
    PASS = 3


class Step(NamedTuple):
    """A step. Steps sort in the order in which legal steps are listed."""

    kind: StepKind
    at: Cell = NOWHERE
    to: Cell = NOWHERE


STEP_RANGES: Final = (
    StepRange(StepKind.MOVE, MOVE0, (ALL_CELLS, ALL_CELLS)),
    StepRange(StepKind.DISLODGE, DISLODGE0, (ALL_CELLS,)),
    StepRange(StepKind.CHOOSE, CHOOSE0, (ALL_CELLS,)),
    StepRange(StepKind.PASS, PASS),
)
STEP_TABLE: Final[StepTable[Step]] = make_step_table(Step, STEP_RANGES, STEP_CODES)
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
