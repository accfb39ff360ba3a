"""How many dice are rolled on a table, and what is added: G3."""

from __future__ import annotations

import pytest

from realmtable.games.magic_realm.catalog.effects import TABLES
from realmtable.games.magic_realm.day_rules.modifiers import DiceRule, find_dice_rule, is_at, read_roll
from tests.magic_realm.helpers.day_helpers import (
    box_without,
    day,
    goods,
    plan,
    play,
)
from tests.magic_realm.helpers.flow_helpers import position

ROLLED_TABLES = (
    "hide",
    "peer",
    "locate",
    "loot",
    "sight",
    "crypt of the knight",
    "toadstool circle",
    "enchanted meadow",
)


class TestG3:
    """The dice."""

    def roll(
        self, table: str, *fields: str, hero: str = "Witch", at: str = "B2", cards: tuple[str, ...] = ()
    ) -> DiceRule:
        held = goods(*cards) if cards else "1.goods=-"
        boxes = [box_without(*cards)] if cards else []
        return find_dice_rule(position(f"1.at={at}", held, *boxes, *fields, heroes=hero), 0, table)

    def test_g3_two_dice_and_the_higher_one_counts(self) -> None:
        assert {self.roll(table) for table in TABLES if table != "runes"} == {DiceRule(2, 0)}
        assert read_roll("hide", (6, 1), 0) == ("nothing",)
        assert read_roll("hide", (5, 1), 1) == ("nothing",)
        assert read_roll("loot", (6, 1), 1) == ("take 6",)
        assert read_roll("locate", (1, 1), -1) == ("choice",)

    @pytest.mark.parametrize(
        ("hero", "at", "table", "dice"),
        [
            ("Druid", "B2", "hide", 1),
            ("Druid", "B2", "peer", 2),
            ("Dwarf", "B6", "hide", 1),
            ("Dwarf", "B6", "loot", 1),
            ("Dwarf", "B2", "hide", 2),
            ("Woods_Girl", "LW2", "locate", 1),
            ("Woods_Girl", "DW3", "peer", 1),
            ("Woods_Girl", "B2", "peer", 2),
            ("Woods_Girl", "B2-B3", "peer", 2),
        ],
    )
    def test_g3_characters_with_one_die(self, hero: str, at: str, table: str, dice: int) -> None:
        assert self.roll(table, hero=hero, at=at).dice == dice

    @pytest.mark.parametrize(
        ("card", "tables"),
        [
            ("Lucky Charm", ("hide", "peer", "locate", "loot", "sight", "crypt of the knight")),
            ("Shoes of Stealth", ("hide",)),
            ("Deft Gloves", ("loot", "toadstool circle", "crypt of the knight", "enchanted meadow")),
        ],
    )
    def test_g3_active_cards_with_one_die(self, card: str, tables: tuple[str, ...]) -> None:
        rolls = {table for table in ROLLED_TABLES if self.roll(table, cards=(f"{card}+",)).dice == 1}
        assert set(tables) <= rolls
        assert card == "Lucky Charm" or rolls == set(tables)
        assert self.roll(tables[0], cards=(f"{card}/1",)).dice == 2

    def test_g3_the_cloven_hoof_adds_one_for_everyone_in_its_clearing(self) -> None:
        hoof = ("Cloven Hoof+",)
        assert self.roll("hide", cards=hoof) == DiceRule(2, 1)
        world = position(goods(*hoof), box_without(*hoof), "1.at=B2", "2.at=B2", "3.at=B3", heroes="Elf;Witch;Druid")
        assert [find_dice_rule(world, seat, "peer").add for seat in range(3)] == [1, 1, 0]
        pile_of_it = position("piles=B2:Cloven_Hoof^", box_without(*hoof), "1.at=B2", "2.at=B3", heroes="Elf;Witch")
        assert [find_dice_rule(pile_of_it, seat, "peer").add for seat in range(2)] == [1, 0]

    def test_g3_the_cloven_hoof_makes_hiding_harder(self) -> None:
        world = play(plan("H", cards=("Cloven Hoof+",)), "go")
        assert not play(world, "d 5 5").heroes[0].hidden
        assert play(world, "d 4 4").heroes[0].hidden

    @pytest.mark.parametrize(
        ("card", "at", "chit", "add"),
        [
            ("Map of Lost City", "B2", "B:Lost_City", -1),
            ("Map of Lost City", "B2", "B:Hoard", 0),
            ("Map of Lost Castle", "CG2", "CG:Lost_Castle", -1),
            ("Map of Ruins", "R1", "R:Ruins", -1),
            ("Map of Ruins", "R1", "R:Bones", -1),
            ("Map of Ruins", "B2", "B:Ruins", -1),
            ("Map of Ruins", "B2", "B:Bones", 0),
            ("Map of Ruins", "EV2", "B:Bones", 0),  # M5: the Guardhouse has replaced the warning Ruins
        ],
    )
    def test_g3_maps_subtract_one_to_locate(self, card: str, at: str, chit: str, add: int) -> None:
        world = day("1.at=" + at, goods(f"{card}+"), box_without(card), heroes="Witch", chits=chit)
        assert find_dice_rule(world, 0, "locate").add == add
        assert find_dice_rule(world, 0, "peer").add == 0

    def test_g3_nothing_is_at_a_place_on_a_roadway(self) -> None:
        world = position("1.at=B2-B3")
        assert [is_at(world, 0, where) for where in ("", "cave", "Ruins", "dwelling")] == [True, False, False, False]
