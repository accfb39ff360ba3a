"""What the arrays of all tree searches have in common: types, counters and settings, at the same places."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NOTHING: Final = -1

# Counters.
NODES: Final = 0
EDGES: Final = 1
VISITS: Final = 2  # visits to the root
EVALUATIONS: Final = 3  # positions evaluated
FIRST_OWN_COUNTER: Final = 4  # of a search

# Settings.
EXPLORE: Final = 0  # weight of exploration
TEMPERATURE: Final = 1  # how far below the best evaluation a step may be and still get early visits
WIDTH: Final = 2  # steps considered from the first visit on
WIDENING: Final = 3  # further steps, times the square root of the visits
MIX: Final = 4  # weight of the best step in a value; the rest is the mean of all visits
NOISE: Final = 5  # noise added to evaluations, so that threads explore differently
FIRST_OWN_SETTING: Final = 6


def make_ints(size: int) -> Ints:
    """Return an uninitialised integer array."""
    return np.empty(size, dtype=np.int64)
