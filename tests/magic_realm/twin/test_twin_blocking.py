"""The twin alone: blocking, and the monsters of the day (L1 to L4, B5, B6, P2, P3)."""

from __future__ import annotations

from tests.magic_realm.twin.twin_day import play_day
from tests.magic_realm.twin.twin_scripts import Facts, play

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
    setup["options"] = {"two_rows": "solo"}
    day = play_day({"heroes": heroes, **setup}, {"Elf": [], "Witch": []}, ["prowl: 4"])
    assert day.rows == [4]
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
