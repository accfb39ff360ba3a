"""The data against the reference, with its corrections, and the figures of the worked examples."""

from __future__ import annotations

from collections import Counter

import pytest

from realmtable.games.magic_realm.catalog.ids import ENCHANTED, GREEN
from tests.magic_realm.helpers.catalog_helpers import CATALOG, armor, character, monster, treasure, weapon


def test_magic_sight_1_is_any_peer_or_locate_result() -> None:
    tables = CATALOG.tables
    assert tables.by_name["sight"].read(1) == ("choice",) == tables.by_name["peer"].read(1)
    assert tables.meanings["choice"] == "Choose any result of the Peer or Locate table."


def test_armor_cards_lie_in_the_shield_ovals() -> None:
    cards = {found.name: effect for found in CATALOG.treasures for effect in found.effects if effect.verb == "armor"}
    assert {name: (effect.names, effect.strength, effect.number) for name, effect in cards.items()} == {
        "Bejeweled Dwarf Vest": (("thrust",), "H", 23),
        "Golden Arm Band": (("swing",), "M", 11),
        "Golden Crown": (("smash",), "M", 48),
        "Ointment of Steel": (("thrust", "swing", "smash"), "T", 0),
    }
    assert {found.layer for found in CATALOG.armor} == {"shield", "plate", "suit"}


@pytest.mark.parametrize("kind", ["Demon", "Winged Demon", "Imp"])
def test_demons_and_the_imp_reach_17_with_their_spell_only(kind: str) -> None:
    found = monster(kind)
    assert (found.light.length, found.dark.length) == (17, 0)
    assert found.light.spell == ("Curse" if kind == "Imp" else "Power of the Pit")
    assert (found.light.magic, found.light.harm, found.dark.spell) == ("V", "", "")


def test_t1_boots_gloves_and_pieces_have_their_numbers() -> None:
    pieces = {
        found.name: (effect.verb, effect.strength, effect.time)
        for found in CATALOG.treasures
        for effect in found.effects
        if effect.verb.endswith("_piece")
    }
    assert pieces == {
        "7-League Boots": ("move_piece", "T", 5),
        "Elven Slippers": ("move_piece", "L", 2),
        "Power Boots": ("move_piece", "H", 4),
        "Quick Boots": ("move_piece", "M", 3),
        "Shoes of Stealth": ("move_piece", "L", 3),
        "Deft Gloves": ("fight_piece", "L", 2),
        "Gloves of Strength": ("fight_piece", "T", 5),
        "Handy Gloves": ("fight_piece", "M", 3),
        "Power Gauntlets": ("fight_piece", "H", 4),
        "Flying Carpet": ("fly_piece", "M", 2),
    }
    assert {found.name for found in CATALOG.treasures if found.kind in {"boots", "gloves"}} == {*pieces} - {
        "Flying Carpet"
    }
    mixture = treasure("Alchemist's Mixture").effects[0]
    assert (mixture.verb, mixture.strength, mixture.length, mixture.harm, mixture.stars) == ("weapon", "N", 11, "M", 3)


def test_potions_say_how_they_are_used_and_where_they_return() -> None:
    potions = [found for found in CATALOG.treasures if found.kind in {"potion", "single use"}]
    assert Counter(found.used for found in potions) == {"drinker": 5, "weapon": 4, "reusable": 2, "instant": 2}
    assert all(found.home for found in potions)
    assert {found.name for found in CATALOG.treasures if found.used or found.home} == {found.name for found in potions}
    assert treasure("Vial of Healing").home == "Order"


def test_m9_gear_and_starting_places_are_those_of_the_characters() -> None:
    assert character("Black Knight").gear.armor == ("Suit of Armor", "Shield")
    assert character("Witch King").starts == ("Inn", "Ghosts")
    assert sum(found.starts == ("Inn",) for found in CATALOG.characters) == 9
    assert all(found.starts[0] == "Inn" for found in CATALOG.characters)


def test_q8_the_worth_at_the_start_is_10_gold_and_the_price_of_the_gear() -> None:
    for found in CATALOG.characters:
        weapons = weapon(found.gear.weapon).price if found.gear.weapon else 0
        assert found.worth == CATALOG.numbers.starting_gold + weapons + sum(
            armor(kind).price for kind in found.gear.armor
        )
        assert found.gear == found.levels[-1]


