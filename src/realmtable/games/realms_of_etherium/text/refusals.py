"""Explain why an illegal step is refused: the first clause of RULES.md it breaks, and one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.engine.language import translate
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.displace import can_be_pushed, has_mage_to_push
from realmtable.games.realms_of_etherium.kernels.layout import NONE, PORTALS
from realmtable.games.realms_of_etherium.kernels.legal import count_moves_left, has_source
from realmtable.games.realms_of_etherium.kernels.powers import is_active
from realmtable.games.realms_of_etherium.kernels.prices import can_pay, find_unused, has_mage_in
from realmtable.games.realms_of_etherium.kernels.rearranging import can_be_moved
from realmtable.games.realms_of_etherium.kernels.world import (
    count_touched,
    fact,
    is_constrained,
    is_portal,
    keeps_neighbours_touched,
    place_of_target,
    tile_on,
    touches_needed,
    touches_place,
)
from realmtable.games.realms_of_etherium.notation.step_notation import mage_text
from realmtable.games.realms_of_etherium.steps import Step, StepKind, code_of
from realmtable.games.realms_of_etherium.text.describe import kind_on, target_name
from realmtable.kit.rules import Position

Reason = tuple[str, str]  # a clause and a sentence
Explain = Callable[[Position, Step], Reason]

NO_SUCH_STEP: Final = ("N1", "There is no such step.")
ONLY_MOVES: Final = ("V19", "An opponent's Mage that received your Transfer can only move; or end the activation.")
NO_MOVE_LEFT: Final = ("T9", "The active Mage has no move left.")
PHASE_REASONS: Final[Mapping[int, Reason]] = {
    layout.IN_COLOURS: ("U5", "Choose a colour that nobody has yet, like colour Red."),
    layout.IN_REFILL: ("N11", "Chance turns up a tile first."),
    layout.IN_FIRST: ("N11", "Chance draws the starting player first."),
    layout.IN_MAGE: ("R1", "Choose a Mage to activate first, like mage 2."),
    layout.IN_ACT: ("N6", "Move, summon, take Control or use a power, or end the activation with end."),
    layout.IN_SOURCE: ("M3", "Choose first where the tile comes from, like draw realm or take Quicken."),
    layout.IN_DRAW: ("N11", "Chance draws the tile first."),
    layout.IN_ENTER: ("P3", "Use the power of the Realm that was entered first, or decline it with skip."),
    layout.IN_PUT: ("T12", "Choose first where the Realm goes."),
    layout.IN_WITH: ("T13", "Choose the other Realm first."),
    layout.IN_TRIBUTE: ("T15", "Collect from this Mage first, like collect white, or decline with skip."),
    layout.IN_PROTECT: ("P9", "Decide on Protection first: protect or skip."),
    layout.IN_PUSH: ("T6", "Push a Mage, or go on to the next player with next."),
    layout.IN_TARGET: ("T6", "Choose first where the pushed Mage goes."),
    layout.IN_REACT: ("P8", "Choose first which Realm reacts, like react Generate."),
    layout.OVER: ("E2", "The game is over."),
}


def find_reason(position: Position, step: Step) -> Reason:
    """Return why an illegal step is refused."""
    if code_of(step) < 0:
        return NO_SUCH_STEP
    phase = position.item(layout.PHASE)
    explain = EXPLANATIONS.get((phase, step.kind))
    return PHASE_REASONS[phase] if explain is None else explain(position, step)


# ---- Mages


def _active_place(position: Position) -> int:
    return position.item(layout.MAGE_PLACE + position.item(layout.ACTIVE_MAGE))


def _own_mage(position: Position, step: Step) -> int:
    return position.item(layout.ACTIVE_SEAT) * layout.MAX_MAGES + step.at


def _why_not_this_mage(position: Position, step: Step) -> Reason:
    mage = _own_mage(position, step)
    if position[layout.MAGE_PLACE + mage] == NONE:
        return "R1", f"You have no Mage {step.at + 1}."
    if position[layout.EXHAUSTED + mage]:
        return "R1", f"Mage {step.at + 1} is Exhausted until the next Round."
    return "N4", f"Mage {step.at + 1} is equal to one with a lower number; name that one."


def _is_lent(position: Position) -> bool:
    """Whether the active Mage is an opponent's, which can only move (V19)."""
    return position.item(layout.ACTIVE_MAGE) // layout.MAX_MAGES != position.item(layout.ACTIVE_SEAT)


