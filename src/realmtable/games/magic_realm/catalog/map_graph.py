"""The clearings of a map and the roads that join them, within tiles and across their edges (D9, D10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final, NamedTuple

from realmtable.games.magic_realm.catalog.ids import (
    ENCHANTED,
    GREEN,
    Place,
    RoadId,
    SecretId,
    Side,
    TileId,
    place_of,
)
from realmtable.games.magic_realm.catalog.placement import TURNS, Placement, neighbour_position, opposite_edge
from realmtable.games.magic_realm.catalog.tiles import INSIDE, OPEN, Clearing, Tile, TileSide

MOUNTAIN_MOVES: Final = 2  # Move phases to enter a mountain clearing (D10)
NO_ROAD: Final = -1
ALL_SECRETS: Final = -1  # a set of discoveries, as bits, that holds every secret road


class Way(NamedTuple):
    """A way from one clearing to the next."""

    to: Place
    moves: int  # Move phases that it takes
    secret: SecretId  # what has to be discovered first, or OPEN
    road: RoadId
    far_road: RoadId  # the second half of a way across an edge, or NO_ROAD


class Exit(NamedTuple):
    """A road that leads off the map."""

    place: Place
    road: RoadId


@dataclass(frozen=True, slots=True)
class MapGraph:
    """All clearings of a map and the ways between them."""

    clearings: Mapping[Place, Clearing]
    ways: Mapping[Place, tuple[Way, ...]]
    exits: tuple[Exit, ...]

    def ways_between(self, place: Place, to: Place) -> tuple[Way, ...]:
        """Return the ways from a clearing to an adjacent one."""
        return tuple(way for way in self.ways[place] if way.to == to)


def build_graph(tiles: Sequence[Tile], layout: Sequence[Placement], enchanted: int = 0) -> MapGraph:
    """Return the graph of a map, whole or not; `enchanted` is a set of tiles as bits."""
    sides = {placement.tile: tiles[placement.tile].sides[side_of(placement.tile, enchanted)] for placement in layout}
    clearings = {clearing.place: clearing for side in sides.values() for clearing in side.clearings}
    ways: dict[Place, list[Way]] = {place: [] for place in clearings}
    for tile, side in sides.items():
        for road in side.roads:
            if road.edge == INSIDE:
                start, end = place_of(tile, road.start), place_of(tile, road.end)
                ways[start].append(Way(end, _moves_into(clearings[end]), road.secret_id, road.id, NO_ROAD))
                ways[end].append(Way(start, _moves_into(clearings[start]), road.secret_id, road.id, NO_ROAD))
    exits = _join_edges(layout, sides, clearings, ways)
    return MapGraph(clearings, {place: tuple(sorted(found)) for place, found in ways.items()}, tuple(sorted(exits)))


def side_of(tile: TileId, enchanted: int) -> Side:
    """Return which side of a tile is up."""
    return ENCHANTED if enchanted >> tile & 1 else GREEN


def _moves_into(clearing: Clearing) -> int:
    return MOUNTAIN_MOVES if clearing.kind == "mountain" else 1


def _join_edges(
    layout: Sequence[Placement],
    sides: Mapping[TileId, TileSide],
    clearings: Mapping[Place, Clearing],
    ways: Mapping[Place, list[Way]],
) -> list[Exit]:
    """Add the ways across edges; return the roads that lead off the map."""
    by_position = {placement.position: placement for placement in layout}
    exits = []
    for own in layout:
        for edge in range(TURNS):
            road = sides[own.tile].road_at(own.edge_to(edge))
            if road is None:
                continue
            place = place_of(own.tile, road.start)
            other = by_position.get(neighbour_position(own.position, edge))
            far = other and sides[other.tile].road_at(other.edge_to(opposite_edge(edge)))
            if other is None:
                exits.append(Exit(place, road.id))
            elif far is not None:
                to = place_of(other.tile, far.start)
                ways[place].append(Way(to, _moves_into(clearings[to]), OPEN, road.id, far.id))
    return exits


def is_known(secret: SecretId, known: int) -> bool:
    """Return whether a way can be used by someone with these discoveries, a set of secret roads as bits."""
    return secret == OPEN or bool(known >> secret & 1)


def count_moves(graph: MapGraph, start: Place, known: int = ALL_SECRETS) -> dict[Place, int]:
    """Return the Move phases from a clearing to every clearing that can be reached with these discoveries."""
    moves = {start: 0}
    heap = [(0, start)]
    while heap:
        so_far, place = heappop(heap)
        for way in graph.ways[place]:
            total = so_far + way.moves
            if is_known(way.secret, known) and total < moves.get(way.to, total + 1):
                moves[way.to] = total
                heappush(heap, (total, way.to))
    return moves
