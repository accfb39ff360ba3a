"""The layer of the map: tiles, roads, clearings and names as the catalog has them."""

from __future__ import annotations

import gzip
import re
from itertools import combinations, product
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import COLOURS as MAGIC
from realmtable.games.magic_realm.catalog.ids import ENCHANTED, GREEN
from realmtable.games.magic_realm.catalog.tiles import CLEARING_KINDS, ROAD_KINDS
from realmtable.games.magic_realm.picture import free_space, geometry, roads, shapes, terrain, tile
from realmtable.games.magic_realm.picture.geometry import Curve, distance, find_crossing
from realmtable.games.magic_realm.picture.map_ground import draw_map
from realmtable.games.magic_realm.picture.map_layers import AREA_RADIUS, layers
from realmtable.games.magic_realm.picture.style import (
    COLOURS,
    FONT_SIZES,
    MAGIC_COLOURS,
    SEAT_COLOURS,
    STYLE,
    VEIL_PERCENT,
)
from realmtable.games.magic_realm.picture.tile import CLEARING_RADIUS, NAME_SIZES, TilePlan, plan_tile
from realmtable.kit.text_metrics import text_width
from tests.magic_realm.helpers.sample_map import make_bare_map, make_map

TILES = load_catalog().tiles
ALL_CODES = tuple(tile.code for tile in TILES)


def nodes_of(svg: str) -> list[ET.Element]:
    return list(ET.fromstring(svg).iter())  # noqa: S314 - our own picture


def layer_of(number: int, enchanted: tuple[str, ...] = ()) -> str:
    return layers(make_bare_map(number, enchanted))[0].svg


def plan_by_code(code: str, side: int = GREEN, turn: int = 0) -> TilePlan:
    return plan_tile(ALL_CODES.index(code), side, turn)


def texts_of(svg: str) -> list[str]:
    return [node.text or "" for node in nodes_of(svg) if node.tag.endswith("text")]


# ---- the whole map
@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("enchanted", [(), ALL_CODES])
def test_a_stock_map_names_every_tile_and_numbers_every_clearing(number: int, enchanted: tuple[str, ...]) -> None:
    texts = texts_of(layer_of(number, enchanted))
    assert len([text for text in texts if text.isdecimal()]) == 95
    words = " ".join(text for text in texts if not text.isdecimal())
    assert all(tile.name in words for tile in TILES)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_layer_is_small_enough_for_a_phone(number: int) -> None:
    svg = layer_of(number).encode()
    assert len(svg) < 68_500
    assert len(gzip.compress(svg)) < 12_000


def test_the_layer_has_no_handles_and_defines_what_it_uses() -> None:
    nodes = nodes_of(layer_of(0, ALL_CODES))
    ids = {node.get("id") for node in nodes} - {None}
    assert not any(node.get("data-handle") for node in nodes)
    assert {node.get("href") for node in nodes if node.tag.endswith("use")} <= {f"#{name}" for name in ids}
    assert all(name.startswith("mr-") for name in ids if name)


def test_every_class_of_the_layer_has_a_style() -> None:
    classes = {name for node in nodes_of(layer_of(0, ALL_CODES)) for name in (node.get("class") or "").split()}
    assert [name for name in classes if name.startswith("mr-") and f".{name}" not in STYLE] == []


def test_an_enchanted_tile_has_a_veil_sparks_and_signs_of_its_magic() -> None:
    green, enchanted = (layer_of(0, codes).partition("</style>")[2] for codes in ((), ("AV",)))
    assert "mr-veiled" not in green
    assert '"#mr-spark"' not in green
    assert enchanted.count("mr-veiled mr-grey") == 3  # ground, roads and what stands on it
    assert enchanted.count('class="mr-orb mr-grey"') == 4
    assert "#mr-spark" in enchanted


