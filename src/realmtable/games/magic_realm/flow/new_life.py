"""New lives: players whose characters died start again before the next day is written (K8).

A death puts a frame `life` under all others. The first to die has the topmost of them, so the players choose in the
order of the deaths. Each of them chooses a character, its gear and its points before the next one does.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.flow.agenda import (
    DONE,
    FrameLimits,
    Handler,
    Next,
    Question,
    ask_frame_seat,
)
from realmtable.games.magic_realm.flow.setup import (
    MAX_PIECES,
    find_gear,
    give_gear,
    list_characters,
    list_choices,
    list_givers,
    refuse_character,
    refuse_choice,
    refuse_gear,
    take_piece,
)
from realmtable.games.magic_realm.world.belongings import pile_at
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import Hero
from realmtable.games.magic_realm.world.map_layout import start_place
from realmtable.games.magic_realm.world.position_defaults import gear_kinds
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

LIFE: Final = "life"


def note_death(world: World, seat: Seat) -> None:
    """Remember that a player starts again tomorrow, if there is a tomorrow and the options allow it (V6)."""
    if world.options.restart and world.day < world.options.last_day:
        world.agenda = (Frame(LIFE, seat), *world.agenda)


def forget_dead(world: World) -> None:
    """Remove the dead characters of players who start again, so that any of those players can choose them."""
    for frame in world.agenda:
        if frame.kind == LIFE:
            world.heroes[frame.seat] = Hero(dead=True, orders=world.heroes[frame.seat].orders)


def _take_character(world: World, _frame: Frame, seat: Seat, step: Step) -> Next:
    hero, catalog = world.writable_hero(seat), load_catalog()
    (hero.character,) = step.args
    hero.start, hero.gold = catalog.names.by_name("start")["Inn"], catalog.numbers.starting_gold
    return _ask_for_gear(world, seat, 0)


def _ask_for_gear(world: World, seat: Seat, first: int) -> Next:
    """Ask for the next piece that a native group has; pieces that no group has come from elsewhere."""
    for piece, kind in [*enumerate(gear_kinds(world.heroes[seat].character))][first:]:
        if find_gear(world, kind):
            return (Frame("outfit", seat, piece),)
        _find_elsewhere(world, seat, kind)
    return (Frame("goals", seat),)


def _find_elsewhere(world: World, seat: Seat, kind: str) -> None:
    """Take a piece of gear from the first pile that has one, or else its price in gold."""
    goods = load_catalog().goods
    found = (number for place in sorted(catalog_lookups().clearings) for number in pile_at(world, place))
    piece = next((number for number in found if goods[number].kind == kind), None)
    if piece is None:
        world.writable_hero(seat).gold += next(thing.price for thing in goods if thing.kind == kind)
    else:
        give_gear(world, seat, piece)


def _take_gear(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    take_piece(world, frame, seat, step)
    return _ask_for_gear(world, seat, frame.a + 1)


def _take_goal(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    hero = world.writable_hero(seat)
    if step.verb == "want":
        hero.points = (*hero.points, *step.args)
    elif step.verb == "back":
        hero.backs += 1
        hero.points = hero.points[:-1]
    else:
        place = start_place(world, hero.start)
        assert place is not None  # noqa: S101 - the Inn is on the map when a day begins
        hero.dead = False
        world.move_hero(seat, place)
        return DONE
    return (frame,)


HANDLERS: Final[dict[str, Handler]] = {
    LIFE: Question(
        ask_frame_seat, list_characters, _take_character, refuse_character, limits=FrameLimits("", seat=True)
    ),
    "outfit": Question(
        ask_frame_seat,
        list_givers,
        _take_gear,
        refuse_gear,
        limits=FrameLimits("birdsong", seat=True, a=range(MAX_PIECES), returns=True),
    ),
    "goals": Question(
        ask_frame_seat,
        list_choices,
        _take_goal,
        refuse_choice,
        secret=True,
        limits=FrameLimits("birdsong", seat=True, returns=True),
    ),
}
