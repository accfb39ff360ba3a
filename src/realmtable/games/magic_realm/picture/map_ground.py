"""Draw the layer of the map: tiles with roads, clearings and names. It changes only when a tile does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import SIDES, Side, TileId, Turn
from realmtable.games.magic_realm.catalog.tiles import Point, tile_centre
from realmtable.games.magic_realm.picture.geometry import box_around, distance, format_point, hexagon, translate
from realmtable.games.magic_realm.picture.roads import draw_roads
from realmtable.games.magic_realm.picture.shapes import draw_shapes
from realmtable.games.magic_realm.picture.style import MAP_STYLE
from realmtable.games.magic_realm.picture.terrain import (
    draw_clearings,
    draw_ground,
    draw_growth,
    draw_name,
    draw_use,
    ground_of,
)
from realmtable.games.magic_realm.picture.tile import TilePlan, plan_tile
from realmtable.games.magic_realm.view_parts.map_schema import TileData
from realmtable.kit.map_picture import Box
from realmtable.kit.svg import Element, element, name_parts

MARGIN: Final = 26
_COMPASS_ROOM: Final = 0.11  # its distance from the sides, as a part of the map
_COMPASS_DISTANCE: Final = 170  # its least distance from the centre of a tile
PlacedTile = tuple[TileId, int, int, Turn, Side]  # tile, column, row, turn and side


def place_tiles(tiles: Sequence[TileData]) -> tuple[PlacedTile, ...]:
    """Return the tiles of the view as numbers."""
    find = load_catalog().names.find
    return tuple(
        (find(tile["tile"], "tile").id, tile["column"], tile["row"], tile["turn"], SIDES.index(tile["side"]))
        for tile in tiles
    )


def plan_of(placed: PlacedTile) -> TilePlan:
    """Return the plan of a tile on the map."""
    tile, _, _, turn, side = placed
    return plan_tile(tile, side, turn)


def centre_of(placed: PlacedTile) -> Point:
    """Return the centre of a tile on the map."""
    return tile_centre(placed[1], placed[2])


def map_box(tiles: Sequence[PlacedTile]) -> Box:
    """Return the view box of a map."""
    return box_around([centre_of(placed) for placed in tiles], MARGIN)


@lru_cache(maxsize=64)
def draw_map(tiles: tuple[PlacedTile, ...], theme: str, whole: Box | None = None) -> Element:
    """Return the map as a complete SVG document without handles; `whole` is its view box if that is larger."""
    box = whole or map_box(tiles)
    ordered = sorted(tiles, key=lambda placed: centre_of(placed)[::-1])
    outline = "".join(f"M{format_point(centre_of(placed))}{hexagon(100)}" for placed in ordered)
    return MAP_STYLE.make_document(
        box,
        theme,
        {
            "shapes": draw_shapes(),
            "sea": _draw_sea(box),
            **name_parts([] if whole else _draw_compass(box, [centre_of(placed) for placed in tiles]), "compass"),
            "coast": element("path", class_="mr-coast", d=outline),
            "shore": element("path", class_="mr-shore", d=outline),
            **name_parts((_draw_band(ordered, band) for band in range(len(_BANDS))), "band"),
        },
        {"height": "100%"},
    )


def _draw_sea(box: Box) -> Element:
    """Draw the ground around the map, which fills a frame of any shape."""
    left, top, wide, high = map(round, box.surroundings())
    return element("rect", class_="mr-sea", x=left, y=top, width=wide, height=high)


def _draw_compass(box: Box, centres: Sequence[Point]) -> list[Element]:
    """Draw a compass in the corner that is farthest from any tile, if it has space."""
    near, far = _COMPASS_ROOM, 1 - _COMPASS_ROOM
    corners = [(box.left + box.wide * x, box.top + box.high * y) for x in (near, far) for y in (near, far)]
    room, corner = max((min(distance(corner, centre) for centre in centres), corner) for corner in corners)
    return [draw_use("compass", corner)] if room > _COMPASS_DISTANCE else []


# What is drawn of all tiles before the next one: its style, and the parts of a tile.
_BANDS: Final[tuple[tuple[str, Callable[[TilePlan], list[Element]]], ...]] = (
    ("", draw_ground),
    ("mr-roads", draw_roads),
    ("", lambda plan: [*draw_growth(plan), *draw_clearings(plan), *draw_name(plan)]),
)


def _draw_band(tiles: Sequence[PlacedTile], band: int) -> Element:
    groups = [
        element("g", *parts, class_=ground, transform=translate(centre_of(placed)))
        for placed in tiles
        for ground, parts in [_draw_parts(placed[0], placed[4], placed[3], band)]
    ]
    return element("g", *groups, class_=_BANDS[band][0] or None)


@lru_cache(maxsize=1024)
def _draw_parts(tile: TileId, side: Side, turn: Turn, band: int) -> tuple[str, tuple[Element, ...]]:
    """Return the style of a tile's ground and what is drawn of the tile: the same wherever it lies."""
    plan = plan_tile(tile, side, turn)
    return ground_of(plan), tuple(_BANDS[band][1](plan))