def test_d6_ponies_move_behind_each_other_move_and_workhorses_once() -> None:
    assert {breed.name: breed.extra_moves for breed in CATALOG.breeds} == {
        "pony": "behind each",
        "warhorse": "",
        "workhorse": "one",
    }


def test_the_borderland_has_a_secret_passage_from_4_to_5_on_each_side_to_be_found_twice() -> None:
    passages = [
        road for road in CATALOG.secret_roads if CATALOG.tiles[road.tile].name == "Borderland" and road.kind == "secret"
    ]
    assert [(road.side, road.start, road.end) for road in passages] == [(GREEN, 4, 5), (ENCHANTED, 4, 5)]
    assert passages[0].secret_id != passages[1].secret_id


def test_the_sight_of_counters_names_natives_goblins_ogres_and_giants() -> None:
    sentence = CATALOG.tables.meanings["counters"]
    assert all(word in sentence for word in ("natives", "Goblins", "Ogres", "Giants"))


def test_g3_rolls_outside_1_to_6_are_kept_within() -> None:
    hide = CATALOG.tables.by_name["hide"]
    assert [hide.read(roll) for roll in (0, 1, 5, 6, 7)] == [("hidden",)] * 3 + [("nothing",)] * 2
    assert "nothing" not in CATALOG.tables.meanings


def test_prices_of_the_examples() -> None:
    assert (armor("Breastplate").damaged_price, armor("Breastplate").price, armor("Shield").price) == (6, 9, 7)
    assert (treasure("Glimmering Ring").price, dict(treasure("Glimmering Ring").visitor_prices)["Shaman"]) == (15, 20)
    grail = treasure("Sacred Grail")
    assert (grail.price, grail.notoriety, grail.reward_group, grail.reward_fame) == (12, -25, "Order", 50)


def test_the_first_knight_to_be_hired_costs_8_and_belongs_to_the_order() -> None:
    knight = next(native for native in CATALOG.natives if native.code == "O3")
    assert (knight.name, knight.wage, knight.kind) == ("Order-3", 8, "Knight")
    assert knight.horse is not None
    assert (knight.horse.gallop.strength, knight.horse.gallop.time) == ("H", 4)


def test_c17_lengths_of_the_example() -> None:
    club = monster("Giant").part
    assert club is not None
    lengths = (
        weapon("Light Bow").length,
        club.light.length,
        weapon("Thrusting Sword").length,
        monster("Giant Bat").light.length,
    )
    assert lengths == (14, 8, 4, 0)


def test_c27_spear_goblins_and_archers_do_not_attack_with_their_light_side() -> None:
    unarmed = {found.kind for found in CATALOG.monsters if not found.light.attack}
    archers = {native.kind for native in CATALOG.natives if not native.light.attack}
    assert (unarmed, archers) == ({"Spear Goblin"}, {"Archer"})


def test_c26_the_dark_side_of_tremendous_monsters_and_of_no_others_is_red() -> None:
    for found in CATALOG.monsters:
        assert (found.dark.harm == "red") == (found.size == "T"), found.name


def test_c13_the_six_results_of_repositioning_are_the_six_permutations() -> None:
    assert len({*CATALOG.tables.reposition}) == 6


def test_q8_one_victory_point_stands_for_1_2_10_20_or_30() -> None:
    victory = CATALOG.numbers.victory
    assert [victory.great_treasures, victory.spells, victory.fame, victory.notoriety, victory.gold] == [
        1,
        2,
        10,
        20,
        30,
    ]
    assert (victory.points_besides_weeks + 4, victory.negatives_count, victory.dead) == (5, 3, -100)
    assert character("Wizard").worth == 11


def test_colours_of_the_seventh_days() -> None:
    assert CATALOG.numbers.seventh_day_colours == (("white", "black"), ("grey",), ("purple",), ("gold",))
    assert [*CATALOG.numbers.chit_colours.values()] == ["white", "grey", "gold", "purple", "black"]