def _why_no_transfer(position: Position, step: Step) -> Reason:
    if _is_lent(position):
        return ONLY_MOVES
    if count_moves_left(position) == 0:
        return "T10", "A Transfer needs a move that is left."
    if reason := _why_no_tile(position, layout.TRANSFER, "Transfer", "T10"):
        return reason
    is_own = step.kind == StepKind.TRANSFER
    mage, name = (_own_mage(position, step), f"{step.at + 1}") if is_own else (step.at, mage_text(step.at))
    if not is_own and mage // layout.MAX_MAGES == position[layout.ACTIVE_SEAT]:
        return "N6", f"Name your own Mage by its number alone: transfer {mage % layout.MAX_MAGES + 1}."
    if not is_own and not position[layout.R_TRANSFER_TO_ANYONE]:
        return "V19", "A Transfer goes to one of your own Mages."
    if position[layout.MAGE_PLACE + mage] == NONE:
        return "T10", f"There is no Mage {name}."
    if is_active(position, mage):
        return "T10", f"Mage {name} is the active one; choose another."
    if not position[layout.EXHAUSTED + mage]:
        return "T10", f"Mage {name} is not Exhausted; only an Exhausted Mage can receive a Transfer."
    return "N4", f"Mage {name} is equal to one with a lower number; name that one."


def _why_no_tile(position: Position, verb: int, name: str, clause: str) -> Reason | None:
    """Return why the active player cannot use a persistent power, or None if they can pay for an unused tile."""
    seat = position.item(layout.ACTIVE_SEAT)
    tile = find_unused(position, seat, verb)
    if tile == NONE:
        return clause, f"No unused {name} tile is available to you."
    if not can_pay(position, seat, position.item(layout.TILE_KIND + tile)):
        return "P6", f"You cannot pay for {name}."
    return None


# ---- moving and summoning


def _why_not_to(position: Position, step: Step) -> Reason:
    is_push = position[layout.PHASE] == layout.IN_TARGET
    if not is_push and count_moves_left(position) == 0:
        return NO_MOVE_LEFT
    place = position.item(layout.DISPLACE_PLACE) if is_push else _active_place(position)
    return _why_not_adjacent(position, place, step.at)


def _why_not_adjacent(position: Position, place: int, target: int) -> Reason:
    other = place_of_target(position, target)
    if other == NONE:
        return "M1", translate("There is no Realm on that hex.")
    if other != PORTALS and is_portal(position, other):
        return "N1", translate("That hex is a Portal; write portal, because all Portals are one place.")
    if other == place:
        return "M1", translate("The Mage is in {place} already.", place=target_name(position, target))
    if target == layout.TO_PORTALS:
        return "W5", translate("The Portal is not adjacent to the Mage's place.")
    return "W5", translate("{tile} is not adjacent to the Mage's place.", tile=kind_on(position, target))


def _why_no_summoning(position: Position, step: Step) -> Reason:
    if count_moves_left(position) == 0:
        return NO_MOVE_LEFT
    if not has_source(position):
        return "M3", "All Supplies and Reserves are empty."
    if not layout.INSIDE[step.at]:
        return "W2", translate("That hex is beyond the edge of the world.")
    if tile_on(position, step.at) != NONE:
        return "M2", translate("{tile} lies on that hex already.", tile=kind_on(position, step.at))
    if count_touched(position, step.at, NONE, NONE) < touches_needed(position):
        return "M2", translate("The hex must touch at least two Realms.")
    return "M2", translate("The hex must share a side with the Mage's Realm.")


