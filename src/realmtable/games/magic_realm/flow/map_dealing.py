"""The map: a ready-made one, or tiles dealt and laid by chance (M3)."""

from __future__ import annotations

from functools import lru_cache

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import TileId
from realmtable.games.magic_realm.catalog.map_rules import first_tile, list_dealt_placements
from realmtable.games.magic_realm.catalog.placement import Layout, Placement
from realmtable.games.magic_realm.flow.agenda import Draw, FrameLimits, Handler, Next, Task
from realmtable.games.magic_realm.flow.stock_maps import AFTER_MAP, STOCK_MAPS, lay_stock_map
from realmtable.games.magic_realm.world.map_layout import lay_tile, layout_of
from realmtable.games.magic_realm.world.places import TILES
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World


def _begin_map(world: World, _frame: Frame) -> Next:
    name = world.options.map
    if name in STOCK_MAPS:
        lay_stock_map(world, STOCK_MAPS[name])
        return AFTER_MAP
    if name == "players":
        return (Frame("hand"),)
    lay_tile(world, Placement(first_tile(load_catalog().tiles), 0, 0, 0))
    return (Frame("deal"),)


def _deal(world: World, frame: Frame) -> Next:
    """Draw the next tile, unless the map is complete; `a` counts the tiles put back since one was laid."""
    left = _tiles_left(world)
    if not left:
        return AFTER_MAP
    if frame.a < len(left):
        return (frame._replace(kind="draw"),)
    for tile in left:
        world.writable_tile(tile).put_back = 0
    lay_stock_map(world, 0)
    return AFTER_MAP


def _tiles_left(world: World) -> list[TileId]:
    return [number for number, tile in enumerate(world.tiles) if not tile.placed]


def _list_drawable(world: World) -> list[TileId]:
    """Return the tiles that may come next: those that were not put back, or else the first that was."""
    left = _tiles_left(world)
    return [tile for tile in left if not world.tiles[tile].put_back] or _list_put_back(world)[:1]


def _draw_outcomes(world: World, _frame: Frame) -> list[tuple[Step, int]]:
    return [(Step("draw", (tile,)), 1) for tile in _list_drawable(world)]


def _take_drawn(world: World, frame: Frame, step: Step) -> Next:
    (tile,) = step.args
    is_laid = bool(list_dealt(layout_of(world), tile))
    waiting = [other for other in _list_put_back(world) if other != tile] + [tile] * (not is_laid)
    world.writable_tile(tile).put_back = 0
    for rank, other in enumerate(waiting, 1):
        world.writable_tile(other).put_back = rank
    return (Frame("lay", a=tile) if is_laid else Frame("deal", a=frame.a + 1),)


def _list_put_back(world: World) -> list[TileId]:
    """Return the tiles that were put back, in the order in which they come up again."""
    found = [tile for tile in _tiles_left(world) if world.tiles[tile].put_back]
    return sorted(found, key=lambda tile: world.tiles[tile].put_back)


@lru_cache(maxsize=256)
def list_dealt(layout: Layout, tile: TileId) -> tuple[Placement, ...]:
    """Return the places from which chance chooses for a tile."""
    return list_dealt_placements(load_catalog().tiles, layout, tile)


def _lay_outcomes(world: World, frame: Frame) -> list[tuple[Step, int]]:
    return [(Step("lay", placement[1:]), 1) for placement in list_dealt(layout_of(world), frame.a)]


def _take_laid(world: World, frame: Frame, step: Step) -> Next:
    lay_tile(world, Placement(frame.a, *step.args))
    return (Frame("deal"),)


_LIMITS = FrameLimits("setup", a=range(TILES))
HANDLERS: dict[str, Handler] = {
    "map": Task(_begin_map, FrameLimits("setup")),
    "deal": Task(_deal, _LIMITS),
    "draw": Draw(lambda *_: "tile", _draw_outcomes, _take_drawn, limits=_LIMITS),
    "lay": Draw(lambda *_: "place", _lay_outcomes, _take_laid, limits=_LIMITS),
}
