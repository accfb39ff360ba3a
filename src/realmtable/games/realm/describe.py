"""Descriptions of the steps of Realm and their effects, and the labels of its buttons."""

from __future__ import annotations

from typing import Final

from realmtable.games.realm import layout
from realmtable.games.realm.first_state import State
from realmtable.games.realm.rearrangement import pieces_in_hand
from realmtable.games.realm.steps import Step, StepKind
from realmtable.kit.realm_board import describe as realm_describe
from realmtable.kit.realm_board.describe import COMPASS, with_effects
from realmtable.kit.realm_board.geometry import CENTERS, SEAT_NAMES, Cell, cell_name, center_of, realm_of, spaces_of

LABELS: Final = {
    **realm_describe.LABELS,
    "decline": "Decline",
    "offer": "Offer to end the game",
    "accept": "Accept and end the game",
    "rearrange": "Rearrange a Realm",
    "sacrifice": "Sacrifice a Power",
    **{f"first:{name}": f"{name} goes first" for name in SEAT_NAMES},
}
NOTES: Final = {
    "rearrange": (
        "Choose the Realm to rearrange. You lift your Powers and Enforcers there and put them back on its Border, "
        "facing any way. That is your whole turn."
    ),
    "sacrifice": "Give up a Power to free an immobile Enforcer in its Realm.",
}
_FIXED_DESCRIPTIONS: Final = {
    StepKind.END: "End turn",
    StepKind.PASS: "Pass",
    StepKind.OFFER: "Offer to end the game",
    StepKind.ACCEPT: "Accept the offer to end the game",
}


def describe_step(state: State, step: Step, after: State) -> str:
    """Describe a legal step that leads from `state` to `after`, with the events it triggers (R10)."""
    kind = step.kind
    if kind in _FIXED_DESCRIPTIONS:
        return _FIXED_DESCRIPTIONS[kind]
    if kind == StepKind.DECLINE:
        return "No new Base" if state.position[layout.PHASE] == layout.FOUND_BASE else "No new Enforcer"
    if kind == StepKind.CHOOSE:
        verb = "places" if state.position[layout.PHASE] == layout.CHOOSE_PLACE else "moves"
        return f"{SEAT_NAMES[step.at]} {verb} first"
    if kind == StepKind.MOVE:
        man = "Power" if state.position[step.at] & layout.KIND_MASK == layout.POWER else "Enforcer"
        head = f"{man} from {cell_name(step.at)} to {cell_name(step.to)}"
        return with_effects(head, _describe_events(state, step.to, after))
    if kind == StepKind.PUT:
        return _describe_put(state, step)
    if kind == StepKind.IMMOBILISE:
        own = _became_immobile(state, int(state.position[layout.EVENT_CELL]), after)
        return f"Enforcer on {cell_name(step.at)} immobilised" + (", and the moving one too" if own else "")
    if kind == StepKind.REARRANGE:
        return f"Rearrange the Realm {cell_name(step.at)}"
    freed = f"the Enforcer on {cell_name(step.to)} is freed, facing {COMPASS[step.facing]}"
    return f"Power on {cell_name(step.at)} sacrificed; {freed}"


def _describe_put(state: State, step: Step) -> str:
    phase, at = state.position[layout.PHASE], cell_name(step.at)
    man = "Enforcer" if step.facing != layout.NO_FACING else "Base" if step.at in CENTERS else "Power"
    facing = f", facing {COMPASS[step.facing]}" if step.facing < layout.NO_FACING else ""
    if phase in (layout.CREATE_ENFORCER, layout.FOUND_BASE):
        return f"New {man} on {at}{facing}"
    if phase != layout.REARRANGE:
        return f"{man} on {at}"
    owner = pieces_in_hand(state.position)[0] >> layout.SEAT_SHIFT
    whose = [f"{SEAT_NAMES[owner]}'s"] if owner != state.position[layout.SEAT] else []  # V14
    immobile = ["immobile" if whose else "Immobile"] if step.facing == layout.IMMOBILE_FACING else []
    return " ".join([*whose, *immobile, man, "put on", at]) + facing


def _describe_events(state: State, at: Cell, after: State) -> list[str]:
    """Describe what the piece that stopped on `at` triggered automatically, and what is still to be chosen."""
    before, now = state.position, after.position
    seat = before[layout.SEAT]
    center = center_of(realm_of(at))
    name = cell_name(center)
    events = []
    if before[center] == layout.BASE + (1 - seat << layout.SEAT_SHIFT) != now[center]:
        events.append(f"capturing the Base on {name}")
    fallen = [
        cell_name(cell) for cell in spaces_of(realm_of(at)) if cell != at and _became_immobile(state, cell, after)
    ]
    events += [f"immobilising the Enforcer on {cell}" for cell in fallen]
    if _became_immobile(state, at, after):
        events.append("becoming immobile")
    if now[center] == layout.BASE + (seat << layout.SEAT_SHIFT) != before[center]:
        events.append(f"founding a Base on {name}")
    if now[layout.PHASE] == layout.IMMOBILISE:
        events.append("immobilising one of the Enforcers there")
    elif now[layout.PHASE] == layout.CREATE_ENFORCER:
        events.append("which may create an Enforcer" if state.options.optional_creation else "creating an Enforcer")
    elif now[layout.PHASE] == layout.FOUND_BASE:
        events.append(f"which may found a Base on {name}")
    return events


def _became_immobile(state: State, cell: Cell, after: State) -> bool:
    """Whether the step made the Enforcer on a space immobile."""
    return bool(after.position[cell] & layout.KIND_MASK == layout.IMMOBILE != state.position[cell] & layout.KIND_MASK)
