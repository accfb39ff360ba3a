"""Kernels for the course of the game: set-up, activations, Dispel, Rounds and the end."""

from __future__ import annotations

import numpy as np

from realmtable.games.realms_of_etherium.kernels.displace import continue_displace, leave_place
from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_MAGE,
    ACTIVE_SEAT,
    ASKED,
    BY_MAX_ROUNDS,
    BY_MAX_STEPS,
    BY_POINTS,
    CHANCE,
    COLOUR_NAMES,
    DECLARED_HEX,
    DISPLACE_PLACE,
    ENDING,
    ENTERING,
    EXHAUSTED,
    GAINED_BLACK,
    GAINED_WHITE,
    HELD,
    IN_ACT,
    IN_FIRST,
    IN_MAGE,
    IS_VICTORY,
    LEFT,
    LEFT_COUNT,
    LESSEN_LEFT,
    MAGE_COUNT,
    MAGE_PLACE,
    MAX_MAGES,
    MOVED,
    MOVED_BEFORE,
    MOVED_NOW,
    NONE,
    OVER,
    PHASE,
    PICKED,
    PLAYER_COLOUR,
    PORTALS,
    R_CHOOSE_COLOURS,
    R_KEEP_CONNECTED,
    R_MAX_ROUNDS,
    REALM_SUPPLY,
    REASON,
    RECEIVED,
    RESERVE,
    ROUND,
    SEAT,
    SEATS,
    SOURCE,
    SPARED,
    STEP_LIMIT,
    STEPS,
    SUPPLY,
    TILE_KIND,
    TILE_MARKS,
    TILE_OWNER,
    TRIGGERED,
    TURN,
    VICTORY_SUPPLY,
    Kind,
    MageNumber,
    Place,
    TileNumber,
)
from realmtable.games.realms_of_etherium.kernels.powers import enter_place
from realmtable.games.realms_of_etherium.kernels.scoring import update_points, winner_of
from realmtable.games.realms_of_etherium.kernels.supplies import fill_reserve, find_free_tile
from realmtable.games.realms_of_etherium.kernels.world import (
    count_parts,
    is_constrained,
    keeps_neighbours_touched,
    label_parts,
    lift_tile,
    may_join_parts,
    place_on,
    put_tile,
    tile_count,
)
from realmtable.kit.compile import kernel
from realmtable.kit.rules import NO_WINNER, Position

# ---- set-up


@kernel
def assign_colour(position: Position, colour: int) -> None:
    """Give the next seat its colour; after the last one, fill the Reserves (U5)."""
    seat = 0
    while position[PLAYER_COLOUR + seat]:
        seat += 1
    position[PLAYER_COLOUR + seat] = colour
    if seat == position[SEATS] - 1:
        position[ACTIVE_SEAT] = 0
        start_reserves(position)
    elif position[R_CHOOSE_COLOURS]:
        position[ACTIVE_SEAT] = seat + 1
        position[SEAT] = seat + 1


@kernel
def start_reserves(position: Position) -> None:
    """Begin to turn up the Reserves (U4)."""
    position[SOURCE] = VICTORY_SUPPLY
    fill_reserve(position)


@kernel
def is_colour_free(position: Position, colour: int) -> bool:
    """Whether no seat has a colour."""
    for seat in range(position[SEATS]):
        if position[PLAYER_COLOUR + seat] == colour:
            return False
    return 0 < colour < len(COLOUR_NAMES)


# ---- activations


@kernel
def begin_turn(position: Position, seat: int) -> None:
    """Let a seat choose the Mage it activates (R1)."""
    position[ACTIVE_SEAT] = seat
    position[TURN] += 1
    position[PHASE] = IN_MAGE
    position[SEAT] = seat


@kernel
def activate(position: Position, mage: MageNumber) -> None:
    """Make a Mage the active one; its Realm is held unless the Mage is an opponent's (P4, T10)."""
    position[ACTIVE_MAGE] = mage
    place = int(position[MAGE_PLACE + mage])
    if place != PORTALS and mage // MAX_MAGES == position[ACTIVE_SEAT]:
        position[TILE_MARKS + place] |= HELD


