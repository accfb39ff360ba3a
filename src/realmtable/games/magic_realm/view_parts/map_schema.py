"""What the pictures are drawn from: plain data as the view has them, with names in place of numbers.

Places are clearings such as "BV4": the code of the tile and the number of the clearing. Seats are numbers from 0.
The picture shows what these data hold and nothing else, so they hold only what the viewer may know.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class TileData(TypedDict):
    """A tile on the map."""

    tile: str  # its code
    column: int
    row: int
    turn: int  # sixths of a circle, clockwise
    side: str  # "green" or "enchanted"


class ChitData(TypedDict):
    """A warning, sound, site or red chit in a tile, in the order in which they lie."""

    tile: str  # code
    back: str  # the letter on the back
    name: str  # "Howl-4"; empty if the viewer does not know the chit
    face_up: bool


class DwellingData(TypedDict):
    """A dwelling or campfire."""

    at: str
    name: str


class HeroData(TypedDict):
    """A character in a clearing."""

    seat: int
    character: str
    at: str
    hidden: bool


class DenizenData(TypedDict):
    """A monster or native in a clearing."""

    at: str
    name: str  # of the counter: "Wolf-2", "Rogues-HQ"
    side: str  # "light" or "dark"
    employer: NotRequired[int]  # the seat that has hired it
    blocked: NotRequired[bool]  # whether it has blocked or been blocked today, and so does not move again


class PileData(TypedDict):
    """Things that lie in a clearing."""

    at: str
    count: int


class MapData(TypedDict):
    """Everything on the map."""

    tiles: list[TileData]
    chits: list[ChitData]
    dwellings: list[DwellingData]
    heroes: list[HeroData]
    denizens: list[DenizenData]
    piles: list[PileData]
    known_roads: list[int]  # the ids of hidden paths and secret passages that the viewer has discovered
    route: list[str]  # the clearings of the planned route, the first one where it starts
    focus: str  # the clearing or tile that matters now, or empty for the whole map


class ActionChitData(TypedDict):
    """An action chit of a character."""

    label: str  # "Move M3*"
    state: str  # "active", "fatigued" or "wounded"
