"""The twin alone: searching, looting and the cards of sites (D17 to D22, G3, T5)."""

from __future__ import annotations

from typing import Any

from tests.magic_realm.twin.twin_scripts import Facts, play


def test_d17_from_a_mountain_a_hero_peers_at_clearings_of_adjacent_tiles() -> None:
    day = play(
        {"Elf": {"at": "CG2"}}, {"Elf": ["S"]}, "? Elf peer: 2 2", "Elf: peer M4", chits={"M": ["Bones", "Altar"]}
    )
    assert (day.knows["Elf"], day.seen["Elf"]) == ({"M4-M6"}, {"M Bones", "M Altar"})
    offered = day.asked[0][1]
    assert "peer CG1" in offered
    assert "peer B2" in offered
    assert not {"peer B6", "peer HP1", "peer CG2"} & {*offered}  # a cave, far away, its own clearing
    assert play({"Elf": {"at": "B2"}}, {"Elf": ["S"]}, "? Elf peer: 6 6", "Elf: peer").asked[0][1] == ["peer", "locate"]


def test_d18_discovering_chits_finds_the_sites_of_the_clearing() -> None:
    chits = {"CL": ["Dank", "Hoard"]}
    for place, known in (("CL6", {"Hoard"}), ("CL5", set())):
        day = play({"Elf": {"at": place}}, {"Elf": ["S"]}, "? Elf locate: 4 1", "Elf: locate", chits=chits)
        assert day.knows["Elf"] == known
        assert day.seen["Elf"] == {"CL Dank", "CL Hoard"}


def test_d18_the_lost_city_can_be_exchanged_at_once() -> None:
    setup = {"chits": {"CS": ["Dank", "Lost City"]}, "stacks": {"Lost City": ["Altar", "Roar-4", "Howl-5"]}}
    script = ["? Elf locate: 1 1", "Elf: locate", "Elf: choose chits"]
    day = play({"Elf": {"at": "CS1"}}, {"Elf": ["S"]}, *script, "Elf: exchange", **setup)
    assert day.knows["Elf"] == {"Altar"}
    assert "CS Howl-5" in day.seen["Elf"]
    day = play({"Elf": {"at": "CS1"}, "Witch": {"at": "B1"}}, {"Elf": ["S"], "Witch": []}, *script, **setup)
    assert day.knows["Elf"] == set()


def test_d18_a_campfire_replaces_its_warning() -> None:
    setup = {"chits": {"PW": ["Smoke"]}}
    day = play({"Elf": {"at": "PW2"}}, {"Elf": ["S"]}, "? Elf peer: 5 2", "Elf: peer", "Elf: exchange", **setup)
    assert (day.dwellings, day.chits["PW"]) == ({"Small Campfire": "PW4"}, [])  # PW5 is not connected on this map
    day = play({"Elf": {"at": "NW2"}}, {"Elf": []}, chits={"NW": ["Stink"]})
    assert day.dwellings == {"Large Campfire": "NW5"}


def test_g3_maps_subtract_one_in_their_tiles() -> None:
    facts = {"at": "CL5", "goods": ["Map of Ruins+"]}
    for warning, found in (("Ruins", {"CL Ruins"}), ("Dank", set())):
        day = play({"Elf": facts}, {"Elf": ["S"]}, "? Elf locate: 5 1", "Elf: locate", chits={"CL": [warning]})
        assert day.seen["Elf"] == found  # 5 is nothing, 4 discovers chits


def test_d19_the_pool_costs_a_star_for_each_treasure() -> None:
    setup = {"chits": {"CL": ["Dank", "Pool"]}, "boxes": {"Pool": ["Enchanted Meadow", "Lost Keys"]}}
    facts = {"at": "CL6", "knows": ["Pool"]}
    loot = ["Elf: loot Pool", "Elf: tire Move L3*", "Elf: leave"]
    day = play({"Elf": facts}, {"Elf": ["S"]}, "? Elf loot: 2 1", *loot, **setup)
    assert (day.fatigued["Elf"], day.piles) == ([7], {"CL6": ["Lost Keys"]})
    day = play({"Elf": facts}, {"Elf": ["S"]}, "? Elf loot: 1 1", "Elf: loot Pool", **setup)
    assert day.fatigued["Elf"] == []
    assert day.boxes["Pool"] == ["Lost Keys", "Enchanted Meadow"]
    assert day.knows["Elf"] == {"Pool", "Enchanted Meadow"}
    day = play({"Elf": facts}, {"Elf": ["S"]}, "? Elf loot: 3 1", "Elf: loot Pool", **setup)
    assert (day.fatigued["Elf"], day.boxes["Pool"]) == ([], ["Enchanted Meadow", "Lost Keys"])


