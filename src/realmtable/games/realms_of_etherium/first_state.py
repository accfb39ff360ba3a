"""Make positions of Realms of Etherium: the first one, and empty ones to read positions into."""

from __future__ import annotations

import numpy as np

from realmtable.engine.errors import BadOptions
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.turns import start_reserves
from realmtable.games.realms_of_etherium.kernels.world import put_tile
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.tiles.manifest import SEAT_COUNTS
from realmtable.kit.rules import Position

EMPTY_REGISTERS = (
    layout.ACTIVE_MAGE, layout.DECLARED_HEX, layout.ENTERING, layout.PICKED, layout.ASKED, layout.DISPLACE_PLACE,
    layout.DISPLACE_OWNER, layout.TARGET,
)  # fmt: skip


def first_position(seats: int, options: EtheriumOptions) -> Position:
    """Return the position before the first step: one Portal with all Mages, and Reserves to be turned up (U1 to U5)."""
    if seats not in SEAT_COUNTS:
        raise BadOptions(f"Realms of Etherium is for 2 to 6 players, not {seats}.")
    position = empty_position(seats, options)
    put_tile(position, int(position[layout.FIRST_TILE + layout.PORTAL_KIND]), layout.FIRST_HEX)
    position[layout.SUPPLY + layout.PORTAL_KIND] -= 1
    for seat in range(seats):
        first = layout.MAGE_PLACE + seat * layout.MAX_MAGES
        position[first : first + options.tiles().mages] = layout.PORTALS
    position[layout.SEAT] = 0 if options.choose_colours else layout.CHANCE
    if options.player_powers:
        position[layout.PHASE] = layout.IN_COLOURS
    else:
        start_reserves(position)
    return position


def empty_position(seats: int, options: EtheriumOptions) -> Position:
    """Return a position without Realms and Mages; all tiles are in their Supplies."""
    position = np.zeros(layout.POSITION_SIZE, dtype=np.int64)
    position[layout.RULES :] = layout.rule_numbers(options, seats)
    tile = 0
    for kind, entry in enumerate(options.tiles().tiles):
        position[layout.KINDS + kind] = layout.pack_kind(entry, options)
        position[layout.FIRST_TILE + kind] = tile
        position[layout.SUPPLY + kind] = entry.copies
        position[layout.TILE_KIND + tile : layout.TILE_KIND + tile + entry.copies] = kind
        tile += entry.copies
    position[layout.FIRST_TILE + layout.KIND_COUNT] = tile
    position[layout.MAGE_PLACE : layout.EXHAUSTED] = layout.NONE
    for entry_number in EMPTY_REGISTERS:
        position[entry_number] = layout.NONE
    position[layout.SEATS] = seats
    position[layout.ROUND] = 1
    return position
