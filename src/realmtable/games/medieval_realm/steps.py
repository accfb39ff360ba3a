"""The steps of Medieval Realm, and their codes in the kernels."""

from __future__ import annotations

from typing import Final, NamedTuple

from realmtable.games.medieval_realm.layout import OFF_BOARD, STEP_CODES, TARGETS_PER_REALM
from realmtable.games.medieval_realm.layout import PASS as PASS_CODE
from realmtable.kit.realm_board.geometry import CELLS, CENTERS, realm_of
from realmtable.kit.step_table import StepTable

NOWHERE: Final = CELLS + 1


class Step(NamedTuple):
    """A step, which is a whole turn. Steps sort in the order in which legal steps are listed."""

    at: int
    to: int  # OFF_CELL if the piece is borne off


OFF_CELL: Final = CELLS
PASS_STEP: Final = Step(NOWHERE, NOWHERE)


def _make_code(step: Step) -> int:
    """Return the code of a step, or -1 if no board has such a step."""
    if step == PASS_STEP:
        return PASS_CODE
    if step.at not in CENTERS or not (step.to == OFF_CELL or step.to in CENTERS):
        return -1
    return realm_of(step.at) * TARGETS_PER_REALM + (OFF_BOARD if step.to == OFF_CELL else realm_of(step.to))


def _make_step(code: int) -> Step:
    if code == PASS_CODE:
        return PASS_STEP
    source, target = divmod(code, TARGETS_PER_REALM)
    return Step(CENTERS[source], OFF_CELL if target == OFF_BOARD else CENTERS[target])


STEP_TABLE: StepTable[Step] = StepTable(STEP_CODES, _make_step, _make_code)
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
