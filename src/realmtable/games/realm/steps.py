"""The steps of Realm, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from realmtable.games.realm.layout import IMMOBILE_FACING, NO_FACING, STEP_CODES
from realmtable.kit.realm_board.geometry import CENTERS, Cell, realm_of, spaces_of
from realmtable.kit.realm_board.steps import ALL_CELLS, NOWHERE, make_code, make_step, number_steps
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


_RANGES: Final = number_steps(
    StepKind,
    (ALL_CELLS, ALL_CELLS),
    (ALL_CELLS, (NOWHERE,), range(IMMOBILE_FACING + 1)),
    (ALL_CELLS,),
    (CENTERS,),
    (ALL_CELLS, range(9), range(NO_FACING)),  # `to` is the place in the Realm here
    (range(2),),
)


def _make_step(code: int) -> Step:
    step = make_step(Step, _RANGES, code)
    return step._replace(to=spaces_of(realm_of(step.at))[step.to]) if step.kind == StepKind.SACRIFICE else step


def _make_code(step: Step) -> int:
    """Return the code of a step, or -1 if no board has such a step."""
    if step.kind == StepKind.SACRIFICE:
        spaces = spaces_of(realm_of(step.at)) if step.at in ALL_CELLS else ()
        step = step._replace(to=spaces.index(step.to) if step.to in spaces else NOWHERE)
    return make_code(_RANGES, step)


def put_step(at: Cell, facing: int = NO_FACING) -> Step:
    """Return the step that places a piece on a space."""
    return Step(StepKind.PUT, at, NOWHERE, facing)


STEP_TABLE: Final[StepTable[Step]] = StepTable(STEP_CODES, _make_step, _make_code)
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
