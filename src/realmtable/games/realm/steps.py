"""The steps of Realm, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

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
from realmtable.kit.realm_board.geometry import CENTERS, Cell, realm_of, spaces_of
from realmtable.kit.realm_board.steps import ALL_CELLS, NOWHERE, StepRange, make_code, make_step
from realmtable.kit.step_table import StepTable


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


STEP_RANGES: Final = (
    StepRange(StepKind.MOVE, MOVE0, (ALL_CELLS, ALL_CELLS)),
    StepRange(StepKind.PUT, PUT0, (ALL_CELLS, (NOWHERE,), range(IMMOBILE_FACING + 1))),
    StepRange(StepKind.IMMOBILISE, IMMOBILISE0, (ALL_CELLS,)),
    StepRange(StepKind.REARRANGE, REARRANGE0, (CENTERS,)),
    StepRange(StepKind.SACRIFICE, SACRIFICE0, (ALL_CELLS, range(9), range(NO_FACING))),  # the place in the Realm
    StepRange(StepKind.CHOOSE, CHOOSE0, (range(2),)),
    StepRange(StepKind.DECLINE, DECLINE),
    StepRange(StepKind.END, END),
    StepRange(StepKind.PASS, PASS),
    StepRange(StepKind.OFFER, OFFER_END),
    StepRange(StepKind.ACCEPT, ACCEPT_END),
)


def _make_step(code: int) -> Step:
    step = make_step(Step, STEP_RANGES, code)
    return step._replace(to=spaces_of(realm_of(step.at))[step.to]) if step.kind == StepKind.SACRIFICE else step


def _make_code(step: Step) -> int:
    """Return the code of a step, or -1 if no board has such a step."""
    if step.kind == StepKind.SACRIFICE:
        spaces = spaces_of(realm_of(step.at)) if step.at in ALL_CELLS else ()
        step = step._replace(to=spaces.index(step.to) if step.to in spaces else NOWHERE)
    return make_code(STEP_RANGES, step)


def put_step(at: Cell, facing: int = NO_FACING) -> Step:
    """Return the step that places a piece on a space."""
    return Step(StepKind.PUT, at, NOWHERE, facing)


STEP_TABLE: Final[StepTable[Step]] = StepTable(STEP_CODES, _make_step, _make_code)
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
