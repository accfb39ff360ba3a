"""Descriptions of the steps of Oriental Realm and their effects, and the labels of its buttons."""

from __future__ import annotations

from typing import Final

from realmtable.games.oriental_realm.first_state import State
from realmtable.games.oriental_realm.layout import EMPEROR, KIND_MASK, REASON, SURROUNDED
from realmtable.games.oriental_realm.steps import Step, StepKind
from realmtable.kit.realm_board import describe as realm_describe
from realmtable.kit.realm_board.describe import with_effects
from realmtable.kit.realm_board.geometry import cell_name

LABELS: Final = {
    **realm_describe.LABELS,
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
