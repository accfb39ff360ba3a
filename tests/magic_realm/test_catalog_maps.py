"""Maps: legal placements (M1, M2), the stock maps and dealt maps (M3)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog import load_catalog, map_graph
from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.catalog.map_rules import (
    NO_TILE,
    MapDeal,
    begin_deal,
    deal_map,
    draw_tile,
    first_tile,
    list_dealt_placements,
    list_drawable,
    list_placements,
    place_tile,
    why_not_map,
    why_not_place,
)
from realmtable.games.magic_realm.catalog.placement import (
    Placement,
    adjacent_tiles,
    format_placement,
    parse_placement,
)
from realmtable.games.magic_realm.catalog.roads import find_cut_off

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


def assert_few_are_cut_off(layout: Sequence[Placement]) -> None:
    cut_off = find_cut_off(map_graph((*layout,)), place_of(CODES["B"], 1))
    for tile in TILES:
        cut_off_here = [number for number in tile.numbers if place_of(tile.id, number) in cut_off]
        assert len(cut_off_here) < (1 if tile.has_six_clearings else len(tile.numbers)), tile.name
        # A dwelling or campfire finds its clearing (M5, M6).
        assert not {4, 5} <= {*cut_off_here}, tile.name


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


# ---- M3: dealt maps


def deal_with(seed: int) -> tuple[Placement, ...] | None:
    random = Random(seed)
    return deal_map(TILES, lambda items: random.randrange(len(items)))


@pytest.mark.parametrize("seed", [1, 2])
def test_m3_dealt_maps_are_legal(seed: int) -> None:
    layout = deal_with(seed)
    assert layout is not None
    assert why_not_map(TILES, layout) is None
    assert layout[CODES["B"]] == BORDERLAND
    assert_few_are_cut_off(layout)


@pytest.mark.slow
def test_m3_a_hundred_deals_end_with_legal_maps() -> None:
    layouts = [deal_with(seed) for seed in range(100, 200)]
    assert sum(layout is None for layout in layouts) <= 8
    assert all(why_not_map(TILES, layout) is None for layout in layouts if layout is not None)
    assert len({*layouts}) > 90


def test_m3_a_tile_that_does_not_fit_is_put_back_under_the_others() -> None:
    deal = begin_deal(TILES)
    assert list_drawable(deal) == tuple(tile for tile in range(20) if tile != CODES["B"])
    ledges = draw_tile(TILES, deal, CODES["L"])
    assert (ledges.drawn, ledges.put_back, ledges.refused) == (NO_TILE, (CODES["L"],), 1)
    assert CODES["L"] not in list_drawable(ledges)
    passes = draw_tile(TILES, ledges, CODES["HP"])
    assert passes.put_back == (CODES["L"], CODES["HP"])
    assert not passes.is_stuck
    crag = draw_tile(TILES, passes, CODES["CG"])
    assert (crag.drawn, crag.is_complete) == (CODES["CG"], False)
    placed = place_tile(crag, list_dealt_placements(TILES, crag.placed, CODES["CG"])[0])
    assert (placed.drawn, placed.refused, len(placed.placed)) == (NO_TILE, 0, 2)


def test_m3_tiles_put_back_come_again_in_their_order() -> None:
    deal = MapDeal((BORDERLAND,), (), (CODES["L"], CODES["CG"]), NO_TILE, 0)
    assert list_drawable(deal) == (CODES["L"],)
    again = draw_tile(TILES, deal, CODES["L"])
    assert (again.put_back, again.refused, again.is_stuck) == ((CODES["CG"], CODES["L"]), 1, False)
    assert list_drawable(again) == (CODES["CG"],)


def test_m3_a_deal_is_stuck_when_no_tile_of_the_pile_fits() -> None:
    deal = MapDeal((BORDERLAND,), (), (CODES["L"], CODES["HP"]), NO_TILE, 0)
    for code in ("L", "HP"):
        assert not deal.is_stuck
        deal = draw_tile(TILES, deal, CODES[code])
    assert deal.is_stuck
    assert not deal.is_complete


def test_m3_a_stuck_deal_gives_no_map(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "realmtable.games.magic_realm.catalog.map_rules.list_dealt_placements", lambda _tiles, _placed, _tile: ()
    )
    assert deal_map(TILES, lambda _items: 0) is None


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


def test_placements_are_written_and_read() -> None:
    for placement in CATALOG.stock_maps[2].layout:
        assert parse_placement(CODES, format_placement(TILES, placement)) == placement


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
