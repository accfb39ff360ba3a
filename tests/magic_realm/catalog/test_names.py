"""Names both ways (Z2), and the appearance chart (P3)."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import number_names
from realmtable.games.magic_realm.catalog.names import KINDS, NamedThing, Names

CATALOG = load_catalog()
NAMES = CATALOG.names


def test_z2_every_name_leads_back_to_its_thing() -> None:
    count = 0
    for kind in KINDS:
        for number, name in NAMES.by_number(kind).items():
            assert NAMES.find(name) == NamedThing(kind, number)
            assert NAMES.by_name(kind)[name] == number
            count += 1
    assert count == 20 + 95 + 16 + 59 + 42 + 9 + 4 + 138 + 50 + 40 + 6 + 2 + 6


def test_z2_names_can_stand_in_steps() -> None:
    for kind in KINDS:
        for name in NAMES.by_number(kind).values():
            assert not {*name} & {*",/{}"}, name
            assert name == name.strip()


@pytest.mark.parametrize(
    ("name", "kind", "number"),
    [
        ("Dark Valley", "tile", 3),
        ("DV", "tile", 3),
        ("CG2", "clearing", 98),
        ("Witch King", "character", 13),
        ("Wolf-2", "monster", 54),
        ("Demon", "monster", 6),
        ("Rogues-7", "native", 34),
        ("Rogues-HQ", "native", 27),
        ("Shield-1", "goods", 37),
        ("Lost Keys", "goods", 105),
        ("Howl-4", "map chit", 26),
        ("Bones V", "map chit", 0),
        ("Food-Ale", "mission", 0),
        ("Scholar", "visitor", 0),
    ],
)
def test_z2_names_are_found(name: str, kind: str, number: int) -> None:
    assert NAMES.find(name) == NAMES.find(name, kind) == NamedThing(kind, number)


def test_z2_unknown_names_are_refused() -> None:
    with pytest.raises(BadInput, match=r"There is no thing called Hobbit\."):
        NAMES.find("Hobbit")
    with pytest.raises(BadInput, match=r"There is no tile or clearing called Wolf-2\."):
        NAMES.find("Wolf-2", "tile", "clearing")


def test_a_name_stands_for_one_thing() -> None:
    with pytest.raises(BadInput, match="The name Elf stands for a character and for a spell"):
        Names([("character", 0, "Elf"), ("spell", 0, "Elf")])
    for name in ("a,b", "a/b", "{a}", " a", "a  b", "é"):
        with pytest.raises(BadInput, match="must be plain text"):
            Names([("goods", 0, name)])


def test_equal_counters_are_numbered() -> None:
    assert number_names(["Wolf", "Imp", "Wolf"]) == ["Wolf-1", "Imp", "Wolf-2"]


# ---- the chart


def list_summoned(row: int, chit: str, letter: str) -> list[list[str]]:
    boxes = CATALOG.summoned_boxes(row, NAMES.find(chit, "map chit").id, letter)
    return [[CATALOG.monsters[monster].name for monster in box.monsters] for box in boxes]


def test_p3_bones_m_and_howl_4_summon_as_in_the_example() -> None:
    assert list_summoned(4, "Bones M", "M") == [["Giant-1"], ["Giant-2"]]
    assert list_summoned(4, "Howl-4", "M") == []
    bats = [["Giant Bat-1"], ["Giant Bat-2", "Giant Bat-3"], ["Giant Bat-4", "Giant Bat-5", "Giant Bat-6"]]
    # The warning takes the first box, so the sound takes the second.
    assert list_summoned(6, "Bones M", "M") == list_summoned(6, "Howl-4", "M") == bats


def test_p3_a_sound_with_a_letter_needs_a_warning_of_that_letter() -> None:
    assert list_summoned(3, "Howl-4", "C") == list_summoned(3, "Ruins C", "C")
    assert len(list_summoned(3, "Howl-4", "C")) == 3
    assert list_summoned(3, "Howl-4", "M") == []
    assert (
        list_summoned(1, "Flutter-1", "C")
        == list_summoned(1, "Flutter-2", "M")
        == [["H Flying Dragon-1", "H Flying Dragon-2"]]
    )


def test_p3_a_warning_summons_by_its_own_letter() -> None:
    assert list_summoned(2, "Dank W", "W") == [["Viper-1", "Viper-2"]]
    assert list_summoned(2, "Dank C", "C") == [["H Serpent-1", "H Serpent-2"], ["T Serpent"]]
    assert list_summoned(1, "Smoke W", "W") == []


def test_p3_each_site_summons_one_monster_in_its_row() -> None:
    sites = [chit for chit in CATALOG.map_chits if chit.kind == "site"]
    found = {
        site.name: [
            (row, *list_summoned(row, site.name, letter)[0])
            for row in range(1, 7)
            if list_summoned(row, site.name, letter)
        ]
        for site in sites
        for letter in "CM"
    }
    assert found == {
        "Hoard": [(1, "T Flying Dragon")],
        "Lair": [(1, "T Dragon-2")],
        "Altar": [(2, "Demon")],
        "Shrine": [(2, "Winged Demon")],
        "Pool": [(3, "Octopus")],
        "Vault": [(4, "T Troll-2")],
        "Cairns": [(5, "T Spider")],
        "Statue": [(5, "Imp")],
    }


def test_p3_all_monsters_but_the_ghosts_wait_in_the_row_of_their_die() -> None:
    waiting = [monster for box in CATALOG.chart for monster in box.monsters]
    assert len(waiting) == len({*waiting}) == 57
    assert {CATALOG.monsters[monster].kind for monster in CATALOG.ghosts.monsters} == {"Ghost"}
    assert {*waiting} | {*CATALOG.ghosts.monsters} == {*range(59)}


def test_m5_valleys_show_four_dwellings_with_garrisons_and_the_ghosts() -> None:
    valley = [chit.id for chit in CATALOG.map_chits if chit.kind == "warning" and chit.letter == "V"]
    shown = {dwelling.chit: dwelling for dwelling in CATALOG.dwellings if dwelling.garrison}
    assert {*shown, CATALOG.ghosts.chit} == {*valley}
    assert {dwelling.name: dwelling.garrison for dwelling in shown.values()} == {
        "Inn": "Rogues",
        "House": "Soldiers",
        "Chapel": "Order",
        "Guardhouse": "Guard",
    }
    assert {dwelling.clearings for dwelling in shown.values()} == {(5, 4)} == {CATALOG.ghosts.clearings}


def test_m6_campfires_replace_smoke_and_stink_in_the_woods() -> None:
    fires = [dwelling for dwelling in CATALOG.dwellings if not dwelling.garrison]
    assert [(fire.name, CATALOG.map_chits[fire.chit].name, fire.clearings) for fire in fires] == [
        ("Large Campfire", "Stink W", (5, 4, 2)),
        ("Small Campfire", "Smoke W", (5, 4, 2)),
    ]


def test_m9_each_character_finds_the_gear_in_the_boxes_of_natives() -> None:
    held = {CATALOG.goods[goods].kind for box in CATALOG.boxes if box.kind == "natives" for goods in box.goods}
    for character in CATALOG.characters:
        assert {*character.gear.armor, *[character.gear.weapon] * bool(character.gear.weapon)} <= held, character.name


def test_a_box_is_found_by_name() -> None:
    assert CATALOG.box("Hoard").slots == ("large",) * 5 + ("small",) * 4
