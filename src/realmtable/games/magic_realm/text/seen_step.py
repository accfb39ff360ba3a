"""A step as a viewer sees it: what they knew before it, and what they know after it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm import INFO
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.flow.evening_with_combat import world_if_combat_ended
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.text.trace import TracedActivity, trace_step
from realmtable.games.magic_realm.world.entities import NO_CHARACTER
from realmtable.games.magic_realm.world.knowledge import SeatView, SeenHero
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

OWN_HARM, OWN_GAIN, TIME_OF_DAY, GAIN_OF_OTHERS, LESS = 6, 5, 4, 3, 1  # how important a card is


class SeenStep(NamedTuple):
    """A step that a seat takes, and its viewer. What goes on in combat counts as if it ended with the step."""

    world: World
    seat: Seat
    step: Step
    after: World
    begun: tuple[TracedActivity, ...]
    was: SeatView
    now: SeatView

    @property
    def viewer(self) -> Seat | None:
        """The seat that sees the step; None for spectators."""
        return self.now.seat

    def name(self, seat: Seat) -> str:
        """Return the character of a seat, or the seat's usual name without one."""
        return name_hero(seat, self.was.hero(seat))

    def weigh_harm(self, seat: Seat) -> int:
        """Return how important what harms a seat is for the viewer."""
        return OWN_HARM if seat == self.viewer else LESS

    def weigh_gain(self, seat: Seat) -> int:
        """Return how important what a seat gains is for the viewer."""
        return OWN_GAIN if seat == self.viewer else GAIN_OF_OTHERS


def name_hero(seat: Seat, hero: SeenHero) -> str:
    """Return the character of a seat, or the seat's usual name without one."""
    if hero.character == NO_CHARACTER:
        return INFO.seat_names[seat]
    return load_catalog().characters[hero.character].name


def see_step(machine: Machine, world: World, seat: Seat, step: Step, viewer: Seat | None) -> SeenStep:
    """Return a legal step as a viewer sees it."""
    after, begun = trace_step(machine, world, seat, step)
    was, now = _end_combat(world), _end_combat(after)
    return SeenStep(world, seat, step, after, begun, SeatView(was, viewer), SeatView(now, viewer))


@lru_cache(maxsize=8)
def _end_combat(world: World) -> World:
    """Return what a world would be if the combat that goes on ended now; kept for the other viewers."""
    return world_if_combat_ended(world)
