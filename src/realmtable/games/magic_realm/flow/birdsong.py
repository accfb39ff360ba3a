"""Birdsong: all players write their day at once and in secret (B2 to B4, Z4, Z5, Z9, Z12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.day_rules.lost_phases import is_exhausted
from realmtable.games.magic_realm.day_rules.phases import count_phases, fits, list_move_targets, list_phases
from realmtable.games.magic_realm.flow.agenda import DONE, FrameLimits, Handler, Next, Question, Refusal, Task
from realmtable.games.magic_realm.flow.new_life import forget_dead
from realmtable.games.magic_realm.world.entities import MAX_BACKS, MAX_ORDERS, NO_SEAT, ORDERS
from realmtable.games.magic_realm.world.places import NOWHERE, is_clearing
from realmtable.games.magic_realm.world.step_text import FOLLOW, PHASE_VERBS, is_following_plan, is_pony_move
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

AS_YOU_GO: Final = "as_you_go"


def _begin_day(world: World, _frame: Frame) -> Next:
    """Begin the next day: reset what belongs to the day before; new lives begin before anyone writes (K8)."""
    world.day += 1
    world.part = "birdsong"
    world.rows, world.counters, world.first, world.last_roll = (), (), NO_SEAT, None
    for seat in range(len(world.heroes)):
        hero = world.writable_hero(seat)
        hero.blocked = hero.turn_taken = hero.anywhere = hero.ready = False
        hero.guide, hero.came_by, hero.climbs = NO_SEAT, NOWHERE, NOWHERE
        hero.found = hero.phase = hero.backs = hero.ordered = 0
        hero.plan, hero.used = (), ()
    for number, denizen in enumerate(world.denizens):
        if denizen.blocked:
            world.writable_denizen(number).blocked = False
    forget_dead(world)
    if not _has_writers(world):
        return (Frame("sunrise"),)
    world.agenda = (Frame("write"), *world.agenda)  # under the frames of new lives
    return DONE


def _has_writers(world: World) -> bool:
    """Whether there is anything to write (B2); characters of new lives (K8) may follow each other."""
    guides = (guide for seat in range(len(world.heroes)) for guide in _list_guides(world, seat))
    has_new_lives = len(world.agenda) > 1  # below the frame of the dawn
    return world.options.recording != AS_YOU_GO or has_new_lives or any(guides)


def _writing_seats(world: World, _frame: Frame) -> tuple[Seat, ...]:
    return tuple([seat for seat, hero in enumerate(world.heroes) if not hero.ready and not hero.dead])


def _list_entries(world: World, _frame: Frame, seat: Seat) -> list[Step]:
    return sorted(_entries(world, seat))


def _entries(world: World, seat: Seat) -> Iterator[Step]:
    hero = world.heroes[seat]
    yield Step("done")
    if hero.plan and hero.backs < MAX_BACKS:
        yield Step("back")
    if hero.ordered < MAX_ORDERS:
        yield from (Step("order", (_other_order(hero.orders, kind),)) for kind in range(len(ORDERS)))
    if not hero.plan:
        yield from _list_guides(world, seat)
    if world.options.recording != AS_YOU_GO and not is_following_plan(hero.plan):
        yield from list_phases(world, seat)


def _other_order(orders: int, kind: int) -> int:
    """Return the number of the order that toggles a standing order; the usual one comes first."""
    return 2 * kind + (1 - (orders >> kind & 1))


def _list_guides(world: World, seat: Seat) -> Iterator[Step]:
    place = world.heroes[seat].place
    if is_clearing(place) and not is_exhausted(world, seat):
        for other, hero in enumerate(world.heroes):
            if other != seat and hero.place == place and not hero.dead:
                yield Step(FOLLOW, (hero.character,))


def _take_entry(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    hero = world.writable_hero(seat)
    if step.verb == "done":
        hero.ready = True
    elif step.verb == "back":
        hero.plan = hero.plan[:-1]
        hero.backs += 1
    elif step.verb == "order":
        hero.orders ^= 1 << step.args[0] // 2
        hero.ordered += 1
    else:
        hero.plan = (*hero.plan, step)
    return (frame,)


def _refuse_entry(world: World, _frame: Frame, seat: Seat, step: Step) -> Refusal:
    hero = world.heroes[seat]
    if step.verb == "back":
        return Refusal("Z4", f"You can take back what you have written at most {MAX_BACKS} times per day.")
    if step.verb == "order":
        return Refusal("Z9", f"An order must change something, and you can give at most {MAX_ORDERS} per day.")
    if step.verb not in PHASE_VERBS:
        return Refusal("B2", "Write your day, then choose Done.")
    if is_following_plan(hero.plan):
        return Refusal("B4", "You are following today, so you write nothing else.")
    if step.verb == FOLLOW and is_exhausted(world, seat):
        return Refusal("D8", "None of your chits is active, so you can only rest.")
    if step.verb == FOLLOW:
        return Refusal("B4", "Follow another character in your clearing, and write it before anything else.")
    if world.options.recording == AS_YOU_GO:
        return Refusal("B2", "In this game you choose each activity when its phase begins.")
    return _refuse_phase(world, seat, step)


def _refuse_phase(world: World, seat: Seat, step: Step) -> Refusal:
    plan, allowance = world.heroes[seat].plan, count_phases(world, seat)
    if step.verb == "M" and step.args[0] not in list_move_targets(world, seat, plan):
        return Refusal("Z5", "A Move follows a roadway from a place where your plan may have brought you.")
    if is_pony_move(step):
        plain = Step("M", step.args[:1])
        fine = allowance.pony and fits(world, allowance, (*plan, plain, step))
        sentence = "Write the pony's Move after a Move from another source." if fine else "You have no active pony."
        return Refusal("D6", sentence)
    if step.verb == "P":
        return Refusal("T1", "With an active Ancient Telescope, you can peer at one mountain clearing a day.")
    return Refusal("D5", "You have no phase left for this.")


def _end_writing(world: World, _frame: Frame) -> Next:
    for seat, hero in enumerate(world.heroes):
        if hero.ready:
            world.writable_hero(seat).ready = False
    return (Frame("sunrise"),)


HANDLERS: dict[str, Handler] = {
    "dawn": Task(_begin_day),
    "write": Question(
        _writing_seats, _list_entries, _take_entry, _refuse_entry, _end_writing, True, FrameLimits("birdsong")
    ),
}
