"""Refuse positions that no game can continue from (F10)."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.engine.errors import BadPosition
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.displace import can_be_pushed
from realmtable.games.realms_of_etherium.kernels.layout import (
    IN_ACT,
    IN_COLOURS,
    IN_DRAW,
    IN_ENTER,
    IN_FIRST,
    IN_PROTECT,
    IN_PUSH,
    IN_PUT,
    IN_REACT,
    IN_REFILL,
    IN_SOURCE,
    IN_TARGET,
    IN_TRIBUTE,
    IN_WITH,
    NONE,
    OVER,
    PHASES,
)
from realmtable.games.realms_of_etherium.kernels.legal import legal_steps
from realmtable.games.realms_of_etherium.kernels.powers import is_adjacent_opponent, is_offered, owes_tribute
from realmtable.games.realms_of_etherium.kernels.prices import can_protect
from realmtable.games.realms_of_etherium.kernels.supplies import count_tiles
from realmtable.games.realms_of_etherium.kernels.world import fact, list_adjacent_places, target_of, tile_on
from realmtable.kit.rules import Position

POWER_PHASES: Final = {IN_ENTER, IN_PUT, IN_WITH, IN_TRIBUTE, IN_REACT}
QUESTION_PHASES: Final = {IN_PROTECT, IN_PUSH, IN_TARGET}
# Fields by entry, the value that stands for none, the phases that need it, and those that may have it.
AGENDA: Final[dict[str, tuple[int, int, set[int], set[int]]]] = {
    "active": (
        layout.ACTIVE_MAGE, NONE, {IN_ACT, IN_SOURCE, IN_DRAW, *POWER_PHASES, *QUESTION_PHASES}, {IN_REFILL},
    ),
    "hex": (layout.DECLARED_HEX, NONE, {IN_SOURCE, IN_DRAW}, {IN_REFILL}),
    "supply": (layout.SOURCE, layout.REALM_SUPPLY, set(), {IN_DRAW, IN_REFILL}),
    "again": (layout.AGAIN, 0, set(), {IN_REFILL}),
    "entering": (layout.ENTERING, NONE, POWER_PHASES, {IN_PROTECT}),
    "picked": (layout.PICKED, NONE, {IN_PUT, IN_WITH}, set()),
    "asked": (layout.ASKED, NONE, {IN_TRIBUTE, IN_PROTECT, IN_TARGET}, set()),
    "spared": (layout.SPARED, 0, set(), {IN_PROTECT}),
    "lessen": (layout.LESSEN_LEFT, 0, set(), {IN_TRIBUTE, IN_PROTECT}),
    "displace": (layout.DISPLACE_PLACE, NONE, {IN_PUSH, IN_TARGET}, {*POWER_PHASES, IN_PROTECT}),
    "owner": (layout.DISPLACE_OWNER, NONE, {IN_PUSH, IN_TARGET}, {*POWER_PHASES, IN_PROTECT}),
    "target": (layout.TARGET, NONE, set(), {IN_PROTECT}),
    "end": (layout.REASON, 0, {OVER}, set()),
}  # fmt: skip
ACTIVATION_FIELDS: Final = {
    "moved": layout.MOVED, "received": layout.RECEIVED, "left": layout.LEFT_COUNT, "ending": layout.ENDING,
}  # fmt: skip


def check_position(position: Position) -> None:
    """Raise `BadPosition` with a sentence about the first thing that is wrong."""
    _check_tiles(position)
    _check_control(position)
    _check_course(position)
    _check_agenda(position)
    if position[layout.ENTERING] != NONE:
        _check_power(position)
    if position[layout.DISPLACE_PLACE] != NONE:
        _check_displace(position)
    elif position[layout.ENTERING] == NONE and position[layout.PHASE] == IN_PROTECT:
        _check_transfer(position)
    position[layout.SEAT] = acting_seat(position)
    steps = np.empty(layout.MAX_STEPS, dtype=np.int64)
    if position[layout.PHASE] != OVER and legal_steps(position, steps) == 0:
        raise BadPosition(f"There is no legal step in the phase {PHASES[position[layout.PHASE]]}.")


def acting_seat(position: Position) -> int:
    """Return the seat that decides in a phase, or CHANCE."""
    phase = position.item(layout.PHASE)
    is_choice = phase == IN_COLOURS and position[layout.R_CHOOSE_COLOURS]
    if phase in {IN_COLOURS, IN_REFILL, IN_FIRST, IN_DRAW} and not is_choice:
        return layout.CHANCE
    if phase in POWER_PHASES:
        return position.item(layout.ENTERING) // layout.MAX_MAGES
    if phase in {IN_PROTECT, IN_TARGET}:
        return position.item(layout.ASKED) // layout.MAX_MAGES
    return position.item(layout.ACTIVE_SEAT)


def _check_tiles(position: Position) -> None:
    for kind, name in enumerate(layout.KIND_NAMES):
        if position[layout.SUPPLY + kind] < 0:
            raise BadPosition(f"The position has more {name} tiles than the manifest.")
    first = position.item(layout.FIRST_TILE + layout.PORTAL_KIND)
    if not position[
        layout.TILE_HEX + first : layout.TILE_HEX + position[layout.FIRST_TILE + 1 + layout.PORTAL_KIND]
    ].any():
        raise BadPosition("There must be a Portal in play.")


def _check_control(position: Position) -> None:
    owned: set[tuple[int, int]] = set()
    for tile in range(layout.PORTALS):
        owner, kind = position.item(layout.TILE_OWNER + tile), position.item(layout.TILE_KIND + tile)
        if not owner:
            continue
        if owner > position[layout.SEATS]:
            raise BadPosition(f"There is no seat {owner} to Control {layout.KIND_NAMES[kind]}.")
        if fact(position, kind, layout.CONTROL_WHITE) == layout.NO_PRICE:
            raise BadPosition(f"{layout.KIND_NAMES[kind]} cannot be Controlled.")
        if (owner, kind) in owned:
            raise BadPosition(f"Seat {owner} Controls two Realms named {layout.KIND_NAMES[kind]}.")
        owned.add((owner, kind))
    for seat in range(position[layout.SEATS]):
        if position[layout.CONTROLLED + seat] > position[layout.R_MARKERS]:
            raise BadPosition(f"Seat {seat + 1} has only {position[layout.R_MARKERS]} Control markers.")


def _check_course(position: Position) -> None:
    phase, turn = position.item(layout.PHASE), position.item(layout.TURN)
    if (turn == 0) != (
        phase in {IN_COLOURS, IN_FIRST} or (phase == IN_REFILL and position[layout.ACTIVE_MAGE] == NONE)
    ):
        raise BadPosition("turn must be 0 in the set-up and at least 1 afterwards.")
    most_rounds = position[layout.R_MAX_ROUNDS] or layout.STEP_LIMIT
    if not 1 <= position[layout.ROUND] <= most_rounds:
        raise BadPosition(f"round must be a number from 1 to {most_rounds}.")
    coloured = np.count_nonzero(position[layout.PLAYER_COLOUR : layout.PLAYER_COLOUR + layout.MAX_SEATS])
    expected = position[layout.SEATS] if position[layout.R_PLAYER_POWERS] else 0
    if coloured >= expected if phase == IN_COLOURS else coloured != expected:
        raise BadPosition("colours must name a colour for each seat exactly if the option player_powers is on.")
    if phase == IN_COLOURS and position[layout.R_CHOOSE_COLOURS] and position[layout.ACTIVE_SEAT] != coloured:
        raise BadPosition("seat must be the first one without a colour.")


def _check_agenda(position: Position) -> None:
    phase = position.item(layout.PHASE)
    for name, (entry, nothing, needed, allowed) in AGENDA.items():
        if position[entry] == nothing and phase in needed:
            raise BadPosition(f"The phase {PHASES[phase]} needs the field {name}.")
        if position[entry] != nothing and phase not in needed | allowed:
            raise BadPosition(f"The phase {PHASES[phase]} has no field {name}.")
    active = position.item(layout.ACTIVE_MAGE)
    if active == NONE:
        marks = position[layout.TILE_MARKS : layout.TILE_MARKS + layout.PORTALS] & ~layout.MOVED_BEFORE
        if marks.any() or any(position[entry] for entry in ACTIVATION_FIELDS.values()):
            raise BadPosition(f"{', '.join(ACTIVATION_FIELDS)}, now, held and used need an active Mage.")
    elif position[layout.MAGE_PLACE + active] == NONE:
        raise BadPosition(f"The active player has no Mage {active % layout.MAX_MAGES + 1}.")
    elif active // layout.MAX_MAGES != position[layout.ACTIVE_SEAT] and not (
        position[layout.R_TRANSFER_TO_ANYONE] and position[layout.RECEIVED] and position[layout.EXHAUSTED + active]
    ):
        raise BadPosition("The active Mage is an opponent's only after a Transfer to it, with transfer_to=anyone.")
    if (position[layout.DISPLACE_PLACE] == NONE) != (position[layout.DISPLACE_OWNER] == NONE):
        raise BadPosition("displace and owner belong together.")
    if position[layout.DISPLACE_PLACE] == NONE and (position[layout.TRIED] or position[layout.ENDING]):
        raise BadPosition("tried and ending need the field displace.")
    if position[layout.GAINED_WHITE] + position[layout.GAINED_BLACK] and phase not in {
        IN_TRIBUTE,
        IN_REACT,
        IN_PROTECT,
    }:
        raise BadPosition(f"The phase {PHASES[phase]} has no field gained.")
    _check_summoning(position)


def _check_summoning(position: Position) -> None:
    phase, hex_ = position.item(layout.PHASE), position.item(layout.DECLARED_HEX)
    if hex_ != NONE and (tile_on(position, hex_) == NONE) != (phase in {IN_SOURCE, IN_DRAW}):
        raise BadPosition("hex must be empty until a tile has been placed, and hold a Realm in the phase refill.")
    if (
        phase == IN_REFILL
        and count_tiles(position, layout.RESERVE, position.item(layout.SOURCE)) >= layout.RESERVE_SIZE
    ):
        raise BadPosition("The Reserve that is refilled has three tiles already.")


def _check_power(position: Position) -> None:
    """Check that the tile of the entering Mage has the power that is being resolved."""
    phase, mage = position.item(layout.PHASE), position.item(layout.ENTERING)
    tile = position.item(layout.MAGE_PLACE + mage)
    verb = layout.PORTAL if tile == layout.PORTALS else layout.VERB_OF[position[layout.TILE_KIND + tile]]
    seat, asked = mage // layout.MAX_MAGES, position.item(layout.ASKED)
    is_near = asked != NONE and verb != layout.PORTAL
    is_other = is_near and is_adjacent_opponent(position, seat, tile, asked)
    fits = {
        IN_ENTER: verb != layout.PORTAL and is_offered(position, seat, tile),
        IN_PUT: verb == layout.SHIFT,
        IN_WITH: verb == layout.SWAP,
        IN_TRIBUTE: verb == layout.TRIBUTE and is_near and owes_tribute(position, seat, tile, asked),
        IN_PROTECT: (verb == layout.DISRUPT and asked == mage)
        or (verb in {layout.EXHAUST, layout.TRIBUTE} and is_other),
        IN_REACT: bool(position[layout.R_ONE_GAIN_POWER]) and verb != layout.PORTAL,
    }
    if not fits[phase]:
        raise BadPosition(f"The entering Mage's Realm does not lead to the phase {PHASES[phase]}.")
    if phase == IN_PROTECT and not can_protect(position, asked // layout.MAX_MAGES):
        raise BadPosition("The owner of the Mage that is asked cannot buy Protection.")


def _check_transfer(position: Position) -> None:
    """Check the opponent's Mage that may be protected from a Transfer (V19)."""
    mage = position.item(layout.ASKED)
    owner = mage // layout.MAX_MAGES
    if not (
        position[layout.R_TRANSFER_TO_ANYONE]
        and position[layout.EXHAUSTED + mage]
        and owner != position[layout.ACTIVE_SEAT]
        and can_protect(position, owner)
    ):
        raise BadPosition("The Mage that is asked cannot be protected from anything here.")


def _check_displace(position: Position) -> None:
    asked, place = position.item(layout.ASKED), position.item(layout.DISPLACE_PLACE)
    if position[layout.ENTERING] != NONE or position[layout.PHASE] == IN_PUSH:
        return
    if not can_be_pushed(position, asked, place):
        raise BadPosition("The Mage that is asked cannot be pushed.")
    target = position.item(layout.TARGET)
    out = np.empty(layout.MAX_NEIGHBOURS, dtype=np.int64)
    targets = out[: list_adjacent_places(position, place, 0, out, 0)].tolist()
    owner_chooses = bool(position[layout.R_OWNER_CHOOSES])
    if position[layout.PHASE] == IN_TARGET:
        fits = owner_chooses
    else:
        fits = target == NONE if owner_chooses else target != NONE and target_of(position, target) in targets
        owner = asked // layout.MAX_MAGES
        fits = fits and owner != position[layout.ACTIVE_SEAT] and can_protect(position, owner)
    if not fits:
        raise BadPosition("The pushed Mage's owner has nothing to decide here.")
