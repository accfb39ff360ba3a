"""A step of Realm as people and programs handle it, and its number in the kernels."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from realmtable.games.realm.position import (
    ACCEPT_END,
    CHOOSE0,
    DECLINE,
    END,
    FLAT,
    IMMOBILISE0,
    MOVE0,
    OFFER_END,
    PASS,
    PLAIN,
    PUT0,
    REARRANGE0,
    SACRIFICE0,
    STEP_CODES,
)
from realmtable.kit.realm_board import CELLS, CENTERS, Cell, realm_of, spaces_of
from realmtable.kit.step_table import StepTable

NOWHERE = -1


class Kind(IntEnum):
    """What a step does."""

    MOVE = 0  # a Power or Enforcer moves from `at` to `to`
    PUT = 1  # a piece is placed on `at`: in the set-up, as a creation, or back in a Rearrangement
    IMMOBILISE = 2  # the enemy Enforcer on `at`
    REARRANGE = 3  # lift the pieces of the Realm with Center `at`
    SACRIFICE = 4  # the Power on `at` for the immobile Enforcer on `to`, which will face `facing`
    CHOOSE = 5  # seat `at` is to place, or move, first
    DECLINE = 6  # a creation (V16)
    END = 7  # the turn
    PASS = 8
    OFFER = 9  # to end the game (T1)
    ACCEPT = 10


class Step(NamedTuple):
    """One step. Steps compare in the order in which they are listed."""

    kind: Kind
    at: int = NOWHERE
    to: int = NOWHERE
    facing: int = NOWHERE  # 0..3 for N, E, S, W; PLAIN for Bases and Powers, FLAT for immobile Enforcers


_WORDS = {
    Kind.DECLINE: DECLINE,
    Kind.END: END,
    Kind.PASS: PASS,
    Kind.OFFER: OFFER_END,
    Kind.ACCEPT: ACCEPT_END,
}
_WORD_KINDS = {code: kind for kind, code in _WORDS.items()}


def _made_code(step: Step) -> int:
    """The number of a step, or -1 for one that does not exist on any board."""
    kind, at, to, facing = step
    if kind in _WORDS:
        return _WORDS[kind] if step == Step(kind) else -1
    if kind == Kind.CHOOSE:
        return CHOOSE0 + at if at in (0, 1) and step == Step(kind, at) else -1
    if not 0 <= at < CELLS:
        return -1
    if kind == Kind.MOVE:
        return MOVE0 + at * CELLS + to if 0 <= to < CELLS and facing == NOWHERE else -1
    if kind == Kind.PUT:
        return PUT0 + at * 6 + facing if 0 <= facing <= FLAT and to == NOWHERE else -1
    if kind == Kind.IMMOBILISE:
        return IMMOBILISE0 + at if step == Step(kind, at) else -1
    if kind == Kind.REARRANGE:
        return REARRANGE0 + realm_of(at) if at in CENTERS and step == Step(kind, at) else -1
    spaces = spaces_of(realm_of(at))
    return SACRIFICE0 + (at * 9 + spaces.index(to)) * 4 + facing if to in spaces and 0 <= facing < PLAIN else -1


def _made_step(code: int) -> Step:
    if not 0 <= code < STEP_CODES:
        raise ValueError(f"there is no step {code}")
    if code < PUT0:
        return Step(Kind.MOVE, *divmod(code - MOVE0, CELLS))
    if code < IMMOBILISE0:
        return put(*divmod(code - PUT0, 6))
    if code < REARRANGE0:
        return Step(Kind.IMMOBILISE, code - IMMOBILISE0)
    if code < SACRIFICE0:
        return Step(Kind.REARRANGE, CENTERS[code - REARRANGE0])
    if code < CHOOSE0:
        pair, facing = divmod(code - SACRIFICE0, 4)
        at, place = divmod(pair, 9)
        return Step(Kind.SACRIFICE, at, spaces_of(realm_of(at))[place], facing)
    if code < DECLINE:
        return Step(Kind.CHOOSE, code - CHOOSE0)
    return Step(_WORD_KINDS[code])


def put(at: Cell, facing: int = PLAIN) -> Step:
    """The step that puts a piece on a space."""
    return Step(Kind.PUT, at, NOWHERE, facing)


def move(source: Cell, target: Cell) -> Step:
    """The step that moves a piece."""
    return Step(Kind.MOVE, source, target)


TABLE: StepTable[Step] = StepTable(_made_step, _made_code)
step_of = TABLE.step_of
code_of = TABLE.code_of
