"""The tables of RULES.md hold the facts of the data."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import Effect
from realmtable.games.magic_realm.options import MagicOptions
from tests.magic_realm.helpers.rules_text import COMBAT_RULES, clause_texts, table_rows

CATALOG = load_catalog()
TABLES = CATALOG.tables.by_name
SEARCH_TABLES = {name for name, table in TABLES.items() if table.is_search} - {"runes"}
DICE_TABLES = {"hide"} | SEARCH_TABLES  # what is rolled on by day
EXTRA_PHASES = {"move", "hide", "search", "rest", "alert", "any", "peer afar"}
WORDS = {"treasure cards": "treasures"}  # where RULES.md and the data have different words
SITE_WORDS = {
    "the treasure card": "treasure",
    "any cave clearing": "teleport to a cave",
    "peer anywhere until midnight": "see afar",
    "Power of the Pit": "pit",
    "1 gold": "gold 1",
    "all chits become active": "refresh",
}


def split_list(cell: str) -> list[str]:
    return [] if cell in {"", "–"} else cell.split(", ")


def effects_by_owner() -> Iterator[tuple[str, Effect]]:
    """Each effect of a treasure or a character's advantage, with the name of the owner."""
    for treasure in CATALOG.treasures:
        yield from ((treasure.name, effect) for effect in treasure.effects)
    for character in CATALOG.characters:
        for advantage in character.advantages:
            yield from ((character.name, effect) for effect in advantage.effects)


def test_m3_the_tiles_have_their_groups_and_codes() -> None:
    found = [
        (name, code, row[0][0])
        for row in table_rows("group")
        for name, code in re.findall(r"([A-Z][\w ]+?) `(\w+)`", row[1])
    ]
    assert found == [(tile.name, tile.code, tile.letter) for tile in CATALOG.tiles]


def test_m4_sounds_and_sites_have_their_clearings() -> None:
    found = {}
    for row in table_rows("chit"):
        for names, clearings in ((row[0], row[1]), (row[3], row[4])):
            found.update({name: [int(clearing) for clearing in split_list(clearings)] for name in split_list(names)})
    expected = defaultdict(list)
    for chit in CATALOG.map_chits:
        if chit.clearing:
            expected[chit.word].append(chit.clearing)
    assert found == expected


def test_m5_m6_the_warnings_are_replaced_by_their_dwellings() -> None:
    text = clause_texts()["M5"] + clause_texts()["M6"]
    for dwelling in CATALOG.dwellings:
        assert dwelling.name in text
        warning = CATALOG.map_chits[dwelling.chit]
        if warning.letter == "V":
            assert f"{warning.word} by the {dwelling.name}" in text
            assert f"{dwelling.garrison} at the {dwelling.name}" in text.replace("stand at", "at")
            assert dwelling.clearings == (5, 4)
        else:
            assert dwelling.clearings == (5, 4, 2)
    assert CATALOG.map_chits[CATALOG.ghosts.chit].word == "Bones"
    assert (CATALOG.ghosts.clearings, len(CATALOG.ghosts.monsters)) == ((5, 4), 2)


def test_m7_sites_and_special_cards_have_their_boxes() -> None:
    boxes = {box.name: box for box in CATALOG.boxes}
    guards = {box.chits[0][0]: CATALOG.monsters[box.monsters[0]].kind for box in CATALOG.chart if box.section == "site"}
    rows = table_rows("site")
    assert {row[0] for row in rows} == {box.name for box in CATALOG.boxes if box.kind == "site"}
    for name, large, small, monster, *_ in rows:
        slots = boxes[name].slots
        assert (int(large), int(small)) == (slots.count("large"), slots.count("small"))
        assert guards[name] == monster
    cards = {row[4]: split_list(row[5]) for row in rows if row[4]}
    assert cards.keys() == {box.name for box in CATALOG.boxes if box.kind == "within"}
    for name, contents in cards.items():
        slots_text = [f"{boxes[name].slots.count('large')} large"] if boxes[name].slots else []
        assert sorted(contents) == sorted([*slots_text, *(CATALOG.goods[goods].name for goods in boxes[name].goods)])


def test_m9_the_characters_have_their_weight_start_gear_and_worth() -> None:
    rows = [
        (name, weight, split_list(starts), split_list(gear), int(worth))
        for name, weight, starts, gear, worth, _ in table_rows("character")
    ]
    assert rows == [
        (
            character.name,
            character.weight,
            [*character.starts],
            [piece for piece in (character.gear.weapon, *character.gear.armor) if piece],
            character.worth,
        )
        for character in CATALOG.characters
    ]


def test_g3_every_piece_that_changes_dice_is_listed() -> None:
    listed = " ".join(row[0] for row in table_rows("what"))
    for owner, effect in effects_by_owner():
        if effect.verb in {"one_die", "add"} and DICE_TABLES & {*effect.tables}:
            assert owner in listed
            listed = listed.replace(owner, "")
    assert not re.search(r"\b(Map|Charm|Gloves|Shoes|Hoof|Druid|Dwarf|Girl)\b", listed)


