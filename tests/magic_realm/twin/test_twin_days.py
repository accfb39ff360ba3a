"""The twin of Magic Realm follows the clauses of RULES.md that the worked examples leave out."""

from __future__ import annotations

from typing import Any

from tests.magic_realm.twin.twin_data import CHARACTERS
from tests.magic_realm.twin.twin_day import may_write
from tests.magic_realm.twin.twin_game import Game, load_game
from tests.magic_realm.twin.twin_scripts import Facts, play
from tests.magic_realm.twin.twin_table import Table

ALL_CHITS = [*range(1, 13)]
CHITS_WITH_STARS = {
    name: [number for number, chit in enumerate(row["chits"], 1) if "*" in chit] for name, row in CHARACTERS.items()
}


def prepare(heroes: dict[str, Facts], day: int = 1, **options: Any) -> Game:  # noqa: ANN401 - options have many types
    """Return a game in which no one is asked anything."""
    dwellings = {"Inn": "BV5", "Chapel": "DV5"}
    setup = {"map": "stock1", "options": options, "dwellings": dwellings, "heroes": heroes, "day": day}
    return load_game(Table(), setup)


# A turn without phases.


def test_b3_a_turn_in_which_nothing_is_done_has_a_blank_phase_at_whose_end_others_block() -> None:
    giant = {"monsters": {"Giant-1": "AV1"}}
    for options in ({}, {"recording": "as_you_go"}):  # D28: the player ends the turn at once
        day = play({"Elf": {"at": "AV1"}}, {"Elf": []}, options=options, **giant)
        assert (day.blocked["Elf"], day.held, day.hidden["Elf"]) == (True, {"Giant-1"}, False)
        assert (day.phases["Elf"], day.used["Elf"]) == ([], [])
        assert "Elf ends the turn in AV1" in day.log
        heroes: dict[str, Facts] = {"Elf": {"at": "AV1"}, "Witch": {"at": "AV1", "hidden": False}}
        blocked = ("? next: Elf", "Witch: block Elf")
        day = play(heroes, {"Elf": [], "Witch": []}, *blocked, options=options)
        assert day.blocked == {"Elf": True, "Witch": True}
        assert [line for line in day.log if "ends" in line] == ["Elf ends the turn in AV1"]  # the Witch has no turn
        day = play(heroes, {"Elf": [], "Witch": []}, "? next: Elf", "Elf: block Witch", options=options)
        assert day.blocked == {"Elf": True, "Witch": True}
        assert [line for line in day.log if "ends" in line] == ["Elf ends the turn in AV1"]


def test_b3_only_a_turn_without_any_phase_has_the_blank_one() -> None:
    giant = {"monsters": {"Giant-1": "AV1"}}
    day = play({"Elf": {"at": "AV1"}}, {"Elf": ["H"]}, "? Elf hide: 1 1", **giant)
    assert not day.blocked["Elf"]
    heroes: dict[str, Facts] = {"Elf": {"at": "AV1"}, "Witch": {"at": "AV1", "hidden": False}}
    for plan in ([], ["-"], ["P CG2"]):  # one phase each: none written, a blank one, and a lost one
        glass = {"at": "AV1", "goods": ["Ancient Telescope+"]}
        day = play({**heroes, "Elf": glass}, {"Elf": plan, "Witch": []}, "? next: Elf")
        asked = [(hero, options) for hero, options, _ in day.asked if "go" not in options]
        in_one_turn = [("Elf", ["block Witch", "pass"]), ("Witch", ["block Elf", "pass"])]
        assert asked == in_one_turn * 2  # the second time in the turn of the Witch
    day = play({"Elf": {"at": "AV1-B2"}}, {"Elf": []}, monsters={"Giant-1": "AV1", "Giant-2": "B2"})
    assert not day.blocked["Elf"]  # L7


def test_b3_nothing_else_happens_in_the_blank_phase() -> None:
    facts: Facts = {"at": "AV1", "goods": ["Spear-1+"], "orders": {"follow": "ask"}}
    heroes = {"Elf": facts, "Witch": {**facts, "goods": ["Spear-2+"]}, "Druid": {"at": "B2"}}
    plans: dict[str, list[str]] = {"Elf": [], "Witch": ["F Elf"], "Druid": []}
    day = play(heroes, plans, "? next: Elf", options={"follow": "may_stop"}, monsters={"Giant-1": "AV1"})
    assert day.asked == []
    assert day.blocked == {"Elf": True, "Witch": False, "Druid": False}  # L7: the Witch still followed
    circle = {"Elf": ["F Witch"], "Witch": ["F Elf"], "Druid": []}
    heroes = {name: {**row, "hidden": False} for name, row in heroes.items()}
    assert not any(play(heroes, circle, monsters={"Giant-1": "AV1"}).blocked.values())  # B4: they take no turn


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


