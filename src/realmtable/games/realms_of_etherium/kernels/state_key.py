"""A key of a position, equal for positions that are equal apart from the number of steps played."""

from __future__ import annotations

from typing import Final

from realmtable.games.realms_of_etherium.kernels.layout import FIRST_TILE, KIND_COUNT, RULES, STEPS, TILE_KIND
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position

KEPT: Final = FIRST_TILE + KIND_COUNT + 1  # the manifest lies between TILE_KIND and here, and never changes
MASK: Final = 0x3FFFFFFF


@kernel
def state_key(position: Position) -> int:
    """Return a key of the state."""
    high = 1
    low = 1
    for entry in range(RULES):
        if TILE_KIND <= entry < KEPT or entry == STEPS:
            continue
        value = int(position[entry])
        high = ((high ^ (value & MASK)) * 0x2545F491 + (value >> 30)) & MASK
        low = ((low ^ (value >> 17 & MASK)) * 0x1B873593 + value) & MASK
    return high << 30 | low
