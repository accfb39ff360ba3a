"""Parts of observations that several games need: views as numbers, for programs that learn to play.

An observation has the viewer first wherever there is something for each seat.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import Seat, View

HASH_SIZE: Final = 1024
SIGN_BIT: Final = 1 << 31
MAX_NUMBER: Final = 1e6  # larger ones count as this

Numbers = list[float]
Parts = dict[str, float | Sequence[float]]
ArrayParts = Mapping[str, NDArray[np.float32]]  # the parts of an observation as arrays, by name
# Planes and numbers as vector environments have them, by the names in a game's `planes.py`.
PlanesAndNumbers = dict[str, NDArray[Any] | int]


def read_number(parts: ArrayParts, name: str, unit: float = 1) -> int:
    """Return a number that was divided by `unit`; in planes it is the same on every space."""
    return round(float(parts[name].flat[0]) * unit)


def seats_from(viewer: Seat, seats: int) -> list[Seat]:
    """Return all seats, the viewer first.

    >>> seats_from(2, 4)
    [2, 3, 0, 1]
    """
    return [(viewer + each) % seats for each in range(seats)]


def one_hot(value: object, choices: Iterable[object]) -> Numbers:
    """Return a 1 for the choice that a value is, and 0 for the others.

    >>> one_hot("b", "abc"), one_hot(None, "abc")
    ([0.0, 1.0, 0.0], [0.0, 0.0, 0.0])
    """
    return [float(value == choice) for choice in choices]


def multi_hot(values: Iterable[object], choices: Sequence[object]) -> Numbers:
    """Return a 1 for each choice that is among some values, and 0 for the others.

    >>> multi_hot("ca", "abc")
    [1.0, 0.0, 1.0]
    """
    among = {*values}
    return [float(choice in among) for choice in choices]


def hash_view(view: View, size: int = HASH_SIZE) -> Numbers:
    """Return `size` numbers that depend on everything in a view.

    Each value in the view adds to one of the numbers: which one, and with which sign, follows from the CRC-32 of its
    path and, unless it is a number, of the value itself. Numbers add the signed logarithm of 1 plus their size.

    >>> [number for number in hash_view({"turn": 0, "hand": ["King"]}) if number]
    [1.0]
    """
    numbers = [0.0] * size
    for text, weight in _flatten(view, ""):
        code = crc32(text.encode())
        numbers[code % size] += -weight if code & SIGN_BIT else weight
    return numbers


def _flatten(value: Any, path: str) -> Iterator[tuple[str, float]]:  # noqa: ANN401 - JSON data
    """Yield the path of each value, with the value itself unless it is a number, and its weight."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flatten(inner, f"{path}/{key}")
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _flatten(inner, f"{path}/{index}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, math.copysign(math.log1p(min(abs(value), MAX_NUMBER)), value) if value else 0.0
    elif value not in (None, False, ""):
        yield f"{path}={value}", 1.0