# ---- Control and Displace


def _why_no_control(position: Position, step: Step) -> Reason:
    if _is_lent(position):
        return ONLY_MOVES
    seat, place = position.item(layout.ACTIVE_SEAT), _active_place(position)
    kind = layout.PORTAL_KIND if place == PORTALS else position.item(layout.TILE_KIND + place)
    name = layout.KIND_NAMES[kind]
    if fact(position, kind, layout.CONTROL_WHITE) == layout.NO_PRICE:
        return "C2", f"{name} cannot be Controlled."
    if position[layout.TILE_OWNER + place]:
        return "C2", f"{name} is Controlled already."
    if position[layout.RECEIVED] and not position[layout.R_TRANSFER_CONTROL]:
        return "V5", "A Mage that received a Transfer cannot take Control."
    if position[layout.CONTROLLED + seat] >= position[layout.R_MARKERS]:
        return "C2", "You have no Control marker left."
    tiles = range(position[layout.FIRST_TILE + kind], position[layout.FIRST_TILE + kind + 1])
    if any(position[layout.TILE_OWNER + tile] == seat + 1 for tile in tiles):
        return "C2", f"You Control another {name} already."
    if any(other != seat and has_mage_in(position, other, place) for other in range(position[layout.SEATS])):
        return "C2", f"Another player's Mage is in {name}."
    if step.at:
        return "N6", "There is no discount to choose, or you cannot pay; write control, or save the other colour."
    return "C1", f"You cannot pay for Control of {name}."


def _why_no_displace(position: Position, _step: Step) -> Reason:
    if _is_lent(position):
        return ONLY_MOVES
    if reason := _why_no_tile(position, layout.PUSH, "Displace", "T6"):
        return reason
    place = _active_place(position)
    if any(has_mage_to_push(position, owner, place) for owner in range(position[layout.SEATS])):
        return "T6", "There is no adjacent place to push a Mage to."
    return "T6", "There is no Mage to push out of this place."


def _why_no_push(position: Position, step: Step) -> Reason:
    place, owner = position.item(layout.DISPLACE_PLACE), position.item(layout.DISPLACE_OWNER)
    if step.at // layout.MAX_MAGES != owner:
        return "T6", f"Push Mages of seat {owner + 1} now, or go on to the next player with next."
    if not can_be_pushed(position, step.at, place):
        return "T6", f"Mage {mage_text(step.at)} cannot be pushed."
    if (step.kind == StepKind.PUSH) == bool(position[layout.R_OWNER_CHOOSES]):
        return "V3", "The owner of a pushed Mage chooses its place if displace_by is owner, and only then."
    if step.kind == StepKind.PUSH and not _is_adjacent(position, place, step.to):
        return _why_not_adjacent(position, place, step.to)
    return "N4", f"Mage {mage_text(step.at)} is equal to one with a lower number; name that one."


def _is_adjacent(position: Position, place: int, target: int) -> bool:
    other = place_of_target(position, target)
    if NONE in (place, other) or place == other or (other != PORTALS and is_portal(position, other)):
        return False
    return touches_place(position, min(place, other), max(place, other))  # the Portals have the highest number


# ---- entering powers


def _why_not_moved(position: Position, hex_: int) -> Reason | None:
    tile = tile_on(position, hex_)
    if tile == NONE:
        return "T12", translate("There is no Realm on that hex.")
    if not can_be_moved(position, tile):
        if position[layout.TILE_MARKS + tile] & layout.MOVED_BEFORE:
            return "T14", translate("{tile} was moved in the turn before.", tile=kind_on(position, hex_))
        return "T14", "Victory Realms cannot be moved any more: the end has been triggered."
    return None


