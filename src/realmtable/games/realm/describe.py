"""What a step of Realm does and sets off, in words, and the labels of its buttons."""

from __future__ import annotations

from typing import Final

from realmtable.games.realm.position import (
    AT,
    BASE,
    CHOOSE_PLACE,
    CREATE,
    FLAT,
    FOUND,
    IMMOBILE,
    IMMOBILISE,
    KIND,
    PHASE,
    PLAIN,
    POWER,
    REARRANGE,
    SEAT,
    SIDE_BIT,
)
from realmtable.games.realm.state import State, in_hand
from realmtable.games.realm.steps import Kind, Step
from realmtable.kit import realm_describe
from realmtable.kit.realm_board import CENTERS, Cell, cell_name, center_of, realm_of, spaces_of
from realmtable.kit.realm_describe import COMPASS, with_effects

SEATS: Final = ("White", "Black")
LABELS: Final = {
    **realm_describe.LABELS,
    "decline": "Create nothing",
    "offer": "Offer to end the game",
    "accept": "Accept: end the game",
    "rearrange": "Rearrange a Realm",
    "sacrifice": "Sacrifice a Power",
    **{f"first:{name}": f"{name} begins" for name in SEATS},
}
_PLAIN_WORDS: Final = {
    Kind.END: "End of the turn",
    Kind.PASS: "Pass",
    Kind.OFFER: "Offer to end the game",
    Kind.ACCEPT: "Offer to end the game accepted",
}


def words(state: State, step: Step, after: State) -> str:
    """A legal step that leads from one state to another, with the events it sets off (R10)."""
    kind = step.kind
    if kind in _PLAIN_WORDS:
        return _PLAIN_WORDS[kind]
    if kind == Kind.DECLINE:
        return "No new Base" if state.position[PHASE] == FOUND else "No new Enforcer"
    if kind == Kind.CHOOSE:
        return f"{SEATS[step.at]} {'places' if state.position[PHASE] == CHOOSE_PLACE else 'moves'} first"
    if kind == Kind.MOVE:
        man = "Power" if state.position[step.at] & KIND == POWER else "Enforcer"
        head = f"{man} from {cell_name(step.at)} to {cell_name(step.to)}"
        return with_effects(head, _events(state, step.to, after))
    if kind == Kind.PUT:
        return _put(state, step)
    if kind == Kind.IMMOBILISE:
        own = _is_down(state, int(state.position[AT]), after)
        return f"Enforcer on {cell_name(step.at)} immobilised" + (", and the moving one with it" if own else "")
    if kind == Kind.REARRANGE:
        return f"Rearrangement of the Realm {cell_name(step.at)}"
    freed = f"the Enforcer on {cell_name(step.to)} is free, facing {COMPASS[step.facing]}"
    return f"Power on {cell_name(step.at)} sacrificed; {freed}"


def _put(state: State, step: Step) -> str:
    phase, at = state.position[PHASE], cell_name(step.at)
    man = "Enforcer" if step.facing != PLAIN else "Base" if step.at in CENTERS else "Power"
    facing = f", facing {COMPASS[step.facing]}" if step.facing < PLAIN else ""
    if phase in (CREATE, FOUND):
        return f"New {man} on {at}{facing}"
    if phase != REARRANGE:
        return f"{man} on {at}"
    owner = in_hand(state)[0] >> SIDE_BIT
    whose = [f"{SEATS[owner]}'s"] if owner != state.position[SEAT] else []  # V14
    lying = ["immobile" if whose else "Immobile"] if step.facing == FLAT else []
    return " ".join([*whose, *lying, man, "put on", at]) + facing


def _events(state: State, at: Cell, after: State) -> list[str]:
    """What the piece that stopped on a space has set off by itself, and what is still to be chosen."""
    before, now = state.position, after.position
    seat = before[SEAT]
    center = center_of(realm_of(at))
    name = cell_name(center)
    events = []
    if before[center] == BASE + (1 - seat << SIDE_BIT) != now[center]:
        events.append(f"capturing the Base on {name}")
    fallen = [cell_name(cell) for cell in spaces_of(realm_of(at)) if cell != at and _is_down(state, cell, after)]
    events += [f"immobilising the Enforcer on {cell}" for cell in fallen]
    if _is_down(state, at, after):
        events.append("becoming immobile")
    if now[center] == BASE + (seat << SIDE_BIT) != before[center]:
        events.append(f"founding a Base on {name}")
    if now[PHASE] == IMMOBILISE:
        events.append("immobilising one of the Enforcers there")
    elif now[PHASE] == CREATE:
        events.append("which may create an Enforcer" if state.options.optional_creation else "creating an Enforcer")
    elif now[PHASE] == FOUND:
        events.append(f"which may found a Base on {name}")
    return events


def _is_down(state: State, cell: Cell, after: State) -> bool:
    """Whether the Enforcer on a space has become immobile."""
    return bool(after.position[cell] & KIND == IMMOBILE != state.position[cell] & KIND)
