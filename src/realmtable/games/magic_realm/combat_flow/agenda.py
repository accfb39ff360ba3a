"""What a frame of a fight can be. The same three kinds as in `flow.agenda`, over a value instead of a world."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.world.steps import Frame, Step


class Task(NamedTuple):
    """Something that the table does by itself. The frame has been taken off the agenda."""

    run: Callable[[Fight, Frame], Fight]


class Question(NamedTuple):
    """A choice of one seat, or of several at once. If `secret`, even a single answer is asked for (Z3)."""

    seats: Callable[[Fight, Frame], tuple[Seat, ...]]
    answers: Callable[[Fight, Frame, Seat], list[Step]]  # sorted
    take: Callable[[Fight, Frame, Seat, Step], Fight]
    secret: bool = False


class Draw(NamedTuple):
    """Something that chance does; all outcomes have equal weight."""

    label: str
    outcomes: Callable[[Fight, Frame], list[Step]]
    take: Callable[[Fight, Frame, Step], Fight]


Handler = Task | Question | Draw


def ask_present(fight: Fight, frame: Frame) -> tuple[Seat, ...]:
    """Return the seat of a frame if its character is still in the clearing."""
    return (frame.seat,) if fight.is_present(frame.seat) else ()
