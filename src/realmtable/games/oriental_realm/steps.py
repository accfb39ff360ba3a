"""The steps of Oriental Realm, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from realmtable.games.oriental_realm.layout import EMPEROR0, END, MANDARIN0, MOVE0, PASS, STEP_CODES
from realmtable.kit.realm_board.geometry import Cell
from realmtable.kit.realm_board.steps import ALL_CELLS, NOWHERE, StepRange, make_step_table
from realmtable.kit.step_table import StepTable


class StepKind(IntEnum):
    """The kinds of steps."""

    MOVE = 0  # the piece on `at` moves to `to`
    MANDARIN = 1  # a Mandarin is placed on `at` (V1)
    EMPEROR = 2  # the Emperor is placed (V1) or chosen (V2) on `at`
    END = 3  # end the turn
    PASS = 4


class Step(NamedTuple):
    """A step. Steps sort in the order in which legal steps are listed."""

    kind: StepKind
    at: Cell = NOWHERE
    to: Cell = NOWHERE


STEP_RANGES: Final = (
    StepRange(StepKind.MOVE, MOVE0, (ALL_CELLS, ALL_CELLS)),
    StepRange(StepKind.MANDARIN, MANDARIN0, (ALL_CELLS,)),
    StepRange(StepKind.EMPEROR, EMPEROR0, (ALL_CELLS,)),
    StepRange(StepKind.END, END),
    StepRange(StepKind.PASS, PASS),
)
STEP_TABLE: Final[StepTable[Step]] = make_step_table(Step, STEP_RANGES, STEP_CODES)
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