@kernel
def pass_activation(position: Position, mage: MageNumber) -> None:
    """Give the rest of the activation to another Mage (T10)."""
    position[EXHAUSTED + position[ACTIVE_MAGE]] = 1
    position[RECEIVED] = 1
    activate(position, mage)


@kernel
def resume(position: Position) -> None:
    """Continue where play was before a power (N12): with the Displace, the end of the activation, or `act`."""
    position[ENTERING] = NONE
    position[PICKED] = NONE
    position[ASKED] = NONE
    position[SPARED] = 0
    position[GAINED_WHITE] = 0
    position[GAINED_BLACK] = 0
    position[LESSEN_LEFT] = 0
    if position[DISPLACE_PLACE] != NONE and not continue_displace(position):
        return
    if position[ENDING]:
        end_activation(position)
    else:
        position[PHASE] = IN_ACT
        position[SEAT] = position[ACTIVE_SEAT]


@kernel
def move_active_mage(position: Position, place: Place) -> None:
    """Move the active Mage to another place, which it enters."""
    mage = int(position[ACTIVE_MAGE])
    position[MOVED] += 1
    leave_place(position, mage, place)
    if enter_place(position, mage):
        resume(position)


@kernel
def summon(position: Position, kind: Kind) -> None:
    """Place a tile on the declared hex (M4)."""
    put_tile(position, find_free_tile(position, kind), int(position[DECLARED_HEX]))
    update_points(position)


@kernel
def enter_summoned(position: Position) -> None:
    """Let the active Mage enter the Realm it has summoned; between Portals it stays where it is (M6)."""
    mage = int(position[ACTIVE_MAGE])
    place = place_on(position, int(position[DECLARED_HEX]))
    position[DECLARED_HEX] = NONE
    if position[MAGE_PLACE + mage] == place:
        position[MOVED] += 1
        resume(position)
    else:
        move_active_mage(position, place)


@kernel
def continue_after_refill(position: Position, source: int) -> None:
    """Continue with what a refilled Reserve interrupted: the set-up, a summoning or Dispel."""
    if position[TURN] == 0:
        if source == VICTORY_SUPPLY:
            position[SOURCE] = REALM_SUPPLY
            if not fill_reserve(position):
                return
        position[PHASE] = IN_FIRST
        position[SEAT] = CHANCE
    elif position[DECLARED_HEX] != NONE:
        enter_summoned(position)
    else:
        continue_dispel(position)


# ---- the end of an activation


@kernel
def end_activation(position: Position) -> None:
    """Exhaust the active Mage and check the Realms that were left (R3)."""
    position[EXHAUSTED + position[ACTIVE_MAGE]] = 1
    position[ENDING] = 0
    continue_dispel(position)


@kernel
def continue_dispel(position: Position) -> None:
    """Check the Realms that were left, in order (D1), until a tile must be drawn or the next turn begins."""
    while position[LEFT_COUNT] > 0:
        tile = int(position[LEFT])
        position[LEFT_COUNT] -= 1
        for index in range(position[LEFT_COUNT]):
            position[LEFT + index] = position[LEFT + index + 1]
        position[LEFT + position[LEFT_COUNT]] = 0
        if is_dispelled(position, tile) and not dispel(position, tile):
            return
    finish_activation(position)


@kernel
def is_dispelled(position: Position, tile: TileNumber) -> bool:
    """Whether a Realm that was left is Dispelled (D2, W8)."""
    if position[TILE_OWNER + tile] or is_constrained(position, tile):
        return False
    for mage in range(MAGE_COUNT):
        if position[MAGE_PLACE + mage] == tile:
            return False
    if not keeps_neighbours_touched(position, tile, NONE):
        return False
    if not position[R_KEEP_CONNECTED] or not may_join_parts(position, tile):
        return True
    labels = np.empty(PORTALS, dtype=np.int64)
    return label_parts(position, labels, tile, NONE, NONE) <= count_parts(position)


