"""What Modern Realm says to people: descriptions of steps, prompts, and the labels of buttons."""

from __future__ import annotations

from realmtable.engine.protocol import View
from realmtable.games.modern_realm.first_state import State
from realmtable.games.modern_realm.layout import COUNTER, EMPTY, HQ, KIND_MASK
from realmtable.games.modern_realm.steps import Step, StepKind
from realmtable.kit.realm_board.describe import (
    NO_LEGAL_MOVE,
    describe_realm,
    empty_line,
    occupied_cells,
    own_pieces,
    with_effects,
)
from realmtable.kit.realm_board.geometry import Cell, cell_name, center_of, find_cell, realm_of


def describe_step(state: State, step: Step, after: State) -> str:
    """Describe a legal step that leads from `state` to `after`, with its capture (D9, D10)."""
    at = cell_name(step.at)
    if step.kind == StepKind.PASS:
        return "Pass"
    if step.kind == StepKind.DISLODGE:
        return f"Dislodged Agent to {at}"
    if step.kind == StepKind.CHOOSE:
        return f"Counter-Agent on {at}"
    man = "Counter-Agent" if state.position[step.at] & KIND_MASK == COUNTER else "Agent"
    return with_effects(f"{man} from {at} to {cell_name(step.to)}", _describe_capture(state, step, after))


def _describe_capture(state: State, step: Step, after: State) -> list[str]:
    center = center_of(realm_of(step.to))
    before, now = int(state.position[center]), int(after.position[center])
    if now & KIND_MASK != HQ or before == now:
        return []
    founding = f"founding an HQ on {cell_name(center)}"
    return [founding] if before == EMPTY else ["dislodging an Agent", founding]


# ---- prompts


def prompt_text(view: View) -> str:
    """Return an imperative sentence for the acting seat."""
    if view["phase"] == "choose":
        return "Choose which of your pieces is the Counter-Agent."
    if view["phase"] == "dislodge":
        return f"Put the dislodged Agent on a free space of {describe_realm(view['dislodged']['realm'])}."
    if view["open"]["origin"] is not None:
        return f"Move your next piece out of {describe_realm(view['open']['origin'])}."
    if not _can_move(view):
        return NO_LEGAL_MOVE
    return "Choose a Realm (a block of nine spaces) and move all your pieces out of it that can move."


def _can_move(view: View) -> bool:
    occupied = occupied_cells(view)
    guarded = {
        realm_of(cell)
        for piece in view["pieces"]
        if piece["kind"] == "counter"
        and piece["seat"] != view["viewer"]
        and (cell := find_cell(piece["at"])) is not None
    }
    return any(piece["mobile"] and _can_leave(cell, occupied, guarded) for cell, piece in own_pieces(view))


def _can_leave(source: Cell, occupied: set[Cell], guarded: set[int]) -> bool:
    """Whether a piece can reach another Realm that does not hold the enemy Counter-Agent (D4, D5)."""
    for way in range(4):
        left = [realm for space in empty_line(source, way, occupied) if (realm := realm_of(space)) != realm_of(source)]
        if left and left[0] not in guarded:
            return True
    return False
