"""The steps of Classic Realm, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from realmtable.games.classic_realm.layout import END, MOVE0, PASS, PUT0, STEP_CODES
from realmtable.kit.realm_board.geometry import CENTERS, REALMS, Cell, realm_of
from realmtable.kit.step_table import StepTable

NOWHERE = -1


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


_WORD_CODES = {StepKind.END: END, StepKind.PASS: PASS}
_WORD_KINDS = {code: kind for kind, code in _WORD_CODES.items()}


def _make_code(step: Step) -> int:
    """Return the code of a step, or -1 if no board has such a step."""
    kind, at, to = step
    if kind in _WORD_CODES:
        return _WORD_CODES[kind] if step == Step(kind) else -1
    if at not in CENTERS:
        return -1
    if kind == StepKind.PUT:
        return PUT0 + realm_of(at) if step == put_step(at) else -1
    return MOVE0 + realm_of(at) * REALMS + realm_of(to) if to in CENTERS else -1


def _make_step(code: int) -> Step:
    if code < PUT0:
        source, target = divmod(code - MOVE0, REALMS)
        return move_step(CENTERS[source], CENTERS[target])
    if code < END:
        return put_step(CENTERS[code - PUT0])
    return Step(_WORD_KINDS[code])


def put_step(at: Cell) -> Step:
    """Return the step that places a frog."""
    return Step(StepKind.PUT, at)


def move_step(source: Cell, target: Cell) -> Step:
    """Return the step that moves a frog."""
    return Step(StepKind.MOVE, source, target)


STEP_TABLE: StepTable[Step] = StepTable(STEP_CODES, _make_step, _make_code)
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
