"""The steps of Classic Realm, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from realmtable.games.classic_realm.layout import END, MOVE0, PASS, PUT0, STEP_CODES
from realmtable.kit.realm_board.geometry import CENTERS, Cell
from realmtable.kit.realm_board.steps import NOWHERE, StepRange, make_step_table
from realmtable.kit.step_table import StepTable


class StepKind(IntEnum):
    """The kinds of steps."""

    MOVE = 0  # a frog moves from the pad `at` to the pad `to`
    PUT = 1  # a frog is placed on the pad `at` (V1)
    END = 2  # end the turn without a second move (V2)
    PASS = 3  # never legal (C8)


class Step(NamedTuple):
    """A step. Steps sort in the order in which legal steps are listed."""

    kind: StepKind
    at: Cell = NOWHERE
    to: Cell = NOWHERE


STEP_RANGES: Final = (
    StepRange(StepKind.MOVE, MOVE0, (CENTERS, CENTERS)),
    StepRange(StepKind.PUT, PUT0, (CENTERS,)),
    StepRange(StepKind.END, END),
    StepRange(StepKind.PASS, PASS),
)
STEP_TABLE: Final[StepTable[Step]] = make_step_table(Step, STEP_RANGES, STEP_CODES)
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
