"""Kernels that games share for writing positions as observations: planes of spaces, and numbers.

A game's `planes.py` has the names of both (PLANES and NUMBERS), the SHAPE of a plane, and the kernel
`write_observation`, which writes what the acting seat sees. `planes` is flat there: plane after plane, row after row.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.compile import is_compiling, kernel

Planes: TypeAlias = NDArray[np.uint8]  # [planes * rows * columns]
Numbers: TypeAlias = NDArray[np.int16]


def clear_at_once(planes: Planes, numbers: Numbers) -> None:
    """Set everything to 0 by calls of NumPy, which are fast in plain Python."""
    planes[:] = 0
    numbers[:] = 0


def clear_each(planes: Planes, numbers: Numbers) -> None:
    """Set one entry after the other to 0, which compiles to a call that clears memory."""
    for index in range(planes.size):
        planes[index] = 0
    for index in range(numbers.size):
        numbers[index] = 0


clear_observation = kernel(clear_each) if is_compiling() else clear_at_once
