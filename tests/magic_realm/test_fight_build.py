"""Fights that begin in a world."""

from __future__ import annotations

from realmtable.games.magic_realm.day.modifiers import Roll
from realmtable.games.magic_realm.fight import machine
from realmtable.games.magic_realm.fight.build import build_fight
from realmtable.games.magic_realm.fight.state import Gear
from tests.magic_realm.day_helpers import box_without, day
from tests.magic_realm.fight_helpers import CHARACTER, GOODS, MONSTER
from tests.magic_realm.flow_helpers import with_pack


def test_e4_a_fight_begins_with_everyone_in_the_clearing() -> None:
    world = day(
        "denizens=Wolf-1:B2;Imp:B2", "1.at=B2", "1.unhidden", "2.at=B2", "3.at=B3", "1.gold=5",
        with_pack(["Light Bow-1", "Lucky Charm"]), box_without("Lucky Charm"), heroes="Elf;Pilgrim;Druid",
    )  # fmt: skip
    fight = build_fight(world, (1, 0))
    pilgrim, elf = fight.warriors
    assert (pilgrim.character, elf.character) == (CHARACTER["Pilgrim"], CHARACTER["Elf"])
    assert (fight.sheets.monsters, fight.sheets.seats) == (tuple(sorted((MONSTER["Wolf-1"], MONSTER["Imp"]))), (1, 0))
    assert (pilgrim.is_hidden, elf.is_hidden, fight.is_cave) == (True, False, False)
    assert pilgrim.spared_by == {MONSTER["Imp"]}
    assert elf.gear == (Gear(GOODS["Light Bow-1"]), Gear(GOODS["Lucky Charm"]))
    assert elf.dice == dict.fromkeys(("assign", "missile", "curse", "pit"), Roll(1, 0))
    assert pilgrim.dice["assign"] == Roll(2, 0)
    assert elf.exits
    assert elf.gold == 5
    assert machine.list_deciding(machine.begin(fight)) == (1,)


def test_c3_only_who_was_found_today_can_be_seen() -> None:
    world = day("1.at=B2", "2.at=B2", "2.found=all", heroes="Elf;Pilgrim")
    fight = build_fight(world, (0, 1))
    assert [each.finds for each in fight.warriors] == [frozenset(), frozenset({0})]
