"""The clearing graph: ways within tiles and across edges on either side, discoveries, and distances in Moves."""

from __future__ import annotations

from itertools import product
from math import dist

import pytest

from realmtable.games.magic_realm.catalog import load_catalog, map_graph
from realmtable.games.magic_realm.catalog.ids import (
    ENCHANTED,
    GREEN,
    Place,
    clearing_of,
    is_as_strong,
    place_of,
    tile_of,
)
from realmtable.games.magic_realm.catalog.map_graph import (
    ALL_SECRETS,
    NO_ROAD,
    MapGraph,
    build_graph,
    count_moves,
    is_known,
    side_of,
)
from realmtable.games.magic_realm.catalog.placement import Layout, Placement, adjacent_tiles
from realmtable.games.magic_realm.catalog.tiles import (
    HEX_HEIGHT,
    HEX_RADIUS,
    INSIDE,
    OPEN,
    edge_middle,
    tile_centre,
    turn_point,
)
from tests.magic_realm.helpers.map_helpers import find_cut_off

CATALOG = load_catalog()
CODES = {tile.code: tile.id for tile in CATALOG.tiles}
EVERY_TILE = (1 << len(CATALOG.tiles)) - 1


def place(name: str) -> Place:
    return CATALOG.names.find(name, "clearing").id


def names(places: list[Place]) -> list[str]:
    return [CATALOG.names.by_number("clearing")[found] for found in places]


def graph_of_tile(code: str, enchanted: int = 0) -> MapGraph:
    return build_graph(CATALOG.tiles, [Placement(CODES[code], 0, 0, 0)], enchanted)


def ways_from(graph: MapGraph, name: str) -> list[str]:
    return names([way.to for way in graph.ways[place(name)]])


def test_places_number_the_clearings() -> None:
    crag = place("CG2")
    assert crag == CODES["CG"] * 8 + 2 == place_of(CODES["CG"], 2)
    assert (tile_of(crag), clearing_of(crag)) == (CODES["CG"], 2)
    assert [is_as_strong("M", weight) for weight in "NLMHT"] == [True, True, True, False, False]


def test_d18_the_paths_of_deep_woods_3_lead_to_6_and_not_from_1_to_4() -> None:
    ways = graph_of_tile("DW").ways[place("DW3")]
    hidden = [way for way in ways if way.secret != OPEN]
    assert names([way.to for way in hidden]) == ["DW6"]
    assert CATALOG.secret_roads[hidden[0].secret].kind == "hidden"
    path = next(road for road in CATALOG.secret_roads if road.tile == CODES["DW"] and road.start == 1)
    assert (path.side, path.end, path.kind) == (GREEN, 4, "hidden")


def test_d9_an_enchanted_tile_has_other_roads() -> None:
    green, enchanted = graph_of_tile("DW"), graph_of_tile("DW", 1 << CODES["DW"])
    assert ways_from(green, "DW3") == ["DW2", "DW5", "DW6"]
    assert ways_from(enchanted, "DW3") == ["DW1", "DW4", "DW5", "DW6"]
    assert (side_of(CODES["DW"], 1 << CODES["DW"]), side_of(CODES["DW"], 1)) == (ENCHANTED, GREEN)
    assert green.clearings[place("DW3")].magic == ()
    assert enchanted.clearings[place("DW3")].magic == ("gold",)


def test_d9_a_secret_road_can_be_used_by_those_who_know_it() -> None:
    graph = graph_of_tile("CG")
    (passage,) = graph.ways_between(place("CG1"), place("CG6"))
    assert CATALOG.secret_roads[passage.secret].kind == "secret"
    assert not is_known(passage.secret, 0)
    assert is_known(passage.secret, 1 << passage.secret)
    assert is_known(passage.secret, ALL_SECRETS)
    assert is_known(OPEN, 0)
    # Mountains cost two Moves each: 1-6 by the passage, or 1-4-6.
    assert count_moves(graph, place("CG1"), 0)[place("CG6")] == 4
    assert count_moves(graph, place("CG1"), 1 << passage.secret)[place("CG6")] == 2


def test_d10_mountains_take_two_moves_to_enter_and_one_to_leave() -> None:
    graph = graph_of_tile("L")
    assert count_moves(graph, place("L2")) == {place("L2"): 0, place("L5"): 2}
    graph = graph_of_tile("M")
    assert [way.moves for way in graph.ways_between(place("M2"), place("M5"))] == [2]
    assert [way.moves for way in graph.ways_between(place("M5"), place("M2"))] == [1]


def test_m2_only_ledges_and_high_pass_of_the_large_tiles_are_in_two_pieces() -> None:
    pieces = {
        tile.code: find_cut_off(graph_of_tile(tile.code), place_of(tile.id, tile.numbers[0]))
        for tile in CATALOG.tiles
        if tile.has_six_clearings
    }
    assert {code: names([*cut_off]) for code, cut_off in pieces.items() if cut_off} == {
        "L": ["L2", "L5"],
        "HP": ["HP3", "HP6"],
    }


def test_d9_roads_join_across_the_edges_of_turned_tiles() -> None:
    # Awful Valley lies north of the Borderland, turned so that its clearing 1 (north-west) points south.
    layout = (Placement(CODES["AV"], 0, -1, 4), Placement(CODES["B"], 0, 0, 0))
    graph = build_graph(CATALOG.tiles, layout)
    (way,) = graph.ways_between(place("B1"), place("AV1"))
    (back,) = graph.ways_between(place("AV1"), place("B1"))
    assert (way.secret, way.moves, way.road, way.far_road) == (OPEN, 1, back.far_road, back.road)
    assert NO_ROAD not in {way.road, way.far_road}
    assert graph.ways_between(place("B1"), place("B6"))[0].far_road == NO_ROAD
    assert adjacent_tiles(layout, CODES["B"]) == (CODES["AV"],)
    # The other nine roads lead off the map.
    assert names([found.place for found in graph.exits]) == ["AV2", "AV4", "AV4", "AV5", "B1", "B2", "B2", "B4", "B5"]


