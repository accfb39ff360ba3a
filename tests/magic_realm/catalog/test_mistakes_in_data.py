"""Mistakes in the data are answered with one sentence that names the entry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog import Catalog, load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import (
    read_characters,
    read_chit,
    read_monsters,
    read_natives,
)
from realmtable.games.magic_realm.catalog.check import check_catalog
from realmtable.games.magic_realm.catalog.effects import read_effects
from realmtable.games.magic_realm.catalog.game_numbers import read_numbers
from realmtable.games.magic_realm.catalog.goods_and_spells import (
    read_armor,
    read_horses,
    read_spells,
    read_treasures,
    read_weapons,
)
from realmtable.games.magic_realm.catalog.load import parse_catalog, read_texts
from realmtable.games.magic_realm.catalog.placement import read_stock_maps
from realmtable.games.magic_realm.catalog.setup_card import read_boxes, read_chart, read_dwellings, read_map_chits
from realmtable.games.magic_realm.catalog.tables import read_tables
from realmtable.games.magic_realm.catalog.tiles import read_tiles
from realmtable.games.magic_realm.catalog.toml_entry import TomlEntry, parse_file

CATALOG = load_catalog()
TEXTS = read_texts()


# ---- fields


@pytest.mark.parametrize(
    ("take", "sentence"),
    [
        (lambda entry: entry.text("missing"), r"Elf needs the field missing\."),
        (lambda entry: entry.text("number"), "number of Elf must be a text of up to 160 characters"),
        (lambda entry: entry.text("empty"), "empty of Elf must be a text"),
        (lambda entry: entry.text("long"), "long of Elf must be a text"),
        (lambda entry: entry.word("text", ("a", "b")), "text of Elf must be one of a, b, not word"),
        (lambda entry: entry.number("number", 8, 9), "number of Elf must be a number from 8 to 9, not 7"),
        (lambda entry: entry.number("flag", 0, 9), "flag of Elf must be a number from 0 to 9, not True"),
        (lambda entry: entry.number("text", 0, 9), "text of Elf must be a number"),
        (lambda entry: entry.flag("number"), "number of Elf must be true or false"),
        (lambda entry: entry.words("text"), "text of Elf must be a list"),
        (lambda entry: entry.words("numbers"), "numbers of Elf must be a list of texts, without 1"),
        (lambda entry: entry.words("words", ("a",)), "words of Elf must be a list of a, without b"),
        (lambda entry: entry.words("missing", default=None), "Elf needs the field missing"),
        (lambda entry: entry.word_lists("words"), "words of Elf must be a list"),
        (lambda entry: entry.numbers("numbers", 0, 1), "numbers of Elf must be a number from 0 to 1, not 2"),
        (lambda entry: entry.number_lists("numbers", 0, 9), "numbers of Elf must be a list"),
        (lambda entry: entry.point("numbers"), "numbers of Elf must be a point"),
        (lambda entry: entry.signature("text"), "text of Elf must be a strength and a time, such as M4, not word"),
        (lambda entry: entry.entry("number"), "number of Elf must be a table of fields, not 7"),
        (lambda entry: entry.entries("numbers"), "numbers 1 of Elf must be a table of fields, not 1"),
        (lambda entry: entry.finish(), "Elf has an unknown field text"),
    ],
)
def test_fields_are_checked(take: Callable[[TomlEntry], object], sentence: str) -> None:
    fields = {
        "text": "word",
        "number": 7,
        "flag": True,
        "empty": "",
        "long": "x" * 161,
        "numbers": [1, 2, 3],
        "words": ["a", "b"],
    }
    with pytest.raises(BadInput, match=sentence):
        take(TomlEntry("Elf", fields))


def test_absent_fields_have_defaults() -> None:
    entry = TomlEntry("Elf", {})
    assert entry.text("text", "") == ""
    assert entry.word("word", ("a",), "") == ""
    assert entry.number("number", 1, 9, 0) == 0
    assert entry.flag("flag") is False
    assert entry.words("words") == ()
    assert entry.numbers("numbers", 0, 9, ()) == ()
    entry.finish()


def test_files_are_toml() -> None:
    with pytest.raises(BadInput, match=r"tiles\.toml is not valid TOML"):
        parse_file("tiles.toml", "tile = [")


# ---- entries


def read_tiles_file(text: str) -> object:
    return read_tiles(parse_file("tiles.toml", text))


def read_maps_file(text: str) -> object:
    return read_stock_maps(parse_file("maps.toml", text), CATALOG.tiles)


READERS: dict[str, Callable[[str], object]] = {
    "tiles": read_tiles_file,
    "maps": read_maps_file,
    "characters": lambda text: read_characters(parse_file("characters.toml", text)),
    "monsters": lambda text: read_monsters(parse_file("monsters.toml", text)),
    "natives": lambda text: read_natives(parse_file("natives.toml", text), CATALOG.breeds),
    "weapons": lambda text: read_weapons(parse_file("weapons.toml", text)),
    "armor": lambda text: read_armor(parse_file("armor.toml", text), 0),
    "treasures": lambda text: read_treasures(parse_file("treasures.toml", text), 0),
    "spells": lambda text: read_spells(parse_file("spells.toml", text)),
    "horses": lambda text: read_horses(parse_file("horses.toml", text), 0),
    "chart": lambda text: read_chart(parse_file("chart.toml", text), CATALOG.monsters),
    "tables": lambda text: read_tables(parse_file("tables.toml", text)),
    "setup": lambda text: read_boxes(parse_file("setup.toml", text), CATALOG.goods),
}


@pytest.mark.parametrize(
    ("name", "old", "new", "sentence"),
    [
        ("tiles", "number = 2,", "number = 1,", "must have different numbers in ascending order"),
        ("tiles", "{ from = 1, to = 4 }", "{ from = 4, to = 1 }", "from a clearing to a clearing with a higher number"),
        ("tiles", "{ from = 1, to = 4 }", "{ from = 3, to = 4 }", "from a clearing to a clearing with a higher number"),
        ("tiles", "{ from = 1, to = 4 }", "{ from = 1, to = 3 }", "from a clearing to a clearing with a higher number"),
        ("tiles", 'to = "NW"', 'to = "W"', "must be one of N, NE, SE, S, SW, NW, not W"),
        ("tiles", 'to = "NW"', 'to = "SW"', "Only one road of the green side of Awful Valley can lead to an edge"),
        ("tiles", 'to = "NW"', 'to = "S"', "The roads of Awful Valley must lead to the same edges on both sides"),
        ("tiles", 'number = 5, kind = "woods", open', 'number = 6, kind = "woods", open', "higher number"),
        ("tiles", 'kind = "woods", open', 'kind = "swamp", open', "kind of 1 must be one of woods, cave, mountain"),
        ("maps", "AV 1 -1 5", "AV 1 -1 9", "code, column, row and turn"),
        ("maps", "AV 1 -1 5", "BV 1 -1 5", "map 1 of maps.toml must hold every tile once"),
        ("maps", '"PW5"', '"PW1"', "cut_off of map 1 of maps.toml must be a list"),
        ("characters", '"Move M4", ', "", "Amazon needs 12 chits, 4 levels and 2 advantages"),
        ("characters", '"Move M4", ', '"Move X4", ', "An action chit has a label such as Move M3.*, not Move X4"),
        ("characters", 'verb = "add"', 'verb = "subtract"', "must be one of one_die, add"),
        ("monsters", "attack = 3, harm", "harm", "light of T Flying Dragon needs a time of attack and harm or a spell"),
        ("monsters", "size =", "weight =", "T Flying Dragon needs the field size"),
        ("natives", 'kind = "pony"', 'kind = "zebra"', "kind of horse of BHQ must be one of pony, warhorse, workhorse"),
        ("weapons", "count = 0", "count = 1", "One weapon must have the count 0"),
        ("horses", 'walk = "M5"', 'walk = "5"', "walk of pony must be a strength and a time"),
        ("chart", "count = 2", "count = 3", "There are fewer counters of H Flying Dragon than the boxes"),
        ("tables", '["hidden"], ["nothing"]', '["hidden"]', "The table hide needs six results"),
        ("tables", '["hidden"], ["nothing"]', '["hidden"], []', "The table hide needs six results"),
        ("tables", '["hidden"], ["nothing"]', '["hidden"], ["seen"]', "differ in the word seen"),
        ("tables", 'name = "hide"', 'name = "seek"', "The tables must be hide, peer"),
        (
            "tables",
            '"enemy", "unfriendly", "neutral"',
            '"unfriendly", "enemy", "neutral"',
            "The columns of the Meeting",
        ),
        ("tables", "[0, 2, 1]", "[0, 2, 2]", "Each of the six results of repositioning"),
        ("setup", '"large 5"', '"huge 5"', "slots of Hoard must be large, small or the type of a spell"),
        ("setup", '"large 5"', '"large 55"', "slots of Hoard must be large, small or the type of a spell"),
        ("setup", '"Pony-1"', '"Pony-9"', "goods of Bashkars must be a list of"),
    ],
)
def test_entries_are_checked(name: str, old: str, new: str, sentence: str) -> None:
    text = TEXTS[name]
    assert old in text
    with pytest.raises(BadInput, match=sentence):
        READERS[name](text.replace(old, new, 1))


def test_both_sides_of_a_tile_have_the_same_clearings() -> None:
    text = """
        [[tile]]
        name = "Moor"
        code = "MR"
        group = "V"
        green = { clearings = [{ number = 1, kind = "woods", at = [0, 0] }], roads = [{ from = 1, to = "N" }] }
        enchanted = { clearings = [{ number = 2, kind = "woods", at = [0, 0] }], roads = [{ from = 2, to = "N" }] }
    """
    with pytest.raises(BadInput, match="Moor must have the same clearings on both sides"):
        read_tiles_file(text)


def test_colours_of_seventh_days_are_checked() -> None:
    text = TEXTS["setup"].replace('[["white", "black"]', '[["white", "blue"]')
    with pytest.raises(BadInput, match="seventh_day_colours must name some of white"):
        read_numbers(parse_file("setup.toml", text))


def test_dwellings_replace_warnings() -> None:
    file = parse_file("chits.toml", TEXTS["chits"].replace('"Stink V"', '"Hoard"'))
    with pytest.raises(BadInput, match="chit of Inn must be one of Bones V"):
        read_dwellings(file, read_map_chits(file))


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"verb": "one_die", "tables": []}, "tables of one_die of Ring must name at least one table"),
        ({"verb": "one_die", "tables": ["peer", "search"]}, "and none twice"),
        ({"verb": "keys", "number": 1}, "keys of Ring has an unknown field number"),
        ({"verb": "extra_phase", "activity": "dance"}, "activity of extra_phase of Ring must be one of move"),
    ],
)
def test_rows_of_verbs_are_checked(row: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        read_effects(TomlEntry("Ring", {"does": [row]}))


def test_labels_of_chits_are_read() -> None:
    chit = read_chit("Berserk T4**")
    assert (chit.kind, chit.strength, chit.time, chit.stars) == ("Berserk", "T", 4, 2)
    assert read_chit("Magic VIII6").magic == "VIII"
    with pytest.raises(BadInput, match="such as Move M3"):
        read_chit("Magic IX4")


# ---- references between files


def with_first(field: str, **changes: Any) -> Catalog:  # noqa: ANN401 - changes the fields of any row
    rows = getattr(CATALOG, field)
    changed: dict[str, Any] = {field: (replace(rows[0], **changes), *rows[1:])}
    return replace(CATALOG, **changed)


def with_numbers(**changes: Any) -> Catalog:  # noqa: ANN401 - changes any number
    return replace(CATALOG, numbers=replace(CATALOG.numbers, **changes))


AMAZON = CATALOG.characters[0]


@pytest.mark.parametrize(
    ("catalog", "sentence"),
    [
        (
            replace(CATALOG, roads=(replace(next(r for r in CATALOG.roads if r.edge >= 0), secret_id=1),)),
            "that leads to an edge cannot be secret",
        ),
        (with_first("characters", starts=("Pub",)), "Amazon names Pub, which does not exist"),
        (with_first("characters", relations=(("Elves", "ally"),)), "Amazon names Elves"),
        (with_first("characters", gear=replace(AMAZON.gear, weapon="Club")), "Amazon names Club"),
        (with_first("characters", levels=(replace(AMAZON.gear, armor=("Armor",)),)), "Amazon names Armor"),
        (with_first("groups", garrison="Pub"), "Bashkars names Pub"),
        (with_first("groups", comes_to=("Pub",)), "Bashkars names Pub"),
        (with_first("dwellings", garrison="Guard"), "The garrison of Inn must be the group that begins there"),
        (with_first("monsters", dark=replace(CATALOG.monsters[0].dark, spell="Boo")), "T Flying Dragon names Boo"),
        (with_first("armor", home="Elves"), "Tremendous Armor names Elves"),
        (with_first("treasures", reward_group="Elves"), "7-League Boots names Elves"),
        (with_first("treasures", home="Elves"), "7-League Boots names Elves"),
        (with_first("treasures", visitor_prices=(("Order", 1),)), "7-League Boots names Order"),
        (with_first("boxes", name="Cave"), "There must be one box of the kind site for each of Hoard, Lair"),
        (with_first("boxes", goods=(0,)), "Medium Bow must lie in exactly one box"),
        (with_first("boxes", slots=("large",)), "as many slots for treasures as there are cards"),
        (with_first("boxes", slots=(*CATALOG.boxes[0].slots, "I")), "more slots for spells of type I than"),
        (with_first("chart", chits=(("Boo", ""),)), "The box of H Flying Dragon names Boo"),
        (with_first("chart", row=2), "The box of H Flying Dragon must be in the row in which they prowl"),
        (replace(CATALOG, chart=CATALOG.chart[1:]), "H Flying Dragon-1 must wait in one box of the chart"),
        (replace(CATALOG, ghosts=replace(CATALOG.ghosts, monsters=())), "Ghost-1 must wait in one box"),
        (
            with_numbers(missions=(replace(CATALOG.numbers.missions[0], to="Pub"),)),
            "Food-Ale names Pub",
        ),
        (with_numbers(campaigns=(replace(CATALOG.numbers.campaigns[0], partners=("Elves",)),)), "Pillage names Elves"),
        (with_numbers(campaigns=(replace(CATALOG.numbers.campaigns[0], foes=("Elves",)),)), "Pillage names Elves"),
        (with_numbers(visitor_chits=(("Scholar", "Raid"),)), "must show every visitor, mission and campaign once"),
        (with_numbers(visitor_boxes=(("Elves",),)), "visitor_boxes names Elves"),
    ],
)
def test_references_are_checked(catalog: Catalog, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        check_catalog(catalog)


def test_protection_names_monsters() -> None:
    text = TEXTS["characters"].replace('names = ["Demon", ', 'names = ["Daemon", ')
    with pytest.raises(BadInput, match="Pilgrim names Daemon"):
        parse_catalog({**TEXTS, "characters": text})


@pytest.mark.parametrize("name", sorted({*READERS} - {"setup"}))
def test_everything_in_a_file_is_used(name: str) -> None:
    with pytest.raises(BadInput, match=f"{name}.toml has an unknown field surplus"):
        READERS[name](f"surplus = 1\n{TEXTS[name]}")


@pytest.mark.parametrize("name", ["chits", "setup"])
def test_everything_in_a_file_of_several_parts_is_used(name: str) -> None:
    with pytest.raises(BadInput, match=f"{name}.toml has an unknown field surplus"):
        parse_catalog({**TEXTS, name: f"surplus = 1\n{TEXTS[name]}"})


def test_the_catalog_is_loaded_once() -> None:
    assert load_catalog() is CATALOG
    assert check_catalog(CATALOG) is CATALOG
