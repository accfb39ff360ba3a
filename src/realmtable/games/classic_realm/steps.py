"""The steps of Classic Realm, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum

from realmtable.kit.realm_board.geometry import CENTERS
from realmtable.kit.realm_board.steps import BoardStep, make_step_table


class StepKind(IntEnum):
    """The kinds of steps."""

    MOVE = 0  # a frog moves from the pad `at` to the pad `to`
    PUT = 1  # a frog is placed on the pad `at` (V1)
    END = 2  # end the turn without a second move (V2)
    PASS = 3  # never legal (C8)


Step = BoardStep[StepKind]
STEP_TABLE = make_step_table(Step, StepKind, (CENTERS, CENTERS), (CENTERS,))
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
