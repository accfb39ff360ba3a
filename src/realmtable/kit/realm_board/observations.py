"""What the observations of all games on the Realm board have in common: 12×12 planes, from the view alone.

The board is not turned for the second seat, because actions have the same numbers for both seats.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import View
from realmtable.kit.observations import ArrayParts, Parts, PlanesAndNumbers, read_number
from realmtable.kit.realm_board.geometry import CELLS, REALM_OF_CELL, REALM_SIDE, SIDE, find_cell, spaces_of

GRID: Final = (SIDE, SIDE)
LONG_GAME: Final = 200  # turns; the number of the turn is divided by it

Piece = Mapping[str, Any]
Plane: TypeAlias = "array[float]"  # NumPy copies it ten times as fast as a list

SIDES: Final = {"own": "own", "opponent": "other"}  # what planes and observations call them
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
    parts["turn"] = view["turn"]["number"] / LONG_GAME
    return parts


def read_board(parts: ArrayParts, phases: Iterable[str]) -> PlanesAndNumbers:
    """Return the numbers that vector environments have in every game on the board: the seat, the turn and the phase."""
    numbers: PlanesAndNumbers = {"seat": read_number(parts, "seat"), "turn": read_number(parts, "turn", LONG_GAME)}
    return numbers | {f"phase_{phase}": read_number(parts, f"phase {phase}") for phase in phases}


def read_pieces(parts: ArrayParts, labels: Mapping[str, str]) -> dict[str, NDArray[np.float32]]:
    """Return the planes of both sides' pieces; `labels` has the label of each kind of piece by its name in planes."""
    return {
        f"{side}_{kind}": parts[f"{word} {label}"] for side, word in SIDES.items() for kind, label in labels.items()
    }


def read_sides(parts: ArrayParts, name: str, label: str, most: float) -> PlanesAndNumbers:
    """Return the number of each side that `count_sides` has written."""
    return {f"{side}_{name}": read_number(parts, f"{word} {label}", most) for side, word in SIDES.items()}


def sum_by_realm(plane: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sum over the nine spaces of each Realm, as 4 rows of 4."""
    size = SIDE // REALM_SIDE
    summed: NDArray[np.float32] = plane.reshape(REALM_SIDE, size, REALM_SIDE, size).sum(axis=(1, 3))
    return summed


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
