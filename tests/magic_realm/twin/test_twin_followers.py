"""The twin alone: followers (D24, B4, V5)."""

from __future__ import annotations

from tests.magic_realm.twin.twin_scripts import Facts, play


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
