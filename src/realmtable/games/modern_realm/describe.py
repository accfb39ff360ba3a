"""Descriptions of the steps of Modern Realm and their effects, and the labels of its buttons."""

from __future__ import annotations

from typing import Final

from realmtable.games.modern_realm.first_state import State
from realmtable.games.modern_realm.layout import COUNTER, EMPTY, HQ, KIND_MASK
from realmtable.games.modern_realm.steps import Step, StepKind
from realmtable.kit.realm_board import describe as realm_describe
from realmtable.kit.realm_board.describe import with_effects
from realmtable.kit.realm_board.geometry import cell_name, center_of, realm_of

LABELS: Final = realm_describe.LABELS


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
