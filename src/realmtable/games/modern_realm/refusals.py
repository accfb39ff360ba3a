"""Explain why an illegal step is refused: the first clause of RULES.md it breaks, and one sentence."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from realmtable.engine.protocol import HandlePath
from realmtable.games.modern_realm import layout
from realmtable.games.modern_realm.first_state import State
from realmtable.games.modern_realm.moves import enemy_counter_realm, entry_capture_realms, mark_targets, prepare_marks
from realmtable.games.modern_realm.steps import Step, StepKind, code_of
from realmtable.games.modern_realm.view import can_move
from realmtable.kit.realm_board.geometry import (
    CENTERS,
    Cell,
    cell_name,
    direction_between,
    find_cell,
    ray,
    realm_name,
    realm_of,
)
from realmtable.kit.realm_board.notation import NO_SUCH_STEP, Reason, why_not_own_piece

CLOSED_REALM_TEXT = "The enemy Counter-Agent is in the Realm around {}: your pieces cannot enter it."
NO_PATH_TEXT = (
    "There is no path from {} to {}: a piece can turn only once in each Realm it enters, and only where its own side "
    "holds the Center."
)


def find_reason(state: State, step: Step) -> Reason:
    """Return why an illegal step is refused."""
    phase = int(state.position[layout.PHASE])
    if code_of(step) < 0:
        return NO_SUCH_STEP
    if phase == layout.CHOOSE:
        return _why_no_choice(step)
    if phase == layout.DISLODGE:
        return _why_no_space(state, step)
    if step.kind == StepKind.MOVE:
        return _why_no_move(state, step)
    if step.kind == StepKind.PASS:
        return "D12", "You cannot pass while you have a move."
    if step.kind == StepKind.DISLODGE:
        return "S3", "There is no dislodged Agent to place; a turn consists of moves like Ab5b7."
    return "S1", "The Counter-Agents are already on the board; a turn consists of moves like Ab5b7."


def why_not_clicked(state: State, clicks: HandlePath) -> Reason | None:
    """Return why clicks begin no legal step; None if they mean nothing."""
    cells = [cell for cell in map(find_cell, clicks) if cell is not None]
    if not cells:
        return None  # a button that is not offered now
    phase = int(state.position[layout.PHASE])
    if phase == layout.CHOOSE:
        return _why_no_choice(Step(StepKind.CHOOSE, cells[0]))
    if phase == layout.DISLODGE:
        return _why_no_space(state, Step(StepKind.DISLODGE, cells[0]))
    if len(cells) > 1:
        return _why_no_move(state, Step(StepKind.MOVE, cells[0], cells[-1]))
    return _why_not_this_piece(state, cells[0]) or ("D4", f"The piece on {clicks[0]} has no legal move.")


# ---- choices


def _why_no_choice(step: Step) -> Reason:
    if step.kind != StepKind.CHOOSE:
        return "S1", "Choose first the Center where your Counter-Agent starts, like Ce2."
    return "V1", f"{cell_name(step.at)} is not one of your eight Centers."


def _why_no_space(state: State, step: Step) -> Reason:
    realm = int(state.position[layout.DISLODGED_REALM])
    if step.kind != StepKind.DISLODGE:
        return "S3", (
            f"Choose first the Border space of the Realm around {realm_name(realm)} for the dislodged Agent, like xAb9."
        )
    if realm_of(step.at) != realm:
        return (
            "D10",
            f"{cell_name(step.at)} is outside the Realm around {realm_name(realm)}, where the Agent was dislodged.",
        )
    if step.at in CENTERS:
        return "D10", "A dislodged Agent goes to the Border; your new HQ is on the Center."
    return "D10", f"{cell_name(step.at)} is taken."


# ---- moves


def _why_no_move(state: State, step: Step) -> Reason:
    return _why_not_this_piece(state, step.at) or _why_not_there(state, step.at, step.to)


def _why_not_this_piece(state: State, source: Cell) -> Reason | None:
    position = state.position
    piece = int(position[source])
    origin = int(position[layout.ORIGIN])
    name = cell_name(source)
    owner = None if piece == layout.EMPTY else piece >> layout.SEAT_SHIFT
    if reason := why_not_own_piece("D2", source, owner, position.item(layout.SEAT)):
        return reason
    if piece & layout.KIND_MASK == layout.HQ:
        return "D11", "An HQ never moves."
    if origin not in (-1, realm_of(source)):
        return "D2", f"This turn moves pieces out of the Realm around {realm_name(origin)}, and {name} is outside it."
    if not can_move(state, source):
        return "D3", (
            f"The Agent on {name} is immobile: the enemy holds the Center of its Realm and has more pieces there."
        )
    return None


def _why_not_there(state: State, source: Cell, target: Cell) -> Reason:
    """Explain a target that is taken, closed or blocked on the piece's line; otherwise no path leads there."""
    position = state.position
    if realm_of(target) == realm_of(source):
        return "D4", f"A piece must leave its Realm, and {cell_name(target)} is in it."
    if position[target] != layout.EMPTY:
        return "D4", f"{cell_name(target)} is taken."
    if realm_of(target) == enemy_counter_realm(position, position[layout.SEAT]):
        return "D5", CLOSED_REALM_TEXT.format(realm_name(realm_of(target)))
    return (
        _why_not_straight(state, source, target)
        or _why_not_with_options(state, source, target)
        or ("D7", NO_PATH_TEXT.format(cell_name(source), cell_name(target)))
    )


