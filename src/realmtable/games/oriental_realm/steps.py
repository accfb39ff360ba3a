"""A step of Oriental Realm as people and programs handle it, and its number in the kernels."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from realmtable.games.oriental_realm.position import EMPEROR0, END, MANDARIN0, MOVE0, PASS, STEP_CODES
from realmtable.kit.realm_board import CELLS
from realmtable.kit.step_table import StepTable

NOWHERE = -1


class Kind(IntEnum):
    """What a step does."""

    MOVE = 0  # the piece on `at` goes to `to`
    MANDARIN = 1  # one is placed on `at` (V1)
    EMPEROR = 2  # he is placed (V1) or chosen (V2) on `at`
    END = 3  # the turn
    PASS = 4


class Step(NamedTuple):
    """One step. Steps compare in the order in which they are listed."""

    kind: Kind
    at: int = NOWHERE
    to: int = NOWHERE


_FIRST = {Kind.MANDARIN: MANDARIN0, Kind.EMPEROR: EMPEROR0}
_WORDS = {Kind.END: END, Kind.PASS: PASS}


def _made_code(step: Step) -> int:
    """The number of a step, or -1 for one that does not exist on any board."""
    kind, at, to = step
    if kind in _WORDS:
        return _WORDS[kind] if step == Step(kind) else -1
    if not 0 <= at < CELLS:
        return -1
    if kind == Kind.MOVE:
        return MOVE0 + at * CELLS + to if 0 <= to < CELLS else -1
    return _FIRST[kind] + at if to == NOWHERE else -1


def _made_step(code: int) -> Step:
    if not 0 <= code < STEP_CODES:
        raise ValueError(f"there is no step {code}")
    if code < MANDARIN0:
        return Step(Kind.MOVE, *divmod(code - MOVE0, CELLS))
    if code < EMPEROR0:
        return Step(Kind.MANDARIN, code - MANDARIN0)
    if code < END:
        return Step(Kind.EMPEROR, code - EMPEROR0)
    return Step(Kind.END if code == END else Kind.PASS)


TABLE: StepTable[Step] = StepTable(_made_step, _made_code)
step_of = TABLE.step_of
code_of = TABLE.code_of
