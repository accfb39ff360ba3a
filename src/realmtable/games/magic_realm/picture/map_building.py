"""Draw the map while it is being built: free places, and the tiles that a player can lay or turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import GREEN, TileId, Turn
from realmtable.games.magic_realm.catalog.placement import TURNS, Position, neighbour_position
from realmtable.games.magic_realm.catalog.tiles import Clearing, Point, tile_centre
from realmtable.games.magic_realm.picture.geometry import box_around, hexagon, translate
from realmtable.games.magic_realm.picture.map_ground import MARGIN, PlacedTile
from realmtable.games.magic_realm.picture.roads import draw_roads
from realmtable.games.magic_realm.picture.terrain import draw_name, ground_of
from realmtable.games.magic_realm.picture.tile import CLEARING_RADIUS, plan_tile
from realmtable.kit.map_picture import Box
from realmtable.kit.svg import Element, element, format_number

CHOICES: Final = ("tile", "place", "angle")  # questions to the player who lays a tile
KINDS: Final = (*CHOICES, "hand", "draw", "lay")  # what is done while the map is incomplete
_GROUNDS: Final = {"woods": "mr-wood", "mountain": "mr-scree", "cave": "mr-cave"}
_PLUS: Final = "M0-22V22M-22 0H22"
_ITEM: Final = 215  # the width of a tile in the tray, with its margin, before it is made smaller
_ROW: Final = 0.88  # the height of a row, as a part of its width
_PER_ROW: Final = 5


class Item(NamedTuple):
    """A tile in the tray."""

    tile: TileId
    turn: Turn
    handle: str
    label: str
    is_chosen: bool


class Building(NamedTuple):
    """A map that is not complete: what a player can lay, and where."""

    tiles: tuple[PlacedTile, ...]
    free: tuple[Position, ...]  # where the viewer can lay the tile
    turned: Position | None  # where the tile that is being turned will lie
    items: tuple[Item, ...]
    rows: int  # of the tray

    @property
    def land(self) -> Box:
        """The tiles and the places around them."""
        laid = [(column, row) for _, column, row, _, _ in self.tiles] or [(0, 0)]
        around = {neighbour_position(position, edge) for position in laid for edge in range(TURNS)}
        return box_around([tile_centre(*position) for position in around], MARGIN)

    @property
    def box(self) -> Box:
        """The land and, below it, the tray."""
        land = self.land
        return land._replace(high=land.high + self.rows * _pitch(land) * _ROW)


def _pitch(land: Box) -> float:
    """Return the width of a place in the tray."""
    return min(_ITEM, land.wide / _PER_ROW)


def read_building(view: View, tiles: tuple[PlacedTile, ...]) -> Building | None:
    """Return the map that is being built; None if it is complete."""
    doing = view["doing"]
    if doing is None or doing["kind"] not in KINDS:
        return None
    moves = view["question"]["moves"] if view["question"] else []
    hand = view["players"][doing["seat"]]["hand"] if doing["kind"] in CHOICES else []
    items = _list_turns(doing["about"], moves) if doing["kind"] == "angle" else ()
    return Building(
        tiles,
        tuple(_read_position(move) for move in moves if move.startswith("place ")),
        tuple(doing["hex"]) if doing["hex"] else None,
        items or tuple(_make_item(code, doing["about"]) for code in hand),
        rows=-(-max(len(hand), len(items)) // _PER_ROW),
    )


def _read_position(move: str) -> Position:
    _, column, row = move.split()
    return int(column), int(row)


def _make_item(code: str, about: str) -> Item:
    tile = next(found for found in load_catalog().tiles if found.code == code)
    return Item(tile.id, 0, f"tile {tile.name}", tile.name, tile.name == about)


def _list_turns(name: str, moves: Sequence[str]) -> tuple[Item, ...]:
    tile = next(found for found in load_catalog().tiles if found.name == name)
    turns = [int(move.split()[1]) for move in moves if move.startswith("turn ")]
    return tuple(Item(tile.id, turn, f"turn {turn}", f"{name}, turned by {60 * turn}°", False) for turn in turns)


# ---- drawing


def draw_building(building: Building) -> list[Element]:
    """Draw the free places and the tray."""
    places = [_draw_free(position) for position in building.free]
    if building.turned is not None:
        spot = translate(tile_centre(*building.turned))
        places.append(element("path", class_="mr-slot mr-turning", d=f"M0 0{hexagon(96)}", transform=spot))
    return [
        element("g", *places, class_="mr-places"),
        element("g", *_draw_tray(building), class_="mr-places"),
    ]


def _draw_free(position: Position) -> Element:
    return element(
        "g",
        element("path", class_="mr-slot", d=f"M0 0{hexagon(94)}"),
        element("path", class_="mr-plus", d=_PLUS),
        element("path", class_="mr-area", d=f"M0 0{hexagon(94)}"),
        transform=translate(tile_centre(*position)),
        role="button",
        tabindex=-1,
        data_handle=f"place {position[0]} {position[1]}",
        aria_label=f"Free place, column {position[0]}, row {position[1]}",
    )


def _draw_tray(building: Building) -> list[Element]:
    land = building.land
    pitch = _pitch(land)
    left = land.left + land.wide / 2 - pitch * (min(_PER_ROW, len(building.items)) - 1) / 2
    drawn = []
    for number, item in enumerate(building.items):
        row, column = divmod(number, _PER_ROW)
        at = left + column * pitch, land.top + land.high + (row + 0.45) * pitch * _ROW
        drawn.append(_draw_item(item, at, pitch / _ITEM))
    return drawn


def _draw_item(item: Item, at: Point, scale: float) -> Element:
    return element(
        "g",
        *draw_small_tile(item.tile, item.turn),
        *([element("path", class_="mr-slot mr-turning", d=f"M0 0{hexagon(98)}")] if item.is_chosen else []),
        element("path", class_="mr-area", d=f"M0 0{hexagon(98)}"),
        transform=f"{translate(at)} scale({format_number(scale)})",
        role="button",
        tabindex=-1,
        data_handle=item.handle,
        aria_label=item.label,
    )


def draw_small_tile(tile: TileId, turn: Turn) -> list[Element]:
    """Draw the ground, roads, clearings and name of a tile around 0,0; it needs no shapes of the layer."""
    plan = plan_tile(tile, GREEN, turn)
    clearings = [part for found in plan.side.clearings for part in _draw_clearing(found, plan.clearings[found.number])]
    ground = element("path", class_="mr-ground", d=f"M0 0{hexagon(100)}")
    roads = element("g", *draw_roads(plan), class_="mr-roads")
    return [element("g", ground, roads, *clearings, *draw_name(plan), class_=ground_of(plan))]


def _draw_clearing(clearing: Clearing, at: Point) -> list[Element]:
    ground = "mr-glade" if clearing.is_open else _GROUNDS[clearing.kind]
    kind = "mr-number mr-on" if clearing.kind == "cave" else "mr-number"
    return [
        element("circle", class_=f"mr-rim {ground}", cx=at[0], cy=at[1], r=CLEARING_RADIUS),
        element("text", str(clearing.number), class_=kind, x=at[0], y=at[1] + 5.2),
    ]
