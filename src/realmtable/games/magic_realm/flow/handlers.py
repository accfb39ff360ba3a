"""All kinds of frames with their handlers."""

from __future__ import annotations

from typing import Final

from realmtable.games.magic_realm.flow import birdsong, looks, map_building, map_dealing, setup, sunrise
from realmtable.games.magic_realm.flow.agenda import Handler
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.start import world_before_setup
from realmtable.games.magic_realm.world.steps import Frame
from realmtable.games.magic_realm.world.world import World

HANDLERS: Final[dict[str, Handler]] = {
    **map_dealing.HANDLERS,
    **map_building.HANDLERS,
    **setup.HANDLERS,
    **looks.HANDLERS,
    **birdsong.HANDLERS,
    **sunrise.HANDLERS,
}
MACHINE: Final = Machine(HANDLERS)


def first_state(seats: int, options: MagicOptions) -> World:
    """Return the state in which the first choice is made, or chance draws the first tile."""
    world = world_before_setup(seats, options).fork()
    world.agenda = (Frame("map"),)
    MACHINE.advance(world)
    return world.seal()
