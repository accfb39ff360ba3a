"""The steps of Oriental Realm, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum

from realmtable.kit.realm_board.steps import ALL_CELLS, BoardStep, make_step_table


class StepKind(IntEnum):
    """The kinds of steps."""

    MOVE = 0  # the piece on `at` moves to `to`
    MANDARIN = 1  # a Mandarin is placed on `at` (V1)
    EMPEROR = 2  # the Emperor is placed (V1) or chosen (V2) on `at`
    END = 3  # end the turn
    PASS = 4


Step = BoardStep[StepKind]
STEP_TABLE = make_step_table(Step, StepKind, (ALL_CELLS, ALL_CELLS), (ALL_CELLS,), (ALL_CELLS,))
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
