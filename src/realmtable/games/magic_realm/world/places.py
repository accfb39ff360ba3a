"""Places as small numbers: clearings, boxes of the set-up card, packs, and places off the map.

Clearing n of a tile is ``tile * 8 + n``, as in the catalog. The other places lie above all clearings.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.ids import MAX_CLEARING, PLACES_PER_TILE, BoxId, Place

TILES: Final = 20
MAX_SEATS: Final = 8
_CLEARING_PLACES: Final = TILES * PLACES_PER_TILE

NOWHERE: Final[Place] = -1  # a hero not yet on the map; a treasure that is not decided yet
FIRST_BOX: Final[Place] = 256
FIRST_PACK: Final[Place] = 512
FIRST_ROAD: Final[Place] = 2048  # a roadway, by the clearings at its ends
HOME: Final[Place] = 1024  # a denizen's own box on the appearance chart
GONE: Final[Place] = 1025  # out of the game


def is_clearing(place: Place) -> bool:
    """Whether a number is the place of a clearing, on some side of some tile."""
    return 0 <= place < _CLEARING_PLACES and 0 < place % PLACES_PER_TILE <= MAX_CLEARING


def box_place(box: BoxId) -> Place:
    """Return the place of a box."""
    return FIRST_BOX + box


def is_box(place: Place) -> bool:
    """Whether a place is a box."""
    return FIRST_BOX <= place < FIRST_PACK


def box_of(place: Place) -> BoxId:
    """Return the box that a place is."""
    return place - FIRST_BOX


def pack_place(seat: Seat) -> Place:
    """Return the place of what a hero carries."""
    return FIRST_PACK + seat


def is_pack(place: Place) -> bool:
    """Whether a place is a hero's pack."""
    return FIRST_PACK <= place < FIRST_PACK + MAX_SEATS


def pack_seat(place: Place) -> Seat:
    """Return the seat whose pack a place is."""
    return place - FIRST_PACK


def road_place(one: Place, other: Place) -> Place:
    """Return the place of the roadway between two clearings; there is at most one."""
    return FIRST_ROAD + min(one, other) * _CLEARING_PLACES + max(one, other)


def is_road(place: Place) -> bool:
    """Whether a place is a roadway."""
    return place >= FIRST_ROAD


def road_ends(place: Place) -> tuple[Place, Place]:
    """Return the clearings at the ends of a roadway, the lower one first.

    >>> road_ends(road_place(29, 4))
    (4, 29)
    """
    return divmod(place - FIRST_ROAD, _CLEARING_PLACES)
