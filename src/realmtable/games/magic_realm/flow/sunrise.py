"""Sunrise: who follows whom, the prowling rows, the return of monsters, and the counters (B4 to B7)."""

from __future__ import annotations

from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.day_rules.sight import find_guide, read_guides
from realmtable.games.magic_realm.flow.agenda import Draw, FrameLimits, Handler, Next, Task
from realmtable.games.magic_realm.options import DAYS_PER_WEEK
from realmtable.games.magic_realm.world.entities import NO_SEAT
from realmtable.games.magic_realm.world.open_slots import warning_slot
from realmtable.games.magic_realm.world.places import HOME, TILES
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

SIDES: Final = 6
MAX_DICE: Final = 2


def _begin_sunrise(world: World, _frame: Frame) -> Next:
    world.part = "sunrise"
    written = read_guides(world)
    for seat, followed in enumerate(written):
        if followed != NO_SEAT:
            hero = world.writable_hero(seat)
            hero.guide = find_guide(written, seat)
            hero.turn_taken = hero.guide == NO_SEAT  # in a circle, no one takes a turn
    dice = world.options.rows_per_day(len(world.heroes))
    return (Frame("prowl", a=dice - 1),)


def _roll_outcomes(_world: World, _frame: Frame) -> list[tuple[Step, int]]:
    return [(Step("die", (side,)), 1) for side in range(1, SIDES + 1)]


def _take_row(world: World, frame: Frame, step: Step) -> Next:
    """Note a row that prowls; `a` counts the dice that are still to be rolled."""
    world.rows = tuple(sorted({*world.rows, *step.args}))
    return (frame._replace(a=frame.a - 1) if frame.a else Frame("return"),)


def _return_monsters(world: World, _frame: Frame) -> Next:
    """On every seventh day, the monsters that prowl go back to where they started (B6)."""
    if world.day % DAYS_PER_WEEK == 0:
        catalog = load_catalog()
        for monster in catalog.monsters:
            if monster.row in world.rows and world.denizens[monster.id].place != HOME:
                world.move_denizen(monster.id, HOME)
        for tile in range(TILES):
            if world.slots[warning_slot(tile)].chit == catalog.ghosts.chit:
                for ghost in catalog.ghosts.monsters:
                    world.move_denizen(ghost, place_of(tile, world.tiles[tile].dwelling))
    return (Frame("counters"),)


def _mix_counters(world: World, _frame: Frame) -> Next:
    world.counters = tuple(
        seat
        for seat, hero in enumerate(world.heroes)
        if hero.guide == NO_SEAT and not hero.turn_taken and not hero.dead
    )
    world.part = "daylight"
    return (Frame("daylight"),)


HANDLERS: dict[str, Handler] = {
    "sunrise": Task(_begin_sunrise),
    "prowl": Draw(lambda *_: "prowl", _roll_outcomes, _take_row, FrameLimits("sunrise", a=range(MAX_DICE))),
    "return": Task(_return_monsters, FrameLimits("sunrise")),
    "counters": Task(_mix_counters, FrameLimits("sunrise")),
}
