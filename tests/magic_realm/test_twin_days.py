"""The twin of Magic Realm follows the clauses of RULES.md that the worked examples leave out."""

from __future__ import annotations

from typing import Any

from tests.magic_realm.twin_day import Day, may_write, play_day

Facts = dict[str, Any]


def play(heroes: dict[str, Facts], plans: dict[str, list[str]], *script: str, **setup: Any) -> Day:  # noqa: ANN401
    """Play a day. Entries of the script that begin with `?` are dice, the others are choices."""
    dice = [entry.removeprefix("? ") for entry in script if entry.startswith("? ")]
    choices = [entry for entry in script if not entry.startswith("? ")]
    return play_day({"rows": [], "heroes": heroes, **setup}, plans, dice, choices)


# Phases.


def test_d5_the_first_phase_that_fits_is_used() -> None:
    goods = ["Cloak of Mist+", "Magic Spectacles+"]
    day = play(
        {"Elf": {"at": "AV1", "goods": goods}},
        {"Elf": ["H", "H", "H", "S", "-", "A"]},
        *["? Elf hide: 6 6"] * 3,
        "? Elf peer: 6 6",
        "Elf: peer",
    )
    assert day.used["Elf"] == ["Cloak of Mist", "character", "basic", "Magic Spectacles", "basic", "sunlight"]


def test_d5_an_item_must_be_active_at_birdsong_and_when_the_phase_begins() -> None:
    cloak = {"at": "AV1", "goods": ["Cloak of Mist"]}
    assert may_write({"heroes": {"Druid": cloak}}, "Druid", ["H"] * 5) == "D5"
    active = {"at": "AV1", "goods": ["Cloak of Mist+"]}
    script = ["? Druid hide: 6"] * 4
    day = play({"Druid": active}, {"Druid": ["H"] * 5}, "Druid: pack Cloak of Mist", *script)
    assert day.lost["Druid"] == [(5, "H", "D5")]
    again = ["Druid: pack Cloak of Mist", "Druid: go", "Druid: activate Cloak of Mist"]
    day = play({"Druid": active}, {"Druid": ["H"] * 5}, *again, *script, "? Druid hide: 6")
    assert day.used["Druid"] == ["basic", "basic", "Cloak of Mist", "sunlight", "sunlight"]
    late = play({"Druid": cloak}, {"Druid": ["A", "H"]}, "Druid: activate Cloak of Mist", "? Druid hide: 6")
    assert late.used["Druid"] == ["basic", "basic"]  # it was not active at birdsong


def test_d5_places_are_checked_when_the_activity_begins() -> None:
    plan = ["A", "A", "A", "A", "A"]
    day = play({"Captain": {"at": "AV5"}}, {"Captain": plan}, dwellings={"Inn": "AV5"})
    assert day.used["Captain"][0] == "character"
    assert day.lost["Captain"] == []
    assert play({"Captain": {"at": "AV5"}}, {"Captain": plan}).lost["Captain"] == [(5, "A", "D5")]
    lantern = {"at": "B6", "goods": ["Shielded Lantern+"]}
    assert play({"Elf": lantern}, {"Elf": ["A"] * 3}).used["Elf"] == ["Shielded Lantern", "basic", "basic"]


def test_t1_only_the_telescope_gives_a_peer_phase() -> None:
    glass = {"at": "CG2", "goods": ["Ancient Telescope+"]}
    assert may_write({"heroes": {"Elf": {"at": "CG2"}}}, "Elf", ["P M5"]) == "T1"
    assert may_write({"heroes": {"Elf": glass}}, "Elf", ["P M5", "P M5"]) == "T1"
    assert may_write({"heroes": {"Elf": glass}}, "Elf", ["P M2"]) == "T1"  # not a mountain
    day = play({"Elf": glass}, {"Elf": ["P M6"]}, "? Elf peer: 2 3")
    assert (day.knows["Elf"], day.used["Elf"]) == ({"M4-M6"}, ["Ancient Telescope"])
    day = play({"Elf": {**glass, "at": "B2"}}, {"Elf": ["P M6"]})
    assert day.lost["Elf"] == [(1, "P M6", "T1")]


