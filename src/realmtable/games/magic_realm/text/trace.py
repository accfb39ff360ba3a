"""Play a step and note the activities that begin on the way, so that the news can say why one was lost."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.day_rules.lost_phases import why_lost
from realmtable.games.magic_realm.day_rules.move import MoveKind, judge_move
from realmtable.games.magic_realm.day_rules.phase_sources import find_source
from realmtable.games.magic_realm.flow.agenda import Next, Task
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.flow.turn_notes import read_notes
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

ACT, MOVE = "act", "move"  # the frames in which activities begin and Moves are made


class TracedActivity(NamedTuple):
    """An activity that was lost when it was begun, or a Move that was made."""

    seat: Seat
    step: Step
    clause: str = ""  # by which it was lost
    is_climb: bool = False  # whether it was the first of two Moves to a mountain


class Trace(NamedTuple):
    """What a step led to."""

    after: World
    begun: tuple[TracedActivity, ...]


@lru_cache(maxsize=16)
def trace_step(machine: Machine, world: World, seat: Seat, step: Step) -> Trace:
    """Return the state after a legal step, with Moves and lost activities; the last few results are kept."""
    begun: list[TracedActivity] = []
    act, move = (_find_task(machine, kind) for kind in (ACT, MOVE))

    def begin(now: World, frame: Frame) -> Next:
        entry = _present_entry(now, frame.seat)
        clause = why_lost(now, frame.seat, entry, find_source(now, frame.seat, entry, read_notes(now)))
        if clause:
            begun.append(TracedActivity(frame.seat, entry, clause))
        return act.run(now, frame)

    def go(now: World, frame: Frame) -> Next:
        entry = _present_entry(now, frame.seat)
        is_climb = judge_move(now, frame.seat, entry.args[0]) is MoveKind.CLIMB
        begun.append(TracedActivity(frame.seat, entry, is_climb=is_climb))
        return move.run(now, frame)

    tracing = Machine({**machine.handlers, ACT: act._replace(run=begin), MOVE: move._replace(run=go)})
    after = world.fork()
    tracing.step(after, seat, step)
    return Trace(after.seal(), tuple(begun))


def _find_task(machine: Machine, kind: str) -> Task:
    task = machine.handlers[kind]
    assert isinstance(task, Task)  # noqa: S101 - the table begins activities by itself
    return task


def _present_entry(world: World, seat: Seat) -> Step:
    hero = world.heroes[seat]
    return hero.plan[hero.phase]
