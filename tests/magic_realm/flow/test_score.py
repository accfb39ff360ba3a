"""The score: Q7, Q8, and what a character can carry (D11)."""

from __future__ import annotations

import pytest

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import STRENGTHS
from realmtable.games.magic_realm.day_rules.carry import find_strength, list_dropped_at_the_end, list_left_behind
from realmtable.games.magic_realm.flow.score import Tally, score_seat, score_tally, tally_seat, total_of
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.entities import ACTIVE, FATIGUED, GOALS, GoodsState, Hero
from realmtable.games.magic_realm.world.world import World

CATALOG = load_catalog()
GOODS = {goods.name: goods.id for goods in CATALOG.goods}


def world_with(
    character: str,
    pack: dict[str, bool],
    *,
    active: tuple[str, ...] | None = None,
    gold: int = 0,
    fame: int = 0,
    notoriety: int = 0,
) -> World:
    """Return a world with one hero; `pack` says which belongings are active, `active` which chits, by their labels."""
    found = next(row for row in CATALOG.characters if row.name == character)
    world = World(MagicOptions())
    states = tuple(ACTIVE if active is None or chit.label in active else FATIGUED for chit in found.chits)
    belongings = tuple(GOODS[name] for name in pack)
    world.heroes = [Hero(found.id, chits=states, pack=belongings, gold=gold, fame=fame, notoriety=notoriety)]
    world.goods = [GoodsState() for _ in CATALOG.goods]
    for name, is_active in pack.items():
        world.writable_goods(GOODS[name]).active = is_active
    return world


def names(goods: list[int]) -> list[str]:
    return [CATALOG.goods[number].name for number in goods]


class TestQ8:
    """The score of each kind, and the total."""

    def test_example_30_with_and_without_ashes(self) -> None:
        points = Tally(treasures=1, spells=2, fame=1, notoriety=1)
        owned = Tally(treasures=1, spells=8, fame=16 - 10, notoriety=11 + 15 + 5, gold=-1)
        rows = score_tally(owned, points, worth=11)
        assert [(row.basic, row.bonus) for row in rows] == [(0, 0), (2, 4), (-2, -2), (0, 0), (-2, 0)]
        assert total_of(rows) == 0
        without = score_tally(owned._replace(gold=43), points, worth=11)
        assert without[-1].basic == 1
        assert total_of(without) == 3

    def test_a_seat_counts_its_gold_and_the_values_of_its_belongings(self) -> None:
        cards = [card for card in CATALOG.treasures if card.is_great and card.fame and card.weight == "N"][:2]
        world = world_with("Amazon", {card.name: False for card in cards}, gold=70, fame=5, notoriety=40)
        world.writable_hero(0).points = tuple(map(GOALS.index, ("fame", "gold", "fame")))
        tally = tally_seat(world, 0)
        assert tally == Tally(
            treasures=2,
            fame=5 + sum(card.fame for card in cards),
            notoriety=40 + sum(card.notoriety for card in cards),
            gold=70,
        )
        amazon = CATALOG.characters[world.heroes[0].character]
        assert score_seat(world, 0) == score_tally(tally, Tally(fame=2, gold=1), amazon.worth)
        assert score_seat(world, 0)[-1].needed == 30 + amazon.worth


class TestQ7:
    """What is too heavy does not count."""

    def test_inactive_horses_do_not_help_at_the_end(self) -> None:
        world = world_with("Elf", {"Suit of Armor-1": False, "Warhorse-1": False})
        assert list_left_behind(world, 0) == []
        assert names(list_dropped_at_the_end(world, 0)) == ["Suit of Armor-1"]

    def test_dropped_treasures_count_for_nothing(self) -> None:
        heavy = next(card for card in CATALOG.treasures if card.weight == "H" and (card.fame or card.notoriety))
        assert tally_seat(world_with("Elf", {heavy.name: False}), 0) == Tally()
        strong = world_with("Elf", {heavy.name: False, "Power Boots": True})
        assert tally_seat(strong, 0).fame == heavy.fame


class TestD11:
    """Carrying."""

    def test_example_7_the_suit_stays_behind(self) -> None:
        pack = {"Mace-1": True, "Shield-1": True, "Suit of Armor-1": True}
        medium = ("Move M4*", "Move M5", "Fight H5*")
        world = world_with("Black Knight", pack, active=medium)
        assert find_strength(world, 0) == "M"
        assert names(list_left_behind(world, 0)) == ["Suit of Armor-1"]

    @pytest.mark.parametrize(
        ("piece", "strength"), [("Elven Slippers", "L"), ("Power Boots", "H"), ("7-League Boots", "T")]
    )
    def test_active_boots_carry(self, piece: str, strength: str) -> None:
        assert find_strength(world_with("Dwarf", {piece: True}, active=()), 0) == strength
        assert find_strength(world_with("Dwarf", {piece: False}, active=()), 0) == "N"

    def test_the_duck_chit_does_not_count(self) -> None:
        assert find_strength(world_with("Dwarf", {}, active=("Duck T3*",)), 0) == "N"

    def test_an_active_horse_carries_with_its_stronger_side(self) -> None:
        strengths = {horse.name: {horse.walk.strength, horse.gallop.strength} for horse in CATALOG.horses}
        name = next(name for name, found in strengths.items() if len(found) > 1)
        assert find_strength(world_with("Witch", {name: True}, active=()), 0) == max(
            strengths[name], key=STRENGTHS.index
        )

    def test_an_inactive_horse_carries_inactive_items_only(self) -> None:
        pack = {"Great Sword": True, "Suit of Armor-1": False, "Workhorse-1": False}
        assert names(list_left_behind(world_with("Elf", pack), 0)) == ["Great Sword"]
