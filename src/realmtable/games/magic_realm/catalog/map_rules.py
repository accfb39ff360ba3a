"""The rules for laying tiles: which placements are legal (M1, M2), and from which of them chance chooses (M3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from realmtable.games.magic_realm.catalog.ids import GREEN, Edge, Place, TileId, place_of, tile_of
from realmtable.games.magic_realm.catalog.map_graph import build_graph, count_moves
from realmtable.games.magic_realm.catalog.placement import (
    TURNS,
    Placement,
    Position,
    neighbour_position,
    opposite_edge,
)
from realmtable.games.magic_realm.catalog.tiles import INSIDE, Tile, TileSide

FIRST_TILE: Final = "Borderland"
FIRST_PART: Final = 0  # the part of a map that hangs together with the first tile
TOUCHED: Final = 2  # tiles that every tile touches, from the third on
FEW_CLEARINGS: Final = ("V", "W")  # letters of the tiles that a deal keeps apart


def first_tile(tiles: Sequence[Tile]) -> TileId:
    """Return the tile that every map begins with."""
    return next(tile.id for tile in tiles if tile.name == FIRST_TILE)


class MapSoFar:
    """The tiles placed so far, prepared for trying the next one in many places."""

    def __init__(self, tiles: Sequence[Tile], placed: Sequence[Placement]) -> None:
        self.tiles = tiles
        self.placed = placed
        self.by_position = {placement.position: placement for placement in placed}
        self._parts = _number_parts(tiles, placed)

    def why_not(self, new: Placement) -> tuple[str, str] | None:
        """Return the clause that a placement breaks and a sentence about it, or nothing if it is legal."""
        name = self.tiles[new.tile].name
        if not self.placed:
            return None if name == FIRST_TILE else ("M1", f"The {FIRST_TILE} comes first.")
        if any(other.tile == new.tile for other in self.placed):
            return "M1", f"{name} is on the map already."
        if new.position in self.by_position:
            return "M1", f"{self.tiles[self.by_position[new.position].tile].name} lies there already."
        around = [(edge, self.by_position.get(neighbour_position(new.position, edge))) for edge in range(TURNS)]
        touched = [(edge, other) for edge, other in around if other is not None]
        if len(touched) < min(TOUCHED, len(self.placed)):
            return "M1", f"{name} must touch two other tiles, or the {FIRST_TILE} if it is the second tile."
        for edge, other in touched:
            if self._has_road(new, edge) != self._has_road(other, opposite_edge(edge)):
                return "M1", f"A road must meet a road where {name} touches {self.tiles[other.tile].name}."
        return None if self._reaches_first_tile(new, touched) else ("M2", _explain_connection(self.tiles[new.tile]))

    def placements(self, tile: TileId) -> tuple[Placement, ...]:
        """Return the legal placements of a tile in ascending order."""
        return tuple(
            new
            for column, row in self._free_positions()
            for turn in range(TURNS)
            if self.why_not(new := Placement(tile, column, row, turn)) is None
        )

    def _free_positions(self) -> list[Position]:
        """Return the positions that touch as many tiles as a new tile must."""
        around = Counter(neighbour_position(position, edge) for position in self.by_position for edge in range(TURNS))
        wanted = min(TOUCHED, len(self.placed))
        return sorted({position for position, count in around.items() if count >= wanted} - {*self.by_position})

    def _has_road(self, placement: Placement, edge: Edge) -> bool:
        return self.tiles[placement.tile].edges[placement.edge_to(edge)]

    def _reaches_first_tile(self, new: Placement, touched: Sequence[tuple[Edge, Placement]]) -> bool:
        """Return whether roads join a new tile to the first one: all its clearings if it has six, else one of them."""
        tile = self.tiles[new.tile]
        joins = {number: {*within} for number, within in _join_clearings(tile.sides[GREEN]).items()}
        for edge, other in touched:
            own = tile.sides[GREEN].road_at(new.edge_to(edge))
            far = self.tiles[other.tile].sides[GREEN].road_at(other.edge_to(opposite_edge(edge)))
            if own is not None and far is not None:
                part = -self._parts[place_of(other.tile, far.start)]
                joins.setdefault(part, set()).add(own.start)
                joins[own.start].add(part)
        reached, waiting = {FIRST_PART}, [FIRST_PART]
        while waiting:
            found = joins.get(waiting.pop(), set()) - reached
            reached |= found
            waiting += found
        joined = [number in reached for number in tile.numbers]
        return all(joined) if tile.has_six_clearings else any(joined)


def why_not_place(tiles: Sequence[Tile], placed: Sequence[Placement], new: Placement) -> tuple[str, str] | None:
    """Return the clause that a placement breaks and a sentence about it, or nothing if it is legal."""
    return MapSoFar(tiles, placed).why_not(new)


def list_placements(tiles: Sequence[Tile], placed: Sequence[Placement], tile: TileId) -> tuple[Placement, ...]:
    """Return the legal placements of a tile in ascending order."""
    return MapSoFar(tiles, placed).placements(tile)


def _number_parts(tiles: Sequence[Tile], placed: Sequence[Placement]) -> dict[Place, int]:
    """Return the connected part of the map that each clearing belongs to; the first tile's part has the number 0."""
    graph = build_graph(tiles, placed)
    first = first_tile(tiles)
    parts: dict[Place, int] = {}
    for place in sorted(graph.clearings, key=lambda place: (tile_of(place) != first, place)):
        if place not in parts:
            parts |= dict.fromkeys(count_moves(graph, place), len({*parts.values()}))
    return parts


