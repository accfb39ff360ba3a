"""A view of Medieval Realm as numbers, for programs that learn to play."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.medieval_realm.layout import PIECES_EACH
from realmtable.kit.observations import ArrayParts, Parts, PlanesAndNumbers, read_number
from realmtable.kit.realm_board.observations import (
    SIDES,
    count_sides,
    observe_board,
    read_board,
    read_pieces,
    read_sides,
    sum_by_realm,
)

LABELS: Final = ("duke", "man", "dislodged man")
PHASES: Final = ("turn", "pass", "over")
DUKE_DRAW: Final = 3  # moves of Dukes in a row


def observe(view: View) -> Parts:
    """Return the planes of a view."""
    return {
        **observe_board(view, LABELS, lambda piece: LABELS[2] if piece["down"] else piece["kind"], PHASES),
        **count_sides(view, "dukes off", [counts["dukes"] for counts in view["off"]], PIECES_EACH),
        **count_sides(view, "men off", [counts["men"] for counts in view["off"]], PIECES_EACH),
        **count_sides(view, "duke moves", view["duke_rows"], DUKE_DRAW),
        "duke draw": float(view["duke_draw"]),
    }


def convert(parts: ArrayParts) -> PlanesAndNumbers:
    """Return what vector environments show of the same view."""
    pieces = read_pieces(parts, {"dukes": "duke", "men": "man", "dislodged": "dislodged man"})
    return {
        **{name: sum_by_realm(plane) for name, plane in pieces.items()},
        **{
            f"{side}_off": sum(read_number(parts, f"{word} {kind} off", PIECES_EACH) for kind in ("dukes", "men"))
            for side, word in SIDES.items()
        },
        **read_board(parts, ()),
        **read_sides(parts, "duke_moves", "duke moves", DUKE_DRAW),
    }
