"""What Realm says to people: descriptions of steps, prompts, and the labels of buttons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import groupby
from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.realm import layout
from realmtable.games.realm.first_state import State
from realmtable.games.realm.rearrangement import pieces_in_hand
from realmtable.games.realm.steps import Step, StepKind
from realmtable.kit.realm_board.describe import (
    COMPASS,
    END_TURN,
    describe_realm,
    empty_line,
    occupied_cells,
    own_pieces,
    with_effects,
)
from realmtable.kit.realm_board.geometry import (
    CENTERS,
    FACINGS,
    SEAT_NAMES,
    Cell,
    Realm,
    cell_name,
    center_of,
    find_cell,
    realm_of,
    spaces_of,
)

LABELS: Final = {
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


# ---- prompts


def prompt_text(view: View) -> str:
    """Return an imperative sentence for the acting seat."""
    return _PHASE_PROMPTS[view["phase"]](view)


def _ask_for_first_seat(view: View) -> str:
    return f"Choose who {'moves' if view['pieces'] else 'places'} first."


def _ask_for_enforcer(view: View) -> str:
    return f"Place the new Enforcer and choose where it faces{', or decline it' if view['may_decline'] else ''}."


def _ask_for_lifted_piece(view: View) -> str:
    piece = view["lifted"][0]
    whose = "your" if piece["seat"] == view["viewer"] else f"{SEAT_NAMES[piece['seat']]}'s"  # V14
    if piece["kind"] == "power":
        return f"Put {whose} Power back on a highlighted space."
    if piece["mobile"]:
        return f"Put {whose} Enforcer back and choose where it faces."
    return f"Put {whose} immobile Enforcer back on a highlighted space."


# ---- the prompt in a turn


def _ask_for_move(view: View) -> str:
    origin = view["open"]["origin"]
    if view["open"]["moves"]:
        plays = [] if view["single_power"] else _open_plays(view)
        return f"Keep moving {' or '.join(plays)}, or end your turn." if plays else END_TURN
    if origin is not None:
        return f"Move a piece out of {describe_realm(origin)}."  # V13
    if view["offered"]:
        return "Accept the offer to end the game, or play on."
    if view["single_power"]:
        return "Move a single Power."
    if next(_possible_moves(view), None) is None:
        return "Rearrange a Realm, or pass if you cannot."
    return "Move a piece, or several out of or into one Realm."


def _open_plays(view: View) -> list[str]:
    """Return how the turn can go on (S4): "from" a Realm, "into" a Realm, or one phrase if every move does both."""
    names = view["open"]["origin"], view["open"]["target"]
    origin, target = map(_find_realm, names)
    fits = {(source == origin, reached == target) for source, reached in _possible_moves(view)}
    leave, enter = f"from {describe_realm(names[0])}", f"into {describe_realm(names[1])}"
    plays = [leave] * ((True, False) in fits) + [enter] * ((False, True) in fits)
    return plays or [f"{leave} {enter}"] * ((True, True) in fits)


def _find_realm(name: str | None) -> Realm | None:
    cell = find_cell(name or "")
    return None if cell is None else realm_of(cell)


def _possible_moves(view: View) -> Iterator[tuple[Realm, Realm]]:
    """Yield from which Realm to which the viewer's pieces can move, whatever the turn so far (R7, R8)."""
    occupied = occupied_cells(view)
    closed = _enemy_realms(view) if view["stop_in_enemy_realm"] else set()
    for cell, piece in own_pieces(view):
        if piece["kind"] == "base" or not piece["mobile"]:
            continue
        back = None if piece["facing"] is None else FACINGS.index(piece["facing"]) ^ 2
        for way in range(4):
            if way != back:
                line = empty_line(cell, way, occupied)
                yield from ((realm_of(cell), realm) for realm in _reachable_realms(line, realm_of(cell), closed))


def _reachable_realms(line: list[Cell], start: Realm, closed: Collection[Realm]) -> Iterator[Realm]:
    """Yield the Realms on a line where a piece from `start` can stop; it cannot go past a closed one (V5)."""
    for realm, _ in groupby(line, realm_of):
        if realm == start:
            continue
        yield realm  # the first of its spaces is on the Border
        if realm in closed:
            return


def _enemy_realms(view: View) -> set[Realm]:
    bases = [piece for piece in view["pieces"] if piece["kind"] == "base" and piece["seat"] != view["viewer"]]
    return {realm for piece in bases if (realm := _find_realm(piece["at"])) is not None}


_PHASE_PROMPTS: Final[dict[str, Callable[[View], str]]] = {
    "choose": _ask_for_first_seat,
    "bases": lambda _: "Place a Base on a highlighted Center.",
    "powers": lambda _: "Place a Power next to one of your Bases.",
    "turn": _ask_for_move,
    "found": lambda _: "Place the new Base, or decline it.",
    "create": _ask_for_enforcer,
    "immobilise": lambda _: "Choose an enemy Enforcer to immobilise.",
    "rearrange": _ask_for_lifted_piece,
}