@kernel
def dispel(position: Position, tile: TileNumber) -> bool:
    """Return a Realm to its Reserve (D3); return False if tiles must be drawn because of M8."""
    kind = position[TILE_KIND + tile]
    lift_tile(position, tile)
    position[TILE_MARKS + tile] = 0
    position[RESERVE + kind] += 1
    forget_left(position, tile)
    update_points(position)
    if IS_VICTORY[kind]:
        return True
    position[SOURCE] = REALM_SUPPLY
    return fill_reserve(position)


@kernel
def forget_left(position: Position, tile: TileNumber) -> None:
    """Remove a Dispelled Realm from the list of Realms to check, and merge neighbouring duplicates."""
    count = int(position[LEFT_COUNT])
    kept = 0
    for index in range(count):
        left = position[LEFT + index]
        if left != tile and not (kept > 0 and position[LEFT + kept - 1] == left):
            position[LEFT + kept] = left
            kept += 1
    for index in range(kept, count):
        position[LEFT + index] = 0
    position[LEFT_COUNT] = kept


@kernel
def finish_activation(position: Position) -> None:
    """Forget what belonged to the activation and begin the next turn, Round, or end the game."""
    for tile in range(tile_count(position)):
        position[TILE_MARKS + tile] = MOVED_BEFORE if position[TILE_MARKS + tile] & MOVED_NOW else 0
    position[ACTIVE_MAGE] = NONE
    position[MOVED] = 0
    position[RECEIVED] = 0
    seat = int(position[ACTIVE_SEAT])
    seats = int(position[SEATS])
    if position[STEPS] >= STEP_LIMIT:
        finish(position, BY_MAX_STEPS)  # E5
        return
    for step in range(1, seats + 1):
        if can_activate(position, (seat + step) % seats):
            begin_turn(position, (seat + step) % seats)
            return
    end_round(position)


@kernel
def can_activate(position: Position, seat: int) -> bool:
    """Whether a seat has a Mage that is not Exhausted."""
    for mage in range(seat * MAX_MAGES, seat * MAX_MAGES + MAX_MAGES):
        if position[MAGE_PLACE + mage] != NONE and not position[EXHAUSTED + mage]:
            return True
    return False


@kernel
def end_round(position: Position) -> None:
    """End the game (E2 to E4), or let all Mages stand up for the next Round (R6)."""
    if position[TRIGGERED] and winner_of(position) != NO_WINNER:
        finish(position, BY_POINTS)
    elif 0 < position[R_MAX_ROUNDS] <= position[ROUND]:
        finish(position, BY_MAX_ROUNDS)
    else:
        for mage in range(MAGE_COUNT):
            position[EXHAUSTED + mage] = 0
        position[ROUND] += 1
        begin_turn(position, int((position[ACTIVE_SEAT] + 1) % position[SEATS]))


@kernel
def finish(position: Position, reason: int) -> None:
    """End the game."""
    position[PHASE] = OVER
    position[SEAT] = position[ACTIVE_SEAT]
    position[REASON] = reason


# ---- drawn tiles


@kernel
def reveal_to_reserve(position: Position, kind: Kind) -> None:
    """Turn up a tile for a Reserve, and continue once it is full."""
    source = int(position[SOURCE])
    position[SUPPLY + kind] -= 1
    position[RESERVE + kind] += 1
    if fill_reserve(position):
        continue_after_refill(position, source)


@kernel
def reveal_summoned(position: Position, kind: Kind) -> None:
    """Place a drawn tile, which the Mage enters (M4)."""
    position[SUPPLY + kind] -= 1
    position[SOURCE] = REALM_SUPPLY
    summon(position, kind)
    enter_summoned(position)


@kernel
def take_from_reserve(position: Position, kind: Kind) -> None:
    """Place a tile of a Reserve and refill it before the Mage enters (M5)."""
    position[RESERVE + kind] -= 1
    summon(position, kind)
    position[SOURCE] = IS_VICTORY[kind]
    source = int(IS_VICTORY[kind])
    if fill_reserve(position):
        continue_after_refill(position, source)
