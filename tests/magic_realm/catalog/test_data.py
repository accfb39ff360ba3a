"""The data of Magic Realm: how many of everything there are, and sums over their numbers."""

from __future__ import annotations

from collections import Counter

from realmtable.games.magic_realm.catalog.characters_and_denizens import Face
from realmtable.games.magic_realm.catalog.effects import VERBS
from realmtable.games.magic_realm.catalog.ids import ENCHANTED, GREEN, MAGIC_TYPES, is_as_strong
from tests.magic_realm.helpers.catalog_helpers import CATALOG, character

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


def test_g6_the_five_levels_ascend_one_by_one() -> None:
    bearing = [[strength for strength in "NLMHT" if is_as_strong(strength, weight)] for weight in "NLMHT"]
    assert bearing == [[*"NLMHT"], [*"LMHT"], [*"MHT"], [*"HT"], ["T"]]


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
