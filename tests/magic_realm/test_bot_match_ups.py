"""A day ahead, bots in games with combat seek monsters that they can beat and avoid the others."""

from __future__ import annotations

from typing import cast

from realmtable.games.magic_realm.bots.danger import RUN_COST, Attack, Danger
from realmtable.games.magic_realm.bots.goals import is_wanted
from realmtable.games.magic_realm.bots.match_ups import CombatDanger, match
from realmtable.games.magic_realm.bots.perception import Perception, read_place
from realmtable.games.magic_realm.bots.plans import Planner
from realmtable.games.magic_realm.view_parts.schema import MagicView
from tests.magic_realm.bot_helpers import place, see
from tests.magic_realm.fight_helpers import CATALOG

MONSTERS = {row.name: row for row in CATALOG.monsters}
GIANT = "denizens=Giant-1:CG6"


def planner(*fields: str, hero: str = "Elf", has_combat: bool = True) -> Planner:
    view = see(place(*fields, heroes=hero))
    return Planner(Perception(cast("MagicView", {**view, "combat_rules": has_combat})))


def danger(*fields: str, hero: str = "Elf") -> CombatDanger:
    found = planner(*fields, hero=hero).danger
    assert isinstance(found, CombatDanger)
    return found


def test_combat_changes_the_danger_only_where_it_is_played() -> None:
    assert type(planner(has_combat=False).danger) is Danger
    assert type(planner().danger) is CombatDanger


def test_a_knight_seeks_the_giant_that_a_magician_avoids() -> None:
    knight, magician = danger(hero="White_Knight"), danger("1.goods=-", hero="Magician")
    giant = MONSTERS["Giant-1"]
    assert knight.loss_to(giant) < 0 < magician.loss_to(giant)
    assert match(knight.make_duel(giant.id)).kill > match(magician.make_duel(giant.id)).kill
    there = read_place("CG6")
    assert danger(GIANT, hero="White_Knight").cost(there) < danger("1.goods=-", GIANT, hero="Magician").cost(there)


def test_monsters_that_are_alike_are_judged_once() -> None:
    knight = danger(hero="White_Knight")
    assert knight.make_duel(MONSTERS["Wolf-1"].id) == knight.make_duel(MONSTERS["Wolf-2"].id)


def test_a_crowd_is_worse_and_running_limits_the_loss() -> None:
    elf = danger("1.goods=-")
    assert elf.attack_cost(Attack(3.0, 2, 4.0)) > elf.attack_cost(Attack(1.0, 2, 4.0)) == 4.0
    assert elf.attack_cost(Attack(1.0, 9, 4.0)) == RUN_COST
    assert elf.attack_cost(Attack(9.0, 2, 1000.0)) == elf.death
    assert elf.attack_cost(Attack(3.0, 2, -1.5)) == -1.5


def test_ways_through_monsters_are_never_a_gain() -> None:
    knight = planner("1.at=CG1", GIANT, hero="White_Knight")
    assert knight.outlook.trouble(read_place("CG6")) == 0
    assert knight.danger.cost(read_place("CG6")) < 0


def test_arms_are_wanted_where_there_is_combat_and_strength() -> None:
    goods = {thing.name: thing for thing in CATALOG.goods}
    elf, knight = planner().known, planner(hero="White_Knight").known
    assert is_wanted(elf, goods["Light Bow-1"])
    assert not is_wanted(planner(has_combat=False).known, goods["Light Bow-1"])
    assert [is_wanted(known, goods["Great Sword"]) for known in (elf, knight)] == [False, True]
    assert [is_wanted(known, goods["Suit of Armor-1"]) for known in (elf, knight)] == [False, True]
    assert is_wanted(elf, goods["Pony-1"])
