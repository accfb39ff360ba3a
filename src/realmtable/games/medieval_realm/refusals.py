"""Why a step is refused: the first clause of RULES.md it breaks, in a sentence. Only for steps that are not legal."""

from __future__ import annotations

from realmtable.engine.errors import IllegalMove
from realmtable.games.medieval_realm.legal import (
    FAR_ROW,
    center_realms,
    enemy_duke_realms,
    full_realms,
    reachable_realms,
)
from realmtable.games.medieval_realm.position import BORDER_COUNTS, DUKE, EMPTY, KIND_MASK, SEAT, SEAT_SHIFT
from realmtable.games.medieval_realm.state import State
from realmtable.games.medieval_realm.steps import OFF_CELL, PASS_STEP, Step, code_of
from realmtable.kit.realm_board import CELLS, CENTERS, REALM_SIDE, Realm, cell_name, realm_of

Reason = tuple[str, str]  # clause and sentence


def illegal_move_error(state: State, step: Step) -> IllegalMove:
    """The refusal of a step that is not legal."""
    return IllegalMove(*_find_reason(state, step))


def _find_reason(state: State, step: Step) -> Reason:
    if step == PASS_STEP:
        return "M10", "You can move, so you may not pass."
    if code_of(step) < 0:
        return _why_no_step(step)
    start = realm_of(step.at)
    return (
        _why_not_this_piece(state, start)
        or (_why_not_off(state, start) if step.to == OFF_CELL else _why_not_there(state, start, realm_of(step.to)))
        or _why_not_this_way(state, step)
    )


def _why_no_step(step: Step) -> Reason:
    for cell in step:
        if 0 <= cell < CELLS and cell not in CENTERS:
            return "M2", f"{cell_name(cell)} is a Border space; pieces move from Center to Center."
    return "B1", "There is no such step on this board."


def _why_not_this_piece(state: State, start: Realm) -> Reason | None:
    position = state.position
    seat = int(position[SEAT])
    piece = int(position[start])
    name = cell_name(CENTERS[start])
    if piece != EMPTY and piece >> SEAT_SHIFT == seat:
        return None
    if position[BORDER_COUNTS + 2 * start + seat]:
        return "M2", f"Your Men in the Realm {name} are dislodged; only pieces on Centers move."
    if piece == EMPTY:
        return "M2", f"No piece stands on {name}."
    return "M2", f"The piece on {name} is your opponent's."


def _why_not_there(state: State, start: Realm, target: Realm) -> Reason | None:
    """What is wrong with a target whatever the way there."""
    position = state.position
    seat = int(position[SEAT])
    name = cell_name(CENTERS[target])
    if target == start:
        return "M3", f"The piece stands on {name} already, and it visits no Center twice."
    if enemy_duke_realms(position, seat) >> target & 1:
        return "M5", f"A Duke of your opponent's stands on {name}, and no piece enters his Realm."
    if full_realms(position) >> target & 1:
        return "M7", f"The Realm {name} holds nine pieces and cannot be entered."
    if center_realms(position, seat) >> target & 1:
        return "M3", f"{name} holds a piece of yours; the move goes on from there and cannot end."
    rows = (target // REALM_SIDE - start // REALM_SIDE) * (1 - 2 * seat)
    if rows < 0 and position[start] & KIND_MASK != DUKE:
        return "M2", "A Man moves forward or sideways, never back."
    return None


def _why_not_off(state: State, start: Realm) -> Reason | None:
    if _can_reach_far_row(state, start):
        return None
    return "M8", (
        f"The piece on {cell_name(CENTERS[start])} cannot leave the board: it neither stands in its far row nor comes "
        "to a piece of yours there."
    )


def _why_not_this_way(state: State, step: Step) -> Reason:
    """What stands in the way: a full Realm to jump over, or nothing to jump over. Enemies are never jumped."""
    start, source = realm_of(step.at), cell_name(step.at)
    if step.to == OFF_CELL:
        return "M7", f"A Realm that holds nine pieces lies in the way from {source} to the far side."
    target = cell_name(step.to)
    if _reachable_if_open(state, start) >> realm_of(step.to) & 1:
        return "M7", f"A Realm that holds nine pieces lies in the way from {source} to {target}."
    return "M3", f"{target} is not next to {source}, and no pieces of yours lead there."


def _can_reach_far_row(state: State, start: Realm) -> bool:
    seat = int(state.position[SEAT])
    return bool(_reachable_if_open(state, start) & center_realms(state.position, seat) & FAR_ROW[seat])


def _reachable_if_open(state: State, start: Realm) -> int:
    """The Realms the piece would get to if none were closed to it."""
    seat = int(state.position[SEAT])
    is_duke = bool(state.position[start] & KIND_MASK == DUKE)
    return reachable_realms(start, seat, is_duke, center_realms(state.position, seat), 0)