def test_d3_a_lost_move_uses_the_phase_of_its_activity() -> None:
    plan = ["M CL6", "H", "H", "H", "H"]
    day = play({"Amazon": {"at": "CL3"}}, {"Amazon": plan}, *["? Amazon hide: 6 6"] * 4)
    assert day.lost["Amazon"] == [(1, "M CL6", "D9")]
    assert day.used["Amazon"][0] == "character"


def test_d6_a_pony_that_is_not_active_gives_no_move() -> None:
    rider = {"at": "AV1", "goods": ["Pony-1+"]}
    day = play({"Elf": rider}, {"Elf": ["M B2", "M AV1 pony"]}, "Elf: pack Pony-1")
    assert day.lost["Elf"] == [(2, "M AV1 pony", "D6")]
    assert day.places["Elf"] == "B2"


def test_d8_without_active_chits_a_hero_only_rests() -> None:
    day = play({"Elf": {"at": "B1", "fatigued": [*range(1, 13)]}}, {"Elf": ["H", "R", "A"]}, "Elf: rest Move L3*")
    assert day.lost["Elf"] == [(1, "H", "D8")]
    assert day.fatigued["Elf"] == [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12]


def test_a7_from_a_roadway_a_hero_only_moves_to_its_ends() -> None:
    facts = {"at": "CG2-B2", "goods": ["Golden Crown"]}
    assert may_write({"heroes": {"Elf": facts}}, "Elf", ["M AV1"]) == "Z5"
    day = play({"Elf": facts}, {"Elf": ["H", "M CG2", "M CG2", "A"]})
    assert day.lost["Elf"] == [(1, "H", "A7")]
    assert (day.places["Elf"], day.goods["Elf"]) == ("CG2", ["Golden Crown"])
    assert play({"Elf": facts}, {"Elf": ["M CG2", "A", "M CG2"]}).places["Elf"] == "CG2-B2"


# Moves and belongings.


def test_d9_hidden_paths_are_open_to_those_who_know_them() -> None:
    plan = {"Elf": ["M CL5"], "Wizard": ["M CL5"]}
    day = play({"Elf": {"at": "CL2"}, "Wizard": {"at": "CL2"}}, plan)
    assert day.lost == {"Elf": [(1, "M CL5", "D9")], "Wizard": []}
    day = play({"Elf": {"at": "CL2", "knows": ["CL2-CL5"]}}, {"Elf": ["M CL5"]})
    assert day.places["Elf"] == "CL5"


def test_x2_those_who_see_the_use_of_a_path_discover_it() -> None:
    heroes: dict[str, Facts] = {
        "Elf": {"at": "CL2", "knows": ["CL2-CL5"]},
        "Witch": {"at": "CL5"},
        "Druid": {"at": "CL2"},
    }
    plans: dict[str, list[str]] = {"Elf": ["M CL5"], "Witch": [], "Druid": []}
    day = play(heroes, plans)
    assert day.knows["Witch"] == day.knows["Druid"] == {"CL2-CL5"}
    day = play(heroes, {**plans, "Elf": ["H", "M CL5"]}, "? Elf hide: 1 1")
    assert day.knows["Witch"] == day.knows["Druid"] == set()


def test_d11_a_horse_becomes_inactive_in_a_cave() -> None:
    day = play({"Elf": {"at": "B1", "goods": ["Pony-1+"]}}, {"Elf": ["M B6", "M B1"]})
    assert day.goods["Elf"] == ["Pony-1"]


