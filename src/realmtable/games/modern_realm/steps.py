"""The steps of Modern Realm, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum

from realmtable.kit.realm_board.steps import ALL_CELLS, BoardStep, make_step_table


class StepKind(IntEnum):
    """The kinds of steps."""

    MOVE = 0  # an Agent or Counter-Agent moves from `at` to `to`
    DISLODGE = 1  # the dislodged Agent is put on `at`
    CHOOSE = 2  # the Counter-Agent is the piece on `at` (V1)
    PASS = 3


Step = BoardStep[StepKind]
STEP_TABLE = make_step_table(Step, StepKind, (ALL_CELLS, ALL_CELLS), (ALL_CELLS,), (ALL_CELLS,))
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
