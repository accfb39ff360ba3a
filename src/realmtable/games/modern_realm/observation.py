"""A view of Modern Realm as numbers, for programs that learn to play."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.modern_realm.layout import PHASES, PIECES_EACH
from realmtable.kit.observations import ArrayParts, Parts, PlanesAndNumbers
from realmtable.kit.realm_board.observations import (
    count_sides,
    mark_cells,
    mark_realm,
    observe_board,
    read_board,
    read_pieces,
)

LABELS: Final = ("hq", "agent", "counter")


def observe(view: View) -> Parts:
    """Return the planes of a view."""
    dislodged = view["dislodged"]
    return {
        **observe_board(view, LABELS, lambda piece: piece["kind"], PHASES),
        "mobile": mark_cells(piece["at"] for piece in view["pieces"] if piece["mobile"]),
        **count_sides(view, "headquarters", view["headquarters"], PIECES_EACH),
        "origin": mark_realm(view["open"]["origin"]),
        "unmoved": mark_cells(view["open"]["left"]),
        "dislodged": mark_realm(None if dislodged is None else dislodged["realm"]),
    }


def convert(parts: ArrayParts) -> PlanesAndNumbers:
    """Return what vector environments show of the same view."""
    return {
        **read_pieces(parts, {"hq": "hq", "agents": "agent", "counter": "counter"}),
        **{name: parts[name] for name in ("origin", "unmoved", "dislodged")},
        **read_board(parts, PHASES),
    }