def test_d8_b4_without_active_chits_a_hero_cannot_follow() -> None:
    heroes: dict[str, Facts] = {"Elf": {"at": "B1", "fatigued": ALL_CHITS[:6], "wounded": ALL_CHITS[6:]}}
    heroes |= {"Witch": {"at": "B1", "fatigued": ALL_CHITS[1:]}}
    assert may_write({"heroes": heroes}, "Elf", ["F Witch"]) == "D8"
    assert may_write({"heroes": heroes}, "Witch", ["F Elf"]) is None  # an exhausted guide can be followed
    assert prepare(heroes, recording="as_you_go").has_writers()
    heroes["Witch"] = {"at": "B1", "fatigued": ALL_CHITS}
    game = prepare(heroes, recording="as_you_go")
    assert not game.has_writers()  # B2: no one can follow another
    assert prepare(heroes).has_writers()


def test_d8_who_could_not_even_rest_the_next_day_dies_at_midnight() -> None:
    tired: Facts = {"fatigued": ALL_CHITS[:6], "wounded": ALL_CHITS[6:]}
    heroes: dict[str, Facts] = {
        "Elf": {**tired, "at": "CG2-B2", "goods": ["Light Bow-1+", "Golden Crown"], "gold": 50},
        "Witch": {**tired, "at": "B2", "goods": ["Spear-1"]},
        "Druid": {"at": "CG2-B2", "fatigued": ALL_CHITS[1:]},
        "Magician": {**tired, "at": "B3", "goods": ["Spear-2"], "curses": ["Ill Health"]},
        "Wizard": {**tired, "at": "CG2-B2", "goods": ["Staff-1"]},
        "Sorceror": {"at": "B3", "curses": ["Ill Health"]},
        "Pilgrim": {**tired, "at": "DV5", "curses": ["Ill Health"]},
    }
    game = prepare(heroes)
    game.pass_midnight()
    assert [hero.name for hero in game.deaths] == ["Elf", "Magician", "Wizard"]
    assert {*game.dead} == {0, 3, 4}
    assert game.piles == {"CG2": ["Light Bow-1", "Golden Crown", "Staff-1"], "B3": ["Spear-2"]}
    assert {*game.heroes} == {"Witch", "Druid", "Sorceror", "Pilgrim"}  # Q4: the Pilgrim was at the Chapel
    assert game.heroes["Pilgrim"].curses == set()
    assert game.heroes["Druid"].at == "CG2-B2"
    last = prepare(heroes, day=7, days="7")
    last.pass_midnight()
    assert last.deaths == []


# Curses.


def test_c27_eyemist_leaves_the_peer_of_the_telescope() -> None:
    facts: Facts = {"at": "CG2", "goods": ["Ancient Telescope+"], "curses": ["Eyemist"]}
    day = play({"Elf": facts}, {"Elf": ["P M6", "S"]}, "? Elf peer: 2 3")
    assert day.lost["Elf"] == [(2, "S", "C27")]
    assert (day.knows["Elf"], day.used["Elf"]) == ({"M4-M6"}, ["Ancient Telescope", "basic"])
    assert not any("peer" in options for _, options, _ in day.asked)


def test_c27_curses_forbid_activities() -> None:
    facts: Facts = {"at": "B1", "fatigued": [1], "curses": ["Squeak", "Ill Health"]}
    day = play({"Elf": facts}, {"Elf": ["H", "R", "A"]})
    assert day.lost["Elf"] == [(1, "H", "C27"), (2, "R", "C27")]
    assert (day.hidden["Elf"], day.fatigued["Elf"]) == (False, [1])
    day = play({"Witch": {"at": "B1"}, "Elf": facts}, {"Witch": ["H", "R"], "Elf": ["F Witch"]}, "? Witch hide: 1 1")
    assert (day.hidden, day.fatigued["Elf"]) == ({"Witch": True, "Elf": False}, [1])


def test_c27_t5_the_enchanted_meadow_ends_wither() -> None:
    starred = CHITS_WITH_STARS["Elf"]
    facts: Facts = {"at": "CL3", "fatigued": starred[1:], "wounded": starred[:1], "curses": ["Wither", "Ashes"]}
    setup = {"chits": {"CL": ["Dank", "Vault"]}, "boxes": {"Vault": ["Enchanted Meadow"]}}
    day = play({"Elf": facts}, {"Elf": ["R", "R"]}, **setup)
    assert (day.fatigued["Elf"], day.wounded["Elf"]) == (starred, [])  # none with stars becomes active
    assert day.lost["Elf"] == []
    facts["knows"] = ["Enchanted Meadow"]
    loot = ["Elf: loot Enchanted Meadow", "? Elf enchanted meadow: 4 4"]
    day = play({"Elf": facts}, {"Elf": ["S"]}, *loot, **setup)
    assert (day.fatigued["Elf"], day.wounded["Elf"]) == ([], [])
    assert day.curses["Elf"] == {"Ashes"}


