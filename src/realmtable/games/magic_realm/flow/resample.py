"""A random state that fits what a seat knows: hidden chits, cards and choices are drawn anew, and plans rewritten."""

from __future__ import annotations

from random import Random
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.day.phases import FOLLOW, list_phases
from realmtable.games.magic_realm.flow.birdsong import AS_YOU_GO
from realmtable.games.magic_realm.world.records import ORDERS
from realmtable.games.magic_realm.world.resample import resample_world
from realmtable.games.magic_realm.world.world import World

CONTINUE: Final = 0.85  # the chance that a random plan has one more phase


def resample(world: World, seat: Seat, rng: Random) -> World:
    """Return a random state that fits the seat's view; who is asked and who is through stays the same."""
    new = world.fork()
    resample_world(new, seat, rng)
    if new.part not in ("setup", "over"):
        for other, hero in enumerate(world.heroes):
            if other != seat and not hero.dead:
                _rewrite_plan(new, other, rng)
    return new.seal()


def _rewrite_plan(world: World, seat: Seat, rng: Random) -> None:
    """Write a random plan behind what everyone knows of it."""
    hero = world.own_hero(seat)
    if world.part == "birdsong":
        hero.plan = ()
        hero.orders = rng.randrange(1 << len(ORDERS))
    elif hero.plan and hero.plan[0].verb == FOLLOW:
        return
    else:
        is_acting = any(frame.seat == seat for frame in world.agenda)
        hero.plan = hero.plan[: hero.phase + is_acting]
    if world.options.recording != AS_YOU_GO:
        while rng.random() < CONTINUE and (steps := list_phases(world, seat)):
            hero.plan = (*hero.plan, rng.choice(steps))
