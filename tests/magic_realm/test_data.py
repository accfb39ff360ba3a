"""The data of Magic Realm: how many of everything there are, sums over their numbers, and single facts."""

from __future__ import annotations

from collections import Counter

import pytest

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import VERBS
from realmtable.games.magic_realm.catalog.ids import ENCHANTED, GREEN, MAGIC_TYPES
from realmtable.games.magic_realm.catalog.people import Character, Face, Monster
from realmtable.games.magic_realm.catalog.things import Armor, Treasure, Weapon

CATALOG = load_catalog()


def character(name: str) -> Character:
    return next(found for found in CATALOG.characters if found.name == name)


def monster(kind: str) -> Monster:
    return next(found for found in CATALOG.monsters if found.kind == kind)


def treasure(name: str) -> Treasure:
    return next(found for found in CATALOG.treasures if found.name == name)


def weapon(kind: str) -> Weapon:
    return next(found for found in CATALOG.weapons if found.kind == kind)


def armor(kind: str) -> Armor:
    return next(found for found in CATALOG.armor if found.kind == kind)


# ---- counts


def test_m1_there_are_20_tiles_with_95_clearings_on_each_side() -> None:
    assert Counter(tile.letter for tile in CATALOG.tiles) == dict.fromkeys("VWCM", 5)
    for side in (GREEN, ENCHANTED):
        clearings = [clearing for tile in CATALOG.tiles for clearing in tile.sides[side].clearings]
        assert Counter(clearing.kind for clearing in clearings) == {"woods": 58, "mountain": 19, "cave": 18}
    assert {tile.letter: len(tile.numbers) for tile in CATALOG.tiles} == {"V": 4, "W": 3, "C": 6, "M": 6}


def test_m1_roads_are_counted_by_kind() -> None:
    kinds = Counter(road.kind for road in CATALOG.roads)
    assert kinds == {"road": 272, "tunnel": 22, "hidden": 20, "secret": 14}
    assert [road.id for road in CATALOG.roads] == [*range(328)]
    assert [road.secret_id for road in CATALOG.secret_roads] == [*range(34)]


def test_m9_there_are_16_characters_with_192_chits_and_32_advantages() -> None:
    assert len(CATALOG.characters) == 16
    chits = [chit for found in CATALOG.characters for chit in found.chits]
    assert Counter(chit.kind for chit in chits) == {"Fight": 72, "Move": 60, "Magic": 58, "Duck": 1, "Berserk": 1}
    assert (len(chits), sum(chit.time for chit in chits), sum(chit.stars for chit in chits)) == (192, 753, 189)
    assert Counter(chit.strength for chit in chits) == {"": 58, "L": 36, "M": 50, "H": 33, "T": 15}
    assert Counter(chit.magic for chit in chits if chit.magic) == dict(
        zip(MAGIC_TYPES, (3, 9, 6, 13, 8, 8, 5, 6), strict=True)
    )
    assert sum(len(found.advantages) for found in CATALOG.characters) == 32


def test_there_are_59_monsters_and_5_heads_and_clubs() -> None:
    assert len(CATALOG.monsters) == 59
    assert Counter(found.part.name for found in CATALOG.monsters if found.part) == {
        "Flying Dragon Head": 1,
        "Dragon Head": 2,
        "Giant Club": 2,
    }
    assert Counter(found.kind for found in CATALOG.monsters)["Wolf"] == 6
    assert sum(found.fame for found in CATALOG.monsters) == 183
    assert sum(found.notoriety for found in CATALOG.monsters) == 198
    assert sum_faces([found.light for found in CATALOG.monsters]) == (203, 215, 16)
    assert sum_faces([found.dark for found in CATALOG.monsters]) == (234, 241, 18)


def sum_faces(faces: list[Face]) -> tuple[int, int, int]:
    return sum(face.move for face in faces), sum(face.attack for face in faces), sum(face.stars for face in faces)


def test_there_are_42_natives_with_17_horses() -> None:
    assert len(CATALOG.natives) == 42
    horses = [native.horse for native in CATALOG.natives if native.horse]
    assert Counter(horse.breed.name for horse in horses) == {"pony": 10, "warhorse": 4, "workhorse": 3}
    assert sum(horse.walk.time * 10 + horse.gallop.time for horse in horses) == 973
    assert [len(group.members) for group in CATALOG.groups] == [6, 7, 3, 4, 4, 3, 8, 4, 3]
    assert sum(native.wage for native in CATALOG.natives) == 118
    assert sum(native.notoriety for native in CATALOG.natives) == 195
    assert sum(native.light.length for native in CATALOG.natives) == 300
    assert sum_faces([native.light for native in CATALOG.natives]) == (161, 171, 36)
    assert sum_faces([native.dark for native in CATALOG.natives]) == (181, 139, 44)
    assert [group.name for group in CATALOG.groups if group.hired_singly] == ["Order", "Rogues"]


