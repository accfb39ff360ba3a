"""The map of a world: where its tiles lie, which clearings are joined, and where dwellings stand (M1, M5, M6)."""

from __future__ import annotations

from functools import cache, lru_cache

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import MapChitId, Place, TileId, place_of
from realmtable.games.magic_realm.catalog.load import map_graph
from realmtable.games.magic_realm.catalog.map_graph import MapGraph, count_moves
from realmtable.games.magic_realm.catalog.map_rules import first_tile, why_not_map
from realmtable.games.magic_realm.catalog.placement import Layout, Placement
from realmtable.games.magic_realm.world.open_slots import warning_slot
from realmtable.games.magic_realm.world.world import World


def layout_of(world: World) -> Layout:
    """Return where the tiles of a map lie that are placed, by tile."""
    if world.layout is None:
        world.layout = tuple(
            Placement(number, tile.column, tile.row, tile.turn)
            for number, tile in enumerate(world.tiles)
            if tile.placed
        )
    return world.layout


def graph_of(world: World) -> MapGraph:
    """Return the clearings and ways of the map."""
    return map_graph(layout_of(world))


def lay_tile(world: World, placement: Placement) -> None:
    """Put a tile on the map."""
    tile = world.writable_tile(placement.tile)
    tile.placed = True
    tile.column, tile.row, tile.turn = placement.column, placement.row, placement.turn
    world.layout = None


@lru_cache(maxsize=64)
def joined_clearings(layout: Layout) -> frozenset[Place]:
    """Return the clearings that roadways of any kind join to the Borderland."""
    tiles = load_catalog().tiles
    first = first_tile(tiles)
    return frozenset(count_moves(map_graph(layout), place_of(first, tiles[first].numbers[0])))


@lru_cache(maxsize=64)
def why_not_layout(layout: Layout) -> str:
    """Return why a complete map is not legal (M1, M2); empty if it is."""
    reason = why_not_map(load_catalog().tiles, layout)
    return reason[1] if reason else ""


def replace_warning(world: World, tile: TileId) -> None:
    """Replace a warning that has been turned up by its dwelling with the garrison, or by the Ghosts, if it has any."""
    found = _replacements().get(world.slots[warning_slot(tile)].chit)
    if found is None:
        return
    clearings, denizens = found
    joined = joined_clearings(layout_of(world))
    number = next((number for number in clearings[:-1] if place_of(tile, number) in joined), clearings[-1])
    world.writable_tile(tile).dwelling = number
    for denizen in denizens:
        world.move_denizen(denizen, place_of(tile, number))


@cache
def _replacements() -> dict[MapChitId, tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return, for each warning that is replaced, the clearings in order of preference and the denizens that come."""
    catalog = load_catalog()
    members = {group.name: [len(catalog.monsters) + native for native in group.members] for group in catalog.groups}
    found = {catalog.ghosts.chit: (catalog.ghosts.clearings, catalog.ghosts.monsters)}
    for dwelling in catalog.dwellings:
        found[dwelling.chit] = (dwelling.clearings, tuple(members.get(dwelling.garrison, ())))
    return found


def start_place(world: World, start: int) -> Place | None:
    """Return the clearing of a dwelling, or of the Ghosts, by the number of a start; None if it is not on the map."""
    catalog = load_catalog()
    chit = catalog.dwellings[start].chit if start < len(catalog.dwellings) else catalog.ghosts.chit
    for number, tile in enumerate(world.tiles):
        if tile.dwelling and world.slots[warning_slot(number)].chit == chit:
            return place_of(number, tile.dwelling)
    return None
