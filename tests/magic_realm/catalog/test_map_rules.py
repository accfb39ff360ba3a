"""Maps: legal placements (M1, M2), the stock maps and the places where chance lays tiles (M3)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog import load_catalog, map_graph
from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.catalog.map_rules import (
    first_tile,
    list_dealt_placements,
    list_placements,
    why_not_map,
    why_not_place,
)
from realmtable.games.magic_realm.catalog.placement import (
    Placement,
    adjacent_tiles,
    parse_placement,
)
from tests.magic_realm.helpers.map_helpers import assert_few_are_cut_off, find_cut_off

CATALOG = load_catalog()
TILES = CATALOG.tiles
CODES = {tile.code: tile.id for tile in TILES}
BORDERLAND = Placement(CODES["B"], 0, 0, 0)


def parse(*texts: str) -> list[Placement]:
    return [parse_placement(CODES, text) for text in texts]


def refusal(placed: Sequence[Placement], text: str) -> tuple[str, str] | None:
    return why_not_place(TILES, placed, parse_placement(CODES, text))


# ---- M1


def test_m1_the_borderland_comes_first() -> None:
    assert refusal([], "B 0 0 0") is None
    assert refusal([], "CG 0 0 0") == ("M1", "The Borderland comes first.")
    assert TILES[first_tile(TILES)].name == "Borderland"


def test_m1_the_second_tile_touches_the_borderland_and_others_touch_two() -> None:
    far = refusal([BORDERLAND], "AV 0 -2 4")
    assert far is not None
    assert far[0] == "M1"
    assert "touch two other tiles" in far[1]
    assert refusal([BORDERLAND], "AV 0 -1 4") is None
    placed = [BORDERLAND, *parse("AV 0 -1 4")]
    assert {new.position for new in list_placements(TILES, placed, CODES["BV"])} <= {(1, -1), (-1, 0)}
    assert refusal(placed, "BV 0 -2 0") == ("M1", far[1].replace("Awful", "Bad"))


def test_m1_no_tile_is_laid_twice_or_on_another() -> None:
    placed = [BORDERLAND, *parse("AV 0 -1 4")]
    assert refusal(placed, "AV 1 -1 0") == ("M1", "Awful Valley is on the map already.")
    assert refusal(placed, "CV 0 -1 0") == ("M1", "Awful Valley lies there already.")


def test_m1_roads_meet_roads_and_bare_edges_bare_edges() -> None:
    # Every edge of the Borderland has a road; the valleys have one edge without.
    legal = [turn for turn in range(6) if refusal([BORDERLAND], f"AV 0 -1 {turn}") is None]
    assert legal == [1, 2, 3, 4, 5]
    assert refusal([BORDERLAND], "AV 0 -1 0") == (
        "M1",
        "A road must meet a road where Awful Valley touches Borderland.",
    )
    # Crag has a single road.
    assert [new.turn for new in list_placements(TILES, [BORDERLAND], CODES["CG"]) if new.position == (0, -1)] == [3]


def test_m1_placements_are_listed_in_ascending_order() -> None:
    found = list_placements(TILES, [BORDERLAND], CODES["AV"])
    assert [*found] == sorted({*found})
    assert len(found) == 6 * 5
    assert list_placements(TILES, [], CODES["AV"]) == ()


# ---- M2


def test_m2_ledges_and_high_pass_are_not_the_second_tile() -> None:
    for code in ("L", "HP"):
        assert list_placements(TILES, [BORDERLAND], CODES[code]) == ()
    # Ledges' clearings 2 and 5 are apart from the rest, so a road to one piece is not enough.
    assert refusal([BORDERLAND], "L 0 -1 3") == ("M2", "Roads must join every clearing of Ledges to the Borderland.")
    others = {tile.code for tile in TILES if list_placements(TILES, [BORDERLAND], tile.id)}
    assert others == {*CODES} - {"B", "L", "HP"}


def test_m2_one_clearing_of_woods_is_enough_but_one_is_needed() -> None:
    placed = [placement for placement in CATALOG.stock_maps[0].layout if placement.tile != CODES["PW"]]
    pine = CATALOG.stock_maps[0].layout[CODES["PW"]]
    assert why_not_place(TILES, placed, pine) is None
    # Pine Woods 5, whose roads lead north-east and south-east, hangs on no other clearing of its tile.
    assert [*CATALOG.stock_maps[0].cut_off] == [place_of(CODES["PW"], 5)]


def test_m2_a_tile_may_not_hang_on_clearings_that_are_cut_off() -> None:
    # Awful Valley would meet a bare edge of Crag, and a road of a clearing of Bad Valley that is cut off itself.
    placed = parse("B 0 0 0", "CG 0 1 0", "BV 1 0 1")
    assert refusal(placed, "AV 1 1 2") == ("M2", "Roads must join a clearing of Awful Valley to the Borderland.")


def test_m2_only_valleys_and_woods_have_clearings_that_are_cut_off_and_never_all_of_a_tile() -> None:
    for stock in CATALOG.stock_maps:
        cut_off = find_cut_off(map_graph(stock.layout), place_of(CODES["B"], 1))
        assert cut_off == stock.cut_off
        assert_few_are_cut_off(stock.layout)


# ---- M3: stock maps
@pytest.mark.parametrize("number", [0, 1, 2])
def test_m3_the_stock_maps_are_legal(number: int) -> None:
    stock = CATALOG.stock_maps[number]
    assert why_not_map(TILES, stock.layout) is None
    assert [placement.tile for placement in stock.layout] == [*range(20)]
    assert len(map_graph(stock.layout).clearings) == 95
    assert stock.layout[CODES["B"]] == BORDERLAND


def test_m1_a_map_with_a_wrong_tile_is_refused() -> None:
    layout = [*CATALOG.stock_maps[0].layout]
    assert why_not_map(TILES, layout[:-1]) == ("M1", "A map has every tile once.")
    turned = [*layout]
    turned[CODES["PW"]] = layout[CODES["PW"]]._replace(turn=3)
    wrong = why_not_map(TILES, turned)
    assert wrong is not None
    assert wrong[0] == "M1"
    assert "Pine Woods" in wrong[1]
    moved = [placement._replace(column=placement.column + 9 * (placement.tile != CODES["B"])) for placement in layout]
    assert why_not_map(TILES, moved) == ("M1", "No tile can be placed next to the Borderland.")


def test_m1_two_tiles_in_one_place_are_refused() -> None:
    layout = [*CATALOG.stock_maps[0].layout]
    layout[CODES["PW"]] = layout[CODES["HP"]]._replace(tile=CODES["PW"])
    assert why_not_map(TILES, layout) is not None


# ---- M3: where chance lays tiles


def test_m3_dealt_valleys_and_woods_keep_apart_if_they_can() -> None:
    placed = [BORDERLAND, *parse("AV 0 -1 4")]
    legal = list_placements(TILES, placed, CODES["BV"])
    assert legal
    # Every place that touches two tiles touches the valley, so it cannot be avoided.
    assert list_dealt_placements(TILES, placed, CODES["BV"]) == legal
    longer = next(
        [*placed, cave]
        for cave in list_placements(TILES, placed, CODES["CS"])
        if len({*list_dealt_placements(TILES, [*placed, cave], CODES["BV"])})
        < len(list_placements(TILES, [*placed, cave], CODES["BV"]))
    )
    for new in list_dealt_placements(TILES, longer, CODES["BV"]):
        assert CODES["AV"] not in adjacent_tiles([*longer, new], CODES["BV"])
    # Caves do not mind.
    assert list_dealt_placements(TILES, longer, CODES["CN"]) == list_placements(TILES, longer, CODES["CN"])


# ---- placements as text


def test_placements_are_read() -> None:
    for placement in CATALOG.stock_maps[2].layout:
        text = f"{TILES[placement.tile].code} {placement.column} {placement.row} {placement.turn}"
        assert parse_placement(CODES, text) == placement


@pytest.mark.parametrize(
    "text",
    [
        "",
        "CG",
        "CG 0 0",
        "CG 0 0 6",
        "CG 0 0 -1",
        "CG 0 0 0 0",
        "XX 0 0 0",
        "CG 00 0 0",
        "CG - 0 0",
        "CG ² 0 0",
        "CG 100 0 0",
        "CG 0 0 12",
        "CG -0 0 0",
    ],
)
def test_other_texts_are_no_placements(text: str) -> None:
    with pytest.raises(BadInput, match="code, column, row and turn"):
        parse_placement(CODES, text)
