"""Count what the seats do in a game of Realms of Etherium, for statistics of many games."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.games.realms_of_etherium.kernels.keys import table_key
from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_SEAT,
    BLACK,
    EXHAUSTED,
    KIND_COUNT,
    MAGE_PLACE,
    MAX_MAGES,
    MAX_SEATS,
    NONE,
    ROUND,
    SEATS,
    TILE_HEX,
    TILE_KIND,
    TILE_OWNER,
    TURN,
    WHITE,
)
from realmtable.games.realms_of_etherium.kernels.world import tile_count
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position

Tally = NDArray[np.int64]  # [TALLY_SIZE]

# The counts by seat begin at these entries.
SUMMONED: Final = 0  # [seats, kinds]
TAKEN: Final = SUMMONED + MAX_SEATS * KIND_COUNT  # [seats, kinds] how often Control was taken
GAINED_WHITE: Final = TAKEN + MAX_SEATS * KIND_COUNT  # [seats]
GAINED_BLACK: Final = GAINED_WHITE + MAX_SEATS  # [seats]
NEW_MAGES: Final = GAINED_BLACK + MAX_SEATS  # [seats]
# Opponents' Mages that became Exhausted in a seat's turns, and those of Round 1.
EXHAUSTED_OTHERS: Final = NEW_MAGES + MAX_SEATS  # [seats]
EXHAUSTED_FIRST: Final = EXHAUSTED_OTHERS + MAX_SEATS  # [seats]
# Not by seat.
STARTER: Final = EXHAUSTED_FIRST + MAX_SEATS  # the seat that began
TABLE: Final = STARTER + 1  # what lay on the table when the activation began, as a key
IDLE: Final = TABLE + 1  # activations in a row, up to the last one, that changed nothing on the table
MOST_IDLE: Final = IDLE + 1  # the longest such stretch
TALLY_SIZE: Final = MOST_IDLE + 1


@kernel
def tally_step(before: Position, after: Position, tally: Tally) -> None:
    """Add what a step has changed."""
    active = int(before[ACTIVE_SEAT])
    if after[TURN] != before[TURN]:
        tally_idleness(before, after, tally)
    if before[TURN] == 0:
        tally[STARTER] = after[ACTIVE_SEAT]
        return
    for tile in range(tile_count(after)):
        kind = int(after[TILE_KIND + tile])
        if after[TILE_HEX + tile] and not before[TILE_HEX + tile]:
            tally[SUMMONED + active * KIND_COUNT + kind] += 1
        owner = int(after[TILE_OWNER + tile])
        if owner and owner != before[TILE_OWNER + tile]:
            tally[TAKEN + (owner - 1) * KIND_COUNT + kind] += 1
    for seat in range(int(after[SEATS])):
        tally[GAINED_WHITE + seat] += max(0, int(after[WHITE + seat] - before[WHITE + seat]))
        tally[GAINED_BLACK + seat] += max(0, int(after[BLACK + seat] - before[BLACK + seat]))
        for mage in range(seat * MAX_MAGES, seat * MAX_MAGES + MAX_MAGES):
            tally_mage(before, after, tally, mage)


@kernel
def tally_mage(before: Position, after: Position, tally: Tally, mage: int) -> None:
    """Add what a step has changed about a Mage."""
    active = int(before[ACTIVE_SEAT])
    seat = mage // MAX_MAGES
    if before[MAGE_PLACE + mage] == NONE:
        if after[MAGE_PLACE + mage] != NONE:
            tally[NEW_MAGES + seat] += 1
    elif seat != active and after[EXHAUSTED + mage] and not before[EXHAUSTED + mage]:
        tally[EXHAUSTED_OTHERS + active] += 1
        if before[ROUND] == 1:
            tally[EXHAUSTED_FIRST + active] += 1


@kernel
def tally_idleness(before: Position, after: Position, tally: Tally) -> None:
    """Count an activation that changed nothing on the table, or start a new count."""
    table = table_key(after)
    if table == tally[TABLE]:
        tally[IDLE] += after[TURN] - before[TURN]
        tally[MOST_IDLE] = max(tally[MOST_IDLE], tally[IDLE])
    else:
        tally[IDLE] = 0
    tally[TABLE] = table