def test_d11_several_items_lie_in_the_order_in_which_they_came() -> None:
    facts = {"at": "AV1", "goods": ["Golden Crown", "Lost Keys", "Bane Sword"]}
    day = play({"Elf": facts}, {"Elf": ["M B2"]}, piles={"AV1": ["Spear-1"]})
    assert day.piles == {"AV1": ["Spear-1", "Golden Crown", "Bane Sword"]}


def test_d25_a_horse_is_active_only_while_it_is_strong_enough() -> None:
    facts = {"at": "AV1", "goods": ["Pony-3"]}
    day = play({"Elf": facts}, {"Elf": ["A"]}, "Elf: activate Pony-3")
    assert day.goods["Elf"] == ["Pony-3+"]
    loot = ["Elf: loot pile", "Elf: keep", "? Elf loot: 1 1"]
    day = play({"Elf": {**facts, "goods": ["Pony-3+"]}}, {"Elf": ["S"]}, *loot, piles={"AV1": ["Golden Crown"]})
    assert day.goods["Elf"] == ["Pony-3", "Golden Crown"]
    day = play({"Dwarf": {**facts, "goods": ["Pony-3"]}}, {"Dwarf": ["A"]})
    assert "activate Pony-3" not in day.asked[0][1]  # too weak for him


def test_d25_each_belonging_changes_once_in_a_phase_and_one_of_a_kind_is_active() -> None:
    facts = {"at": "AV1", "goods": ["Spear-1+", "Spear-2", "Golden Crown"]}
    day = play({"Amazon": facts}, {"Amazon": ["A"]}, "Amazon: pack Spear-1", "Amazon: activate Spear-2")
    assert day.goods["Amazon"] == ["Spear-1", "Spear-2+", "Golden Crown"]
    offered = [options for _, options, _ in day.asked]
    assert offered[0] == ["go", "run on", "pack Spear-1", "leave Spear-1", "leave Spear-2", "leave Golden Crown"]
    assert offered[1] == ["go", "run on", "activate Spear-2", "leave Spear-2", "leave Golden Crown"]
    assert offered[2] == ["go", "run on", "leave Golden Crown"]


# Rest and stars.


def test_d15_a_chit_with_two_stars_takes_change() -> None:
    # Amazon: 8 is Fight M3**, 2 is Move M3*.
    day = play({"Amazon": {"at": "B1", "wounded": [8]}}, {"Amazon": ["R"]}, "Amazon: rest Fight M3** with Move M3*")
    assert (day.fatigued["Amazon"], day.wounded["Amazon"]) == ([2, 8], [])
    day = play({"Amazon": {"at": "B1", "wounded": [1]}}, {"Amazon": ["R"]})
    assert (day.fatigued["Amazon"], day.wounded["Amazon"]) == ([], [])


def test_d15_the_dwarf_rests_two_stars() -> None:
    # Dwarf: 6 is Fight H4**, 1 is Duck T3*, 4 is Move T6*.
    day = play({"Dwarf": {"at": "B1", "fatigued": [6]}}, {"Dwarf": ["R"]})
    assert day.fatigued["Dwarf"] == []
    day = play({"Dwarf": {"at": "B1", "fatigued": [1, 4]}}, {"Dwarf": ["R"]})
    assert day.fatigued["Dwarf"] == []
    day = play({"Dwarf": {"at": "B1", "fatigued": [1, 4]}}, {"Dwarf": ["R"]}, "Dwarf: rest Move T6*", "Dwarf: enough")
    assert day.fatigued["Dwarf"] == [1]


