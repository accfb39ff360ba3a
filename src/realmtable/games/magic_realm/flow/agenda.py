"""What a frame of the agenda can be: a task for the table, a question to seats, or a draw by chance.

Each kind of frame has one handler. A handler takes its frame off the agenda and returns the frames that follow. The
state therefore holds the whole course of a game: it can be stored and resumed at every question and every draw.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

Next = tuple[Frame, ...]  # the frames that replace the present one; the first of them is done first
DONE: Final[Next] = ()

NO_NUMBER: Final = range(1)


class Refusal(NamedTuple):
    """Why a step is refused: the clause of RULES.md and a sentence."""

    clause: str
    sentence: str


class FrameLimits(NamedTuple):
    """When a frame can occur, whether it concerns a seat, and the range of each of its numbers."""

    part: str  # of the day; empty for every part
    seat: bool = False
    a: range = NO_NUMBER
    b: range = NO_NUMBER
    c: range = NO_NUMBER
    returns: bool = False  # whether only the frame below it follows, which must then exist


ANYWHERE: Final = FrameLimits("")


def _finish(_world: World, _frame: Frame) -> Next:
    return DONE


class Task(NamedTuple):
    """Something that the table does on its own."""

    run: Callable[[World, Frame], Next]
    limits: FrameLimits = ANYWHERE


class Question(NamedTuple):
    """A choice of one seat, or of several at once.

    If `secret`, the answers depend on something that other seats do not know. Then a seat is asked even if it has only
    one answer, because skipping the question would reveal it (Z3).
    """

    seats: Callable[[World, Frame], tuple[Seat, ...]]  # those that have not answered yet, ascending
    answers: Callable[[World, Frame, Seat], list[Step]]  # sorted
    take: Callable[[World, Frame, Seat, Step], Next]
    refuse: Callable[[World, Frame, Seat, Step], Refusal]  # why a step is not among the answers
    finish: Callable[[World, Frame], Next] = _finish  # what follows when no seat is left
    secret: bool = False
    limits: FrameLimits = ANYWHERE


class Draw(NamedTuple):
    """Something that chance does; it is a step even if only one thing can happen (Z7)."""

    label: Callable[[World, Frame], str]  # a word for tests and explanations: hide, tile, monsters
    outcomes: Callable[[World, Frame], list[tuple[Step, int]]]  # with weights, in a fixed order
    take: Callable[[World, Frame, Step], Next]
    limits: FrameLimits = ANYWHERE


Handler = Task | Question | Draw


def ask_frame_seat(_world: World, frame: Frame) -> tuple[Seat, ...]:
    """Return the seat that a frame concerns: the seats of a question to one seat."""
    return (frame.seat,)
