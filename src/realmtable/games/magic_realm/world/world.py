"""A world: every record of a game, and the agenda.

A state of the game is a sealed world. To play a step, fork it, write to the fork through the `own_…` and `move_…`
methods, and seal the fork. Bots fork once and then play on without sealing. Forks share all records that they have not
written to; a fork costs no more than copying six lists, and a sealed one keeps only those that differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from operator import attrgetter
from typing import Any, Final, Self, TypeVar

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.catalog.placement import Layout
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.entities import BoxState, Denizen, Entity, GoodsState, Hero, Slot, TileState
from realmtable.games.magic_realm.world.places import is_clearing
from realmtable.games.magic_realm.world.steps import Agenda, Journal, RollResult

RecordT = TypeVar("RecordT", bound=Entity)

PARTS: Final = ("setup", "birdsong", "sunrise", "daylight", "evening", "midnight", "over")
RECORDS: Final = ("tiles", "slots", "heroes", "denizens", "goods", "boxes")
FIELDS: Final = ("options", "agenda", "day", "part", "rows", "counters", "first", "last_roll", "journal")

_read_fields = attrgetter(*FIELDS)
_read_records = attrgetter(*RECORDS)
_epochs = count(1)  # never part of a key; in one process no two worlds write under the same number


class World:
    """Everything a game consists of."""

    __slots__ = (*FIELDS, *RECORDS, "_hash", "_index", "_key", "_origin", "epoch", "fight", "layout", "sealed")

    def __init__(self, options: MagicOptions) -> None:
        self.options = options
        self.agenda: Agenda = ()
        self.day = 0  # 0 during the set-up
        self.part = "setup"
        self.rows: tuple[int, ...] = ()  # the rows of the appearance chart that prowl today, ascending
        self.counters: tuple[Seat, ...] = ()  # the seats whose counter has not been drawn today, ascending
        self.first = -1  # the seat that took the first turn today
        self.last_roll: RollResult | None = None  # the last roll of the day on a table
        self.journal: Journal = ()  # the steps of combat in the present clearing
        self.tiles: list[TileState] = []
        self.slots: list[Slot] = []
        self.heroes: list[Hero] = []
        self.denizens: list[Denizen] = []
        self.goods: list[GoodsState] = []
        self.boxes: list[BoxState] = []
        self.layout: Layout | None = None  # where the tiles lie, as `map_layout` has found it
        self.fight: Any = None  # what the journal leads to, as `flow.combat` has found it
        self._origin: World | None = None  # the sealed world that this one was forked from, until it is sealed too
        self._forget()
        self.epoch = next(_epochs)
        self.sealed = False

    def _forget(self) -> None:
        self._index: dict[Place, list[int]] | None = None
        self._key: tuple[Any, ...] | None = None
        self._hash: int | None = None

    # ---- forks

    def fork(self) -> Self:
        """Return a world with the same content, which can be written to."""
        if not self.sealed:
            self.epoch = next(_epochs)  # from now on, this world shares its records too
        new = object.__new__(type(self))
        new.options, new.agenda, new.day, new.part, new.rows, new.counters, *last = _read_fields(self)
        new.first, new.last_roll, new.journal = last
        new.tiles = self.tiles[:]
        new.slots = self.slots[:]
        new.heroes = self.heroes[:]
        new.denizens = self.denizens[:]
        new.goods = self.goods[:]
        new.boxes = self.boxes[:]
        new.layout = self.layout
        new.fight = self.fight
        new._index = self._index
        new._key = new._hash = None
        new._origin = self if self.sealed else None
        new.epoch = next(_epochs)
        new.sealed = False
        return new

    def seal(self) -> Self:
        """Declare the world a state: from now on it does not change, and shares the lists that it has not changed."""
        if self._origin is not None:
            for name, now, before in zip(RECORDS, _read_records(self), _read_records(self._origin), strict=True):
                if now == before:
                    setattr(self, name, before)
            self._origin = None
        self.sealed = True
        return self

    def _own(self, records: list[RecordT], number: int) -> RecordT:
        if self.sealed:
            raise RuntimeError("A sealed world does not change; fork it first.")
        found = records[number]
        if found.epoch != self.epoch:
            found = records[number] = found.copy(self.epoch)
        return found

    def writable_tile(self, tile: int) -> TileState:
        """Return a tile to write to."""
        return self._own(self.tiles, tile)

    def writable_slot(self, slot: int) -> Slot:
        """Return a slot for a map chit to write to."""
        return self._own(self.slots, slot)

    def writable_hero(self, seat: Seat) -> Hero:
        """Return a hero to write to; use `move_hero` for its place."""
        return self._own(self.heroes, seat)

    def writable_denizen(self, denizen: int) -> Denizen:
        """Return a denizen to write to; use `move_denizen` for its place."""
        return self._own(self.denizens, denizen)

    def writable_goods(self, goods: int) -> GoodsState:
        """Return goods to write to; `belongings` changes their place."""
        return self._own(self.goods, goods)

    def writable_box(self, box: int) -> BoxState:
        """Return a box to write to."""
        return self._own(self.boxes, box)

    # ---- places

    def move_hero(self, seat: Seat, place: Place) -> None:
        """Put a hero into a place."""
        self._own(self.heroes, seat).place = place
        self._index = None

    def move_denizen(self, denizen: int, place: Place) -> None:
        """Put a denizen into a place."""
        self._own(self.denizens, denizen).place = place
        self._index = None

    def move_goods(self, goods: int, place: Place) -> None:
        """Note where goods are; `belongings` keeps boxes, packs and piles in step."""
        self._own(self.goods, goods).place = place

    def at(self, place: Place) -> Sequence[int]:
        """Return the individuals in a clearing: heroes by seat, then denizens by number plus the number of seats."""
        if self._index is None:
            self._index = {}
            everyone = [*[hero.place for hero in self.heroes], *[denizen.place for denizen in self.denizens]]
            for number, where in enumerate(everyone):
                if is_clearing(where):
                    self._index.setdefault(where, []).append(number)
        return self._index.get(place, ())

    # ---- comparing

    def key(self) -> tuple[Any, ...]:
        """Return the whole content of a sealed world as one value."""
        if self._key is None:
            if not self.sealed:
                raise RuntimeError("A world that can still change has no key; seal it first.")
            lists = [
                tuple([record.cached_key or record.key() for record in records]) for records in _read_records(self)
            ]
            self._key = (*_read_fields(self), *lists)
        return self._key

    def __eq__(self, other: object) -> bool:
        """Compare the content; records that both worlds share are equal without being compared."""
        if not isinstance(other, World):
            return NotImplemented
        same: bool = _read_fields(self) == _read_fields(other) and _read_records(self) == _read_records(other)
        return same

    def __hash__(self) -> int:
        """Return the hash of a sealed world, from the cached hashes of its records."""
        if self._hash is None:
            if not self.sealed:
                raise RuntimeError("A world that can still change has no hash; seal it first.")
            lists = [
                tuple([record.cached_hash or hash(record) for record in records]) for records in _read_records(self)
            ]
            self._hash = hash((*_read_fields(self), *lists))
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild a sealed world in another process, under an epoch of that process."""
        return _rebuild, (_read_fields(self), _read_records(self), self.sealed)


def _rebuild(fields: tuple[Any, ...], records: tuple[list[Any], ...], sealed: bool) -> World:
    world = World(fields[0])
    for name, value in zip((*FIELDS, *RECORDS), (*fields, *records), strict=True):
        setattr(world, name, value)
    world.sealed = sealed
    return world