def test_d19_the_vault_is_opened_by_strength_or_keys() -> None:
    setup = {"chits": {"CL": ["Dank", "Vault"]}, "boxes": {"Vault": ["Golden Icon"]}}
    script = ["? Dwarf loot: 1 1", "Dwarf: loot Vault", "Dwarf: force Duck T3*"]
    day = play({"Dwarf": {"at": "CL3", "knows": ["Vault"]}}, {"Dwarf": ["S"]}, *script, **setup)
    assert (day.fatigued["Dwarf"], day.goods["Dwarf"]) == ([1], ["Golden Icon+"])
    elf = {"at": "CL3", "knows": ["Vault"]}
    assert "loot Vault" not in play({"Elf": elf}, {"Elf": ["S"]}, "? Elf peer: 6 6", "Elf: peer", **setup).asked[0][1]
    keys = {**elf, "goods": ["Lost Keys+"]}
    day = play({"Elf": keys}, {"Elf": ["S"]}, "? Elf loot: 1 1", "Elf: loot Vault", "Elf: leave", **setup)
    assert day.piles == {"CL3": ["Golden Icon"]}


def test_t5_the_thief_and_the_skeleton() -> None:
    box = ["Mouldy Skeleton", "Remains of Thief"]
    within = {"Remains of Thief": ["Golden Crown", "Living Sword"]}
    setup: dict[str, Any] = {"chits": {"CL": ["Dank", "Lair"]}, "boxes": {"Lair": box, **within}}
    facts = {"at": "CL3", "knows": ["Lair"]}
    day = play({"Elf": facts}, {"Elf": ["S"]}, "? Elf loot: 1 1", "Elf: loot Lair", **setup)
    assert day.boxes["Lair"] == ["Gold Helmet", "Silver Breastplate", "Jade Shield", "Remains of Thief"]
    script = ["Elf: loot Lair", "Elf: activate", "Elf: leave"]
    day = play({"Elf": facts}, {"Elf": ["S"]}, "? Elf loot: 2 1", *script, **setup)
    assert (day.goods["Elf"], day.gold["Elf"], day.gone) == (["Living Sword+"], 30, ["Remains of Thief"])
    assert day.piles == {"CL3": ["Golden Crown"]}


def test_t5_the_toadstool_circle_leads_to_a_cave_without_followers() -> None:
    setup = {"chits": {"CL": ["Dank", "Hoard"]}, "boxes": {"Hoard": ["Toadstool Circle"]}}
    heroes: dict[str, Facts] = {"Elf": {"at": "CL6", "knows": ["Toadstool Circle"]}, "Witch": {"at": "CL6"}}
    script = ["? Elf toadstool circle: 3 1", "Elf: loot Toadstool Circle", "Elf: to CN3"]
    day = play(heroes, {"Elf": ["A", "A", "S", "A"], "Witch": ["F Elf"]}, *script, **setup)
    assert day.places == {"Elf": "CN3", "Witch": "CL6"}
    assert day.log.index("Witch ends the turn in CL6") < day.log.index("Elf A: lost D5")
    assert day.lost["Elf"] == [(4, "A", "D5")]  # no sunlight in a cave
    assert day.knows["Witch"] == {"Toadstool Circle", "Hoard"}  # as a follower, and by spying
    assert "CL Hoard" in day.public  # the chit of the site is shown (D19)


def test_d22_the_witch_king_searches_by_magic_sight() -> None:
    setup = {"chits": {"CL": ["Dank", "Hoard"]}, "boxes": {"Hoard": ["Golden Crown", "Lost Keys"]}}
    facts = {"at": "CL6", "knows": ["Hoard"]}
    piles = {"CL6": ["Lost Keys", "Spear-1", "Spear-2"]}
    script = ["Witch King: sight", "? Witch King sight: 2 1", "Witch King: take counter pile"]
    day = play({"Witch King": facts}, {"Witch King": ["S"]}, *script, piles=piles, **setup)
    assert day.asked[0][1] == ["sight"]
    assert (day.goods["Witch King"], day.found["Witch King"]) == (["Spear-1"], {"counters"})
    script = ["Witch King: sight", "? Witch King sight: 3 1", "Witch King: take card Hoard"]
    day = play({"Witch King": facts}, {"Witch King": ["S"]}, *script, **setup)
    assert day.goods["Witch King"] == ["Golden Crown"]
