"""The steps of Oriental Realm, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from realmtable.games.oriental_realm.layout import EMPEROR0, END, MANDARIN0, MOVE0, PASS, STEP_CODES
from realmtable.kit.realm_board.geometry import CELLS
from realmtable.kit.step_table import StepTable

NOWHERE = -1


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
    at: int = NOWHERE
    to: int = NOWHERE


_PLACEMENT_CODES = {StepKind.MANDARIN: MANDARIN0, StepKind.EMPEROR: EMPEROR0}
_WORD_CODES = {StepKind.END: END, StepKind.PASS: PASS}


def _make_code(step: Step) -> int:
    """Return the code of a step, or -1 if no board has such a step."""
    kind, at, to = step
    if kind in _WORD_CODES:
        return _WORD_CODES[kind] if step == Step(kind) else -1
    if not 0 <= at < CELLS:
        return -1
    if kind == StepKind.MOVE:
        return MOVE0 + at * CELLS + to if 0 <= to < CELLS else -1
    return _PLACEMENT_CODES[kind] + at if to == NOWHERE else -1


def _make_step(code: int) -> Step:
    if code < MANDARIN0:
        return Step(StepKind.MOVE, *divmod(code - MOVE0, CELLS))
    if code < EMPEROR0:
        return Step(StepKind.MANDARIN, code - MANDARIN0)
    if code < END:
        return Step(StepKind.EMPEROR, code - EMPEROR0)
    return Step(StepKind.END if code == END else StepKind.PASS)


STEP_TABLE: StepTable[Step] = StepTable(STEP_CODES, _make_step, _make_code)
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
