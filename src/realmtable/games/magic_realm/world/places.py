"""Places as small numbers: clearings, boxes of the set-up card, packs, and nowhere.

Clearing n of a tile is ``tile * 8 + n``. The other places lie above all clearings.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat

Place = int

TILES: Final = 20
CLEARINGS: Final = range(1, 7)  # the numbers that a clearing of a tile can have
MAX_SEATS: Final = 8

NOWHERE: Final[Place] = -1  # not yet on the map, or out of the game
FIRST_BOX: Final[Place] = 256
FIRST_PACK: Final[Place] = 512
HOME: Final[Place] = 1024  # a denizen's own box on the appearance chart


def clearing(tile: int, number: int) -> Place:
    """Return the place of a clearing.

    >>> clearing(3, 5)
    29
    """
    return tile * 8 + number


def tile_of(place: Place) -> int:
    """Return the tile of a clearing."""
    return place >> 3


def number_of(place: Place) -> int:
    """Return the number of a clearing within its tile."""
    return place & 7


def is_clearing(place: Place) -> bool:
    """Whether a number is the place of a clearing, on some side of some tile."""
    return 0 <= place < TILES * 8 and (place & 7) in CLEARINGS


def box_place(box: int) -> Place:
    """Return the place of a box."""
    return FIRST_BOX + box


def is_box(place: Place) -> bool:
    """Whether a place is a box."""
    return FIRST_BOX <= place < FIRST_PACK


def pack_place(seat: Seat) -> Place:
    """Return the place of what a hero carries."""
    return FIRST_PACK + seat


def is_pack(place: Place) -> bool:
    """Whether a place is a hero's pack."""
    return FIRST_PACK <= place < FIRST_PACK + MAX_SEATS
