"""The steps of Realm, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from realmtable.games.realm.layout import (
    ACCEPT_END,
    CHOOSE0,
    DECLINE,
    END,
    IMMOBILE_FACING,
    IMMOBILISE0,
    MOVE0,
    NO_FACING,
    OFFER_END,
    PASS,
    PUT0,
    REARRANGE0,
    SACRIFICE0,
    STEP_CODES,
)
from realmtable.kit.realm_board.geometry import CELLS, CENTERS, Cell, realm_of, spaces_of
from realmtable.kit.step_table import StepTable

NOWHERE = -1


class StepKind(IntEnum):
    """The kinds of steps."""

    MOVE = 0  # a Power or Enforcer moves from `at` to `to`
    PUT = 1  # a piece is placed on `at`: in the set-up, as a creation, or back in a Rearrangement
    IMMOBILISE = 2  # immobilise the enemy Enforcer on `at`
    REARRANGE = 3  # lift the pieces of the Realm with Center `at`
    SACRIFICE = 4  # give the Power on `at` to free the immobile Enforcer on `to`, which will face `facing`
    CHOOSE = 5  # let seat `at` place, or move, first
    DECLINE = 6  # decline a creation (V16)
    END = 7  # end the turn
    PASS = 8
    OFFER = 9  # offer to end the game (T1)
    ACCEPT = 10


class Step(NamedTuple):
    """A step. Steps sort in the order in which legal steps are listed."""

    kind: StepKind
    at: int = NOWHERE
    to: int = NOWHERE
    facing: int = NOWHERE  # 0..3 for N, E, S, W; NO_FACING for Bases and Powers, IMMOBILE_FACING


_WORD_CODES = {
    StepKind.DECLINE: DECLINE,
    StepKind.END: END,
    StepKind.PASS: PASS,
    StepKind.OFFER: OFFER_END,
    StepKind.ACCEPT: ACCEPT_END,
}
_WORD_KINDS = {code: kind for kind, code in _WORD_CODES.items()}


def _make_code(step: Step) -> int:
    """Return the code of a step, or -1 if no board has such a step."""
    kind, at, to, facing = step
    if kind in _WORD_CODES:
        return _WORD_CODES[kind] if step == Step(kind) else -1
    if kind == StepKind.CHOOSE:
        return CHOOSE0 + at if at in (0, 1) and step == Step(kind, at) else -1
    if not 0 <= at < CELLS:
        return -1
    if kind == StepKind.MOVE:
        return MOVE0 + at * CELLS + to if 0 <= to < CELLS and facing == NOWHERE else -1
    if kind == StepKind.PUT:
        return PUT0 + at * 6 + facing if 0 <= facing <= IMMOBILE_FACING and to == NOWHERE else -1
    if kind == StepKind.IMMOBILISE:
        return IMMOBILISE0 + at if step == Step(kind, at) else -1
    if kind == StepKind.REARRANGE:
        return REARRANGE0 + realm_of(at) if at in CENTERS and step == Step(kind, at) else -1
    spaces = spaces_of(realm_of(at))
    return SACRIFICE0 + (at * 9 + spaces.index(to)) * 4 + facing if to in spaces and 0 <= facing < NO_FACING else -1


def _make_step(code: int) -> Step:
    if code < PUT0:
        return Step(StepKind.MOVE, *divmod(code - MOVE0, CELLS))
    if code < IMMOBILISE0:
        return put_step(*divmod(code - PUT0, 6))
    if code < REARRANGE0:
        return Step(StepKind.IMMOBILISE, code - IMMOBILISE0)
    if code < SACRIFICE0:
        return Step(StepKind.REARRANGE, CENTERS[code - REARRANGE0])
    if code < CHOOSE0:
        pair, facing = divmod(code - SACRIFICE0, 4)
        at, place = divmod(pair, 9)
        return Step(StepKind.SACRIFICE, at, spaces_of(realm_of(at))[place], facing)
    if code < DECLINE:
        return Step(StepKind.CHOOSE, code - CHOOSE0)
    return Step(_WORD_KINDS[code])


def put_step(at: Cell, facing: int = NO_FACING) -> Step:
    """Return the step that places a piece on a space."""
    return Step(StepKind.PUT, at, NOWHERE, facing)


def move_step(source: Cell, target: Cell) -> Step:
    """Return the step that moves a piece."""
    return Step(StepKind.MOVE, source, target)


STEP_TABLE: StepTable[Step] = StepTable(STEP_CODES, _make_step, _make_code)
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
