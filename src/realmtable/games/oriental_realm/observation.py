"""A view of Oriental Realm as numbers, for programs that learn to play."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.oriental_realm.layout import MANDARINS_EACH, PHASES
from realmtable.kit.observations import ArrayParts, Parts, PlanesAndNumbers
from realmtable.kit.realm_board.observations import (
    count_sides,
    mark_cells,
    mark_realm,
    observe_board,
    read_board,
    read_pieces,
)

LABELS: Final = ("mandarin", "emperor")


def observe(view: View) -> Parts:
    """Return the planes of a view."""
    left = view["left"]
    return {
        **observe_board(view, LABELS, lambda piece: piece["kind"], PHASES),
        "pinned": mark_cells(piece["at"] for piece in view["pieces"] if piece["pinned"]),
        "realm of the turn": mark_realm(view["realm"]),
        "unmoved": mark_cells(view["unmoved"]),
        **count_sides(view, "mandarins to place", [counts["mandarins"] for counts in left], MANDARINS_EACH),
        **count_sides(view, "emperors to place", [counts["emperors"] for counts in left], 1),
        "warned": mark_cells(view["warned"]),
        "surrounded": mark_cells(view["surrounded"]),
    }


def convert(parts: ArrayParts) -> PlanesAndNumbers:
    """Return what vector environments show of the same view."""
    return {
        **read_pieces(parts, {"mandarins": "mandarin", "emperor": "emperor"}),
        "turn_realm": parts["realm of the turn"],
        "unmoved": parts["unmoved"],
        **read_board(parts, PHASES),
    }
