"""A view of Realm as numbers, for programs that learn to play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from realmtable.engine.protocol import View
from realmtable.games.realm.layout import PHASES
from realmtable.kit.observations import ArrayParts, Parts, PlanesAndNumbers, read_number
from realmtable.kit.realm_board.geometry import FACINGS
from realmtable.kit.realm_board.observations import (
    SIDES,
    count_sides,
    mark_realm,
    observe_board,
    read_board,
    read_pieces,
    read_sides,
)

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


def convert(parts: ArrayParts) -> PlanesAndNumbers:
    """Return what vector environments show of the same view."""
    board = read_board(parts, ())
    kinds = {"bases": "base", "powers": "power", "immobile_enforcers": IMMOBILE}
    facings = {f"enforcers_{facing}": f"enforcer {facing}" for facing in FACINGS}
    lifted = {"powers": ["power"], "mobile_enforcers": facings.values(), "immobile_enforcers": [IMMOBILE]}
    return {
        **read_pieces(parts, {**kinds, **facings}),
        "origin": parts["origin"],
        "target": parts["target"],
        **board,
        "moved": read_number(parts, "moves", MOST_MOVES),
        "offered": read_number(parts, "offered"),
        "single_power": read_number(parts, "single power"),
        **read_sides(parts, "bases_left", "bases left", MOST_BASES),
        **read_sides(parts, "enforcers_left", "enforcers left", MOST_ENFORCERS),
        **read_sides(parts, "captured", "captured", MOST_ENFORCERS),
        **{
            f"{side}_{kind}_in_hand": sum(read_number(parts, f"lifted {word} {label}", MOST_MOVES) for label in labels)
            for side, word in SIDES.items()
            for kind, labels in lifted.items()
        },
        # Who places first is chosen in turn 0, and who moves first after the set-up.
        **{
            f"phase_{number}_{name}": read_number(parts, f"phase {name}")
            if name != "choose"
            else int(read_number(parts, "phase choose") == 1 and (board["turn"] == 0) == (number == 0))
            for number, name in enumerate(PHASES)
        },
    }


def _label(piece: Mapping[str, Any]) -> str:
    if piece["kind"] != "enforcer":
        return str(piece["kind"])
    return f"enforcer {piece['facing']}" if piece["mobile"] else IMMOBILE
