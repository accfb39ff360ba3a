"""Kernels that write positions of the Realm board as planes of 12 x 12 spaces."""

from __future__ import annotations

from realmtable.kit.compile import kernel
from realmtable.kit.plane_kernels import Planes
from realmtable.kit.realm_board.arrays import SPACES
from realmtable.kit.realm_board.geometry import CELLS, Realm
from realmtable.kit.rules import Position


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
