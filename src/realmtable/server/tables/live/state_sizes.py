"""Estimates how much memory the states of a match take."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from realmtable.engine.match import Match
from realmtable.engine.protocol import State
from realmtable.kit.array_state import ArrayState

ARRAY_STATE_BYTES: Final = 300  # without the array itself
MEASURED_STATES: Final = 4  # the latest ones; states that are not arrays share most of what they have with others


class StateSizes(NamedTuple):
    """How much memory the states of a match take, in bytes."""

    first: int = 0
    further: int = 0  # each of them: what it does not share with those before it


def measure_states(match: Match) -> StateSizes:
    """Estimate the memory of a match's states from the latest ones."""
    if isinstance(match.state, ArrayState):
        size = int(match.state.position.nbytes) + ARRAY_STATE_BYTES
        return StateSizes(size, size)
    seen: set[int] = set()
    first, *further = [
        sum(sys.getsizeof(part) for part in _reachable_objects(state, seen)) for state in _list_latest_states(match)
    ]
    return StateSizes(first, sum(further) // max(1, len(further)))


def _list_latest_states(match: Match) -> list[State]:
    """Return the latest states of a match, the oldest first."""
    states: list[State] = []
    at: Match | None = match
    while at is not None and len(states) < MEASURED_STATES:
        states.append(at.state)
        at = at.parent
    return states[::-1]


def _reachable_objects(thing: Any, seen: set[int]) -> Iterator[Any]:  # noqa: ANN401 - any part of a state
    """Yield a value and everything it refers to, each once."""
    if id(thing) in seen or callable(thing):
        return
    seen.add(id(thing))
    yield thing
    if isinstance(thing, (str, bytes, int, float, np.ndarray)):
        inner: Iterable[Any] = ()
    elif isinstance(thing, Mapping):
        inner = (*thing.keys(), *thing.values())
    elif isinstance(thing, Collection):
        inner = thing
    else:
        slots = (getattr(thing, name) for name in getattr(thing, "__slots__", ()) if hasattr(thing, name))
        inner = (*slots, *getattr(thing, "__dict__", {}).values())
    for part in inner:
        yield from _reachable_objects(part, seen)
