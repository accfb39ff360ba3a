"""Explain why an illegal step is refused: the first clause of RULES.md it breaks, and one sentence."""

from __future__ import annotations

from realmtable.engine.protocol import HandlePath
from realmtable.games.classic_realm.first_state import State
from realmtable.games.classic_realm.layout import FULL_REALMS, PADS, PHASE, PLACE, RESCUED_REALM, SEAT
from realmtable.games.classic_realm.rules import jump_group, neighbours
from realmtable.games.classic_realm.steps import Step, StepKind
from realmtable.kit.realm_board.geometry import (
    CELLS,
    CENTERS,
    REALMS,
    Cell,
    Realm,
    cell_name,
    explain_not_adjacent,
    find_cell,
    realm_name,
    realm_of,
)
from realmtable.kit.realm_board.notation import NO_SUCH_STEP, Reason
from realmtable.kit.realm_board.steps import NOWHERE


def find_reason(state: State, step: Step) -> Reason:
    """Return why an illegal step is refused."""
    placing = state.position[PHASE] == PLACE
    if not _exists(step):
        return NO_SUCH_STEP
    if step.kind == StepKind.PUT:
        return _why_not_here(step.at) if placing else ("S2", "All frogs are placed; a move names two pads, like Fb2e5.")
    if placing:
        return "V1", "Place your frogs first: name an empty pad, like Fb2."
    if step.kind == StepKind.END:
        return "S3", "Make a move before you end your turn."
    if step.kind == StepKind.PASS:
        return "C8", "You cannot pass while you have a move."
    return _why_no_move(state, step.at, step.to)


def why_not_clicked(state: State, clicks: HandlePath) -> Reason | None:
    """Return why clicks begin no legal step; None if they mean nothing."""
    cells = [cell for cell in map(find_cell, clicks) if cell is not None]
    if not cells:
        return None  # a button that is not offered now
    source = cells[0]
    if state.position[PHASE] == PLACE:
        return _why_not_here(source)
    if len(cells) > 1:
        return _why_no_move(state, source, cells[-1])
    if source not in CENTERS:
        return _why_no_pad(source, source)
    return _why_not_this_frog(state, realm_of(source))  # a frog that may move always can (C8)


def _exists(step: Step) -> bool:
    places = {StepKind.MOVE: 2, StepKind.PUT: 1}.get(step.kind, 0)
    cells = (step.at, step.to)
    return all(0 <= cell < CELLS for cell in cells[:places]) and all(cell == NOWHERE for cell in cells[places:])


def _why_not_here(cell: Cell) -> Reason:
    if cell not in CENTERS:
        return "V1", f"{cell_name(cell)} is water; place the frog on a pad, like b2."
    return "V1", f"{cell_name(cell)} is taken; place the frog on an empty pad."


def _why_no_move(state: State, source: Cell, target: Cell) -> Reason:
    return (
        _why_no_pad(source, target)
        or _why_not_this_frog(state, realm_of(source))
        or _why_not_to(state, realm_of(target))
        or _why_no_way(state, realm_of(source), realm_of(target))
    )


def _why_no_pad(source: Cell, target: Cell) -> Reason | None:
    if source not in CENTERS:
        return "C2", f"{cell_name(source)} is water; only a frog on a pad moves."
    if target not in CENTERS:
        return "C2", f"{cell_name(target)} is water; a frog jumps from pad to pad."
    if source == target:
        return "C3", "A frog cannot return to the pad it left."
    return None


def _why_not_this_frog(state: State, source: Realm) -> Reason | None:
    seat = int(state.position[SEAT])
    if _has_frog(state, 1 - seat, source):
        return "C2", f"The frog on {realm_name(source)} is your opponent's."
    if not _has_frog(state, seat, source):
        return "C2", f"There is no frog on {realm_name(source)}."
    if state.position[RESCUED_REALM] == source:
        return "C5", f"The frog on {realm_name(source)} was rescued this turn; it can move again on a later turn."
    return None


def _why_not_to(state: State, target: Realm) -> Reason | None:
    if _has_frog(state, int(state.position[SEAT]), target):
        return (
            "C3",
            f"Your own frog is on {realm_name(target)}; a move ends on a vacant pad or on an enemy frog.",
        )
    if state.position[FULL_REALMS] >> target & 1:
        return "C6", f"The Realm around {realm_name(target)} holds nine pieces; no frog can land there."
    return None


def _why_no_way(state: State, source: Realm, target: Realm) -> Reason:
    own = int(state.position[PADS + state.position[SEAT]])
    if neighbours(jump_group(1 << source, own)) >> target & 1:
        full = next(realm for realm in range(REALMS) if state.position[FULL_REALMS] >> realm & 1)
        return "C6", (
            f"Every path there leads through the Realm around {realm_name(full)}, and no frog can jump through a Realm "
            "of nine pieces."
        )
    return "C3", f"{explain_not_adjacent(source, target)}, and no chain of your frogs leads there."


def _has_frog(state: State, seat: int, realm: Realm) -> bool:
    return bool(state.position[PADS + seat] >> realm & 1)
