"""A view of Realm as numbers, for programs that learn to play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from realmtable.engine.protocol import View
from realmtable.games.realm.layout import PHASES
from realmtable.kit.observations import Parts
from realmtable.kit.realm_board.geometry import FACINGS
from realmtable.kit.realm_board.observations import GRID, count_sides, mark_realm, observe_board

__all__ = ["GRID", "observe"]

IMMOBILE: Final = "immobile enforcer"
LABELS: Final = ("base", "power", *(f"enforcer {facing}" for facing in FACINGS), IMMOBILE)
MOST_BASES: Final = 13
MOST_ENFORCERS: Final = 9
MOST_MOVES: Final = 9  # in one turn: a Realm has nine spaces


def observe(view: View) -> Parts:
    """Return the planes of a view."""
    stock, opened = view["stock"], view["open"]
    lifted = Counter((piece["seat"] == view["viewer"], _label(piece)) for piece in view["lifted"])
    return {
        **observe_board(view, LABELS, _label, PHASES),
        **count_sides(view, "bases left", [each["bases"] for each in stock], MOST_BASES),
        **count_sides(view, "enforcers left", [each["enforcers"] for each in stock], MOST_ENFORCERS),
        **count_sides(view, "captured", [each["captured"] for each in stock], MOST_ENFORCERS),
        **count_sides(view, "realms", view["realms"], MOST_BASES),
        **{
            f"lifted {side} {label}": lifted[side == "own", label] / MOST_MOVES
            for side in ("own", "other")
            for label in LABELS
        },
        "origin": mark_realm(opened["origin"]),
        "target": mark_realm(opened["target"]),
        "moves": opened["moves"] / MOST_MOVES,
        "offered": float(view["offered"]),
        "single power": float(view["single_power"]),
        "stop in enemy realm": float(view["stop_in_enemy_realm"]),
        "may decline": float(view["may_decline"]),
    }


def _label(piece: Mapping[str, Any]) -> str:
    if piece["kind"] != "enforcer":
        return str(piece["kind"])
    return f"enforcer {piece['facing']}" if piece["mobile"] else IMMOBILE