def test_w1_a_star_is_paid_with_change_or_with_two_if_there_is_no_other_way() -> None:
    chits = {"CL": ["Dank", "Cairns"]}
    box = {"Cairns": ["Lost Keys"]}
    # Amazon: 2, 7 and 12 are Move M3*, 6 and 10 Fight M4*, 8 and 11 Fight M3**, 9 Fight H4**.
    facts = {"at": "CL5", "knows": ["Cairns"], "fatigued": [2, 6, 7, 10, 12]}
    script = ["? Amazon loot: 6 6", "Amazon: loot Cairns"]
    change = "Amazon: tire Fight H4** for Fight M4*"
    day = play({"Amazon": facts}, {"Amazon": ["S"]}, *script, change, chits=chits, boxes=box)
    assert day.fatigued["Amazon"] == [2, 7, 9, 10, 12]
    facts = {**facts, "fatigued": [2, 7, 12], "wounded": [6, 10]}
    day = play({"Amazon": facts}, {"Amazon": ["S"]}, *script, "Amazon: tire Fight H4**", chits=chits, boxes=box)
    assert day.fatigued["Amazon"] == [2, 7, 9, 12]


# Searching and looting.


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


# Following.


def test_d24_followers_share_moves_hiding_and_discoveries() -> None:
    heroes: dict[str, Facts] = {"Elf": {"at": "DW3"}, "Witch": {"at": "DW3", "goods": ["Golden Crown"]}}
    script = ["? Elf peer: 3 3", "Elf: peer", "? Elf hide: 1 1"]
    day = play(heroes, {"Elf": ["S", "M DW6", "H"], "Witch": ["F Elf"]}, *script)
    assert day.places == {"Elf": "DW6", "Witch": "DW6"}
    assert day.knows["Witch"] == {"DW3-DW6"}
    assert day.found["Witch"] == {"all"}
    assert day.hidden == {"Elf": True, "Witch": True}
    assert day.piles == {"DW3": ["Golden Crown"]}


def test_d24_a_pony_leaves_others_behind() -> None:
    rider = {"at": "AV1", "goods": ["Pony-1+"]}
    heroes: dict[str, Facts] = {"Elf": rider, "Witch": {"at": "AV1"}, "Druid": {"at": "AV1", "goods": ["Pony-2+"]}}
    plans = {"Elf": ["M B2", "M AV1 pony", "M B2"], "Witch": ["F Elf"], "Druid": ["F Elf"]}
    day = play(heroes, plans)
    assert day.places == {"Elf": "B2", "Witch": "B2", "Druid": "B2"}
    assert [line for line in day.log if "ends" in line] == [
        "Witch ends the turn in B2",
        "Elf ends the turn in B2",
        "Druid ends the turn in B2",
    ]


def test_d24_a_hidden_guide_can_shed_those_who_do_not_see_it() -> None:
    heroes: dict[str, Facts] = {"Elf": {"at": "AV1", "orders": {"shed": "ask"}}, "Witch": {"at": "AV1"}}
    plans = {"Elf": ["H", "M B2"], "Witch": ["F Elf"]}
    day = play(heroes, plans, "? Elf hide: 1 1", "Elf: shed Witch")
    assert day.places == {"Elf": "B2", "Witch": "AV1"}
    assert day.hidden == {"Elf": True, "Witch": True}
    assert play(heroes, plans, "? Elf hide: 6 6").places["Witch"] == "B2"
    script = ["? Elf peer: 4 4", "Elf: peer", "? Elf hide: 1 1"]
    day = play(heroes, {**plans, "Elf": ["S", "H", "M B2"]}, *script)
    assert day.places["Witch"] == "B2"
    assert not any("shed Witch" in options for _, options, _ in day.asked)  # the Witch found hidden enemies, too


def test_d24_followers_discover_the_path_of_a_hidden_guide() -> None:
    heroes: dict[str, Facts] = {"Elf": {"at": "CL2", "knows": ["CL2-CL5"]}, "Witch": {"at": "CL2"}}
    heroes |= {"Druid": {"at": "CL5"}}
    plans: dict[str, list[str]] = {"Elf": ["H", "M CL5"], "Witch": ["F Elf"], "Druid": []}
    day = play(heroes, plans, "? next: Elf", "? Elf hide: 1 1")
    assert (day.knows["Witch"], day.knows["Druid"]) == ({"CL2-CL5"}, set())


