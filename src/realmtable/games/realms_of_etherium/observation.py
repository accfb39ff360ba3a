"""A view of Realms of Etherium as numbers, for programs that learn to play.

The world grows, so it is a list of places for tiles and not a board: each place has coordinates and facts, and unused
places are 0. Changes of the manifest are not part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import Seat, View
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.tiles.manifest import MAX_TILES
from realmtable.kit.observations import (
    ArrayParts,
    Numbers,
    Parts,
    PlanesAndNumbers,
    one_hot,
    read_number,
    seats_from,
)

LONG_GAME: Final = 30  # rounds
MANY_TURNS: Final = 100
MANY: Final = 10  # points, Etherium, copies of a tile and so on
PLACED: Final = 1.0
PLAYER_NUMBERS: Final = ("white", "black", "points", "controlled", "markers")
COLOURS: Final = tuple(name.capitalize() for name in layout.COLOUR_NAMES[1:])


def observe(view: View) -> Parts:
    """Return a view: the turn, each seat, the viewer first, its Mages, the stocks, then the tiles in play."""
    seats = seats_from(view["viewer"], len(view["players"]))
    parts: Parts = {
        "phase": one_hot(view["phase"], layout.PHASES),
        "to move": [float(seat in view["to_move"]) for seat in seats],
        "seat of the turn": one_hot(view["turn"]["seat"], seats),
        "seat": view["viewer"] / MANY,
        "turn": view["turn"]["number"] / MANY_TURNS,
        "round": view["round"] / LONG_GAME,
        "triggered": float(view["triggered"]),
        "goal": view["goal"] / MANY,
        "active mage": one_hot(view["active"], range(1, layout.MAX_MAGES + 1)),
        "moves left": view["moves_left"] / MANY,
        "declared hex": _place(view["hex"]),
        "picked hex": _place(view["picked"]),
    }
    mages = {mage["mage"]: mage for mage in view["mages"]}
    for place, seat in enumerate(seats):
        player = view["players"][seat]
        parts[f"player {place}"] = [player[name] / MANY for name in PLAYER_NUMBERS] + one_hot(player["colour"], COLOURS)
        for number in range(1, layout.MAX_MAGES + 1):
            parts[f"mage {number} of {place}"] = _observe_mage(view, mages.get(f"{seat + 1}.{number}"))
    for stock in ("reserve", "supply"):
        parts[stock] = [view[stock].get(name, 0) / MANY for name in layout.KIND_NAMES]
    tiles = [_observe_realm(realm, seats) for realm in view["realms"]]
    empty = [0.0] * len(_observe_realm(_NO_REALM, seats))
    parts |= {f"tile {number}": tiles[number] if number < len(tiles) else empty for number in range(MAX_TILES)}
    return parts


def convert(parts: ArrayParts) -> PlanesAndNumbers:
    """Return what vector environments show of the same view."""
    seats = len(parts["to move"])
    numbers: PlanesAndNumbers = {
        "seat": read_number(parts, "seat", MANY),
        "seats": seats,
        "turn": read_number(parts, "turn", MANY_TURNS),
        "turn_seat": int(parts["seat of the turn"].argmax()),
        "round": read_number(parts, "round", LONG_GAME),
        "triggered": read_number(parts, "triggered"),
        "active_mage": _chosen(parts["active mage"]),
        **dict.fromkeys(("entering_seat", "entering_mage", "asked_seat", "asked_mage"), 0),
        **{f"phase_{phase}": round(float(each)) for phase, each in zip(layout.PHASES, parts["phase"], strict=True)},
    }
    for stock in ("reserve", "supply"):
        numbers |= {f"{stock}_{name}": _count(each) for name, each in zip(layout.KIND_NAMES, parts[stock], strict=True)}
    planes = _convert_tiles(parts, seats)
    for seat in range(layout.MAX_SEATS):
        player = parts.get(f"player {seat}", np.zeros(len(PLAYER_NUMBERS) + len(COLOURS), np.float32))
        numbers |= {f"seat_{seat}_{name}": _count(each) for name, each in zip(PLAYER_NUMBERS, player, strict=False)}
        numbers[f"seat_{seat}_colour"] = _chosen(player[len(PLAYER_NUMBERS) :])
        for number in range(1, layout.MAX_MAGES + 1):
            _convert_mage(parts.get(f"mage {number} of {seat}", np.zeros(7, np.float32)), seat, number, planes, numbers)
    return {**numbers, **planes}


def _convert_tiles(parts: ArrayParts, seats: int) -> dict[str, NDArray[np.int64]]:
    """Return all planes, those of Mages still empty."""
    own, others = range(1, layout.MAX_MAGES + 1), range(1, layout.MAX_SEATS)
    names = ["kind", "owner", "held", "moved", "declared", "picked"]
    names += (*(f"own_mage_{number}" for number in own), *(f"seat_{seat}_mages" for seat in others))
    planes = {name: np.zeros((layout.WIDTH, layout.WIDTH), np.int64) for name in names}
    for name in ("declared", "picked"):
        if parts[f"{name} hex"][0]:
            planes[name][_hex(parts[f"{name} hex"])] = 1
    for number in range(MAX_TILES):
        tile = parts[f"tile {number}"]
        if tile[0]:
            facts = tile[3:]  # points, constrained, held, moved, then the owner and the kind
            planes["held"][_hex(tile)], planes["moved"][_hex(tile)] = facts[2], facts[3]
            planes["owner"][_hex(tile)] = _chosen(facts[4 : 4 + seats])
            planes["kind"][_hex(tile)] = _chosen(facts[4 + seats :])
    return planes


def _convert_mage(
    mage: NDArray[np.float32], seat: int, number: int, planes: dict[str, NDArray[np.int64]], numbers: PlanesAndNumbers
) -> None:
    """Write where a Mage of a relative seat is, and what is asked about it; Mages on Portals are at 0,0."""
    placed, column, row, exhausted, protected, *asked = map(bool, mage)
    name = f"seat_{seat}_mage_{number}"
    is_on_realm = column or row
    numbers[name] = 0 if not placed else 1 if is_on_realm else 2
    numbers[f"{name}_exhausted"], numbers[f"{name}_protected"] = int(exhausted), int(protected)
    for question, is_meant in zip(("entering", "asked"), asked, strict=True):
        if is_meant:
            numbers[f"{question}_seat"], numbers[f"{question}_mage"] = seat + 1, number
    if is_on_realm:
        planes[f"seat_{seat}_mages" if seat else f"own_mage_{number}"][_hex(mage)] += 1


def _chosen(flags: NDArray[np.float32]) -> int:
    """Return the place of the one flag that is set, from 1 on, or 0."""
    return int(flags.argmax()) + 1 if flags.any() else 0


def _count(number: float) -> int:
    return round(float(number) * MANY)


def _hex(place: NDArray[np.float32]) -> tuple[int, int]:
    """Return the row and the column of a place in a plane."""
    return round(float(place[2]) * layout.RADIUS) + layout.WIDTH // 2, round(
        float(place[1]) * layout.RADIUS
    ) + layout.WIDTH // 2


_NO_REALM: Final[Mapping[str, Any]] = {
    "at": None, "kind": None, "seat": None, "points": None, "constrained": False, "held": False, "moved": False,
}  # fmt: skip


def _observe_realm(realm: Mapping[str, Any], seats: list[Seat]) -> Numbers:
    flags = [float(realm[name]) for name in ("constrained", "held", "moved")]
    points = (realm["points"] or 0) / MANY
    return [
        *_place(realm["at"]),
        points,
        *flags,
        *one_hot(realm["seat"], seats),
        *one_hot(realm["kind"], layout.KIND_NAMES),
    ]


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
    return [PLACED, int(column) / layout.RADIUS, int(row) / layout.RADIUS] if comma else [PLACED, 0.0, 0.0]
