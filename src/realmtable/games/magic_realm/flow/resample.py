"""A random state that fits what a seat knows: hidden chits, cards and choices are redrawn, and plans are rewritten."""

from __future__ import annotations

from random import Random
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.combat_flow.secrets import redraw_journal
from realmtable.games.magic_realm.day_rules.phases import BLANK, list_phases
from realmtable.games.magic_realm.flow.birdsong import AS_YOU_GO
from realmtable.games.magic_realm.flow.evening_with_combat import fight_of
from realmtable.games.magic_realm.flow.phase import ACT, BLOCK, REARRANGE
from realmtable.games.magic_realm.flow.turn_notes import PHASE
from realmtable.games.magic_realm.world.entities import ORDERS
from realmtable.games.magic_realm.world.resample import resample_world
from realmtable.games.magic_realm.world.step_text import is_following_plan
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

CONTINUE: Final = 0.85  # the chance that a random plan has one more phase


def resample(world: World, seat: Seat, rng: Random) -> World:
    """Return a random state that fits the seat's view; who is asked and who has finished stays the same."""
    if world.part == "over":
        return world  # nothing that matters is hidden any more
    new = world.fork()
    fight = fight_of(world)
    kept = () if fight is None else tuple(warrior.seat for warrior in fight.warriors)
    resample_world(new, seat, rng, kept)
    if fight is not None:
        new.journal, new.fight = redraw_journal(fight, world.journal, seat, rng), None
    if is_being_written(world) or new.part in ("sunrise", "daylight", "evening"):
        for other, hero in enumerate(world.heroes):
            if other != seat and not hero.dead:
                _rewrite_plan(new, other, rng)
    return new.seal()


def is_being_written(world: World) -> bool:
    """Whether the day is being written; new lives begin before that (K8)."""
    return world.part == "birdsong" and len(world.agenda) == 1


def _rewrite_plan(world: World, seat: Seat, rng: Random) -> None:
    """Write a random plan after the part that everyone knows."""
    hero = world.writable_hero(seat)
    if world.part == "birdsong":
        hero.plan = ()
        hero.orders = rng.randrange(1 << len(ORDERS))
    elif is_following_plan(hero.plan) or world.options.recording == AS_YOU_GO:
        return  # everyone knows it
    else:
        stage = next((frame.a for frame in world.agenda if frame.kind == PHASE and frame.seat == seat), None)
        hero.plan = hero.plan[: hero.phase + (stage == BLOCK)]  # the activity is public once it begins
        if stage is not None and REARRANGE <= stage <= ACT:  # everyone knows that there is one more
            hero.plan = (*hero.plan, rng.choice(list_phases(world, seat) or [Step(BLANK)]))
    if world.part != "evening" and world.options.recording != AS_YOU_GO:
        while rng.random() < CONTINUE and (steps := list_phases(world, seat)):
            hero.plan = (*hero.plan, rng.choice(steps))
