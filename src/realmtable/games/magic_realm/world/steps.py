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


class JournalEntry(NamedTuple):
    """A step of combat, and who took it."""

    seat: Seat
    step: Step


Journal = tuple[JournalEntry, ...]  # the steps of combat in a clearing so far; `combat_flow.journal` keeps it


class RollResult(NamedTuple):
    """A roll on a table (G3)."""

    seat: Seat
    table: int
    dice: tuple[int, ...]
    add: int = 0


BITS_PER_NUMBER: Final = 20
MAX_FRAME_NUMBER: Final = 1 << BITS_PER_NUMBER  # larger than any place, seat, row or bit set that a frame refers to
FRAME_BITS: Final = 3 * BITS_PER_NUMBER


def split_bits(bits: int) -> tuple[int, int, int]:
    """Return a set of up to 60 bits as the three numbers of a frame."""
    mask = MAX_FRAME_NUMBER - 1
    return bits & mask, bits >> BITS_PER_NUMBER & mask, bits >> 2 * BITS_PER_NUMBER & mask


def join_bits(frame: Frame) -> int:
    """Return the set of bits that the three numbers of a frame hold.

    >>> join_bits(Frame("meet", 0, *split_bits(1 << 45)))
    35184372088832
    """
    return frame.a | frame.b << BITS_PER_NUMBER | frame.c << 2 * BITS_PER_NUMBER
