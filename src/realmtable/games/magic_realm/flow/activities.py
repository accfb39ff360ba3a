"""What a character does in a phase: Move, Hide and Alert; Search and Rest have their own modules (D8 to D14, D24)."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Horse
from realmtable.games.magic_realm.catalog.tables import DIE
from realmtable.games.magic_realm.day_rules.curses import ILL_HEALTH, SQUEAK, is_cursed
from realmtable.games.magic_realm.day_rules.lost_phases import why_lost
from realmtable.games.magic_realm.day_rules.modifiers import is_cave, read_roll
from realmtable.games.magic_realm.day_rules.move import MoveKind, judge_move, move_party
from realmtable.games.magic_realm.day_rules.phase_sources import find_source
from realmtable.games.magic_realm.day_rules.phases import PONY
from realmtable.games.magic_realm.day_rules.sight import ALL, followers_of
from realmtable.games.magic_realm.flow.agenda import DONE, FrameLimits, Handler, Next, Question, Refusal, Task
from realmtable.games.magic_realm.flow.dice import roll_frame
from realmtable.games.magic_realm.flow.turn_notes import leave_guide, note_cave, read_notes
from realmtable.games.magic_realm.world.entities import ORDERS
from realmtable.games.magic_realm.world.places import NOWHERE
from realmtable.games.magic_realm.world.step_text import is_pony_move
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

ORDER_SHED: Final = 1 << ORDERS.index("shed")  # ask before each Move
GO: Final = Step("go")


def _present_step(world: World, seat: Seat) -> Step:
    """Return the entry of the present phase."""
    hero = world.heroes[seat]
    return hero.plan[hero.phase]


def _begin_activity(world: World, frame: Frame) -> Next:
    """Use a phase of the day, and do the activity if it is possible (D3, D5)."""
    seat, step = frame.seat, _present_step(world, frame.seat)
    source = find_source(world, seat, step, read_notes(world))
    clause = why_lost(world, seat, step, source)
    hero = world.writable_hero(seat)
    if source is not None:
        hero.used = (*hero.used, source)
    if clause or step.verb != "M" or hero.climbs != step.args[0]:
        hero.climbs = NOWHERE
    if clause:
        return DONE
    match step.verb:
        case "M":
            return Frame("shed", seat), Frame("move", seat)
        case "H" if not hero.hidden:
            return (roll_frame(seat, "hide"),)
        case "S":
            return (Frame("search", seat),)
        case "P":
            return (roll_frame(seat, "peer", step.args[0]),)
        case "R":
            party = (seat, *followers_of(world, seat))
            return tuple([Frame("rest", other) for other in party if not is_cursed(world, other, ILL_HEALTH)])
        case "A" if world.options.has_combat:
            return tuple([Frame("alerting", other) for other in (seat, *followers_of(world, seat))])
    return DONE


# ---- Move


def _shedding_seats(world: World, frame: Frame) -> tuple[Seat, ...]:
    """A hidden guide is asked before it moves, if it has ordered so and there is someone to leave behind."""
    hero = world.heroes[frame.seat]
    asked = hero.hidden and hero.orders & ORDER_SHED and any(_list_sheddable(world, frame.seat))
    return (frame.seat,) if asked else ()


def _list_sheddable(world: World, seat: Seat) -> list[Step]:
    """Return the followers who have not found hidden enemies; seeing some by Magic Sight is not enough."""
    found = [world.heroes[other] for other in followers_of(world, seat)]
    return [Step("shed", (hero.character,)) for hero in found if not hero.found & ALL]


def _list_sheds(world: World, frame: Frame, _seat: Seat) -> list[Step]:
    return sorted([GO, *_list_sheddable(world, frame.seat)])


def _take_shed(world: World, frame: Frame, _seat: Seat, step: Step) -> Next:
    if step == GO:
        return DONE
    leave_guide(world, [hero.character for hero in world.heroes].index(step.args[0]))
    return (frame,)


def _refuse_shed(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("D24", "Leave behind a follower who has not found hidden enemies, or move on with the others.")


def _move(world: World, frame: Frame) -> Next:
    """Make a Move, the first one to a mountain included; the followers who can come along do (D9, D10, D24)."""
    seat, step = frame.seat, _present_step(world, frame.seat)
    to = step.args[0]
    kind = judge_move(world, seat, to)
    if kind is MoveKind.IMPOSSIBLE:
        return DONE  # only in a world resampled for a bot, where the guide may not know the way
    for follower in followers_of(world, seat):
        if is_pony_move(step) and not _rides_pony(world, follower):
            leave_guide(world, follower)
    if kind is MoveKind.CLIMB:
        world.writable_hero(seat).climbs = to
        return DONE
    move_party(world, (seat, *followers_of(world, seat)), to)
    if is_cave(world, to):
        note_cave(world)
    return DONE


def _rides_pony(world: World, seat: Seat) -> bool:
    goods = load_catalog().goods
    active = [goods[number] for number in world.heroes[seat].pack if world.goods[number].active]
    return any(isinstance(horse, Horse) and horse.breed.extra_moves == PONY for horse in active)


# ---- Hide


def _hide(world: World, frame: Frame) -> Next:
    """Hide the character and its followers, unless the result is nothing (D13, D24)."""
    if "hidden" in read_roll("hide", (frame.a,), 0):
        for seat in (frame.seat, *followers_of(world, frame.seat)):
            world.writable_hero(seat).hidden = not is_cursed(world, seat, SQUEAK)
    return DONE


_LIMITS: Final = FrameLimits("daylight", seat=True, returns=True)
HANDLERS: dict[str, Handler] = {
    "act": Task(_begin_activity, _LIMITS),
    "shed": Question(_shedding_seats, _list_sheds, _take_shed, _refuse_shed, limits=_LIMITS),
    "move": Task(_move, _LIMITS),
    "hide": Task(_hide, _LIMITS._replace(a=range(1, DIE + 1))),
}
