"""Keys of positions and of what is on the table, and whether activations change anything there."""

from __future__ import annotations

from typing import Final

from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_MAGE,
    ACTIVE_SEAT,
    EXHAUSTED,
    FIRST_TILE,
    IN_ACT,
    IN_MAGE,
    KIND_COUNT,
    MAGE_PLACE,
    MAX_MAGES,
    MAX_SEATS,
    MOVED,
    NONE,
    PHASE,
    PORTALS,
    RESERVE,
    RULES,
    SEAT,
    STEPS,
    TILE_HEX,
    TILE_KIND,
    TILE_MARKS,
    TILE_OWNER,
    WHITE,
)
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position

KEY_MASK: Final = 0x3FFFFFFF  # so that products stay below 2**63
MANIFEST_END: Final = FIRST_TILE + KIND_COUNT + 1  # the manifest begins at TILE_KIND and never changes
TABLE_END: Final = WHITE + 2 * MAX_SEATS


@kernel
def state_key(position: Position) -> int:
    """Return a key that is equal for positions that are equal apart from the number of steps played."""
    high = 1
    low = 1
    for entry in range(RULES):
        if TILE_KIND <= entry < MANIFEST_END or entry == STEPS:
            continue
        value = int(position[entry])
        high = ((high ^ (value & KEY_MASK)) * 0x2545F491 + (value >> 30)) & KEY_MASK
        low = ((low ^ (value >> 17 & KEY_MASK)) * 0x1B873593 + value) & KEY_MASK
    return high << 30 | low


@kernel
def is_on_table(entry: int) -> bool:
    """Whether an entry below TABLE_END holds Realms, Control, the Reserves, the Supplies, Mages or Etherium."""
    return TILE_HEX <= entry < TILE_MARKS or RESERVE <= entry < EXHAUSTED or entry >= WHITE


@kernel
def table_key(position: Position) -> int:
    """Return a key of all that is on the table."""
    key = 1
    for entry in range(TILE_HEX, TABLE_END):
        if is_on_table(entry):
            key = (key * 0x2545F491 ^ int(position[entry]) + 1) & KEY_MASK
    return key


@kernel
def is_standstill(before: Position, after: Position) -> bool:
    """Whether a seat that can still activate every Mage has let its turn pass without a change.

    A Mage that guards a Realm does well to stay there, so a seat stands still only if it does not use any of its Mages.
    """
    if not can_begin_round(before):
        return False
    for entry in range(MAGE_PLACE, EXHAUSTED):  # they change most often
        if before[entry] != after[entry]:
            return False
    for entry in range(TILE_HEX, TABLE_END):
        if is_on_table(entry) and before[entry] != after[entry]:
            return False
    return True


@kernel
def can_begin_round(position: Position) -> bool:
    """Whether a seat is to begin its first activation of a Round, as far as a position shows."""
    seat = int(position[SEAT])
    if seat != position[ACTIVE_SEAT] or position[MOVED] > 0:
        return False
    for mage in range(seat * MAX_MAGES, seat * MAX_MAGES + MAX_MAGES):
        if position[MAGE_PLACE + mage] != NONE and position[EXHAUSTED + mage]:
            return False
    if position[PHASE] == IN_MAGE:
        return True
    if position[PHASE] != IN_ACT:
        return False
    place = int(position[MAGE_PLACE + seat * MAX_MAGES + position[ACTIVE_MAGE]])
    return bool(place == PORTALS or position[TILE_OWNER + place] != seat + 1)  # it may have taken Control just now
