"""Records, forks and keys."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

import realmtable
from realmtable.games.magic_realm.catalog.ids import MAX_CLEARING, place_of
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world import places
from realmtable.games.magic_realm.world.entities import (
    NO_EPOCH,
    BoxState,
    Denizen,
    Entity,
    GoodsState,
    Hero,
    Slot,
    TileState,
)
from realmtable.games.magic_realm.world.world import FIELDS, RECORDS, World

FOLDER = Path(realmtable.__file__).parent / "games" / "magic_realm"


def small_world() -> World:
    world = World(MagicOptions())
    world.tiles = [TileState() for _ in range(3)]
    world.slots = [Slot() for _ in range(3)]
    world.heroes = [Hero(), Hero()]
    world.denizens = [Denizen() for _ in range(3)]
    world.goods = [GoodsState() for _ in range(3)]
    world.boxes = [BoxState(), BoxState((0, 1))]
    return world


def test_records_have_slots_and_copy_all_their_values() -> None:
    for cls in (TileState, Slot, Hero, Denizen, GoodsState, BoxState):
        record = cls()
        assert not hasattr(record, "__dict__")
        assert record.epoch == NO_EPOCH
        copy = record.copy(7)
        assert copy.epoch == 7
        assert copy.values() == record.values()
        assert len(record.values()) == len(cls.names)
        assert record.key() is record.key()
        assert hash(record) == hash(copy) == hash(record)
        assert record == copy
        assert record != "a record"


def test_a_fork_shares_records_until_it_writes_to_them() -> None:
    world = small_world().seal()
    fork = world.fork()
    for name in RECORDS:
        ours, theirs = getattr(world, name), getattr(fork, name)
        assert ours is not theirs
        assert all(mine is yours for mine, yours in zip(ours, theirs, strict=True))
    hero = fork.writable_hero(1)
    hero.gold = 5
    assert fork.writable_hero(1) is hero
    assert world.heroes[1].gold == 0
    assert fork.heroes[0] is world.heroes[0]


def test_every_list_can_be_written_to() -> None:
    world = small_world().seal()
    fork = world.fork()
    fork.writable_tile(1).turn = 2
    fork.writable_slot(1).chit = 4
    fork.writable_denizen(2).blocked = True
    fork.writable_goods(0).active = True
    fork.writable_box(0).entries = (1,)
    assert world == small_world()
    assert fork.tiles[1].turn == 2
    assert fork != world


def test_a_sealed_fork_has_lists_of_its_own_only_where_it_differs() -> None:
    world = small_world().seal()
    fork = world.fork()
    fork.writable_hero(1).gold = 5
    fork.writable_tile(0)  # written to, but with the same content as before
    fork.seal()
    assert [name for name in RECORDS if getattr(fork, name) is not getattr(world, name)] == ["heroes"]
    again = fork.fork()
    again.writable_goods(0).active = True
    assert not world.goods[0].active


def test_forks_of_a_world_that_is_still_written_to_share_no_lists() -> None:
    world = small_world()
    fork = world.fork().seal()
    world.writable_goods(0).active = True
    assert not fork.goods[0].active


def test_forks_of_a_world_that_is_still_written_to_do_not_share_later_writes() -> None:
    world = small_world()
    world.writable_hero(0).gold = 1
    fork = world.fork()
    world.writable_hero(0).gold = 2
    fork.writable_hero(1).fame = 3
    assert (fork.heroes[0].gold, world.heroes[0].gold) == (1, 2)
    assert world.heroes[1].fame == 0


def test_a_sealed_world_refuses_writes() -> None:
    world = small_world().seal()
    with pytest.raises(RuntimeError, match="fork it first"):
        world.writable_hero(0)
    with pytest.raises(RuntimeError, match="fork it first"):
        world.move_denizen(0, 9)


def test_keys_and_hashes_follow_the_content_and_not_the_history() -> None:
    one, other = small_world(), small_world()
    one.writable_hero(0).gold = 9
    one.writable_hero(0).gold = 4
    other.writable_hero(0).gold = 4
    one.seal()
    other.seal()
    assert one == other
    assert hash(one) == hash(other) == hash(one)
    assert one.key() == other.key() == one.key()
    third = other.fork()
    third.day = 1
    assert third.seal() != one
    assert third.key() != one.key()
    fourth = other.fork()
    fourth.writable_goods(2).seen = 1
    assert fourth.seal() != one
    assert len({one, other, third, fourth}) == 3
    shorter = other.fork()
    shorter.heroes.pop()
    assert shorter.seal() != one
    assert one != "a world"


def test_a_world_that_can_change_has_neither_key_nor_hash() -> None:
    world = small_world()
    with pytest.raises(RuntimeError, match="no key"):
        world.key()
    with pytest.raises(RuntimeError, match="no hash"):
        hash(world)


def test_a_key_computed_before_a_fork_does_not_outlive_a_write() -> None:
    world = small_world().seal()
    hash(world)
    world.key()
    fork = world.fork()
    fork.writable_hero(0).gold = 1
    fork.seal()
    assert fork.key() != world.key()
    assert hash(fork) != hash(world)


def test_a_pickled_world_belongs_to_no_epoch() -> None:
    world = small_world()
    world.writable_hero(0).gold = 3
    world.day = 4
    world.seal()
    back = pickle.loads(pickle.dumps(world))  # noqa: S301 - written a moment ago
    assert back == world
    assert back.sealed
    assert hash(back) == hash(world)
    assert all(record.epoch == NO_EPOCH for name in RECORDS for record in getattr(back, name))
    assert [getattr(back, name) for name in FIELDS] == [getattr(world, name) for name in FIELDS]


def test_the_index_lists_individuals_by_clearing() -> None:
    world = small_world()
    here = place_of(2, 4)
    world.move_hero(1, here)
    world.move_denizen(0, here)
    world.move_denizen(2, place_of(2, 5))
    assert world.at(here) == [1, 2]  # the second hero, then the first denizen behind two heroes
    assert world.at(place_of(2, 5)) == [4]
    assert world.at(places.HOME) == ()
    fork = world.seal().fork()
    fork.move_hero(1, places.NOWHERE)
    assert fork.at(here) == [2]
    assert world.at(here) == [1, 2]
    fork.move_goods(1, places.pack_place(0))
    assert (world.goods[1].place, fork.goods[1].place) == (places.NOWHERE, places.pack_place(0))


def test_places_change_only_where_the_index_notices() -> None:
    """A place that is written elsewhere would leave the index of clearings behind."""
    allowed = {"world/world.py"}
    for path in FOLDER.rglob("*.py"):
        if path.relative_to(FOLDER).as_posix() not in allowed:
            assert not re.search(r"\.place = ", path.read_text(encoding="utf-8")), path.name


def test_places_do_not_overlap() -> None:
    clearings = {place_of(tile, number) for tile in range(places.TILES) for number in range(1, MAX_CLEARING + 1)}
    boxes = {places.box_place(box) for box in range(64)}
    packs = {places.pack_place(seat) for seat in range(places.MAX_SEATS)}
    assert len(clearings) + len(boxes) + len(packs) == len(clearings | boxes | packs)
    assert not (clearings | boxes | packs) & {places.NOWHERE, places.HOME, places.GONE}
    assert all(places.is_clearing(place) for place in clearings)
    assert all(places.is_box(place) and not places.is_pack(place) for place in boxes)
    assert all(places.is_pack(place) and not places.is_clearing(place) for place in packs)
    assert not places.is_clearing(place_of(2, 7))
    assert not places.is_clearing(places.NOWHERE)
    assert [places.box_of(place) for place in sorted(boxes)] == [*range(64)]
    assert [places.pack_seat(place) for place in sorted(packs)] == [*range(places.MAX_SEATS)]
    road = places.road_place(max(clearings), min(clearings))
    assert places.is_road(road)
    assert places.road_ends(road) == (min(clearings), max(clearings))
    assert not any(places.is_road(place) for place in (*clearings, *boxes, *packs, places.HOME, places.GONE))


def test_every_kind_of_entity_is_tested_here() -> None:
    kinds = {"TileState", "Slot", "Hero", "Denizen", "GoodsState", "BoxState"}
    assert {cls.__name__ for cls in Entity.__subclasses__()} == kinds
