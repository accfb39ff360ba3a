"""Find the clearings of a map that no road joins to the others."""

from __future__ import annotations

from realmtable.games.magic_realm.catalog import load_catalog, map_graph
from realmtable.games.magic_realm.catalog.ids import Place, place_of
from realmtable.games.magic_realm.catalog.map_graph import MapGraph, count_moves
from realmtable.games.magic_realm.catalog.map_rules import first_tile
from realmtable.games.magic_realm.catalog.placement import Layout


def find_cut_off(graph: MapGraph, start: Place) -> tuple[Place, ...]:
    """Return the clearings that no roads, known or not, join to a clearing (M2)."""
    return tuple(sorted({*graph.clearings} - {*count_moves(graph, start)}))


def assert_few_are_cut_off(layout: Layout) -> None:
    """Check that only valleys and woods have clearings that are cut off, and never all of a tile (M2)."""
    tiles = load_catalog().tiles
    cut_off = find_cut_off(map_graph(layout), place_of(first_tile(tiles), 1))
    for tile in tiles:
        cut_off_here = [number for number in tile.numbers if place_of(tile.id, number) in cut_off]
        assert len(cut_off_here) < (1 if tile.has_six_clearings else len(tile.numbers)), tile.name
        # A dwelling or campfire finds its clearing (M5, M6).
        assert not {4, 5} <= {*cut_off_here}, tile.name
