"""A view as numbers: whose characters, which places and which tiles they name."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.game import GAME
from realmtable.games.magic_realm.world.entities import GOALS
from realmtable.games.magic_realm.world.world import World
from realmtable.kit.observations import Parts
from tests.magic_realm.helpers.day_helpers import begin, day

CATALOG = load_catalog()
HEROES = ("Elf", "Dwarf")
TILE_NUMBERS = 5  # per tile: whether it is laid, its column and row, its turn, whether it is enchanted


@pytest.fixture(name="world")
def morning() -> World:
    return begin(day(heroes=";".join(HEROES)))


def observe(world: World, viewer: Seat) -> Parts:
    return GAME.observe(GAME.view(world, viewer))


def goals_of(world: World, viewer: Seat) -> list[float]:
    goals = observe(world, viewer)["goals"]
    assert isinstance(goals, list)
    return goals


def find_marked(numbers: object, kind: str) -> list[str]:
    """Return the names of a kind that have a number other than 0."""
    assert isinstance(numbers, list)
    names = CATALOG.names.by_number(kind)
    return [names[number] for number, value in zip(sorted(names), numbers, strict=True) if value]


@pytest.mark.parametrize("viewer", [0, 1])
def test_the_viewers_character_comes_first(world: World, viewer: Seat) -> None:
    parts = observe(world, viewer)
    shown = [find_marked(parts[f"character of {place}"], "character") for place in range(2)]
    assert shown == [[HEROES[viewer]], [HEROES[1 - viewer]]]
    assert parts["first"] == [float(GAME.view(world, viewer)["first"] == seat) for seat in (viewer, 1 - viewer)]


def test_characters_stand_where_the_view_says(world: World) -> None:
    players, parts = GAME.view(world, 0)["players"], observe(world, 0)
    for place, player in enumerate(players):
        assert find_marked(parts[f"clearing of {place}"], "clearing") == [player["at"]]
        assert {*find_marked(parts[f"goods of {place}"], "goods")} == {row["name"] for row in player["goods"]}
        assert parts[f"chits of {place}"] == [1.0, 0.0, 0.0], "all chits are active"


def test_all_tiles_of_the_map_are_laid(world: World) -> None:
    laid = GAME.view(world, 0)["map"]["tiles"]
    tiles = observe(world, 0)["tiles"]
    assert isinstance(tiles, list)
    assert tiles[::TILE_NUMBERS] == [1.0] * len(laid)


def test_a_tile_that_is_not_laid_is_all_zeros() -> None:
    tiles = observe(GAME.initial(2, GAME.options(None, map="players")), 0)["tiles"]
    assert isinstance(tiles, list)
    by_tile = [tiles[at : at + TILE_NUMBERS] for at in range(0, len(tiles), TILE_NUMBERS)]
    assert [0.0] * TILE_NUMBERS in by_tile


def test_denizens_are_counted_in_their_clearings(world: World) -> None:
    view, parts = GAME.view(world, 0), observe(world, 0)
    denizens = view["map"]["denizens"]
    assert denizens
    assert {*find_marked(parts["denizens"], "denizen")} == {row["name"] for row in denizens}
    assert {*find_marked(parts["denizens by clearing"], "clearing")} == {row["at"] for row in denizens}


def test_only_the_viewers_goals_are_known() -> None:
    world = begin(day("1.points=fame,gold,gold", "2.points=treasures", heroes=";".join(HEROES)))
    by_viewer = [dict(zip(GOALS, numbers, strict=True)) for numbers in (goals_of(world, 0), goals_of(world, 1))]
    assert by_viewer[0] == {"treasures": 0.0, "fame": 0.2, "notoriety": 0.0, "gold": 0.4}
    assert by_viewer[1] == {"treasures": 0.2, "fame": 0.0, "notoriety": 0.0, "gold": 0.0}


def test_the_steps_of_a_position_have_numbers_and_are_found_by_them() -> None:
    world = begin(day("1.plan=H;S", heroes="Elf"))
    moves = GAME.legal_moves(world, 0)
    assert len(moves) > 1
    for move in moves:
        assert GAME.move_of(world, 0, GAME.action_of(world, 0, move)) == move