def test_x2_drawing_a_site_card_shows_the_site_but_teaches_others_no_card() -> None:
    setup = {"chits": {"CL": ["Dank", "Hoard"]}, "boxes": {"Hoard": ["Toadstool Circle"]}}
    heroes: dict[str, Facts] = {
        "Elf": {"at": "CL6", "knows": ["Hoard"]},
        "Witch": {"at": "CL6"},
        "Druid": {"at": "CL6"},
    }
    plans: dict[str, list[str]] = {"Elf": ["S"], "Witch": ["F Elf"], "Druid": []}
    day = play(heroes, plans, "? next: Elf", "? Elf loot: 1 1", "Elf: loot Hoard", **setup)
    assert day.knows["Witch"] == {"Hoard", "Toadstool Circle"}
    assert day.knows["Druid"] == {"Hoard"}


def test_v5_followers_may_stop() -> None:
    heroes: dict[str, Facts] = {"Elf": {"at": "AV1"}, "Witch": {"at": "AV1", "orders": {"follow": "ask"}}}
    plans = {"Elf": ["H", "M B2"], "Witch": ["F Elf"]}
    script = ["? Elf hide: 1 1", "Witch: along", "Witch: stop"]
    day = play(heroes, plans, *script, options={"follow": "may_stop"})
    assert day.places == {"Elf": "B2", "Witch": "AV1"}


def test_b4_chains_follow_the_first_and_circles_do_nothing() -> None:
    heroes: dict[str, Facts] = {name: {"at": "AV1"} for name in ("Elf", "Witch", "Druid")}
    day = play(heroes, {"Elf": ["M B2"], "Witch": ["F Elf"], "Druid": ["F Witch"]})
    assert {*day.places.values()} == {"B2"}
    day = play(heroes, {"Elf": ["F Witch"], "Witch": ["F Elf"], "Druid": ["F Witch"]}, monsters={"Ghost-1": "AV2"})
    assert {*day.places.values()} == {"AV1"}
    assert all(day.hidden.values())
    assert (day.first, day.monsters) == (None, {"Ghost-1": "AV2"})


def test_d24_followers_end_their_turns_after_the_guide() -> None:
    setup = {"chits": {"CG": ["Bones", "Howl-4"]}, "rows": [6]}
    day = play({"Elf": {"at": "CG1"}, "Witch": {"at": "CG1"}}, {"Elf": [], "Witch": ["F Elf"]}, **setup)
    bats = ["Giant Bat-1", "Giant Bat-2", "Giant Bat-3"]
    assert day.monsters == dict.fromkeys(bats, "CG1")  # two come from clearing 4 when the follower's turn ends
    assert day.blocked == {"Elf": True, "Witch": True}


# Blocking.


def test_l1_monsters_block_the_unhidden_at_the_end_of_a_phase() -> None:
    setup = {"monsters": {"Giant-1": "AV1"}}
    assert play({"Elf": {"at": "AV1"}}, {"Elf": ["M B2", "A"]}, **setup).blocked == {"Elf": False}
    assert play({"Elf": {"at": "AV1"}}, {"Elf": ["H", "A"]}, "? Elf hide: 1 1", **setup).blocked == {"Elf": False}
    day = play({"Elf": {"at": "AV1"}}, {"Elf": ["-", "M B2"]}, **setup)
    assert (day.blocked, day.places, day.phases) == ({"Elf": True}, {"Elf": "AV1"}, {"Elf": ["-: blank"]})
    imp = {"monsters": {"Imp": "AV1"}}
    assert play({"Pilgrim": {"at": "AV1"}}, {"Pilgrim": ["A"]}, **imp).blocked == {"Pilgrim": False}
    assert play({"Witch": {"at": "AV1"}}, {"Witch": ["A"]}, **imp).blocked == {"Witch": True}


