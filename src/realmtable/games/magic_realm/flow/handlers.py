"""All kinds of frames with their handlers."""

from __future__ import annotations

from typing import Final

from realmtable.games.magic_realm.flow import (
    activities,
    after_combat,
    alerting,
    birdsong,
    blocking,
    dice,
    evening_with_combat,
    looting,
    map_building,
    map_dealing,
    new_life,
    phase,
    rearranging,
    rest,
    search,
    setup,
    sunrise,
    turn,
    turn_end,
    undecided_cards,
)
from realmtable.games.magic_realm.flow.agenda import Handler
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.steps import Frame
from realmtable.games.magic_realm.world.world import World
from realmtable.games.magic_realm.world.world_before_setup import world_before_setup

HANDLERS: Final[dict[str, Handler]] = {
    **map_dealing.HANDLERS,
    **map_building.HANDLERS,
    **setup.HANDLERS,
    **undecided_cards.HANDLERS,
    **birdsong.HANDLERS,
    **sunrise.HANDLERS,
    **turn.HANDLERS,
    **phase.HANDLERS,
    **rearranging.HANDLERS,
    **activities.HANDLERS,
    **dice.HANDLERS,
    **search.HANDLERS,
    **looting.HANDLERS,
    **rest.HANDLERS,
    **blocking.HANDLERS,
    **turn_end.HANDLERS,
    **alerting.HANDLERS,
    **evening_with_combat.HANDLERS,
    **after_combat.HANDLERS,
    **new_life.HANDLERS,
}
MACHINE: Final = Machine(HANDLERS)


def first_state(seats: int, options: MagicOptions) -> World:
    """Return the state in which the first choice is made, or chance draws the first tile."""
    world = world_before_setup(seats, options).fork()
    world.agenda = (Frame("map"),)
    MACHINE.advance(world)
    return world.seal()