def _join_clearings(side: TileSide) -> dict[int, list[int]]:
    """Return the clearings of a tile with those that its own roads join to them."""
    joins: dict[int, list[int]] = {clearing.number: [] for clearing in side.clearings}
    for road in side.roads:
        if road.edge == INSIDE:
            joins[road.start].append(road.end)
            joins[road.end].append(road.start)
    return joins


def _explain_connection(tile: Tile) -> str:
    what = f"every clearing of {tile.name}" if tile.has_six_clearings else f"a clearing of {tile.name}"
    return f"Roads must join {what} to the {FIRST_TILE}."


def why_not_map(tiles: Sequence[Tile], layout: Sequence[Placement]) -> tuple[str, str] | None:
    """Return why no order of placing tiles leads to a map, or nothing if it is legal.

    A tile that can be placed can still be placed after others, so after the second tile any order will do.
    """
    if sorted(placement.tile for placement in layout) != [tile.id for tile in tiles]:
        return "M1", "A map has every tile once."
    first = next(placement for placement in layout if placement.tile == first_tile(tiles))
    others = [placement for placement in layout if placement is not first]
    seconds = [second for second in others if why_not_place(tiles, [first], second) is None]
    if not seconds:
        return "M1", f"No tile can be placed next to the {FIRST_TILE}."
    placed = max((_place_all(tiles, [first, second], others) for second in seconds), key=len)
    missing = next((placement for placement in layout if placement not in placed), None)
    return missing and why_not_place(tiles, placed, missing)


def _place_all(tiles: Sequence[Tile], placed: list[Placement], others: Sequence[Placement]) -> list[Placement]:
    """Return what can be placed of a map that begins with some tiles."""
    while True:
        so_far = MapSoFar(tiles, placed)
        found = next((new for new in others if so_far.why_not(new) is None), None)
        if found is None:
            return placed
        placed = [*placed, found]


def list_dealt_placements(tiles: Sequence[Tile], placed: Sequence[Placement], tile: TileId) -> tuple[Placement, ...]:
    """Return the placements that a deal chooses from: valleys and woods keep apart from each other if they can."""
    legal = list_placements(tiles, placed, tile)
    if tiles[tile].letter not in FEW_CLEARINGS:
        return legal
    taken = {other.position for other in placed if tiles[other.tile].letter in FEW_CLEARINGS}
    apart = [new for new in legal if not any(neighbour_position(new.position, edge) in taken for edge in range(TURNS))]
    return tuple(apart) or legal
