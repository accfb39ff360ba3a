"""What Classic Realm says to people: descriptions of steps, prompts, and the labels of buttons."""

from __future__ import annotations

from realmtable.engine.protocol import View
from realmtable.games.classic_realm.first_state import State
from realmtable.games.classic_realm.layout import PADS, SEAT
from realmtable.games.classic_realm.steps import Step, StepKind
from realmtable.kit.realm_board.describe import with_effects
from realmtable.kit.realm_board.geometry import cell_name, realm_of


def describe_step(state: State, step: Step, after: State) -> str:
    """Describe a legal step that leads from `state` to `after`, with the frogs it dunks (C4) and rescues (C5)."""
    if step.kind == StepKind.END:
        return "End turn"
    if step.kind == StepKind.PUT:
        return f"Frog on {cell_name(step.at)}"
    seat = int(state.position[SEAT])
    effects = []
    if state.position[PADS + 1 - seat] >> realm_of(step.to) & 1:
        effects.append("dunking the frog there")
    if after.position[PADS + seat] >> realm_of(step.at) & 1:
        effects.append(f"rescuing a frog onto {cell_name(step.at)}")
    return with_effects(f"Frog from {cell_name(step.at)} to {cell_name(step.to)}", effects)


# ---- prompts


def prompt_text(view: View) -> str:
    """Return an imperative sentence for the acting seat."""
    if view["phase"] == "place":
        return "Place a frog on an empty pad."
    if view["phase"] == "second":
        return "Move a frog again, or end your turn."  # the frog that moved can always move again
    if view["right"] == {"seat": view["viewer"], "owed": 0}:
        return "Move one of your frogs; you may move twice this turn."
    return "Move one of your frogs."
