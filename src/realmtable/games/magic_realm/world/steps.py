"""Steps, and the frames of the agenda that ask for them."""

from __future__ import annotations

from typing import Final, NamedTuple

from realmtable.engine.protocol import CHANCE, Seat


class Step(NamedTuple):
    """One choice, or one thing that chance does: a verb and the numbers of what it names (Z1)."""

    verb: str
    args: tuple[int, ...] = ()


class Frame(NamedTuple):
    """One thing that is being done. The agenda is a stack of frames; the last one is done first."""

    kind: str
    seat: Seat = CHANCE  # the seat it concerns, if it concerns one
    a: int = 0
    b: int = 0
    c: int = 0


Agenda = tuple[Frame, ...]

MAX_FRAME_NUMBER: Final = 1 << 20  # larger than any place, seat, row or bit set of tiles that a frame refers to