def _why_not_with_options(state: State, source: Cell, target: Cell) -> Reason | None:
    """Return the option that closes every path to a target, if there is one."""
    if state.options.origin_closed and _is_reachable_without(state, source, target, layout.R_ORIGIN_CLOSED):
        start = realm_name(realm_of(source))
        return "V4", f"The only paths there lead back through the Realm around {start}, where it started."
    if state.options.capture_on_entry and _is_reachable_without(
        state, source, target, layout.R_CAPTURE_ON_ENTRY, layout.R_ORIGIN_CLOSED
    ):
        return "V5", "Every path there leads through a target with a vacant Center, which the piece would capture."
    return None


def _is_reachable_without(state: State, source: Cell, target: Cell, *without: int) -> bool:
    """Whether a piece could reach a target if some options were off."""
    position = state.position.copy()
    position[list(without)] = 0
    work = np.empty(layout.WORK_SIZE, dtype=np.int64)
    prepare_marks(position, int(position[layout.SEAT]), work)
    mark_targets(position, source, work)
    return bool(work[layout.MARKS + target])


def _why_not_straight(state: State, source: Cell, target: Cell) -> Reason | None:
    """Return what first stops a piece on its line to a target, or None if the target is not on its line."""
    way = direction_between(source, target)
    if way is None:
        return None
    line = pairwise((source, *ray(source, way)))
    stops = [_why_no_step(state, source, here, there) for here, there in line]
    return next(filter(None, stops))


def _why_no_step(state: State, source: Cell, here: Cell, there: Cell) -> Reason | None:
    """Return what keeps a piece that started on `source` from moving from `here` to `there`."""
    position = state.position
    left, entered = realm_of(here), realm_of(there)
    if position[there] != layout.EMPTY:
        return "D4", f"The piece on {cell_name(there)} is in the way."
    if left != realm_of(source) and entry_capture_realms(position, int(position[layout.SEAT])) >> left & 1:
        return "V5", (
            f"A piece that enters the Realm around {realm_name(left)}, a target with a vacant Center, captures it and "
            "goes no further."
        )
    if entered == left:
        return None
    if entered == enemy_counter_realm(position, position[layout.SEAT]):
        return "D5", CLOSED_REALM_TEXT.format(realm_name(entered))
    if left != realm_of(source) and _is_enemy(state, CENTERS[left]):
        entry = f"enters the Realm around {realm_name(left)}, where the enemy holds the Center,"
        return "D6", f"A piece that {entry} must end there."
    return None


def _is_enemy(state: State, cell: Cell) -> bool:
    piece = int(state.position[cell])
    return piece != layout.EMPTY and piece >> layout.SEAT_SHIFT != state.position[layout.SEAT]
