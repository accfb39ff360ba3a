"""What Medieval Realm says to people: descriptions of steps, prompts, and the labels of buttons."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.medieval_realm.first_state import State
from realmtable.games.medieval_realm.layout import DUKE, EMPTY, KIND_MASK
from realmtable.games.medieval_realm.rules import FAR_ROW
from realmtable.games.medieval_realm.steps import OFF_CELL, PASS_STEP, Step
from realmtable.kit.realm_board.describe import NO_LEGAL_MOVE, own_pieces, with_effects
from realmtable.kit.realm_board.geometry import cell_name, realm_of

LABELS: Final = {"off": "Off the board"}


def describe_step(state: State, step: Step, after: State) -> str:
    """Describe a legal step that leads from `state` to `after`, with the Men it dislodges (M4) or lets up (M6)."""
    if step == PASS_STEP:
        return "Pass"
    source = realm_of(step.at)
    man = "Duke" if state.position[source] & KIND_MASK == DUKE else "Man"
    effects = []
    if step.to != OFF_CELL and state.position[realm_of(step.to)] != EMPTY:
        effects.append("dislodging the Man there")
    if after.position[source] != EMPTY:
        effects.append(f"leaving {cell_name(step.at)} to an enemy Man")
    way = "off the board" if step.to == OFF_CELL else f"to {cell_name(step.to)}"
    return with_effects(f"{man} from {cell_name(step.at)} {way}", effects)


# ---- prompts


def prompt_text(view: View) -> str:
    """Return an imperative sentence for the acting seat."""
    if view["phase"] == "pass":
        return NO_LEGAL_MOVE
    far_row = FAR_ROW[view["viewer"]]
    if any(far_row >> realm_of(cell) & 1 and not piece["down"] for cell, piece in own_pieces(view)):  # M8
        return "Move one of your pieces, or bear one off the board."
    return "Move one of your pieces."