def test_the_map_is_drawn_once() -> None:
    tiles = tuple((number, number % 5, number // 5, 0, GREEN) for number in range(20))
    assert draw_map(tiles, "auto") is draw_map(tiles, "auto")


def test_a_compass_fills_a_free_corner() -> None:
    assert '<use href="#mr-compass"' in layer_of(0)
    assert '<use href="#mr-compass"' not in draw_map(((0, 0, 0, 0, GREEN),), "auto")


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="choose one of auto, light, dark"):
        layers(make_map(), "sepia")


# ---- a tile
@pytest.mark.parametrize("number", range(20), ids=ALL_CODES)
def test_names_and_trees_cover_no_clearing(number: int) -> None:
    for side, turn in product((GREEN, ENCHANTED), range(6)):
        plan = plan_tile(number, side, turn)
        label = plan.label
        assert label.size in NAME_SIZES
        assert label.size in FONT_SIZES
        assert " ".join(label.lines) == plan.tile.name
        half = max(text_width(line, label.size, 1.04) for line in label.lines) / 2
        high = len(label.lines) * label.size
        for x, y in plan.clearings.values():
            across = max(0, abs(x - label.at[0]) - half)
            down = max(0, abs(y - label.at[1] - high / 2) - high / 2)
            is_cramped = label.size == min(NAME_SIZES)
            reach = CLEARING_RADIUS if is_cramped else AREA_RADIUS - 1  # the ring around a clearing that can be chosen
            assert (across**2 + down**2) ** 0.5 > reach
            assert all(distance(decoration.at, (x, y)) > CLEARING_RADIUS for decoration in plan.decorations)


def test_names_and_trees_stay_upright_when_a_tile_turns() -> None:
    first, second = plan_by_code("BV"), plan_by_code("BV", turn=3)
    x, y = first.clearings[4]
    assert second.clearings[4] == pytest.approx((-x, -y))
    assert first.label.lines == second.label.lines
    assert "rotate" not in layer_of(0)


def test_roads_end_at_the_rims_of_clearings_and_at_edges() -> None:
    plan = plan_by_code("BV")
    inside = next(other for other in plan.roads if other.road.end == 5)
    assert distance(inside.curve.start, plan.clearings[2]) == pytest.approx(CLEARING_RADIUS - 1, abs=0.5)
    assert distance(inside.curve.end, plan.clearings[5]) == pytest.approx(CLEARING_RADIUS - 1, abs=0.5)
    outside = next(other for other in plan.roads if other.road.edge == 0)
    assert outside.curve.end == pytest.approx((0, -86.6), abs=0.1)


def test_the_ground_follows_the_letter_but_deep_woods_are_woods() -> None:
    grounds = {plan.tile.code: terrain.ground_of(plan) for plan in (plan_tile(number, 0, 0) for number in range(20))}
    assert (grounds["AV"], grounds["OW"], grounds["CG"], grounds["CS"]) == ("mr-V", "mr-W", "mr-M", "mr-C")
    assert grounds["DW"] == "mr-D"
    assert terrain.ground_of(plan_by_code("M", ENCHANTED)) == "mr-M mr-veiled mr-purple"


def test_what_grows_is_of_the_kind_of_the_nearest_clearing() -> None:
    grown = {code: {one.shape for one in plan_by_code(code).decorations} for code in ("BV", "OW", "PW", "CG", "CS")}
    assert grown["BV"] <= {"grass", "flower", "bush"}
    assert grown["OW"] <= {"tree", "bush"}
    assert grown["PW"] == {"pine"}
    assert grown["CG"] <= {"peak", "ridge", "hill"}
    assert grown["CS"] <= {"rock", "spire", "pebble"}


def test_chits_lie_above_the_name_or_below_it() -> None:
    labels = [plan_tile(number, GREEN, turn).label for number in range(5, 20) for turn in range(6)]
    assert {label.rises for label in labels} == {True, False}
    assert all((label.chits[1] < label.at[1]) == label.rises for label in labels)


# ---- nothing is told by colour alone


def test_kinds_of_clearings_differ_in_shape() -> None:
    outlines = [
        "".join(data for _, data in shapes.SHAPES["meadow" if kind == "open" else kind])
        for kind in ("open", *CLEARING_KINDS)
    ]
    assert len({*outlines}) == 4


def test_colours_of_magic_differ_in_shape() -> None:
    assert {*terrain.ORBS} == {*MAGIC}
    assert len({*terrain.ORBS.values()}) == len(MAGIC)


def test_kinds_of_roads_differ_in_pattern() -> None:
    patterns = set()
    for kind in ROAD_KINDS:
        top = roads._STYLES[kind][-1]
        rule = re.search(rf"\.mr-roads \.{top}\{{([^}}]*)\}}", STYLE)
        assert rule is not None
        patterns.add(re.sub(r"stroke:[^;]*;?", "", rule[1]))
    assert len(patterns) == len(ROAD_KINDS)


# ---- colours


def parse_colour(code: str) -> list[int]:
    digits = "".join(digit * 2 for digit in code[1:]) if len(code) == 4 else code[1:]
    return [int(digits[start : start + 2], 16) for start in (0, 2, 4)]


def mix_colours(first: list[int], second: list[int], percent: int) -> list[int]:
    return [round((a * percent + b * (100 - percent)) / 100) for a, b in zip(first, second, strict=True)]


def contrast(first: list[int], second: list[int]) -> float:
    def light(colour: list[int]) -> float:
        parts = [part / 255 for part in colour]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(first), light(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("side", [GREEN, ENCHANTED])
def test_words_and_roads_stand_out_from_every_ground(theme: int, side: int) -> None:
    colours = {name: pair[theme] for name, pair in COLOURS.items()}
    for number in range(20):
        plan = plan_tile(number, side, 0)
        ground = parse_colour(colours[terrain.ground_of(plan).split()[0]])
        veil = terrain.veil_of(plan)
        if veil:
            ground = mix_colours(parse_colour(MAGIC_COLOURS[veil]), ground, VEIL_PERCENT)
        assert contrast(parse_colour(colours["rt-ink"]), ground) >= 4.5
        assert contrast(parse_colour(colours["mr-dim"]), ground) >= 3
        assert contrast(parse_colour(colours["mr-path"]), ground) >= 3
        assert max(contrast(parse_colour(colours[name]), ground) for name in ("mr-kerb", "mr-road")) >= 3


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_numbers_and_emblems_stand_out(theme: int) -> None:
    colours = {name: pair[theme] for name, pair in COLOURS.items()}
    for name in ("mr-glade", "mr-wood", "mr-scree", "mr-slip"):
        assert contrast(parse_colour(colours["rt-ink"]), parse_colour(colours[name])) >= 4.5
    assert all(contrast(parse_colour(code), [255] * 3) >= 4.5 for code in SEAT_COLOURS)


# ---- roads


def test_all_kinds_of_roads_are_on_the_map() -> None:
    svg = layer_of(0)
    assert all(f'class="{kind}"' in svg for kinds in roads._STYLES.values() for kind in kinds)


def test_where_roads_cross_the_upper_one_has_a_bridge() -> None:
    ((upper, span),) = roads.find_bridges(plan_by_code("BV").roads)
    assert upper.road.kind == "road"
    assert 15 < distance(span.start, span.end) < 30
    assert '"mr-plank"' in "".join(roads.draw_roads(plan_by_code("BV")))


def test_tunnels_and_secret_roads_pass_under_roads() -> None:
    plans = [plan_tile(number, side, 0) for number in range(20) for side in (GREEN, ENCHANTED)]
    bridges = [upper.road for plan in plans for upper, _ in roads.find_bridges(plan.roads)]
    assert {road.kind for road in bridges} == {"road"}
    assert ALL_CODES.index("B") in {road.tile for road in bridges}


def test_only_discovered_roads_are_drawn_as_known() -> None:
    plan = plan_by_code("L")
    secrets = [other.road for other in plan.roads if other.road.kind in ("hidden", "secret")]
    open_roads = [other.road.id for other in plan.roads if other.road.kind == "road"]
    assert roads.draw_known_roads(plan, open_roads) == []
    (known,) = roads.draw_known_roads(plan, [secrets[0].id])
    assert f'class="mr-{secrets[0].kind} mr-known"' in known


# ---- geometry


def test_a_piece_of_a_curve_lies_on_the_curve() -> None:
    curve = Curve((0, 0), (50, 80), (100, 0))
    piece = curve.cut(0.25, 0.75)
    assert piece.at(0) == pytest.approx(curve.at(0.25))
    assert piece.at(0.5) == pytest.approx(curve.at(0.5))
    assert piece.at(1) == pytest.approx(curve.at(0.75))


def test_curves_cross_or_do_not() -> None:
    level = geometry.make_curve((-10, 0), None, (10, 0))
    assert find_crossing(level, geometry.make_curve((1, -10), None, (1, 10))) == pytest.approx((0.55, 0.5), abs=0.06)
    assert find_crossing(level, geometry.make_curve((20, -10), None, (20, 10))) is None  # far away
    assert find_crossing(level, geometry.make_curve((4, -3), (9, -2), (9, 5))) is not None
    assert find_crossing(level, geometry.make_curve((-9, 1), (0, -0.5), (9, 1))) is None  # near, but above


def test_coordinates_are_short() -> None:
    assert geometry.format_point((1.04, -0.01)) == "1 0"
    assert geometry.format_point((-3.26, -7)) == "-3.3-7"
    assert geometry.make_curve((0, 0), None, (4, 0)).path() == "M0 0L4 0"
    assert geometry.make_curve((0, 0), (2, 5), (4, 0)).path() == "M0 0Q2 5 4 0"


def test_clearings_are_far_enough_apart_for_their_handles() -> None:
    for plan in (plan_tile(number, side, 0) for number in range(20) for side in (GREEN, ENCHANTED)):
        assert all(distance(a, b) >= 38 for a, b in combinations(plan.clearings.values(), 2))


def test_things_near_the_edge_of_the_grid_do_not_fit() -> None:
    grid = free_space.start_grid((), ())
    growth = tile._growths_of(TILES[0], "mountain", False)[0]
    corners = free_space.find_corners(np.array([(0.0, -85.0), (0.0, 0.0)]), growth.half, growth.high)
    at_edge, inside = free_space.are_free(free_space.sum_used(grid), corners)
    assert (bool(at_edge), bool(inside)) == (False, True)
