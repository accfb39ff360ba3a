"""The part of a view that a small picture shows: the tile that matters and those around it."""

from __future__ import annotations

from typing import Any

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.placement import TURNS, neighbour_position


def cut_out(view: View) -> dict[str, Any]:
    """Return a view whose map has only the tile in focus and its neighbours, with what lies there, also in combat."""
    data, focus = view["map"], _tile_of(view["map"]["focus"])
    positions = {tile["tile"]: (tile["column"], tile["row"]) for tile in data["tiles"]}
    if focus not in positions:
        return dict(view)
    around = {positions[focus], *(neighbour_position(positions[focus], edge) for edge in range(TURNS))}
    kept = {code for code, position in positions.items() if position in around}
    lying = {
        name: [thing for thing in data[name] if {_tile_of(end) for end in thing["at"].split("-")} <= kept]
        for name in ("dwellings", "heroes", "denizens", "piles")
    }
    cut = {
        **data,
        **lying,
        "tiles": [tile for tile in data["tiles"] if tile["tile"] in kept],
        "chits": [chit for chit in data["chits"] if chit["tile"] in kept],
        "known_roads": [],
        "route": [],
    }
    return {**view, "map": cut, "combat": None, "own": None}


def _tile_of(place: str) -> str:
    """Return the code of the tile of a clearing; a tile's own code stays as it is."""
    return place if place in load_catalog().names.by_name("tile code") else place.rstrip("0123456789")
