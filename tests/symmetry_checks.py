"""The symmetries of the board, for games whose rules are the same on a turned board."""

from __future__ import annotations

from typing import get_args

from realmtable.kit.realm_board.geometry import Symmetry, center_of, realm_of, transform_cell


class BoardSymmetry:
    """One of the board's symmetries; a game says what becomes of its positions and steps."""

    def __init__(self, symmetry: Symmetry, *, swap: bool) -> None:
        self.symmetry = symmetry
        self.swap = swap

    def __repr__(self) -> str:
        return f"{self.symmetry}{'-swapped' * self.swap}"

    def cell(self, cell: int) -> int:
        return transform_cell(cell, self.symmetry)

    def realm(self, realm: int) -> int:
        return realm_of(self.cell(center_of(realm))) if realm >= 0 else realm


SYMMETRIES: tuple[Symmetry, ...] = get_args(Symmetry)