def test_d30_from_a_roadway_a_hero_only_moves_to_its_ends() -> None:
    facts = {"at": "CG2-B2", "goods": ["Golden Crown"]}
    assert may_write({"heroes": {"Elf": facts}}, "Elf", ["M AV1"]) == "Z5"
    day = play({"Elf": facts}, {"Elf": ["H", "M CG2", "M CG2", "A"]})
    assert day.lost["Elf"] == [(1, "H", "D30")]
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


def test_x2_those_who_see_only_a_follower_discover_its_path() -> None:
    sight = ["? next: Witch King", "? next: Elf", "? Witch King sight: 2 2", "Witch King: sight", "? Elf hide: 1 1"]
    plans: dict[str, list[str]] = {"Elf": ["H", "M CL5"], "Druid": ["F Elf"], "Witch King": ["S"]}
    for place in ("CL2", "CL5"):
        heroes: dict[str, Facts] = {
            "Elf": {"at": "CL2", "knows": ["CL2-CL5"]},
            "Druid": {"at": "CL2", "goods": ["Spear-1"]},
            "Witch King": {"at": place},
        }
        day = play(heroes, plans, *sight)
        assert day.hidden["Elf"]
        assert day.hidden["Druid"]
        assert day.knows["Witch King"] == {"CL2-CL5"}
        heroes["Druid"] = {"at": "CL2"}
        assert play(heroes, plans, *sight).knows["Witch King"] == set()


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
    facts = {"at": "AV1", "goods": ["Spear-1+", "Spear-2", "Chest"]}
    day = play({"Amazon": facts}, {"Amazon": ["A"]}, "Amazon: pack Spear-1", "Amazon: activate Spear-2")
    assert day.goods["Amazon"] == ["Spear-1", "Spear-2+", "Chest"]
    offered = [options for _, options, _ in day.asked]
    assert offered[0] == ["go", "run on", "pack Spear-1", "leave Spear-1", "leave Spear-2", "leave Chest"]
    assert offered[1] == ["go", "run on", "activate Spear-2", "leave Spear-2", "leave Chest"]
    assert offered[2] == ["go", "run on", "leave Chest"]


# Rest and stars.


def test_d14_an_alerted_weapon_may_be_left_or_unalerted() -> None:
    heroes: dict[str, Facts] = {"Berserker": {"at": "AV1", "goods": ["Great Axe-1+"]}}
    plans = {"Berserker": ["A", "A", "A"]}
    day = play(heroes, plans, "Berserker: alert", "Berserker: pass", "Berserker: unalert")
    offered = [options for _, options, _ in day.asked if "go" not in options]
    assert offered == [["alert", "berserk"], *[["unalert", "pass", "berserk"]] * 2]
    assert day.alerted["Berserker"] == set()
    day = play(heroes, plans, "Berserker: alert", "Berserker: berserk")
    assert (day.alerted["Berserker"], day.berserk, len(day.fatigued["Berserker"])) == (
        {"Great Axe-1"},
        {"Berserker"},
        1,
    )
    day = play(heroes, plans, options={"encounter": "1"})
    assert [options for _, options, _ in day.asked if "go" not in options] == []


def test_d24_followers_may_alert_or_not() -> None:
    heroes: dict[str, Facts] = {
        "Elf": {"at": "AV1", "goods": ["Spear-1+"]},
        "Witch": {"at": "AV1", "goods": ["Spear-2+"]},
    }
    plans = {"Elf": ["A"], "Witch": ["F Elf"]}
    assert play(heroes, plans, "Witch: alert").alerted == {"Elf": {"Spear-1"}, "Witch": {"Spear-2"}}
    assert play(heroes, plans, "Witch: pass").alerted == {"Elf": {"Spear-1"}, "Witch": set()}


def test_d15_a_chit_with_two_stars_takes_change() -> None:
    # Amazon: 8 is Fight M3**, 2 is Move M3*.
    day = play({"Amazon": {"at": "B1", "wounded": [8]}}, {"Amazon": ["R"]}, "Amazon: rest Fight M3** with Move M3*")
    assert (day.fatigued["Amazon"], day.wounded["Amazon"]) == ([2, 8], [])
    day = play({"Amazon": {"at": "B1", "wounded": [8]}}, {"Amazon": ["R"]}, "Amazon: enough")  # nobody has to
    assert (day.fatigued["Amazon"], day.wounded["Amazon"]) == ([], [8])
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