@pytest.mark.parametrize(
    ("owner", "verb", "number", "tables"),
    [
        ("Druid", "one_die", 0, {"hide"}),
        ("Dwarf", "one_die", 0, DICE_TABLES),
        ("Woods Girl", "one_die", 0, DICE_TABLES),
        ("Lucky Charm", "one_die", 0, DICE_TABLES),
        ("Shoes of Stealth", "one_die", 0, {"hide"}),
        ("Deft Gloves", "one_die", 0, {"loot", "toadstool circle", "crypt of the knight", "enchanted meadow"}),
        ("Map of Lost City", "add", -1, {"locate"}),
        ("Map of Lost Castle", "add", -1, {"locate"}),
        ("Map of Ruins", "add", -1, {"locate"}),
        ("Cloven Hoof", "add", 1, DICE_TABLES),
    ],
)
def test_g3_dice_are_changed_on_the_listed_tables(owner: str, verb: str, number: int, tables: set[str]) -> None:
    found = [
        (effect.number, {*effect.tables} & DICE_TABLES)
        for name, effect in effects_by_owner()
        if (name, effect.verb) == (owner, verb) and DICE_TABLES & {*effect.tables}
    ]
    assert found == [(number, tables)]


def test_d5_d6_every_source_of_extra_phases_is_listed_with_its_activity() -> None:
    found = {}
    for sources, activity, _ in table_rows("source"):
        word = {"any but Peer": "any", "Peer": "peer afar"}.get(activity, activity.lower())
        found.update(dict.fromkeys(split_list(sources), word))
    expected = {
        owner: effect.activity
        for owner, effect in effects_by_owner()
        if effect.verb == "extra_phase" and effect.activity in EXTRA_PHASES
    }
    assert found == expected | {breed.name: "move" for breed in CATALOG.breeds if breed.extra_moves}


def test_d16_d22_the_search_tables_have_their_results() -> None:
    for die, peer, locate, loot, sight in table_rows("die | Peer"):
        for name, cell in (("peer", peer), ("locate", locate), ("sight", sight)):
            words = tuple(WORDS.get(word, word) for word in cell.split(" and "))
            assert words == TABLES[name].read(int(die)), (name, die)
        assert TABLES["loot"].read(int(die)) == (f"take {loot[0]}",)


def test_d13_the_hide_table_has_its_results() -> None:
    assert [TABLES["hide"].read(roll) for roll in range(1, 7)] == [("hidden",)] * 5 + [("nothing",)]
    assert "1 to 5, the character is hidden; 6, nothing happens" in clause_texts()["D13"]


def test_t5_the_site_cards_have_their_tables() -> None:
    names = ("toadstool circle", "crypt of the knight", "enchanted meadow")
    for die, *cells in table_rows("die | Toadstool Circle"):
        for name, cell in zip(names, cells, strict=True):
            assert (SITE_WORDS.get(cell, cell),) == TABLES[name].read(int(die)), (name, die)


def test_t1_t2_the_cards_that_work_are_named() -> None:
    text = clause_texts()["T1"]
    assert all(card.name in text for card in CATALOG.treasures if card.kind in {"boots", "gloves"})
    enchanted = {card.name for card in CATALOG.treasures if card.colour and card.kind != "site"}
    listed = re.search(r"\(([^)]*)\)", clause_texts()["T2"])
    assert listed is not None
    assert {*split_list(listed[1])} == enchanted


def test_p3_the_chart_lists_every_box_with_its_chits() -> None:
    found, sites = [], {}
    for row, boxes, chits, site in table_rows("row"):
        for box in split_list(boxes):
            kind, _, count = box.rpartition(" ")
            found.append((int(row), kind, int(count), split_list(chits)))
        if site:
            sites[site.partition(": ")[0]] = (int(row), site.partition(": ")[2])
    kinds = {box.id: CATALOG.monsters[box.monsters[0]].kind for box in CATALOG.chart}
    assert found == [
        (box.row, kinds[box.id], len(box.monsters), [" ".join(filter(None, chit)) for chit in box.chits])
        for box in CATALOG.chart
        if box.section != "site"
    ]
    assert sites == {box.chits[0][0]: (box.row, kinds[box.id]) for box in CATALOG.chart if box.section == "site"}


def test_e12_the_monsters_have_their_move_times() -> None:
    found = {kind: int(time) for time, kinds in table_rows("time", COMBAT_RULES) for kind in split_list(kinds)}
    assert found == {monster.kind: monster.light.move for monster in CATALOG.monsters}


def test_q8_every_kind_of_point_has_its_factor() -> None:
    victory = CATALOG.numbers.victory
    factors = [victory.great_treasures, victory.spells, victory.fame, victory.notoriety, victory.gold]
    assert [row[1] for row in table_rows("kind")] == [str(factor) for factor in factors]
    assert [row[0] for row in table_rows("kind")] == ["great treasures", "spells", "fame", "notoriety", "gold"]
    assert victory.negatives_count == 3
    assert "Multiply a negative result by three" in clause_texts()["Q8"]
    assert f"has −{-victory.dead}" in clause_texts()["Q8"]


def test_m10_w3_points_and_chits_are_as_many_as_the_data_say() -> None:
    numbers = CATALOG.numbers
    assert MagicOptions().last_day == numbers.days
    assert MagicOptions().points_to_assign == numbers.victory.points_besides_weeks + numbers.days // 7
    assert {len(character.chits) for character in CATALOG.characters} == {12}
    assert "all 12 chits" in clause_texts()["W3"]
