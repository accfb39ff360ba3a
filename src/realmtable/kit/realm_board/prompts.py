"""What the prompts of the Realm games share: sentences, and which spaces are empty in a view.

A prompt follows from the view alone, so these functions read its pieces instead of the legal steps.
"""

from __future__ import annotations

from typing import Any, Final

from realmtable.engine.protocol import View
from realmtable.kit.realm_board.geometry import Cell, Direction, find_cell, ray

END_TURN: Final = "End your turn."
NO_LEGAL_MOVE: Final = "Pass: you have no legal move."


def describe_realm(center: str) -> str:
    """Return how a prompt refers to the Realm with a Center of this name.

    >>> describe_realm("e11")
    'the Realm around e11'
    """
    return f"the Realm around {center}"


def own_pieces(view: View) -> list[tuple[Cell, dict[str, Any]]]:
    """Return the viewer's pieces with their spaces."""
    return [
        (cell, piece)
        for piece in view["pieces"]
        if piece["seat"] == view["viewer"] and (cell := find_cell(piece["at"])) is not None
    ]


def occupied_cells(view: View) -> set[Cell]:
    """Return the spaces with a piece."""
    return {cell for piece in view["pieces"] if (cell := find_cell(piece["at"])) is not None}


def empty_line(cell: Cell, way: Direction, occupied: set[Cell]) -> list[Cell]:
    """Return the spaces in one direction up to the first piece.

    >>> empty_line(0, 1, {3})
    [1, 2]
    """
    line = []
    for space in ray(cell, way):
        if space in occupied:
            break
        line.append(space)
    return line