def _why_not_shift(position: Position, step: Step) -> Reason:
    if reason := _why_not_moved(position, step.at):
        return reason
    if is_constrained(position, tile_on(position, step.at)):
        return "T12", translate("{tile} is Constrained.", tile=kind_on(position, step.at))
    return "T12", translate("{tile} has no legal target.", tile=kind_on(position, step.at))


def _why_not_put(position: Position, step: Step) -> Reason:
    tile = position.item(layout.PICKED)
    if not layout.INSIDE[step.at]:
        return "W2", translate("That hex is beyond the edge of the world.")
    if tile_on(position, step.at) != NONE:
        return "T12", translate("{tile} lies on that hex already.", tile=kind_on(position, step.at))
    if count_touched(position, step.at, tile, NONE) < 2:  # noqa: PLR2004 - T12
        return "T12", translate("The hex must touch at least two other Realms.")
    if position[layout.R_SHIFT_KEEPS_TOUCHING] and not keeps_neighbours_touched(position, tile, step.at):
        return "T12", "A Realm that it touched would be left with fewer than two."
    return "W8", "The world would fall apart."


def _why_not_swap(position: Position, step: Step) -> Reason:
    return _why_not_moved(position, step.at) or ("W8", "Every exchange with this Realm would split the world.")


def _why_not_with(position: Position, step: Step) -> Reason:
    if reason := _why_not_moved(position, step.at):
        return reason
    if tile_on(position, step.at) == position[layout.PICKED]:
        return "T13", "Choose another Realm: a Realm cannot be exchanged with itself."
    return "W8", "The world would fall apart."


def _why_no_collect(position: Position, step: Step) -> Reason:
    entry = (layout.WHITE, layout.BLACK)[step.at]
    if not position[entry + position[layout.ASKED] // layout.MAX_MAGES]:
        return "T15", "The owner of this Mage has none of that colour."
    return "T15", "You cannot pay for Black."


def _kind(step: Step) -> str:
    return layout.KIND_NAMES[step.at]


EXPLANATIONS: Final[Mapping[tuple[int, StepKind], Explain]] = {
    (layout.IN_MAGE, StepKind.MAGE): _why_not_this_mage,
    (layout.IN_ACT, StepKind.TO): _why_not_to,
    (layout.IN_ACT, StepKind.SUMMON): _why_no_summoning,
    (layout.IN_ACT, StepKind.CONTROL): _why_no_control,
    (layout.IN_ACT, StepKind.DISPLACE): _why_no_displace,
    (layout.IN_ACT, StepKind.TRANSFER): _why_no_transfer,
    (layout.IN_ACT, StepKind.TRANSFER_MAGE): _why_no_transfer,
    (layout.IN_SOURCE, StepKind.DRAW): lambda _, __: ("M3", "This Supply is empty; choose another source."),
    (layout.IN_SOURCE, StepKind.TAKE): lambda _, step: ("M3", f"{_kind(step)} is not in a Reserve."),
    (layout.IN_ENTER, StepKind.MAKE): lambda _, __: (
        "T5",
        "You cannot make that amount: it must fit the rate of conversion, your Etherium and its limit.",
    ),
    (layout.IN_ENTER, StepKind.SHIFT): _why_not_shift,
    (layout.IN_ENTER, StepKind.SWAP): _why_not_swap,
    (layout.IN_PUT, StepKind.PUT): _why_not_put,
    (layout.IN_WITH, StepKind.WITH): _why_not_with,
    (layout.IN_TRIBUTE, StepKind.COLLECT): _why_no_collect,
    (layout.IN_PUSH, StepKind.PUSH): _why_no_push,
    (layout.IN_PUSH, StepKind.PUSH_MAGE): _why_no_push,
    (layout.IN_TARGET, StepKind.TO): _why_not_to,
    (layout.IN_REACT, StepKind.REACT): lambda _, step: (
        "P8",
        f"No {layout.KIND_NAMES[step.at]} can react to this gain.",
    ),
}
