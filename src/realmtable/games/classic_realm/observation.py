"""A view of Classic Realm as numbers, for programs that learn to play."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.classic_realm.layout import FROGS_EACH, INITIAL_OWED_TURNS, PHASES
from realmtable.kit.observations import ArrayParts, Parts, PlanesAndNumbers, read_number
from realmtable.kit.realm_board.observations import (
    count_sides,
    mark_realm,
    observe_board,
    read_board,
    read_pieces,
    read_sides,
    sum_by_realm,
)

LABELS: Final = ("frog on a pad", "swimming frog")


def observe(view: View) -> Parts:
    """Return the planes of a view."""
    right = view["right"]
    holder = None if right is None else right["seat"]
    return {
        **observe_board(view, LABELS, lambda piece: LABELS[piece["swims"]], PHASES),
        **count_sides(view, "unplaced", view["unplaced"], FROGS_EACH),
        **count_sides(view, "double move", [float(holder == seat) for seat in range(2)], 1),
        "owed turns": 0.0 if right is None else right["owed"] / INITIAL_OWED_TURNS,
        "rescued": mark_realm(view["rescued"]),
    }


def convert(parts: ArrayParts) -> PlanesAndNumbers:
    """Return what vector environments show of the same view."""
    pieces = read_pieces(parts, {"pads": "frog on a pad", "water": "swimming frog"})
    return {
        **{name: sum_by_realm(plane) for name, plane in pieces.items()},
        "rescued": parts["rescued"][::3, ::3],
        **read_board(parts, PHASES),
        **read_sides(parts, "right", "double move", 1),
        "owed_turns": read_number(parts, "owed turns", INITIAL_OWED_TURNS),
    }
