"""What the frames of a turn and of its present phase remember.

The frame `turn` has the goods that were active at birdsong (a), the seats that no longer rearrange in this turn (b),
and whether the turn has begun and has led into a cave (c). The frame `phase` has the stage of the phase (a), the seats
that have stopped following in it (b), and the goods that have become active at its beginning (c).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.ids import GoodsId
from realmtable.games.magic_realm.day_rules.phase_sources import Notes, phase_goods
from realmtable.games.magic_realm.world.entities import NO_SEAT
from realmtable.games.magic_realm.world.steps import Frame
from realmtable.games.magic_realm.world.world import World

BEGUN: Final = 1
BEEN_IN_CAVE: Final = 2
TURN: Final = "turn"
PHASE: Final = "phase"


def find_frame(world: World, kind: str) -> Frame:
    """Return the topmost frame of a kind; an empty one if there is none."""
    return next((frame for frame in reversed(world.agenda) if frame.kind == kind), Frame(kind))


def change_frame(world: World, old: Frame, new: Frame) -> None:
    """Replace a frame that is on the agenda below the present one."""
    world.agenda = tuple(new if frame == old else frame for frame in world.agenda)


def read_notes(world: World) -> Notes:
    """Return what is remembered for the phases of the present turn."""
    turn = find_frame(world, TURN)
    return Notes(turn.a, find_frame(world, PHASE).c, bool(turn.c & BEEN_IN_CAVE))


def note_cave(world: World) -> None:
    """Remember that this turn has led into a cave (D4)."""
    turn = find_frame(world, TURN)
    change_frame(world, turn, turn._replace(c=turn.c | BEEN_IN_CAVE))


def stop_rearranging(world: World, seat: Seat) -> None:
    """Remember that someone no longer rearranges in this turn (Z13)."""
    turn = find_frame(world, TURN)
    change_frame(world, turn, turn._replace(b=turn.b | 1 << seat))


def has_stopped_rearranging(world: World, seat: Seat) -> bool:
    """Whether someone no longer rearranges in this turn."""
    return bool(find_frame(world, TURN).b >> seat & 1)


def note_activated(world: World, goods: GoodsId) -> None:
    """Remember that something has become active at the beginning of this phase (D5)."""
    if goods in phase_goods():
        phase = find_frame(world, PHASE)
        change_frame(world, phase, phase._replace(c=phase.c | 1 << phase_goods().index(goods)))


def leave_guide(world: World, seat: Seat) -> None:
    """Make someone stop following; their turn ends at the end of this phase (D24)."""
    phase = find_frame(world, PHASE)
    change_frame(world, phase, phase._replace(b=phase.b | 1 << seat))
    world.writable_hero(seat).guide = NO_SEAT


def list_seats_after(world: World, seat: Seat) -> Iterator[Seat]:
    """Yield the other seats in seat order, starting after this one (D24)."""
    seats = len(world.heroes)
    return ((seat + ahead) % seats for ahead in range(1, seats))
