"""Steps of games on the Realm board as numbers: a table says which steps there are, in ascending order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from itertools import chain, repeat, zip_longest
from math import prod
from typing import Any, Final, Generic, NamedTuple, TypeVar

from realmtable.engine.protocol import HandlePath
from realmtable.kit.realm_board.geometry import CELLS, Cell, cell_name
from realmtable.kit.step_table import StepTable

KindT = TypeVar("KindT", bound=IntEnum)
StepT = TypeVar("StepT", bound=tuple[Any, ...])
NOWHERE: Final = -1  # in a field that a kind of step does not use
ALL_CELLS: Final = range(CELLS)


class BoardStep(NamedTuple, Generic[KindT]):
    """A step of a game in which spaces say all about it. Steps sort in the order in which legal steps are listed."""

    kind: KindT
    at: Cell = NOWHERE
    to: Cell = NOWHERE


class StepRange(NamedTuple):
    """The steps of one kind: their numbers start at `first` and rise with the fields, the last one fastest."""

    kind: IntEnum
    first: int
    fields: Sequence[Sequence[int]]  # what each field after the kind can be; the rest is NOWHERE


def number_steps(kinds: Iterable[IntEnum], *fields: Sequence[Sequence[int]]) -> list[StepRange]:
    """Number the steps of all kinds from 0, one kind after the other, as the game's `layout` does for its kernels.

    `fields` says what the fields of each kind can be; the last kinds may have none.
    """
    ranges: list[StepRange] = []
    first = 0
    for kind, choices in zip(kinds, chain(fields, repeat(())), strict=False):
        ranges.append(StepRange(kind, first, choices))
        first += prod(map(len, choices))
    return ranges


def make_step_table(
    make: Callable[..., StepT], kinds: Iterable[IntEnum], *fields: Sequence[Sequence[int]]
) -> StepTable[StepT]:
    """Return the table of a game's steps, whose first field is their kind; see `number_steps`."""
    ranges = number_steps(kinds, *fields)
    size = ranges[-1].first + prod(map(len, ranges[-1].fields))
    return StepTable(size, lambda code: make_step(make, ranges, code), lambda step: make_code(ranges, step))


def make_step(make: Callable[..., StepT], ranges: Sequence[StepRange], code: int) -> StepT:
    """Make the step with a number."""
    kind, first, fields = ranges[bisect_right(ranges, code, key=lambda each: each.first) - 1]
    rest = code - first
    values = []
    for choices in reversed(fields):
        rest, index = divmod(rest, len(choices))
        values.append(choices[index])
    return make(kind, *reversed(values))


def make_code(ranges: Sequence[StepRange], step: tuple[Any, ...]) -> int:
    """Return the number of a step, or -1 if no board has such a step."""
    kind, *values = step
    found = next(each for each in ranges if each.kind == kind)
    code = 0
    for value, choices in zip_longest(values, found.fields, fillvalue=(NOWHERE,)):
        if value not in choices:
            return -1
        code = code * len(choices) + choices.index(value)
    return found.first + code


def step_clicks(kind: IntEnum, at: Cell, to: Cell) -> HandlePath:
    """Return the clicks that enter a step: its spaces by name, or a button named after its kind.

    >>> step_clicks(IntEnum("Kind", "MOVE END").END, NOWHERE, NOWHERE)
    ('end',)
    """
    return tuple([cell_name(cell) for cell in (at, to) if cell != NOWHERE]) or (kind.name.lower(),)
