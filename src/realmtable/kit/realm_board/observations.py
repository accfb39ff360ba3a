"""What the observations of all games on the Realm board have in common: 12×12 planes, from the view alone.

The board is not turned for the second seat, because actions have the same numbers for both seats.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from realmtable.engine.protocol import View
from realmtable.kit.observations import Parts
from realmtable.kit.realm_board.geometry import CELLS, REALM_OF_CELL, SIDE, find_cell, spaces_of

GRID: Final = (SIDE, SIDE)
LONG_GAME: Final = 200  # turns; the number of the turn is divided by it

Piece = Mapping[str, Any]
Plane: TypeAlias = "array[float]"  # NumPy copies it ten times as fast as a list

EMPTY: Final = array("f", bytes(4 * CELLS))


def observe_board(view: View, labels: Sequence[str], label_of: Callable[[Piece], str], phases: Iterable[str]) -> Parts:
    """Return what every game on the board has: planes of pieces, the acting seat, the phase and the turn.

    `labels` are the kinds of pieces that have a plane for each side, and `label_of` says which of them a piece is.
    """
    viewer = view["viewer"]
    planes = {(side, label): EMPTY[:] for side in ("own", "other") for label in labels}
    for piece in view["pieces"]:
        side = "own" if piece["seat"] == viewer else "other"
        planes[side, label_of(piece)][_cell(piece["at"])] = 1.0
    parts: Parts = {f"{side} {label}": plane for (side, label), plane in planes.items()}
    parts["seat"] = float(viewer)
    parts["to move"] = float(viewer in view["to_move"])
    parts |= {f"phase {phase}": float(view["phase"] == phase) for phase in dict.fromkeys(phases)}
    parts["turn"] = min(1.0, view["turn"]["number"] / LONG_GAME)
    return parts


def count_sides(view: View, name: str, counts: Sequence[float], most: float) -> Parts:
    """Return a number for each side, divided by the most that is usual."""
    viewer = view["viewer"]
    return {f"own {name}": counts[viewer] / most, f"other {name}": counts[1 - viewer] / most}


def mark_cells(names: Iterable[str]) -> Plane:
    """Return a plane with a 1 on each of the named spaces."""
    plane = EMPTY[:]
    for name in names:
        plane[_cell(name)] = 1.0
    return plane


def mark_realm(name: str | None) -> Plane:
    """Return a plane with a 1 on the nine spaces of a Realm, which is named by its Center; empty without one.

    >>> sum(mark_realm("b2")), sum(mark_realm(None))
    (9.0, 0.0)
    """
    plane = EMPTY[:]
    if name is not None:
        for cell in spaces_of(REALM_OF_CELL[_cell(name)]):
            plane[cell] = 1.0
    return plane


def _cell(name: str) -> int:
    cell = find_cell(name)
    assert cell is not None, name  # noqa: S101 - views name only spaces of the board
    return cell
