"""The numbers by which states and steps refer to the things of the catalog, and the words the data use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

TileId = int  # 0 to 19
Place = int  # a clearing: tile * 8 + its number from 1 to 6
CharacterId = int  # 0 to 15
MonsterId = int  # 0 to 58
NativeId = int  # 0 to 41
GroupId = int  # 0 to 8: a native group
GoodsId = int  # 0 to 137: weapons, armour, horses, treasures
SpellId = int  # 0 to 46 for the cards; 47 to 49 belong to treasures
MapChitId = int  # 0 to 39: warnings, sounds, sites, red chits
DwellingId = int  # 0 to 5
BoxId = int  # 0 to 39: a box of the set-up card
ChartBoxId = int  # a box of monsters on the appearance chart
RoadId = int  # over all tiles, the green side of a tile before its enchanted side
SecretId = int  # over the hidden paths and secret passages alone
Edge = int  # 0 to 5, clockwise from the north
Turn = int  # 0 to 5: sixths of a circle, clockwise
Side = int  # GREEN or ENCHANTED

GREEN: Final = 0
ENCHANTED: Final = 1
SIDES: Final = ("green", "enchanted")

PLACES_PER_TILE: Final = 8
MAX_CLEARING: Final = 6
EDGES: Final = ("N", "NE", "SE", "S", "SW", "NW")

STRENGTHS: Final = ("N", "L", "M", "H", "T")  # weights and harm, ascending (G6)
RED: Final = "red"  # the harm of a red side
MAGIC_TYPES: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")
COLOURS: Final = ("white", "grey", "gold", "purple", "black")
LETTERS: Final = ("V", "W", "C", "M")
RELATIONS: Final = ("enemy", "unfriendly", "neutral", "friendly", "ally")
DIRECTIONS: Final = ("thrust", "swing", "smash")
MANEUVERS: Final = ("charge", "dodge", "duck")
GHOSTS: Final = "Ghosts"  # where a character can start, though they are no dwelling
ACTIVITIES: Final = ("move", "hide", "search", "rest", "alert", "trade", "hire", "spell", "fly")


def place_of(tile: TileId, clearing: int) -> Place:
    """Return the place of a clearing."""
    return tile * PLACES_PER_TILE + clearing


def tile_of(place: Place) -> TileId:
    """Return the tile of a clearing."""
    return place // PLACES_PER_TILE


def clearing_of(place: Place) -> int:
    """Return the number of a clearing within its tile."""
    return place % PLACES_PER_TILE


def is_as_strong(strength: str, weight: str) -> bool:
    """Whether a strength reaches a weight (G6)."""
    return STRENGTHS.index(strength) >= STRENGTHS.index(weight)


def number_names(names: Sequence[str]) -> list[str]:
    """Return a different name for each counter: equal names are numbered from 1, "Wolf-2"; others stay as they are."""
    totals = {name: names.count(name) for name in names}
    seen: dict[str, int] = {}
    numbered = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        numbered.append(f"{name}-{seen[name]}" if totals[name] > 1 else name)
    return numbered
