"""Fights that begin in a world."""

from __future__ import annotations

from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.begin_fight import begin_fight
from realmtable.games.magic_realm.combat_flow.dice import find_dice_rule
from realmtable.games.magic_realm.combat_flow.spoils import kill_character
from realmtable.games.magic_realm.combat_flow.state import CombatBelonging
from realmtable.games.magic_realm.day_rules.modifiers import DiceRule
from tests.magic_realm.helpers.day_helpers import box_without, day
from tests.magic_realm.helpers.fight_helpers import CHARACTER, GOODS, MONSTER, can, clash, go, skip, warrior
from tests.magic_realm.helpers.flow_helpers import with_pack


def test_e4_a_fight_begins_with_everyone_in_the_clearing() -> None:
    world = day(
        "denizens=Wolf-1:B2;Imp:B2", "1.at=B2", "1.unhidden", "2.at=B2", "3.at=B3", "1.gold=5",
        with_pack(["Light Bow-1", "Lucky Charm"]), box_without("Lucky Charm"), heroes="Elf;Pilgrim;Druid",
    )  # fmt: skip
    fight = begin_fight(world, (1, 0))
    pilgrim, elf = fight.warriors
    assert (pilgrim.character, elf.character) == (CHARACTER["Pilgrim"], CHARACTER["Elf"])
    assert (fight.sheets.monsters, fight.sheets.seats) == (tuple(sorted((MONSTER["Wolf-1"], MONSTER["Imp"]))), (1, 0))
    assert (pilgrim.is_hidden, elf.is_hidden, fight.is_cave) == (True, False, False)
    assert pilgrim.spared_by == {MONSTER["Imp"]}
    assert elf.gear == (CombatBelonging(GOODS["Light Bow-1"]), CombatBelonging(GOODS["Lucky Charm"]))
    assert elf.dice == {"missile": DiceRule(1, 0), "curse": DiceRule(2, 0), "pit": DiceRule(2, 0)}
    assert [find_dice_rule(fight, elf, table) for table in ("assign", "missile", "curse", "pit")] == [
        DiceRule(1, 0)
    ] * 4
    assert find_dice_rule(fight, pilgrim, "assign") == DiceRule(2, 0)
    assert elf.exits
    assert elf.gold == 5
    assert machine.list_deciding(machine.begin(fight)) == (1,)


def test_c3_only_who_was_found_today_can_be_seen() -> None:
    world = day("1.at=B2", "2.at=B2", "2.found=all", heroes="Elf;Pilgrim")
    fight = begin_fight(world, (0, 1))
    assert [each.finds for each in fight.warriors] == [frozenset(), frozenset({0})]


def test_g3_the_cloven_hoof_adds_to_the_rolls_of_everyone_near() -> None:
    held = day(
        "1.at=B2", "2.at=B2", with_pack(["Cloven Hoof"]), box_without("Cloven Hoof"), heroes="Elf;Pilgrim",
    )  # fmt: skip
    fight = begin_fight(held, (0, 1))
    assert [find_dice_rule(fight, each, "curse").add for each in fight.warriors] == [1, 1]
    assert find_dice_rule(fight, fight.warriors[1], "assign").add == 0
    lying = day("1.at=B2", "1.goods=-", "piles=B2:Cloven_Hoof^", box_without("Cloven Hoof"))
    alone = begin_fight(lying, (0,))
    assert find_dice_rule(alone, alone.warriors[0], "missile") == DiceRule(1, 1)


def test_e19_a_belonging_changes_once_in_an_action() -> None:
    fight = clash(warrior("Amazon", 0, "Mace-1", "-Spear-1"), warrior("Elf", 1))
    acting = go(skip(go(fight, "stir"), "act"), "pack Mace-1")
    assert not can(acting, "activate Mace-1")
    assert can(acting, "activate Spear-1")


def test_k4_d25_spoils_that_are_too_heavy_make_a_horse_inactive() -> None:
    rider, rich = warrior("Swordsman", 0, "Pony-1"), warrior("White Knight", 1, "Suit of Armor-1", "Great Sword")
    after = kill_character(clash(rider, rich, warrior("Elf", 2)), 1, [0])
    assert [gear.active for gear in after.warrior(0).gear] == [False, False, False]
