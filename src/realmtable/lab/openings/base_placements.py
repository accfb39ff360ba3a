"""The placements of Bases that R2 of Realm allows, and their classes under the symmetries of the board.

A placement is three Realms of one player, no two in the same row or column of Realms. It is written as its Centers,
sorted by file: ``b11-h2-k5``. A joint placement is White's and Black's together. Placements that are images of each
other under the eight symmetries form a class: there are 16 classes for one player, 666 for both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import dist
from typing import Final

from realmtable.engine.errors import BadInput
from realmtable.kit.realm_board.geometry import (
    CENTERS,
    FILES,
    REALM_SIDE,
    SYMMETRIES,
    Realm,
    cell_name,
    center_of,
    find_cell,
    realm_of,
    transform_cell,
)

BASES: Final = 3
CENTRAL: Final = frozenset({5, 6, 9, 10})  # the four Realms in the middle
IMAGES: Final = tuple(
    tuple(realm_of(transform_cell(center, symmetry)) for center in CENTERS) for symmetry in SYMMETRIES
)
CLASS_NAMES: Final = "ABCDEFGHIJKLMNOP"

Bases = tuple[Realm, ...]  # ascending


@dataclass(frozen=True)
class PlacementClass:
    """One of the sixteen ways to place three Bases, up to symmetry."""

    name: str  # a letter
    bases: Bases  # the representative
    size: int  # the number of placements in the class

    @property
    def central(self) -> int:
        """The number of central Realms it controls."""
        return len(CENTRAL.intersection(self.bases))

    @property
    def spread(self) -> float:
        """The mean distance between two of its Bases, in Realms."""
        return spread(self.bases)


@dataclass(frozen=True)
class JointPlacement:
    """One of the 666 ways to place both players' Bases, up to symmetry."""

    white: Bases  # the representative of its class
    black: Bases
    ways: int  # how many of the 5,088 joint placements it represents

    @property
    def text(self) -> str:
        """Both placements, for people."""
        return f"{format_placement(self.white)} v {format_placement(self.black)}"


def format_placement(bases: Bases) -> str:
    """Write a placement as its Centers, sorted by file.

    >>> format_placement((2, 7, 12))
    'b11-h2-k5'
    """
    names = [cell_name(center_of(realm)) for realm in bases]
    return "-".join(sorted(names, key=lambda name: (FILES.index(name[0]), int(name[1:]))))


def parse_placement(text: str) -> Bases:
    """Parse a placement; raise `BadInput` if R2 does not allow it.

    >>> parse_placement("h8-e5-b2")
    (0, 5, 10)
    """
    cells = [find_cell(name) for name in text.split("-")]
    bases = tuple(sorted(realm_of(cell) for cell in cells if cell in CENTERS))
    if bases not in all_placements() or len(cells) != BASES:
        raise BadInput(f"{text[:40]} is not a placement of three Bases; write one like b11-e8-h5.")
    return bases


@cache
def all_placements() -> frozenset[Bases]:
    """Return all 96 placements of one player."""
    rows = range(REALM_SIDE)
    return frozenset(
        tuple(sorted(row * REALM_SIDE + column for row, column in zip(chosen, columns, strict=True)))
        for chosen in combinations(rows, BASES)
        for columns in permutations(rows, BASES)
    )


def spread(bases: Bases) -> float:
    """Return the mean distance between two Bases, in Realms.

    >>> round(spread(parse_placement("b2-e5-h8")), 2), round(spread(parse_placement("b11-h2-k5")), 2)
    (1.89, 2.88)
    """
    places = [divmod(realm, REALM_SIDE) for realm in bases]
    pairs = list(combinations(places, 2))
    return sum(dist(*pair) for pair in pairs) / len(pairs)


def symmetric_images(bases: Bases) -> list[Bases]:
    """Return the images of a placement under the eight symmetries of the board."""
    return [tuple(sorted(image[realm] for realm in bases)) for image in IMAGES]


@cache
def classes() -> tuple[PlacementClass, ...]:
    """Return the sixteen classes, sorted by central Realms (most first), then by spread."""
    orbits = {min(symmetric_images(bases)): len(set(symmetric_images(bases))) for bases in all_placements()}
    order = sorted(orbits, key=lambda bases: (-len(CENTRAL.intersection(bases)), spread(bases), bases))
    return tuple(PlacementClass(name, bases, orbits[bases]) for name, bases in zip(CLASS_NAMES, order, strict=True))


@cache
def _class_by_bases() -> dict[Bases, PlacementClass]:
    return {image: each for each in classes() for image in symmetric_images(each.bases)}


def class_of(bases: Bases) -> PlacementClass:
    """Return the class of a placement."""
    return _class_by_bases()[bases]


def canonical_joint(white: Bases, black: Bases) -> tuple[Bases, Bases]:
    """Return the representative of a joint placement's class."""
    ways = zip(symmetric_images(white), symmetric_images(black), strict=True)
    representative = class_of(white).bases
    return min(way for way in ways if way[0] == representative)


@cache
def joints() -> tuple[JointPlacement, ...]:
    """Return the 666 joint placements."""
    counts: dict[tuple[Bases, Bases], int] = {}
    for white, black in _disjoint_pairs(all_placements()):
        way = canonical_joint(white, black)
        counts[way] = counts.get(way, 0) + 1
    return tuple(JointPlacement(white, black, ways) for (white, black), ways in sorted(counts.items()))


def _disjoint_pairs(placements: Iterable[Bases]) -> list[tuple[Bases, Bases]]:
    ordered = sorted(placements)
    return [(white, black) for white in ordered for black in ordered if not set(white) & set(black)]
