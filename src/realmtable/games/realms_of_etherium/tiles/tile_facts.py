"""Tiles as players see them: those of the standard manifest, with the changes that a view lists (V15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from realmtable.engine.protocol import View
from realmtable.games.realms_of_etherium.tiles.manifest import (
    ALTERATION,
    ETHERIUM,
    NO_COLOUR,
    Cost,
    Tile,
    standard_manifest,
)

ALTERATION_COLOUR: Final = "red"  # W6, unless V8 says otherwise


@cache
def standard_tiles() -> Mapping[str, Tile]:
    """Return the tiles of the standard manifest by name, with the colour that Alteration stands for."""
    return {tile.name: _name_alteration(tile) for tile in standard_manifest().tiles}


def _name_alteration(tile: Tile) -> Tile:
    if tile.power.of != ALTERATION:
        return tile
    return replace(tile, power=replace(tile.power, of=ALTERATION_COLOUR))


def tile_of(view: View, name: str) -> Tile:
    """Return the kind of tiles with a name, as it is played in the game of a view."""
    tile = standard_tiles()[name]
    changed = view["changes"].get(name)
    return tile if changed is None else _apply_facts(tile, changed)


def type_of(tile: Tile) -> str:
    """Return the type of a tile (W6), which names its colours and sign."""
    if tile.colour != NO_COLOUR:
        return tile.colour
    return "portal" if tile.power.verb == "portal" else "disruption"


def _apply_facts(tile: Tile, facts: Mapping[str, Any]) -> Tile:
    colours = (facts["of"], facts["second"]) if tile.power.colours else ()
    power = replace(
        tile.power,
        white=facts["white"],
        black=facts["black"],
        per=_colour(facts["per"]),
        to=ETHERIUM[facts["to_black"]] if tile.power.to else "",
        of="" if colours else _colour(facts["of"]),
        colours=colours,
        by=("opponents" if facts["by_opponents"] else "owner") if tile.power.by else "",
        where=("connected" if facts["connected"] else "adjacent") if tile.power.where else "",
        points=facts["points"],
    )
    control = None if facts["control"] is None else Cost(*facts["control"])
    return replace(tile, colour=facts["colour"], use=Cost(*facts["use"]), control=control, power=power)


def _colour(name: str) -> str:
    return "" if name == NO_COLOUR else name
