"""Kernels that games share for writing positions as observations: planes of spaces, and numbers.

A game's `planes.py` has the names of both (PLANES and NUMBERS), the SHAPE of a plane, and the kernel
`write_observation`, which writes what the acting seat sees. `planes` is flat there: plane after plane, row after row.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.compile import is_compiling, kernel
from realmtable.kit.realm_arrays import SPACES
from realmtable.kit.realm_board import CELLS, Realm
from realmtable.kit.rules import Position

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


@kernel
def mark_pieces(planes: Planes, position: Position, seat: int, kinds: int, seat_shift: int) -> None:
    """Set the spaces of all pieces of the 12 x 12 board: a plane for each kind of the seat's own, then the others'.

    A piece is its kind, from 1 to `kinds`, and its owner from bit `seat_shift` on; 0 is an empty space.
    """
    for cell in range(CELLS):
        piece = int(position[cell])
        if piece != 0:
            kind = piece & ((1 << seat_shift) - 1)
            planes[(kinds * ((piece >> seat_shift) ^ seat) + kind - 1) * CELLS + cell] = 1


@kernel
def mark_places(planes: Planes, plane: int, realm: Realm, places: int) -> None:
    """Set some of the nine spaces of a Realm in a plane; bit n of `places` stands for the place n."""
    for place in range(9):
        planes[plane * CELLS + SPACES[realm, place]] = places >> place & 1


@kernel
def mark_realm(planes: Planes, plane: int, realm: Realm) -> None:
    """Set the nine spaces of a Realm in a plane of the 12 x 12 board; a negative number stands for no Realm."""
    if realm >= 0:
        for place in range(9):
            planes[plane * CELLS + SPACES[realm, place]] = 1
