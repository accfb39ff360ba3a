"""The records of a world.

A record belongs to the world whose epoch it has; every other world copies it before it writes.

The values of a record are plain: numbers, strings, and tuples of them. So its values as a tuple are its key, by which
records are compared and hashed. The key is cached, because a record that is shared by worlds no longer changes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, ClassVar, Final, Self, TypeVar, dataclass_transform

from realmtable.games.magic_realm.world.places import HOME, NOWHERE, Place
from realmtable.games.magic_realm.world.steps import Step

RecordT = TypeVar("RecordT", bound="Record")

NO_EPOCH: Final = 0  # belongs to no world: copied before the first write

# The content of a slot for a chit
OPEN: Final = -1  # not decided before someone looks
NO_SLOT: Final = -2  # the tile has no such chit

# Entries of a box that are not decided before someone looks
OPEN_LARGE: Final = -1
OPEN_SMALL: Final = -2

# States of an action chit
ACTIVE: Final = 0
FATIGUED: Final = 1
WOUNDED: Final = 2
CHIT_STATES: Final = ("active", "fatigued", "wounded")
ACTION_CHITS: Final = 12

GOALS: Final = ("great", "spells", "fame", "notoriety", "gold")  # what victory points are assigned to
NO_CHARACTER: Final = -1
NO_SEAT: Final = -1


class Record:
    """What all records share: an epoch, and a cached key."""

    __slots__ = ("cached_hash", "cached_key", "epoch")
    epoch: int
    cached_key: tuple[Any, ...] | None
    cached_hash: int | None
    names: ClassVar[tuple[str, ...]]
    read_values: ClassVar[attrgetter[tuple[Any, ...]]]

    def values(self) -> tuple[Any, ...]:
        """Return all values, in the order of the fields."""
        return self.read_values(self)

    def copy(self, epoch: int) -> Self:
        """Return a copy that belongs to the world of an epoch."""
        new = type(self)(*self.read_values(self))
        new.epoch = epoch
        return new

    def key(self) -> tuple[Any, ...]:
        """Return the values of a record that no longer changes."""
        found = self.cached_key
        if found is None:
            found = self.cached_key = self.read_values(self)
        return found

    def __eq__(self, other: object) -> bool:
        """Compare the values, never the epochs. Lists of records compare shared ones by identity."""
        return type(self) is type(other) and self.read_values(self) == self.read_values(other)

    def __hash__(self) -> int:
        """Return the hash of a record that no longer changes."""
        found = self.cached_hash
        if found is None:
            found = self.cached_hash = hash(self.key())
        return found

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Leave the epoch behind: in another process it may belong to another world."""
        return type(self), self.values()


def _prepare(self: Record) -> None:
    self.epoch = NO_EPOCH
    self.cached_key = self.cached_hash = None


@dataclass_transform()
def record(cls: type[RecordT]) -> type[RecordT]:
    """Turn a class into a record with slots."""
    cls.__post_init__ = _prepare  # type: ignore[attr-defined]  # dataclasses call it after the fields are set
    made = dataclass(slots=True, eq=False)(cls)
    # A record has at least two fields: `attrgetter` returns a tuple only for several names.
    made.names = tuple(field.name for field in fields(made))  # type: ignore[arg-type]  # it is a dataclass now
    made.read_values = attrgetter(*made.names)
    return made


@record
class Tile(Record):
    """A tile of the map, and what lies in its clearings."""

    q: int = 0  # axial coordinates
    r: int = 0
    turn: int = 0  # sixths clockwise
    placed: bool = False
    dwelling: int = 0  # the number of the clearing with its dwelling or Ghosts, 0 before their chit is turned up
    piles: tuple[tuple[int, ...], ...] = ((),) * 7  # per clearing number: abandoned goods, the top one first


@record
class Slot(Record):
    """A place for a map chit: one or two per tile, and five in the stack of the Lost City and of the Lost Castle."""

    chit: int = OPEN
    seen: int = 0  # the seats that know the chit, as bits
    face_up: bool = False
    summoned: bool = False  # whether it has summoned today (P3)


@record
class Hero(Record):
    """A seat's character."""

    character: int = NO_CHARACTER
    place: Place = NOWHERE
    hidden: bool = True
    found_hidden: bool = False  # whether it has found hidden enemies today
    blocked: bool = False
    turn_taken: bool = False
    dead: bool = False
    following: int = NO_SEAT  # the seat of the guide today
    chits: tuple[int, ...] = (ACTIVE,) * ACTION_CHITS
    gold: int = 0
    gold_seen: int = 0  # what everyone has seen of it
    fame: int = 0
    notoriety: int = 0
    discoveries: int = 0  # roads, sites and site cards, as bits
    points: tuple[int, ...] = (0,) * len(GOALS)
    start: int = -1  # the dwelling where it starts, while that is secret or after
    plan: tuple[Step, ...] = ()  # the phases written for today
    ready: bool = False  # whether it is through with the choice that all make at once
    backs: int = 0  # how many phases it has taken back today (Z4)


@record
class Denizen(Record):
    """A monster or a native."""

    place: Place = HOME
    blocked: bool = False


@record
class Goods(Record):
    """A weapon, a piece of armour, a horse or a treasure."""

    place: Place = NOWHERE  # a box, a pack, a clearing; nowhere while it is among the undecided treasures
    active: bool = False
    seen: int = 0  # the seats that know where it is, as bits


@record
class Box(Record):
    """A box of the set-up card."""

    entries: tuple[int, ...] = ()  # goods or open slots, the top one first
    opened: bool = False  # whether the Vault or the Crypt has been opened (D19)