def test_there_are_28_weapons_19_pieces_of_armor_17_horses_and_74_treasures() -> None:
    assert [len(rows) for rows in (CATALOG.weapons, CATALOG.armor, CATALOG.horses, CATALOG.treasures)] == [
        28,
        19,
        17,
        74,
    ]
    assert [goods.id for goods in CATALOG.goods] == [*range(138)]
    assert CATALOG.goods == (*CATALOG.weapons, *CATALOG.armor, *CATALOG.horses, *CATALOG.treasures)
    sides = [side for found in CATALOG.weapons for side in (found.unalerted, found.alerted)]
    assert (sum(side.time for side in sides), sum(side.stars for side in sides)) == (102, 43)
    assert sum(found.length for found in CATALOG.weapons) == 194
    assert sum(found.price for found in CATALOG.weapons) == 232
    assert (sum(found.fame for found in CATALOG.weapons), sum(found.notoriety for found in CATALOG.weapons)) == (15, 30)
    assert sum(found.price for found in CATALOG.armor) == 219
    assert sum(found.damaged_price for found in CATALOG.armor) == 162
    assert sum(found.destroyed_price for found in CATALOG.armor) == 50
    assert Counter(horse.kind for horse in CATALOG.horses) == {"pony": 7, "workhorse": 6, "warhorse": 4}
    assert sum(horse.price for horse in CATALOG.horses) == 245
    assert sum(horse.walk.time for horse in CATALOG.horses) == 96
    assert sum(horse.gallop.time for horse in CATALOG.horses) == 66


def test_t1_treasures_are_23_large_45_small_and_6_within_and_t7_17_of_them_are_great() -> None:
    assert Counter(found.size for found in CATALOG.treasures) == {"large": 23, "small": 45, "within": 6}
    assert sum(found.is_great for found in CATALOG.treasures) == 17
    assert sum(found.price for found in CATALOG.treasures) == 863
    assert (sum(found.fame for found in CATALOG.treasures), sum(found.notoriety for found in CATALOG.treasures)) == (
        -106,
        259,
    )
    assert sum(found.reward_fame for found in CATALOG.treasures) == 175
    assert sum(price for found in CATALOG.treasures for _, price in found.visitor_prices) == 670


def test_there_are_47_spell_cards_and_3_spells_of_treasures() -> None:
    types = Counter(spell.type for spell in CATALOG.spells)
    assert types == {"": 3, **dict(zip(MAGIC_TYPES, (4, 6, 6, 7, 6, 7, 5, 6), strict=True))}
    assert all(spell.type for spell in CATALOG.spells[:47])


def test_m4_there_are_20_warnings_10_sounds_8_sites_and_2_red_chits() -> None:
    kinds = Counter(chit.kind for chit in CATALOG.map_chits)
    assert kinds == {"warning": 20, "sound": 10, "site": 8, "red": 2}
    assert Counter(chit.letter for chit in CATALOG.map_chits if chit.kind == "warning") == dict.fromkeys("VWCM", 5)
    assert [(chit.name, chit.letter, chit.holds) for chit in CATALOG.map_chits if chit.kind == "red"] == [
        ("Lost City", "C", 5),
        ("Lost Castle", "M", 5),
    ]
    # 18 sounds and sites: 4 for the cave tiles, 4 for the mountain tiles, 5 under each red chit.
    assert kinds["sound"] + kinds["site"] == 4 + 4 + 5 + 5


def test_m7_the_boxes_hold_every_treasure_and_41_of_the_spells() -> None:
    slots = Counter(slot for box in CATALOG.boxes for slot in box.slots)
    assert slots.pop("small") == 45
    assert slots.pop("large") == 29
    assert slots == dict(zip(MAGIC_TYPES, (4, 5, 5, 6, 5, 6, 5, 5), strict=True))
    assert sum(slots.values()) == 41
    by_kind = Counter((box.kind, slot) for box in CATALOG.boxes for slot in box.slots)
    assert by_kind["within", "large"] == 5
    assert by_kind["site", "large"] == 24 == 18 + 6
    assert Counter(box.kind for box in CATALOG.boxes) == {
        "site": 8,
        "natives": 9,
        "visitor": 4,
        "within": 6,
        "book": 5,
        "artifact": 8,
    }


def test_m7_piles_have_small_treasures_below_large_ones_and_spells_on_top() -> None:
    order = [*reversed(MAGIC_TYPES), "large", "small"]
    for box in CATALOG.boxes:
        assert [*box.slots] == sorted(box.slots, key=order.index), box.name
    assert CATALOG.box("Statue").slots == ("VIII", "VII", "VII", "large", "small", "small")


