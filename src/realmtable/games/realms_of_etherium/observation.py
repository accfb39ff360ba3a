"""A view of Realms of Etherium as numbers, for programs that learn to play.

The world grows, so it is a list of places for tiles and not a board: each place has coordinates and facts, and unused
places are 0. Changes of the manifest are not part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from realmtable.engine.protocol import Seat, View
from realmtable.games.realms_of_etherium.kernels.layout import COLOUR_NAMES, KIND_NAMES, MAX_MAGES, PHASES, RADIUS
from realmtable.games.realms_of_etherium.tiles.manifest import MAX_TILES
from realmtable.kit.observations import Numbers, Parts, one_hot, seats_from

LONG_GAME: Final = 30  # rounds
MANY: Final = 10  # points, Etherium, copies of a tile and so on
PLACED: Final = 1.0
COLOURS: Final = tuple(name.capitalize() for name in COLOUR_NAMES[1:])


def observe(view: View) -> Parts:
    """Return a view: the turn, each seat, the viewer first, its Mages, the stocks, then the tiles in play."""
    seats = seats_from(view["viewer"], len(view["players"]))
    parts: Parts = {
        "phase": one_hot(view["phase"], PHASES),
        "to move": [float(seat in view["to_move"]) for seat in seats],
        "seat of the turn": one_hot(view["turn"]["seat"], seats),
        "round": min(1.0, view["round"] / LONG_GAME),
        "triggered": float(view["triggered"]),
        "goal": view["goal"] / MANY,
        "active mage": one_hot(view["active"], range(1, MAX_MAGES + 1)),
        "moves left": view["moves_left"] / MANY,
        "declared hex": _place(view["hex"]),
        "picked hex": _place(view["picked"]),
    }
    mages = {mage["mage"]: mage for mage in view["mages"]}
    for place, seat in enumerate(seats):
        player = view["players"][seat]
        names = ("white", "black", "points", "controlled", "markers")
        parts[f"player {place}"] = [player[name] / MANY for name in names] + one_hot(player["colour"], COLOURS)
        for number in range(1, MAX_MAGES + 1):
            parts[f"mage {number} of {place}"] = _observe_mage(view, mages.get(f"{seat + 1}.{number}"))
    for stock in ("reserve", "supply"):
        parts[stock] = [view[stock].get(name, 0) / MANY for name in KIND_NAMES]
    tiles = [_observe_realm(realm, seats) for realm in view["realms"]]
    empty = [0.0] * len(_observe_realm(_NO_REALM, seats))
    parts |= {f"tile {number}": tiles[number] if number < len(tiles) else empty for number in range(MAX_TILES)}
    return parts


_NO_REALM: Final[Mapping[str, Any]] = {
    "at": None, "kind": None, "seat": None, "points": None, "constrained": False, "held": False, "moved": False,
}  # fmt: skip


def _observe_realm(realm: Mapping[str, Any], seats: list[Seat]) -> Numbers:
    flags = [float(realm[name]) for name in ("constrained", "held", "moved")]
    points = (realm["points"] or 0) / MANY
    return [*_place(realm["at"]), points, *flags, *one_hot(realm["seat"], seats), *one_hot(realm["kind"], KIND_NAMES)]


def _observe_mage(view: View, mage: Mapping[str, Any] | None) -> Numbers:
    """Return the numbers of a Mage; all are 0 if it is not in play. Mages on Portals are at 0,0."""
    if mage is None:
        return [0.0] * len(_observe_mage(view, {"mage": "", "at": "", "exhausted": False, "protected": False}))
    flags = [mage["exhausted"], mage["protected"], mage["mage"] == view["entering"], mage["mage"] == view["asked"]]
    return [*_place(mage["at"]), *map(float, flags)]


def _place(text: str | None) -> Numbers:
    """Return whether there is a place, and its coordinates."""
    if text is None:
        return [0.0, 0.0, 0.0]
    column, comma, row = text.partition(",")
    return [PLACED, int(column) / RADIUS, int(row) / RADIUS] if comma else [PLACED, 0.0, 0.0]
