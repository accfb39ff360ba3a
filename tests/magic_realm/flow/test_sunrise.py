"""Sunrise, clause by clause."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import CHANCE, ChanceOutcome
from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.flow.agenda import Task
from realmtable.games.magic_realm.flow.handlers import HANDLERS
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.world.knowledge import SeatView
from realmtable.games.magic_realm.world.places import HOME
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import CATALOG, position

TILE = {tile.code: tile.id for tile in CATALOG.tiles}
MONSTER = {monster.name: monster.id for monster in CATALOG.monsters}


def wait(_world: World, _frame: Frame) -> tuple[Frame, ...]:
    return (Frame("chit", a=5, b=5),)  # any draw: the morning is over, and the test looks at it


MACHINE = Machine({**HANDLERS, "daylight": Task(wait)})


def rise(world: World, *dice: int) -> World:
    """Let all seats be done with writing, and roll the dice of the morning."""
    while (acting := MACHINE.to_move(world)) != (CHANCE,):
        world = MACHINE.play(world, acting[0], Step("done"))
    for die in dice:
        assert MACHINE.label(world) == "prowl"
        world = MACHINE.play(world, CHANCE, parse_step(f"die {die}"))
    return world


def test_b5_one_die_decides_which_row_prowls() -> None:
    world = rise(position(heroes="Elf;Dwarf"))
    assert world.part == "sunrise"
    assert MACHINE.chance(world) == [ChanceOutcome(Step("die", (side,)), 1) for side in range(1, 7)]
    for die in range(1, 7):
        morning = rise(world, die)
        assert (morning.rows, morning.part) == ((die,), "daylight")


@pytest.mark.parametrize(
    ("heroes", "two_rows", "dice"),
    [("Elf", "solo", 2), ("Elf;Dwarf", "solo", 1), ("Elf;Dwarf", "always", 2), ("Elf", "never", 1)],
)
def test_b5_v4_two_dice_decide_if_two_rows_prowl(heroes: str, two_rows: str, dice: int) -> None:
    world = position(heroes=heroes, options=f"map=stock1,two_rows={two_rows}")
    if dice == 1:
        assert rise(world, 5).rows == (5,)
    else:
        assert rise(world, 5, 2).rows == (2, 5)
        assert rise(world, 5, 5).rows == (5,)


PROWLERS = "denizens=Giant-1:CG6;Wolf-1:CG2;Ghost-1:B1"


@pytest.mark.parametrize("day", [7, 14, 21, 28])
def test_b6_on_every_seventh_day_prowling_monsters_and_ghosts_return(day: int) -> None:
    world = rise(position(PROWLERS, f"day={day}", heroes="Elf;Dwarf"), 4)
    assert world.denizens[MONSTER["Giant-1"]].place == HOME
    assert world.denizens[MONSTER["Wolf-1"]].place == place_of(TILE["CG"], 2)
    ghosts = {world.denizens[ghost].place for ghost in CATALOG.ghosts.monsters}
    assert ghosts == {place_of(TILE["AV"], world.tiles[TILE["AV"]].dwelling)}


@pytest.mark.parametrize("day", [1, 6, 8, 27])
def test_b6_on_other_days_they_stay(day: int) -> None:
    world = position(PROWLERS, f"day={day}", heroes="Elf;Dwarf")
    assert rise(world, 4).denizens == world.denizens


def test_b7_the_counters_of_all_who_do_not_follow_are_mixed() -> None:
    world = position("2.plan=F_Elf", "4.dead", heroes="Elf;Dwarf;Wizard;Amazon")
    morning = rise(world, 1)
    assert morning.counters == (0, 2)
    assert [hero.guide for hero in morning.heroes] == [-1, 0, -1, -1]
    assert not any(hero.ready or hero.turn_taken for hero in morning.heroes)


def test_b4_someone_who_follows_a_follower_follows_the_guide_too() -> None:
    morning = rise(position("2.plan=F_Elf", "3.plan=F_Dwarf", heroes="Elf;Dwarf;Wizard"), 1)
    assert [hero.guide for hero in morning.heroes] == [-1, 0, 0]
    assert morning.counters == (0,)


def test_b4_those_who_follow_in_a_circle_and_their_followers_do_nothing() -> None:
    plans = ["1.plan=F_Dwarf", "2.plan=F_Elf", "3.plan=F_Elf"]
    morning = rise(position(*plans, "4.plan=H", heroes="Elf;Dwarf;Wizard;Amazon"), 1)
    assert [hero.guide for hero in morning.heroes] == [-1, -1, -1, -1]
    assert [hero.turn_taken for hero in morning.heroes] == [True, True, True, False]
    assert all(hero.hidden for hero in morning.heroes)
    assert morning.counters == (3,)


def test_b4_x3_at_sunrise_everyone_learns_who_follows_whom_in_a_circle_or_not() -> None:
    world = position("1.plan=F_Dwarf", "2.plan=F_Elf", "3.plan=F_Amazon", "4.plan=H", heroes="Elf;Dwarf;Wizard;Amazon")
    for viewer in (3, None):
        assert [SeatView(world, viewer).hero(seat).plan for seat in range(3)] == [(), (), ()]
        seen = [SeatView(rise(world, 1), viewer).hero(seat).plan for seat in range(4)]
        assert seen[:3] == [hero.plan for hero in world.heroes[:3]]
        assert seen[3] == (world.heroes[3].plan if viewer == 3 else ())
