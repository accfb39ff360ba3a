"""Positions in the evening."""

from __future__ import annotations

from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.world.steps import Frame
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import VALLEYS


def evening(*fields: str, heroes: str = "Elf", options: str = "") -> World:
    """Return the state when the evening of a position has begun."""
    seats = heroes.count(";") + 1
    head = f"options=map=stock1{options and ',' + options} heroes={heroes} {VALLEYS}"
    names = [field.partition("=")[0] for field in fields]
    bare = [f"{seat}.goods=-" for seat in range(1, seats + 1) if f"{seat}.goods" not in names]
    world = decode(MACHINE, " ".join([head, *bare, *fields])).fork()
    world.part, world.agenda = "evening", (Frame("evening"),)
    MACHINE.advance(world)
    world.seal()
    assert decode(MACHINE, encode(world)) == world
    return world


def one(*fields: str, hero: str = "Elf", monsters: str = "Wolf-1:B2", at: str = "B2", **more: str) -> World:
    """Return the state when an unhidden character in a clearing with monsters is asked."""
    return evening(f"1.at={at}", "1.unhidden", f"denizens={monsters}", *fields, heroes=hero, **more)
