"""Positions in the evening and at midnight."""

from __future__ import annotations

from collections.abc import Sequence

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.day_rules.death import let_die
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.flow.new_life import note_death
from realmtable.games.magic_realm.world.steps import Frame
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import play
from tests.magic_realm.helpers.flow_helpers import VALLEYS


def _begin(part: str, frame: str, text: str, dying: Sequence[Seat] = ()) -> World:
    world = decode(MACHINE, text).fork()
    world.part, world.agenda = part, (Frame(frame),)
    for seat in dying:
        let_die(world, seat)
        note_death(world, seat)
    MACHINE.advance(world)
    world.seal()
    if world.agenda:
        assert decode(MACHINE, encode(world)) == world
    return world


def _position(fields: Sequence[str], heroes: str, options: str) -> str:
    """Return a position in which those whose goods are not given have none."""
    names = [field.partition("=")[0] for field in fields]
    bare = [f"{seat}.goods=-" for seat in range(1, heroes.count(";") + 2) if f"{seat}.goods" not in names]
    head = f"options=map=stock1,encounter=2{options and ',' + options} heroes={heroes} {VALLEYS}"
    return " ".join([head, *bare, *fields])


def sunset(*fields: str, heroes: str = "Elf", options: str = "") -> World:
    """Return the state when the first clearing of the evening is to be drawn."""
    return _begin("evening", "sunset", _position(fields, heroes, options))


def meet(*fields: str, heroes: str = "Elf", monsters: str = "Wolf-1:B2", options: str = "") -> World:
    """Return the first question of combat in B2."""
    more = [f"denizens={monsters}"] if monsters else []
    return play(sunset("1.at=B2", *fields, *more, heroes=heroes, options=options), "clearing B2")


def midnight(*fields: str, dying: Sequence[Seat] = (), heroes: str = "Elf", options: str = "") -> World:
    """Return the first question of the next day; some characters have died in the evening, in this order."""
    return _begin("midnight", "midnight", _position(fields, heroes, options), dying)