def test_l3_blocking_is_mutual_and_costs_the_turn_to_come() -> None:
    heroes: dict[str, Facts] = {"Elf": {"at": "AV1"}, "Witch": {"at": "B2"}, "Druid": {"at": "B2"}}
    plans = {"Elf": ["M B2", "M AV1"], "Witch": ["A"], "Druid": ["F Witch"]}
    day = play(heroes, plans, "? next: Elf", "Witch: block Elf")
    assert day.places == {"Elf": "B2", "Witch": "B2", "Druid": "B2"}
    assert day.blocked == {"Elf": True, "Witch": True, "Druid": False}
    assert day.hidden == {"Elf": False, "Witch": False, "Druid": False}
    assert day.phases["Witch"] == []
    assert [line for line in day.log if "ends" in line] == ["Elf ends the turn in B2"]


def test_d24_those_whose_guide_loses_the_turn_can_block_again() -> None:
    heroes: dict[str, Facts] = {name: {"at": "B2"} for name in ("Witch", "Druid")}
    heroes |= {"Elf": {"at": "AV1"}, "Amazon": {"at": "AV1"}}
    plans = {"Elf": ["M B2"], "Amazon": ["M B2", "M AV1"], "Witch": ["A"], "Druid": ["F Witch"]}
    order = ["? next: Elf", "? next: Amazon"]
    day = play(heroes, plans, *order, "Witch: block Elf", "Druid: block Amazon")
    assert day.blocked == {"Witch": True, "Druid": True, "Elf": True, "Amazon": True}
    assert day.places["Amazon"] == "B2"


def test_l2_hidden_heroes_are_blocked_only_by_those_who_see_them() -> None:
    heroes: dict[str, Facts] = {"Elf": {"at": "AV1", "goods": ["Spear-1+"]}, "Witch": {"at": "AV1"}}
    plans = {"Witch": ["S"], "Elf": ["H", "A"]}
    order = ["? next: Witch", "? next: Elf", "? Elf hide: 1 1", "Witch: peer"]
    day = play(heroes, plans, *order, "? Witch peer: 4 4", "Witch: pass", "Witch: block Elf")
    assert day.blocked == {"Elf": True, "Witch": True}
    assert day.phases["Elf"] == ["H: done"]
    day = play(heroes, plans, *order, "? Witch peer: 6 6")
    assert day.phases["Elf"] == ["H: done", "A: done"]
    assert not any("block Elf" in options for _, options, _ in day.asked)


def test_l4_hidden_heroes_may_block_arriving_monsters() -> None:
    setup = {"monsters": {"Giant-1": "CG4"}, "rows": [4]}
    heroes: dict[str, Facts] = {"Elf": {"at": "CG1"}, "Witch": {"at": "CG1"}, "Druid": {"at": "CG3"}}
    plans: dict[str, list[str]] = {"Elf": ["H"], "Witch": ["A"], "Druid": []}
    order = ["? next: Elf", "? next: Druid", "? Elf hide: 1 1"]
    day = play(heroes, plans, *order, "Witch: block Giant-1", **setup)
    assert (day.monsters, day.held) == ({"Giant-1": "CG1"}, {"Giant-1"})
    assert day.blocked == {"Elf": False, "Witch": True, "Druid": False}
    assert day.phases["Witch"] == []
    day = play(heroes, plans, "? next: Elf", "? next: Witch", "? next: Druid", "? Elf hide: 1 1", **setup)
    assert day.monsters == {"Giant-1": "CG1"}  # the Witch, unhidden, was blocked, so it moves no more
    assert day.blocked == {"Elf": False, "Witch": True, "Druid": False}


# Prowling.


