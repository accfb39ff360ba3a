"""A day ahead, bots in games with combat seek monsters that they can beat and avoid the others."""

from __future__ import annotations

from typing import cast

from realmtable.games.magic_realm.bots.danger import RUN_COST, Attack, Danger
from realmtable.games.magic_realm.bots.goals import is_wanted
from realmtable.games.magic_realm.bots.known_world import KnownWorld, read_place
from realmtable.games.magic_realm.bots.match_ups import CombatDanger, estimate_attack
from realmtable.games.magic_realm.bots.plans import Planner
from realmtable.games.magic_realm.view_parts.schema import MagicView
from tests.magic_realm.helpers.bot_helpers import place, see
from tests.magic_realm.helpers.fight_helpers import CATALOG

MONSTERS = {row.name: row for row in CATALOG.monsters}
GIANT = "denizens=Giant-1:CG6"


def planner(*fields: str, hero: str = "Elf", has_combat: bool = True) -> Planner:
    view = see(place(*fields, heroes=hero))
    return Planner(KnownWorld(cast("MagicView", {**view, "combat_rules": has_combat})))


def danger(*fields: str, hero: str = "Elf") -> CombatDanger:
    found = planner(*fields, hero=hero).danger
    assert isinstance(found, CombatDanger)
    return found


def danger_with_goods(*names: str) -> CombatDanger:
    view = see(place())
    player = {**view["players"][0], "goods": [{"name": name, "active": True} for name in names]}
    seen = {**view, "players": [player], "combat_rules": True}
    return CombatDanger(KnownWorld(cast("MagicView", seen)), 0.0)


def test_combat_changes_the_danger_only_where_it_is_played() -> None:
    assert type(planner(has_combat=False).danger) is Danger
    assert type(planner().danger) is CombatDanger


def test_a_knight_seeks_the_giant_that_a_magician_avoids() -> None:
    knight, magician = danger(hero="White_Knight"), danger("1.goods=-", hero="Magician")
    giant = MONSTERS["Giant-1"]
    assert knight.loss_to(giant) < 0 < magician.loss_to(giant)
    assert estimate_attack(knight.make_duel(giant.id)).kill > estimate_attack(magician.make_duel(giant.id)).kill
    there = read_place("CG6")
    assert danger(GIANT, hero="White_Knight").cost(there) < danger("1.goods=-", GIANT, hero="Magician").cost(there)


def test_monsters_that_are_alike_are_judged_once() -> None:
    knight = danger(hero="White_Knight")
    assert knight.make_duel(MONSTERS["Wolf-1"].id) == knight.make_duel(MONSTERS["Wolf-2"].id)


def test_what_makes_no_difference_to_a_fight_is_left_out_of_estimates() -> None:
    wolf = MONSTERS["Wolf-1"].id
    plain = danger_with_goods("Light Bow-1").make_duel(wolf)
    assert plain.weapon is not None
    assert danger_with_goods("Light Bow-1", "Lost Keys").make_duel(wolf) == plain
    assert danger_with_goods("Light Bow-1", "Quick Boots").make_duel(wolf) != plain
    assert danger("1.wounded=1;2;3;4;5;6").make_duel(wolf) == danger().make_duel(wolf)  # the Elf's Magic chits
    assert danger("1.wounded=7").make_duel(wolf) != danger().make_duel(wolf)


def test_a_crowd_is_worse_and_running_limits_the_loss() -> None:
    elf = danger("1.goods=-")
    assert elf.attack_cost(Attack(3.0, 2, 4.0)) > elf.attack_cost(Attack(1.0, 2, 4.0)) == 4.0
    assert elf.attack_cost(Attack(1.0, 9, 4.0)) == RUN_COST
    assert elf.attack_cost(Attack(9.0, 2, 1000.0)) == elf.death
    assert elf.attack_cost(Attack(3.0, 2, -1.5)) == -1.5


def test_kills_of_one_day_count_more_but_a_pack_is_dangerous() -> None:
    knight = danger(hero="White_Knight")
    ghosts = [MONSTERS["Ghost-1"], MONSTERS["Ghost-2"]]
    assert knight.loss_to_all(ghosts[:1]) == knight.loss_to(ghosts[0])
    amazon, goblins = danger(hero="Amazon"), [MONSTERS["Axe Goblin-1"], MONSTERS["Axe Goblin-2"]]
    assert amazon.loss_to_all(goblins) < 2 * amazon.loss_to(goblins[0]) < 0
    pilgrim = danger(hero="Pilgrim")
    assert pilgrim.loss_to(ghosts[0]) < 0 < pilgrim.loss_to_all(ghosts)
    bats = [MONSTERS[f"Giant Bat-{number}"] for number in range(1, 7)]
    assert knight.loss_to(bats[0]) < 0 < knight.loss_to_all(bats)
    magician = danger("1.goods=-", hero="Magician")
    assert magician.loss_to_all(bats) == sum(map(magician.loss_to, bats)) > 0


def test_wounds_weigh_more_the_fewer_chits_are_left() -> None:
    fighter = planner(hero="White_Knight").danger
    assert fighter.wounds_cost(6) > 2 * fighter.wounds_cost(3)


def test_fame_is_lost_by_death() -> None:
    assert planner("1.fame=10", hero="White_Knight").danger.death > planner(hero="White_Knight").danger.death


def test_ways_through_monsters_are_never_a_gain() -> None:
    knight = planner("1.at=CG1", GIANT, hero="White_Knight")
    assert knight.clearing_values.trouble(read_place("CG6")) == 0
    assert knight.danger.cost(read_place("CG6")) < 0


def test_arms_are_wanted_where_there_is_combat_and_strength() -> None:
    goods = {thing.name: thing for thing in CATALOG.goods}
    elf, knight = planner().known, planner(hero="White_Knight").known
    assert is_wanted(elf, goods["Light Bow-1"])
    assert not is_wanted(planner(has_combat=False).known, goods["Light Bow-1"])
    assert [is_wanted(known, goods["Great Sword"]) for known in (elf, knight)] == [False, True]
    assert [is_wanted(known, goods["Suit of Armor-1"]) for known in (elf, knight)] == [False, True]
    assert is_wanted(elf, goods["Pony-1"])