def test_d9_a_road_that_meets_no_road_leads_nowhere() -> None:
    # The south of Crag has no road, so the Borderland's northern road ends there; it does not leave the map either.
    layout = (Placement(CODES["CG"], 0, -1, 0), Placement(CODES["B"], 0, 0, 0))
    graph = build_graph(CATALOG.tiles, layout)
    assert ways_from(graph, "B1") == ["B6"]
    assert names([found.place for found in graph.exits]).count("B1") == 1


def test_graphs_of_maps_are_kept() -> None:
    layout = CATALOG.stock_maps[0].layout
    assert map_graph(layout) is map_graph(layout, 0)
    assert map_graph(layout, 1) is not map_graph(layout)


@pytest.mark.parametrize("enchanted", [0, EVERY_TILE, 0x5A5A5], ids=["green", "enchanted", "mixed"])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_graph_is_what_the_drawing_shows(number: int, enchanted: int) -> None:
    """Ways join where the drawn ends of two roads meet on the map, and distances agree with a slower search."""
    layout = CATALOG.stock_maps[number].layout
    graph = build_graph(CATALOG.tiles, layout, enchanted)
    drawn = find_drawn_ways(layout, enchanted)
    found = {(start, way.to) for start, ways in graph.ways.items() for way in ways}
    assert found == drawn
    assert len(graph.clearings) == 95
    start = place("B1")
    assert count_moves(graph, start) == slow_moves(graph, start)


def find_drawn_ways(layout: Layout, enchanted: int) -> set[tuple[Place, Place]]:
    inside, ends = set(), []
    for placement in layout:
        for road in CATALOG.tiles[placement.tile].sides[enchanted >> placement.tile & 1].roads:
            start = place_of(placement.tile, road.start)
            if road.edge == INSIDE:
                inside |= {(start, place_of(placement.tile, road.end)), (place_of(placement.tile, road.end), start)}
            else:
                ends.append((start, placement.point(*edge_middle(road.edge))))
    pairs = product(ends, ends)
    return inside | {(one, two) for (one, here), (two, there) in pairs if one != two and dist(here, there) < 0.01}


def slow_moves(graph: MapGraph, start: Place) -> dict[Place, int]:
    moves = {start: 0}
    for _ in graph.clearings:
        for here in [*moves]:
            for way in graph.ways[here]:
                entered = 2 if graph.clearings[way.to].kind == "mountain" else 1
                moves[way.to] = min(moves.get(way.to, 999), moves[here] + entered)
    return moves


# ---- the drawing


def test_tiles_touch_along_their_edges() -> None:
    assert tile_centre(0, 0) == (0, 0)
    steps = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
    for edge, (column, row) in enumerate(steps):
        x, y = edge_middle(edge)
        assert tile_centre(column, row) == pytest.approx((2 * x, 2 * y))
        assert dist((0, 0), (x, y)) == pytest.approx(HEX_HEIGHT / 2)


def test_points_turn_clockwise() -> None:
    assert turn_point((0, -80), 0) == (0, -80)
    assert turn_point((0, -80), 3) == pytest.approx((0, 80))
    x, y = turn_point((0, -80), 1)
    assert x > 0 > y
    assert Placement(0, 1, 0, 3).point(10, 20) == pytest.approx((150 - 10, HEX_HEIGHT / 2 - 20))


def test_clearings_lie_within_their_tile_and_apart() -> None:
    for tile in CATALOG.tiles:
        for side in tile.sides:
            spots = [clearing.at for clearing in side.clearings]
            for x, y in spots:
                assert abs(y) < HEX_HEIGHT / 2 - 5
                assert abs(x) * HEX_HEIGHT / 2 + abs(y) * HEX_RADIUS / 2 < (HEX_RADIUS - 5) * HEX_HEIGHT / 2, tile.name
            assert min(dist(one, two) for one, two in product(spots, spots) if one is not two) > 25, tile.name


def test_every_roadway_has_its_own_pair_of_ends() -> None:
    """So "M CG2" names one road, and a roadway is known by its two ends."""
    for tile in CATALOG.tiles:
        for side in tile.sides:
            pairs = [(road.start, road.end) for road in side.roads if road.edge == INSIDE]
            assert len(pairs) == len({*pairs}), tile.name


def test_z3_d28_whether_a_phase_can_be_chosen_does_not_depend_on_discoveries() -> None:
    """With phases chosen as they come, a player is asked while a phase is left for something.

    If that is a Move alone, being asked or not must not tell others which secret roadways the character knows. So where
    there is one, an open roadway of the tile leads on as well, and outside caves if a secret one does (D4).
    """
    checked = 0
    for tile in CATALOG.tiles:
        graph = graph_of_tile(tile.code)
        for here, ways in graph.ways.items():
            caves = [{graph.clearings[way.to].kind == "cave" for way in ways if (way.secret == OPEN) is is_open}
                     for is_open in (True, False)]  # fmt: skip
            if caves[1]:
                assert caves[0], names([here])
                assert False in caves[0] or caves[1] == {True}, names([here])
                checked += 1
    assert checked > 20
