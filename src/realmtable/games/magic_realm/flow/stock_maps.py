"""The ready-made maps (M3)."""

from __future__ import annotations

from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.world.map_layout import lay_tile
from realmtable.games.magic_realm.world.steps import Frame
from realmtable.games.magic_realm.world.world import World

STOCK_MAPS: Final = {"stock1": 0, "stock2": 1, "stock3": 2}
AFTER_MAP: Final = (Frame("be", 0),)  # the first player chooses a character


def lay_stock_map(world: World, number: int) -> None:
    """Lay all tiles as on a ready-made map."""
    for placement in load_catalog().stock_maps[number].layout:
        lay_tile(world, placement)
