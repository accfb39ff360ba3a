"""The rules for laying tiles: which placements are legal (M1, M2), and maps dealt by chance (M3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from realmtable.games.magic_realm.catalog.ids import Place, TileId, place_of
from realmtable.games.magic_realm.catalog.placement import (
    TURNS,
    Layout,
    Placement,
    Position,
    neighbour_position,
    opposite_edge,
)
from realmtable.games.magic_realm.catalog.roads import build_graph, count_moves
from realmtable.games.magic_realm.catalog.tiles import Tile

FIRST_TILE: Final = "Borderland"
NO_TILE: Final = -1
TOUCHED: Final = 2  # tiles that every tile touches, from the third on
FEW_CLEARINGS: Final = ("V", "W")  # letters of the tiles that a deal keeps apart
Item = TypeVar("Item")


def first_tile(tiles: Sequence[Tile]) -> TileId:
    """Return the tile that every map begins with."""
    return next(tile.id for tile in tiles if tile.name == FIRST_TILE)


def why_not_place(tiles: Sequence[Tile], placed: Sequence[Placement], new: Placement) -> tuple[str, str] | None:
    """Return the clause that a placement breaks and a sentence about it, or nothing if it is legal."""
    name = tiles[new.tile].name
    if not placed:
        return None if tiles[new.tile].name == FIRST_TILE else ("M1", f"The {FIRST_TILE} comes first.")
    if any(other.tile == new.tile for other in placed):
        return "M1", f"{name} is on the map already."
    by_position = {other.position: other for other in placed}
    if new.position in by_position:
        return "M1", f"{tiles[by_position[new.position].tile].name} lies there already."
    edges = [edge for edge in range(TURNS) if neighbour_position(new.position, edge) in by_position]
    if len(edges) < min(TOUCHED, len(placed)):
        return "M1", f"{name} must touch two other tiles, or the {FIRST_TILE} if it is the second tile."
    for edge in edges:
        other = by_position[neighbour_position(new.position, edge)]
        if _has_road(tiles, new, edge) != _has_road(tiles, other, opposite_edge(edge)):
            return "M1", f"A road must meet a road where {name} touches {tiles[other.tile].name}."
    return None if _reaches_first_tile(tiles, placed, new) else ("M2", _sentence_about_connection(tiles[new.tile]))


def _has_road(tiles: Sequence[Tile], placement: Placement, edge: int) -> bool:
    return tiles[placement.tile].edges[placement.edge_to(edge)]


def _reaches_first_tile(tiles: Sequence[Tile], placed: Sequence[Placement], new: Placement) -> bool:
    """Return whether roads join a new tile to the first one: all its clearings if it has six, else one of them."""
    reached = _reached_places(tiles, (*placed, new))
    joined = [place_of(new.tile, number) in reached for number in tiles[new.tile].numbers]
    return all(joined) if tiles[new.tile].has_six_clearings else any(joined)


def _reached_places(tiles: Sequence[Tile], layout: Sequence[Placement]) -> frozenset[Place]:
    graph, first = build_graph(tiles, layout), first_tile(tiles)
    return frozenset(count_moves(graph, place_of(first, tiles[first].numbers[0])))


def _sentence_about_connection(tile: Tile) -> str:
    what = f"every clearing of {tile.name}" if tile.has_six_clearings else f"a clearing of {tile.name}"
    return f"Roads must join {what} to the {FIRST_TILE}."


def list_placements(tiles: Sequence[Tile], placed: Sequence[Placement], tile: TileId) -> tuple[Placement, ...]:
    """Return the legal placements of a tile in ascending order."""
    candidates = (
        Placement(tile, column, row, turn) for column, row in _free_positions(placed) for turn in range(TURNS)
    )
    return tuple(new for new in candidates if why_not_place(tiles, placed, new) is None)


def _free_positions(placed: Sequence[Placement]) -> list[Position]:
    """Return the positions that touch as many tiles as a new tile must."""
    taken = {placement.position for placement in placed}
    around = [neighbour_position(position, edge) for position in taken for edge in range(TURNS)]
    wanted = min(TOUCHED, len(placed))
    return sorted({position for position in around if around.count(position) >= wanted} - taken)


def why_not_map(tiles: Sequence[Tile], layout: Sequence[Placement]) -> tuple[str, str] | None:
    """Return why no order of placing tiles leads to a map, or nothing if it is legal.

    A tile that can be placed can still be placed after others, so after the second tile any order will do.
    """
    if sorted(placement.tile for placement in layout) != [tile.id for tile in tiles]:
        return "M1", "A map has every tile once."
    first = next(placement for placement in layout if placement.tile == first_tile(tiles))
    others = [placement for placement in layout if placement is not first]
    seconds = [second for second in others if why_not_place(tiles, [first], second) is None]
    rests = [_place_all(tiles, [first, second], others) for second in seconds]
    if not rests:
        return "M1", f"No tile can be placed next to the {FIRST_TILE}."
    placed = max(rests, key=len)
    missing = next((placement for placement in layout if placement not in placed), None)
    return missing and why_not_place(tiles, placed, missing)


def _place_all(tiles: Sequence[Tile], placed: list[Placement], others: Sequence[Placement]) -> list[Placement]:
    """Return what can be placed of a map that begins with some tiles."""
    while True:
        left = [placement for placement in others if placement not in placed]
        found = next((new for new in left if why_not_place(tiles, placed, new) is None), None)
        if found is None:
            return placed
        placed = [*placed, found]


# ---- maps dealt by chance


@dataclass(frozen=True, slots=True)
class MapDeal:
    """A map that is being dealt: tiles are drawn from a shuffled pile and placed at random (M3)."""

    placed: Layout  # in the order of placing
    undrawn: tuple[TileId, ...]  # on top of the pile, in an order that nobody knows
    put_back: tuple[TileId, ...]  # at the bottom of the pile, the next one first
    drawn: TileId  # the tile to place, or NO_TILE
    refused: int  # tiles put back since the latest one was placed

    @property
    def is_complete(self) -> bool:
        """Whether every tile has been placed."""
        return self.drawn == NO_TILE and not self.undrawn and not self.put_back

    @property
    def is_stuck(self) -> bool:
        """Whether none of the tiles that are left can be placed."""
        return bool(self.put_back) and not self.undrawn and self.refused >= len(self.put_back)

    @property
    def layout(self) -> Layout:
        """The placed tiles, by tile."""
        return tuple(sorted(self.placed))


def begin_deal(tiles: Sequence[Tile]) -> MapDeal:
    """Return a deal with the first tile in the middle."""
    first = first_tile(tiles)
    return MapDeal((Placement(first, 0, 0, 0),), tuple(t.id for t in tiles if t.id != first), (), NO_TILE, 0)


def list_drawable(deal: MapDeal) -> tuple[TileId, ...]:
    """Return the tiles that may come next, equally likely: any undrawn one, or else the next one put back."""
    return deal.undrawn or deal.put_back[:1]


def draw_tile(tiles: Sequence[Tile], deal: MapDeal, tile: TileId) -> MapDeal:
    """Return the deal after a tile has been drawn, and put back at once if it cannot be placed."""
    undrawn = tuple(other for other in deal.undrawn if other != tile)
    put_back = tuple(other for other in deal.put_back if other != tile)
    if list_dealt_placements(tiles, deal.placed, tile):
        return replace(deal, undrawn=undrawn, put_back=put_back, drawn=tile)
    return replace(deal, undrawn=undrawn, put_back=(*put_back, tile), refused=deal.refused + 1)


def list_dealt_placements(tiles: Sequence[Tile], placed: Sequence[Placement], tile: TileId) -> tuple[Placement, ...]:
    """Return the placements that a deal chooses from: valleys and woods keep apart from each other if they can."""
    legal = list_placements(tiles, placed, tile)
    if tiles[tile].letter not in FEW_CLEARINGS:
        return legal
    taken = {other.position for other in placed if tiles[other.tile].letter in FEW_CLEARINGS}
    apart = [new for new in legal if not any(neighbour_position(new.position, edge) in taken for edge in range(TURNS))]
    return tuple(apart) or legal


def place_tile(deal: MapDeal, placement: Placement) -> MapDeal:
    """Return the deal after the drawn tile has been placed."""
    return replace(deal, placed=(*deal.placed, placement), drawn=NO_TILE, refused=0)


def deal_map(tiles: Sequence[Tile], choose: Callable[[Sequence[TileId] | Sequence[Placement]], int]) -> Layout | None:
    """Return a dealt map, or nothing if the deal gets stuck; `choose` returns the index of a random item."""
    deal = begin_deal(tiles)
    while not deal.is_complete:
        if deal.is_stuck:
            return None
        drawable = list_drawable(deal)
        deal = draw_tile(tiles, deal, drawable[choose(drawable)])
        if deal.drawn != NO_TILE:
            placements = list_dealt_placements(tiles, deal.placed, deal.drawn)
            deal = place_tile(deal, placements[choose(placements)])
    return deal.layout
