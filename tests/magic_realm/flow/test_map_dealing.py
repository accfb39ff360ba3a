"""Maps that are dealt and laid by chance (M3)."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.catalog.map_rules import list_dealt_placements, why_not_map
from realmtable.games.magic_realm.catalog.placement import Layout, Placement
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.handlers import first_state
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.map_layout import layout_of
from realmtable.games.magic_realm.world.step_text import format_step
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import CATALOG, MACHINE, play, random_step
from tests.magic_realm.helpers.map_helpers import assert_few_are_cut_off

TILE = {tile.code: tile.id for tile in CATALOG.tiles}
BORDERLAND = Placement(TILE["B"], 0, 0, 0)
STUCK = CATALOG.stock_maps[0].layout  # the map that is used when no tile fits


def list_chances(world: World) -> list[str]:
    return [format_step(outcome.move) for outcome in MACHINE.chance(world)]


def list_put_back(world: World) -> list[str]:
    """Return the codes of the tiles that were put back, the next one first."""
    found = [tile for tile in CATALOG.tiles if world.tiles[tile.id].put_back]
    return [tile.code for tile in sorted(found, key=lambda tile: world.tiles[tile.id].put_back)]


def deal_map(seed: int) -> Layout:
    world, rng = first_state(1, MagicOptions()), Random(seed)
    while MACHINE.to_move(world) == (CHANCE,):
        world = MACHINE.play(world, *random_step(world, rng))
    assert list_put_back(world) == []
    return layout_of(world)


def begin_with_pile(*codes: str) -> World:
    """Return a deal in which every tile but the Borderland was put back, some of them first.

    None has been refused since the Borderland was laid.
    """
    others = [tile.code for tile in CATALOG.tiles if tile.code not in ("B", *codes)]
    return decode(MACHINE, f"heroes=- day=0 part=setup map=B:0,0,0 back={';'.join([*codes, *others])} agenda=draw")


def test_m3_a_dealt_map_begins_with_the_borderland_and_draws_each_other_tile() -> None:
    world = first_state(2, MagicOptions())
    assert layout_of(world) == (BORDERLAND,)
    assert MACHINE.to_move(world) == (CHANCE,)
    assert MACHINE.label(world) == "tile"
    assert list_chances(world) == [f"draw {tile.name}" for tile in CATALOG.tiles if tile.code != "B"]
    world = play(world, (CHANCE, "draw Crag"))
    assert MACHINE.label(world) == "place"
    places = list_dealt_placements(CATALOG.tiles, layout_of(world), TILE["CG"])
    assert [outcome.move for outcome in MACHINE.chance(world)] == [Step("lay", place[1:]) for place in places]
    assert {outcome.weight for outcome in MACHINE.chance(world)} == {1}
    column, row, turn = places[0][1:]
    world = play(world, (CHANCE, f"lay {column} {row} {turn}"))
    assert layout_of(world) == tuple(sorted([BORDERLAND, places[0]]))
    assert "draw Crag" not in list_chances(world)


@pytest.mark.parametrize("seed", range(3))
def test_m1_m2_m3_dealt_maps_are_legal(seed: int) -> None:
    layout = deal_map(seed)
    assert layout != STUCK
    assert why_not_map(CATALOG.tiles, layout) is None
    assert layout[TILE["B"]] == BORDERLAND
    assert_few_are_cut_off(layout)


@pytest.mark.slow
def test_m3_a_hundred_deals_end_with_legal_maps() -> None:
    layouts = [deal_map(seed) for seed in range(100, 200)]
    assert layouts.count(STUCK) <= 8
    assert all(why_not_map(CATALOG.tiles, layout) is None for layout in layouts)
    assert len({*layouts}) > 90


def test_m3_a_tile_without_a_place_goes_under_the_pile_and_comes_up_after_the_others() -> None:
    """High Pass and Ledges are in two pieces, so neither can be the second tile."""
    world = play(first_state(1, MagicOptions()), (CHANCE, "draw High Pass"))
    assert list_put_back(world) == ["HP"]
    assert world.agenda[-1] == Frame("draw", a=1)
    assert "draw High Pass" not in list_chances(world)
    world = play(world, (CHANCE, "draw Ledges"))
    assert list_put_back(world) == ["HP", "L"]
    assert world.agenda[-1] == Frame("draw", a=2)
    rng = Random(4)
    while "draw High Pass" not in list_chances(world):
        world = MACHINE.play(world, *random_step(world, rng))
        assert "draw Ledges" not in list_chances(world)
    assert list_chances(world) == ["draw High Pass"]
    assert sum(not tile.placed and not tile.put_back for tile in world.tiles) == 0
    assert MACHINE.to_move(world) == (CHANCE,)  # Z7: an event is written even if only one result is possible
    world = play(world, (CHANCE, "draw High Pass"))
    assert decode(MACHINE, encode(world)) == world


def test_m3_a_laid_tile_ends_the_count_of_refused_ones() -> None:
    world = play(first_state(1, MagicOptions()), (CHANCE, "draw Ledges"), (CHANCE, "draw Crag"))
    assert list_put_back(world) == ["L"]
    world = play(world, (CHANCE, list_chances(world)[0]))
    assert world.agenda[-1] == Frame("draw")
    assert len(layout_of(world)) == 2
    assert list_put_back(world) == ["L"]


def test_m3_tiles_put_back_come_again_in_their_order() -> None:
    world = begin_with_pile("L", "CG")
    others = list_put_back(world)[2:]
    assert list_chances(world) == ["draw Ledges"]
    world = play(world, (CHANCE, "draw Ledges"))
    assert list_put_back(world) == ["CG", *others, "L"]
    assert list_chances(world) == ["draw Crag"]
    world = play(world, (CHANCE, "draw Crag"))
    assert list_put_back(world) == [*others, "L"]
    assert MACHINE.label(world) == "place"


def test_m3_the_first_ready_made_map_is_used_when_no_tile_of_the_pile_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("realmtable.games.magic_realm.flow.map_dealing.list_dealt", lambda _layout, _tile: ())
    world = first_state(1, MagicOptions())
    for drawn in range(len(CATALOG.tiles) - 1):
        assert world.agenda[-1] == Frame("draw", a=drawn)
        world = MACHINE.play(world, CHANCE, MACHINE.chance(world)[0].move)
    assert layout_of(world) == STUCK
    assert list_put_back(world) == []
    assert MACHINE.to_move(world) == (0,)


def test_m3_the_last_tile_of_a_pile_is_tried_before_the_ready_made_map_is_used() -> None:
    """The Borderland alone has no place for Ledges."""
    others = ";".join(tile.code for tile in CATALOG.tiles if tile.code not in ("B", "HP", "L"))
    world = decode(MACHINE, f"heroes=- day=0 part=setup map=B:0,0,0 back={others};HP agenda=draw:-:18")
    assert list_chances(world) == ["draw Ledges"]
    world = play(world, (CHANCE, "draw Ledges"))
    assert layout_of(world) == STUCK
    assert list_put_back(world) == []
    assert MACHINE.to_move(world) == (0,)