def test_b5_b6_the_die_chooses_the_row_and_sends_monsters_back() -> None:
    setup = {"monsters": {"Giant-1": "CG4", "Wolf-1": "NW2", "Ghost-1": "AV1"}, "ghosts": "AV5", "day": 7}
    heroes: dict[str, Facts] = {"Elf": {"at": "B1"}, "Witch": {"at": "B1"}}
    day = play_day({"heroes": heroes, **setup}, {"Elf": [], "Witch": []}, ["prowl: 4"])
    assert (day.rows, day.monsters) == ([4], {"Wolf-1": "NW2", "Ghost-1": "AV5"})
    day = play_day({"heroes": {"Elf": heroes["Elf"]}, **setup}, {"Elf": []}, ["prowl: 4", "prowl: 3"])
    assert (day.rows, day.monsters) == ([3, 4], {"Ghost-1": "AV5"})


def test_p2_p3_the_lost_castle_lays_out_its_chits_and_sites_bring_their_monsters() -> None:
    setup = {
        "chits": {"CL": ["Dank", "Lost Castle"]},
        "stacks": {"Lost Castle": ["Cairns", "Patter-5", "Patter-2", "Hoard", "Roar-4"]},
        "rows": [5],
    }
    day = play({"Elf": {"at": "CL1"}}, {"Elf": ["H"]}, "? Elf hide: 1 1", **setup)
    spiders = {"H Spider-1": "CL1", "H Spider-2": "CL2", "H Spider-3": "CL5", "T Spider": "CL5"}
    assert day.monsters == spiders
    assert {"CL Hoard", "CL Lost Castle"} <= day.face_up


def test_p3_with_two_rows_a_chit_still_summons_one_box() -> None:
    setup = {"chits": {"CL": ["Dank", "Flutter-1"]}, "rows": [6, 1]}
    day = play({"Elf": {"at": "CL2"}}, {"Elf": []}, **setup)
    assert day.monsters == {"H Flying Dragon-1": "CL1", "H Flying Dragon-2": "CL1"}


def test_p3_two_sounds_in_a_clearing_summon_in_the_order_of_the_data() -> None:
    setup = {"chits": {"CS": ["Ruins", "Roar-6", "Slither-6"]}, "rows": [1, 2], "monsters": {"T Dragon-1": "B1"}}
    day = play({"Elf": {"at": "CS1"}}, {"Elf": []}, **setup)
    assert day.monsters == {"T Dragon-1": "B1", "H Dragon": "CS6"}


# As you go.


def test_d28_phases_are_chosen_when_they_come() -> None:
    options = {"recording": "as_you_go"}
    script = ["Elf: M AV1", "Elf: M B2", "Elf: A", "Elf: A"]
    day = play({"Elf": {"at": "B2"}}, {"Elf": []}, *script, options=options)
    assert day.used["Elf"] == ["basic", "basic", "sunlight", "sunlight"]
    assert day.asked[-1][1] == ["H", "done"]  # only the Elf's Hide phase is left
    day = play({"Elf": {"at": "B1"}}, {"Elf": []}, "Elf: A", "Elf: A", "Elf: A", options=options)
    assert "M B6" in day.asked[1][1]
    assert "M B6" not in day.asked[2][1]  # only sunlight phases are left
    day = play({"Amazon": {"at": "B1"}}, {"Amazon": []}, *["Amazon: A"] * 3, options=options)
    assert "M B6" not in day.asked[3][1]  # not even with her own Move phase, because sunlight was used
    assert "M OW5" in day.asked[3][1]
    assert may_write({"heroes": {"Elf": {"at": "B1"}}, "options": options}, "Elf", ["H"]) == "B2"


def test_d28_an_item_gives_its_phase_as_soon_as_it_is_active() -> None:
    facts = {"at": "B2", "goods": ["Workhorse-4"]}
    script = ["Elf: A", "Elf: activate Workhorse-4", "Elf: M AV1"]
    day = play({"Elf": facts}, {"Elf": []}, *script, options={"recording": "as_you_go"})
    assert day.used["Elf"] == ["basic", "Workhorse-4"]
