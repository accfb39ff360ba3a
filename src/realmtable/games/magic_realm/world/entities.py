"""The entities of a world: characters, tiles, slots, denizens, goods and boxes.

An entity belongs to the world whose epoch it has; every other world copies it before it writes.

The values of an entity are plain: numbers, strings, and tuples of them. So its values as a tuple are its key, by which
entities are compared and hashed. The key is cached, because an entity that is shared by worlds no longer changes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from operator import attrgetter
from typing import Any, ClassVar, Final, Self, TypeVar, dataclass_transform

from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.world.places import HOME, NOWHERE
from realmtable.games.magic_realm.world.steps import Step

EntityT = TypeVar("EntityT", bound="Entity")

NO_EPOCH: Final = 0  # belongs to no world: copied before the first write

# The content of a slot for a chit
OPEN: Final = -1  # undecided until someone looks
NO_SLOT: Final = -2  # the tile has no such chit

# Entries of a box that are undecided until someone looks
OPEN_LARGE: Final = -1
OPEN_SMALL: Final = -2

# States of an action chit
ACTIVE: Final = 0
FATIGUED: Final = 1
WOUNDED: Final = 2
CHIT_STATES: Final = ("active", "fatigued", "wounded")
ACTION_CHITS: Final = 12

GOALS: Final = ("treasures", "fame", "notoriety", "gold")  # none can be assigned to spells yet (M10)
FOUND: Final = ("all", "counters", "cards")  # hidden characters: all, or those with counters or cards (D18, D22)
CURSES: Final = ("Eyemist", "Squeak", "Wither", "Ill Health", "Ashes", "Disgust")  # as the Imp rolls them (C27)
ORDERS: Final = ("block", "shed", "follow")  # what standing orders are about (Z9)
MAX_BACKS: Final = 20  # choices that a player takes back in a day; the set-up counts as one (Z4)
MAX_ORDERS: Final = 10  # that a player gives in a day (Z9)
NO_START: Final = -1
NO_CHARACTER: Final = -1
NO_SEAT: Final = -1


class Entity:
    """What all entities share: an epoch, and a cached key."""

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
        """Return the values of an entity that no longer changes."""
        found = self.cached_key
        if found is None:
            found = self.cached_key = self.read_values(self)
        return found

    def __eq__(self, other: object) -> bool:
        """Compare the values, never the epochs. Lists of records compare shared ones by identity."""
        return type(self) is type(other) and self.read_values(self) == self.read_values(other)

    def __hash__(self) -> int:
        """Return the hash of an entity that no longer changes."""
        found = self.cached_hash
        if found is None:
            found = self.cached_hash = hash(self.key())
        return found

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Leave the epoch behind: in another process it may belong to another world."""
        return type(self), self.values()


def _prepare(self: Entity) -> None:
    self.epoch = NO_EPOCH
    self.cached_key = self.cached_hash = None


@dataclass_transform()
def entity(cls: type[EntityT]) -> type[EntityT]:
    """Turn a class into an entity with slots."""
    cls.__post_init__ = _prepare  # type: ignore[attr-defined]  # dataclasses call it after the fields are set
    made = dataclass(slots=True, eq=False)(cls)
    # An entity has at least two fields: `attrgetter` returns a tuple only for several names.
    made.names = tuple(field.name for field in fields(made))  # type: ignore[arg-type]  # it is a dataclass now
    made.read_values = attrgetter(*made.names)
    return made


@entity
class TileState(Entity):
    """A tile of the map, and what lies in its clearings."""

    column: int = 0
    row: int = 0
    turn: int = 0  # sixths clockwise
    placed: bool = False
    owner: int = NO_SEAT  # while players build the map: the seat that lays it
    put_back: int = 0  # while the map is dealt: its rank among the tiles put back under the pile, 0 for none
    dwelling: int = 0  # the number of the clearing with its dwelling or Ghosts, 0 before their chit is turned up
    piles: tuple[tuple[int, ...], ...] = ((),) * 7  # per clearing number: abandoned goods, the top one first


@entity
class Slot(Entity):
    """A place for a map chit: one or two per tile, and five in the stack of the Lost City and of the Lost Castle."""

    chit: int = OPEN
    seen: int = 0  # the seats that know the chit, as bits
    face_up: bool = False  # dwellings, the Lost City and the Lost Castle stay face up (P8)
    summoned: bool = False  # whether it has summoned today (P3)


@entity
class Hero(Entity):
    """A seat's character, and the choices of its player."""

    character: int = NO_CHARACTER
    place: Place = NOWHERE
    hidden: bool = True
    found: int = 0  # the hidden characters it sees today: bits of FOUND
    blocked: bool = False
    turn_taken: bool = False
    dead: bool = False
    anywhere: bool = False  # whether it can peer at any clearing until midnight (T5)
    guide: int = NO_SEAT  # the seat it follows today
    came_by: Place = NOWHERE  # the roadway by which it last entered its clearing today
    climbs: Place = NOWHERE  # the mountain to which it has just made the first of two Moves (D10)
    chits: tuple[int, ...] = (ACTIVE,) * ACTION_CHITS
    pack: tuple[int, ...] = ()  # its goods, in the order in which it got them
    gold: int = 0
    fame: int | Fraction = 0
    notoriety: int | Fraction = 0
    curses: int = 0  # bits of CURSES
    berserk: bool = False  # until midnight (E13)
    kills: int = 0  # today (K1)
    discoveries: int = 0  # roads, sites and site cards, as bits
    points: tuple[int, ...] = ()  # the goals to which victory points are assigned, in that order
    start: int = NO_START  # the dwelling where it starts, once chosen
    plan: tuple[Step, ...] = ()  # the phases written for today
    phase: int = 0  # how many of them have been done
    used: tuple[int, ...] = ()  # the sources of the phases used today
    orders: int = 0  # standing orders that differ from the usual ones: bits of ORDERS
    ordered: int = 0  # how many orders it has given today
    backs: int = 0  # how many choices it has taken back today (Z4)
    ready: bool = False  # whether its player has finished a choice that all make at once


@entity
class Denizen(Entity):
    """A monster or a native."""

    place: Place = HOME
    blocked: bool = False


@entity
class GoodsState(Entity):
    """A weapon, a piece of armour, a horse or a treasure."""

    place: Place = NOWHERE  # a box, a pack, a clearing or out of the game; nowhere while it is not decided
    active: bool = False  # outside packs: face up
    seen: int = 0  # the seats that know it, as bits
    alerted: bool = False  # of a weapon
    damaged: bool = False  # of armour


@entity
class BoxState(Entity):
    """A box of the set-up card."""

    entries: tuple[int, ...] = ()  # goods or open slots, the top one first
    opened: bool = False  # whether the Vault has been opened (D19)
