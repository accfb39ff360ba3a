"""States as text: the world, and the agenda where the part of the day does not imply it (F8)."""

from __future__ import annotations

from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.position_reader import read_position
from realmtable.games.magic_realm.world.position_words import NO_ONE, read_number
from realmtable.games.magic_realm.world.position_writer import write_position
from realmtable.games.magic_realm.world.steps import Agenda, Frame
from realmtable.games.magic_realm.world.world import World

USUAL_AGENDAS: Final[dict[str, Agenda]] = {"birdsong": (Frame("write"),), "over": ()}
MAX_FRAMES: Final = 100
MAX_PARTS: Final = 5  # of a frame: kind, seat and three numbers


def encode(world: World) -> str:
    """Return a state as one line of text."""
    usual = world.agenda == USUAL_AGENDAS.get(world.part)
    return write_position(world, "" if usual else ";".join(map(_write_frame, world.agenda)))


def decode(machine: Machine, text: str) -> World:
    """Return the state that a text describes. Raises `BadPosition`."""
    world, agenda = read_position(text)
    if agenda:
        frames = agenda.split(";", MAX_FRAMES)
        if len(frames) > MAX_FRAMES:
            raise BadPosition(f"An agenda has at most {MAX_FRAMES} frames.")
        world.agenda = tuple(map(_read_frame, frames))
    else:
        world.agenda = USUAL_AGENDAS.get(world.part, ())
    machine.check_agenda(check_world(world))
    return world.seal()


def _write_frame(frame: Frame) -> str:
    parts = [frame.kind, NO_ONE if frame.seat == CHANCE else str(frame.seat + 1), *map(str, frame[2:])]
    while parts[-1] in ("0", NO_ONE):
        parts.pop()
    return ":".join(parts)


def _read_frame(text: str) -> Frame:
    kind, *rest = text.split(":")
    if len(rest) >= MAX_PARTS:
        raise BadPosition(f"A frame has a word, a seat and up to three numbers, not {text[:40]!r}.")
    seat = CHANCE if not rest or rest[0] == NO_ONE else read_number(rest[0], 1) - 1
    return Frame(kind, seat, *map(read_number, rest[1:]))
