"""Explain why an illegal step is refused: the first clause of RULES.md it breaks, and one sentence."""

from __future__ import annotations

from realmtable.engine.protocol import HandlePath
from realmtable.games.medieval_realm.first_state import State
from realmtable.games.medieval_realm.layout import BORDER_COUNTS, DUKE, EMPTY, KIND_MASK, SEAT, SEAT_SHIFT
from realmtable.games.medieval_realm.rules import (
    FAR_ROW,
    center_realms,
    enemy_duke_realms,
    full_realms,
    reachable_realms,
)
from realmtable.games.medieval_realm.steps import OFF_CELL, PASS_STEP, Step, code_of
from realmtable.kit.realm_board.geometry import (
    CELLS,
    CENTERS,
    REALM_SIDE,
    Realm,
    cell_name,
    explain_not_adjacent,
    find_cell,
    realm_of,
)
from realmtable.kit.realm_board.notation import NO_SUCH_STEP, Reason


def find_reason(state: State, step: Step) -> Reason:
    """Return why an illegal step is refused."""
    if step == PASS_STEP:
        return "M10", "You cannot pass while you have a move."
    if code_of(step) < 0:
        return _why_no_step(step)
    start = realm_of(step.at)
    return (
        _why_not_this_piece(state, start)
        or (_why_not_off(state, start) if step.to == OFF_CELL else _why_not_there(state, start, realm_of(step.to)))
        or _why_not_this_way(state, step)
    )


def why_not_clicked(state: State, clicks: HandlePath) -> Reason | None:
    """Return why clicks begin no legal step; None if they mean nothing."""
    cells = [OFF_CELL if name == "off" else find_cell(name) for name in clicks]
    source, target = cells[0], cells[-1]
    if source in (None, OFF_CELL) or target is None:
        return None  # a button that is not offered now
    if len(cells) > 1 or source not in CENTERS:
        return find_reason(state, Step(source, target))
    return _why_not_this_piece(state, realm_of(source)) or ("M3", f"The piece on {clicks[0]} has no legal move.")


def _why_no_step(step: Step) -> Reason:
    for cell in step:
        if 0 <= cell < CELLS and cell not in CENTERS:
            return "M2", f"{cell_name(cell)} is a Border space; pieces move from Center to Center."
    return NO_SUCH_STEP


def _why_not_this_piece(state: State, start: Realm) -> Reason | None:
    position = state.position
    seat = int(position[SEAT])
    piece = int(position[start])
    name = cell_name(CENTERS[start])
    if piece != EMPTY and piece >> SEAT_SHIFT == seat:
        return None
    if position[BORDER_COUNTS + 2 * start + seat]:
        return "M2", f"Your Men in the Realm around {name} are dislodged; only pieces on Centers can move."
    if piece == EMPTY:
        return "M2", f"There is no piece on {name}."
    return "M2", f"The piece on {name} is your opponent's."


def _why_not_there(state: State, start: Realm, target: Realm) -> Reason | None:
    """Return what is wrong with a target regardless of the path there."""
    position = state.position
    seat = int(position[SEAT])
    name = cell_name(CENTERS[target])
    if target == start:
        return "M3", f"The piece is already on {name}, and it cannot visit a Center twice."
    if enemy_duke_realms(position, seat) >> target & 1:
        return "M5", f"An enemy Duke is on {name}, so your pieces cannot enter that Realm."
    if full_realms(position) >> target & 1:
        return "M7", f"The Realm around {name} holds nine pieces and cannot be entered."
    if center_realms(position, seat) >> target & 1:
        return "M3", f"{name} holds one of your pieces; the move must go on from there."
    rows = (target // REALM_SIDE - start // REALM_SIDE) * (1 - 2 * seat)
    if rows < 0 and position[start] & KIND_MASK != DUKE:
        return "M2", "A Man moves forward or sideways, never backwards."
    return None


def _why_not_off(state: State, start: Realm) -> Reason | None:
    if _can_reach_far_row(state, start):
        return None
    return "M8", (
        f"The piece on {cell_name(CENTERS[start])} cannot leave the board: it is not in its far row and cannot reach "
        "one of your pieces there."
    )


def _why_not_this_way(state: State, step: Step) -> Reason:
    """Return what blocks the path: a full Realm, or no piece to jump over. Enemies are never jumped over."""
    start, source = realm_of(step.at), cell_name(step.at)
    if step.to == OFF_CELL:
        return "M7", f"A Realm that holds nine pieces blocks the path from {source} to the far side."
    target = cell_name(step.to)
    if _reachable_if_open(state, start) >> realm_of(step.to) & 1:
        return "M7", f"A Realm that holds nine pieces blocks the path from {source} to {target}."
    return "M3", f"{explain_not_adjacent(start, realm_of(step.to))}, and no chain of your pieces leads there."


def _can_reach_far_row(state: State, start: Realm) -> bool:
    seat = int(state.position[SEAT])
    return bool(_reachable_if_open(state, start) & center_realms(state.position, seat) & FAR_ROW[seat])


def _reachable_if_open(state: State, start: Realm) -> int:
    """Return the Realms the piece could reach if none were closed to it."""
    seat = int(state.position[SEAT])
    is_duke = bool(state.position[start] & KIND_MASK == DUKE)
    return reachable_realms(start, seat, is_duke, center_realms(state.position, seat), 0)