# ---- corrections of the reference


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


def test_t3_potions_say_how_they_are_used_and_where_they_return() -> None:
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


# ---- figures of the worked examples


def test_g3_rolls_outside_1_to_6_are_kept_within() -> None:
    hide = CATALOG.tables.by_name["hide"]
    assert [hide.read(roll) for roll in (0, 1, 5, 6, 7)] == [("hidden",)] * 3 + [("nothing",)] * 2
    assert "nothing" not in CATALOG.tables.meanings


def test_n4_prices_of_the_examples() -> None:
    assert (armor("Breastplate").damaged_price, armor("Breastplate").price, armor("Shield").price) == (6, 9, 7)
    assert (treasure("Glimmering Ring").price, dict(treasure("Glimmering Ring").visitor_prices)["Shaman"]) == (15, 20)
    grail = treasure("Sacred Grail")
    assert (grail.price, grail.notoriety, grail.reward_group, grail.reward_fame) == (12, -25, "Order", 50)


def test_n8_the_first_knight_to_be_hired_costs_8_and_belongs_to_the_order() -> None:
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


def test_b1_colours_of_the_seventh_days() -> None:
    assert CATALOG.numbers.seventh_day_colours == (("white", "black"), ("grey",), ("purple",), ("gold",))
    assert [*CATALOG.numbers.chit_colours.values()] == ["white", "grey", "gold", "purple", "black"]


# ---- rows of verbs


def test_t1_cards_and_advantages_of_part_one_have_rows() -> None:
    rows = {
        **{found.name: found.effects for found in CATALOG.treasures},
        **{advantage.name: advantage.effects for found in CATALOG.characters for advantage in found.advantages},
    }
    extra = {
        name: (row.activity, row.where)
        for name, effects in rows.items()
        for row in effects
        if row.verb == "extra_phase"
    }
    assert extra == {
        "7-League Boots": ("move", ""),
        "Ancient Telescope": ("peer afar", "mountain"),
        "Cloak of Mist": ("hide", ""),
        "Magic Spectacles": ("search", ""),
        "Regent of Jewels": ("trade", ""),
        "Royal Sceptre": ("hire", ""),
        "Shielded Lantern": ("any", "cave"),
        "Toadstool Ring": ("spell", ""),
        "Stamina": ("move", ""),
        "Robust": ("rest", ""),
        "Reputation": ("any", "dwelling"),
        "Elusiveness": ("hide", ""),
        "Magical Paraphernalia": ("alert", ""),
        "Aura of Power": ("spell", ""),
        "Health": ("rest", ""),
    }
    dice = {
        name: (len(row.tables), row.where) for name, effects in rows.items() for row in effects if row.verb == "one_die"
    }
    assert dice == {
        "Deft Gloves": (4, ""),
        "Lucky Charm": (17, ""),
        "Shoes of Stealth": (1, ""),
        "Fear": (1, ""),
        "Concealment": (1, ""),
        "Cave Knowledge": (10, "cave"),
        "Archer": (1, ""),
        "Learning": (1, ""),
        "Lore": (1, ""),
        "Barter": (1, "trade"),
        "Tracking Skills": (10, "woods tile"),
    }
    added = {name: (row.number, row.where) for name, effects in rows.items() for row in effects if row.verb == "add"}
    assert added == {
        "Cloven Hoof": (1, "clearing"),
        "Map of Lost Castle": (-1, "Lost Castle"),
        "Map of Lost City": (-1, "Lost City"),
        "Map of Ruins": (-1, "Ruins"),
        "Aim": (-1, ""),
        "Knowledge": (-1, ""),
        "Honour": (-1, ""),
    }


def test_t1_no_verb_is_unused() -> None:
    rows = [effect for found in CATALOG.treasures for effect in found.effects]
    rows += [effect for found in CATALOG.characters for effect in found.effects]
    assert {effect.verb for effect in rows} == {*VERBS}


def test_texts_are_one_or_two_sentences() -> None:
    texts = [found.text for found in CATALOG.treasures] + [spell.text for spell in CATALOG.spells]
    texts += [advantage.text for found in CATALOG.characters for advantage in found.advantages]
    texts += [*CATALOG.tables.meanings.values()]
    assert all(text.endswith(".") and text[0].isupper() and "  " not in text for text in texts)


def test_relations_name_a_group_once_and_are_neutral_by_default() -> None:
    for found in CATALOG.characters:
        names = [name for name, _ in found.relations]
        assert len(names) == len({*names}), found.name
    assert character("Amazon").relation("Company") == "unfriendly"
    assert character("Amazon").relation("Order") == "neutral"
