"""What Oriental Realm says to people: descriptions of steps, prompts, and the labels of buttons."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.oriental_realm.first_state import State
from realmtable.games.oriental_realm.layout import EMPEROR, KIND_MASK, REASON, SURROUNDED
from realmtable.games.oriental_realm.steps import Step, StepKind
from realmtable.kit.realm_board.describe import (
    NO_LEGAL_MOVE,
    describe_realm,
    empty_line,
    occupied_cells,
    own_pieces,
    with_effects,
)
from realmtable.kit.realm_board.geometry import cell_name

LABELS: Final = {
    "hand:Mandarin": "Place a Mandarin",
    "hand:Emperor": "Place the Emperor",
}
_FIXED_DESCRIPTIONS: Final = {StepKind.END: "End turn", StepKind.PASS: "Pass"}


def describe_step(state: State, step: Step, after: State) -> str:
    """Describe a legal step that leads from `state` to `after`, and whether it surrounds a group (O9)."""
    if step.kind in _FIXED_DESCRIPTIONS:
        return _FIXED_DESCRIPTIONS[step.kind]
    at = cell_name(step.at)
    if step.kind != StepKind.MOVE:
        return f"{step.kind.name.capitalize()} on {at}"
    man = "Emperor" if state.position[step.at] & KIND_MASK == EMPEROR else "Mandarin"
    wins = after.position[REASON] == SURROUNDED
    return with_effects(f"{man} from {at} to {cell_name(step.to)}", ["surrounding enemy pieces"] if wins else [])


# ---- prompts


def prompt_text(view: View) -> str:
    """Return an imperative sentence for the acting seat."""
    if view["phase"] == "place":
        return _ask_for_placement(view)
    if view["phase"] == "choose":
        return "Choose which of your pieces is the Emperor."
    if view["realm"] is not None:
        realm = describe_realm(view["realm"])
        if _can_move(view):
            return f"Move another piece from {realm}, or end your turn."
        return f"End your turn: no other piece from {realm} can move."
    if not _can_move(view):
        return NO_LEGAL_MOVE
    return "Move one or more of your pieces in one Realm (a block of nine spaces)."


def _ask_for_placement(view: View) -> str:
    left = view["left"][view["viewer"]]
    pieces = ["a Mandarin"] * (left["mandarins"] > 0) + ["your Emperor"] * left["emperors"]
    return f"Place {' or '.join(pieces)} in an empty Realm."


def _can_move(view: View) -> bool:
    """Whether a piece that the turn allows is not pinned and has an empty space next to it (O2 to O4)."""
    occupied = occupied_cells(view)
    return any(
        not piece["pinned"] and (view["realm"] is None or piece["at"] in view["unmoved"])
        for cell, piece in own_pieces(view)
        if any(empty_line(cell, way, occupied) for way in range(4))
    )
