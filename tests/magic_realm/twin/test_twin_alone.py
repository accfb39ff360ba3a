"""The twin of Magic Realm plays the worked examples of RULES.md."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.magic_realm.twin.twin_data import CHART, CLEARINGS, build_roadways, find_connected, load, stock_map
from tests.magic_realm.twin.twin_day import Day, may_write, play_day
from tests.magic_realm.twin.twin_score import score, score_kinds
from tests.magic_realm.twin.twin_state import RefusedPlanError, ScriptError

TWINS = sorted(Path(__file__).parent.glob("twin_*.py"))
FOUR_PHASES = ["H", "H", "H", "H"]


def play_alone(name: str, plan: list[str], dice: list[str], *, choices: list[str] | None = None, **setup: Any) -> Day:  # noqa: ANN401
    """Play the day of a single hero; `facts` are those of the hero."""
    facts = setup.pop("facts")
    full = {"rows": [], "heroes": {name: facts}, **setup}
    return play_day(full, {name: plan}, dice, [f"{name}: {choice}" for choice in choices or []])


@pytest.mark.parametrize("path", TWINS, ids=lambda path: path.name)
def test_the_twin_imports_nothing_of_the_game(path: Path) -> None:
    imports = re.findall(r"^(?:from|import) (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ours = [name for name in imports if name.startswith("realmtable")]
    assert ours == (["realmtable"] if path.name == "twin_data.py" else [])


@pytest.mark.parametrize("number", [1, 2, 3])
def test_m1_m2_ready_made_maps_fit_and_are_connected(number: int) -> None:
    roadways = build_roadways(stock_map(f"stock{number}"))
    cut_off = load("maps")["map"][number - 1]["cut_off"]
    assert [name for name in CLEARINGS if name not in find_connected(roadways)] == cut_off


def test_p3_every_monster_of_the_chart_has_a_box() -> None:
    names = [name for box in CHART for name in box["monsters"]]
    rows = load("monsters")["monster"]
    assert len(names) == len({*names}) == sum(row["count"] for row in rows if row["name"] != "Ghost")


# Example 1.


def hides(name: str, dice: str, plan: list[str] | None = None) -> bool:
    plan = plan or ["H"]
    entries = [f"{name} hide: {pair}" for pair in dice.split(",")]
    return play_alone(name, plan, entries, facts={"at": "B1"}).hidden[name]


def test_example_1_hiding() -> None:
    assert not hides("Elf", "6 2")
    assert hides("Elf", "5 5")
    pairs = [f"{a} {b}" for a, b in product(range(1, 7), repeat=2)]
    single = sum(hides("Elf", pair) for pair in pairs)
    assert single == 25
    assert 1296 - (36 - single) ** 2 == 1175
    both = [hides("Elf", pair if hides("Elf", pair) else f"{pair},6 6", ["H", "H"]) for pair in pairs]
    assert sum(both) == 25  # a hidden hero does not roll again, an unhidden one does
    assert hides("Elf", "6 6,1 2", ["H", "H"])
    assert [hides("Druid", str(die)) for die in range(1, 7)] == [True] * 5 + [False]
    with pytest.raises(ScriptError, match="needs 1 dice"):
        hides("Druid", "3 3")


# Example 2: only one +1 exists so far, so 5 becomes 6.


def test_example_2_an_addition_raises_the_higher_die() -> None:
    facts = {"at": "B1", "goods": ["Cloven Hoof+"]}
    assert not play_alone("Elf", ["H"], ["Elf hide: 2 5"], facts=facts).hidden["Elf"]
    assert not play_alone("Elf", ["H"], ["Elf hide: 6 5"], facts=facts).hidden["Elf"]  # 7 counts as 6
    assert play_alone("Elf", ["H"], ["Elf hide: 2 4"], facts=facts).hidden["Elf"]
    assert not play_alone("Elf", ["H"], ["Elf hide: 2 5"], facts={"at": "B1"}, piles={"B1": ["Cloven Hoof"]}).hidden[
        "Elf"
    ]
    assert play_alone("Elf", ["H"], ["Elf hide: 2 5"], facts={"at": "B1"}, piles={"B3": ["Cloven Hoof"]}).hidden["Elf"]


# Examples 3 to 5.


def write(name: str, plan: list[str], at: str = "AV1", goods: list[str] | None = None, **setup: Any) -> str | None:  # noqa: ANN401
    return may_write({"heroes": {name: {"at": at, "goods": goods or []}}, **setup}, name, plan)


def test_example_3_phases() -> None:
    moves = ["M B2", "M AV1", "M B2", "M AV1", "M B2", "M AV1", "M B2"]
    assert write("Amazon", moves[:5]) is None
    assert write("Amazon", moves[:6]) == "D5"
    assert write("Amazon", FOUR_PHASES) is None
    assert write("Amazon", [*FOUR_PHASES, "H"]) == "D5"
    assert write("Amazon", [*FOUR_PHASES, "M B2"]) is None
    assert write("Amazon", moves[:6], goods=["Workhorse-3+"]) is None
    assert write("Amazon", moves[:7], goods=["Workhorse-3+"]) == "D5"
    assert write("Amazon", moves[:6], goods=["Workhorse-3"]) == "D5"
    assert write("Amazon", ["M B6", "H", "H"], at="B1") is None
    assert write("Amazon", ["M B6", "H", "H", "H"], at="B1") == "D5"
    assert write("Amazon", ["H", "-", "H"], at="B6") == "D5"  # a blank phase needs a phase, too


def test_example_4_pony() -> None:
    pairs = ["M B2", "M AV1 pony"] * 6
    assert write("Amazon", pairs[:10], goods=["Pony-1+"]) is None
    assert write("Amazon", pairs[:11], goods=["Pony-1+"]) == "D5"
    assert write("Amazon", ["M B2 pony"], goods=["Pony-1+"]) == "D6"
    assert write("Amazon", ["M B2", "M AV1 pony", "M B2 pony"], goods=["Pony-1+"]) == "D6"
    assert write("Amazon", ["M B2", "H", "M AV1 pony"], goods=["Pony-1+"]) is None
    assert write("Amazon", ["M B2", "M AV1 pony"], goods=["Pony-1"]) == "D6"
    day = play_alone("Amazon", pairs[:10], [], facts={"at": "AV1", "goods": ["Pony-1+"]})
    assert day.lost["Amazon"] == []
    assert day.places["Amazon"] == "AV1"
    assert day.used["Amazon"].count("Pony-1") == 5


def test_example_5_dwarf() -> None:
    assert write("Dwarf", ["H", "H"]) is None
    assert write("Dwarf", ["H", "H", "H"]) == "D5"
    heroes = {"Amazon": {"at": "AV1"}, "Dwarf": {"at": "AV1"}}
    plan = ["M B2", "M AV1", "M B2", "M AV1", "M B2"]
    day = play_day({"heroes": heroes, "rows": []}, {"Amazon": plan, "Dwarf": ["F Amazon"]})
    assert day.places == {"Amazon": "B2", "Dwarf": "B2"}
    assert day.lost == {"Amazon": [], "Dwarf": []}


# Example 6.


def test_example_6_mountain() -> None:
    day = play_alone("Elf", ["M CG2", "H", "M CG2"], ["Elf hide: 1 2"], facts={"at": "B2"})
    assert (day.places["Elf"], day.hidden["Elf"]) == ("B2", True)
    assert day.phases["Elf"] == ["M CG2: climbs", "H: done", "M CG2: climbs"]
    day = play_alone("Elf", ["M CG2", "M CG2"], [], facts={"at": "B2"})
    assert (day.places["Elf"], day.came["Elf"]) == ("CG2", "CG2-B2")
    day = play_alone("Elf", ["M CG2", "M CG2"], [], facts={"at": "B2"}, monsters={"Giant-1": "B2"})
    assert (day.places["Elf"], day.blocked["Elf"], day.held) == ("B2", True, {"Giant-1"})
    assert day.phases["Elf"] == ["M CG2: climbs"]


# Example 7.


def test_example_7_carrying() -> None:
    heavy = [2, 4, 10]  # his heavy Move chits
    facts = {"at": "AV1", "goods": ["Mace-1+", "Suit of Armor-1+", "Shield-1+"], "fatigued": heavy}
    day = play_alone("Black Knight", ["M B2"], [], facts=facts)
    assert day.places["Black Knight"] == "B2"
    assert day.goods["Black Knight"] == ["Mace-1+", "Shield-1+"]
    assert day.piles == {"AV1": ["Suit of Armor-1"]}
    day = play_alone("Black Knight", ["M B2"], [], facts={**facts, "fatigued": heavy[:2]})
    assert day.piles == {}
    horse = {**facts, "goods": ["Mace-1+", "Suit of Armor-1", "Workhorse-1"]}
    assert play_alone("Black Knight", ["M B2"], [], facts=horse).piles == {}  # the inactive horse carries it
    horse = {**facts, "goods": ["Mace-1+", "Suit of Armor-1+", "Workhorse-1"]}
    assert play_alone("Black Knight", ["M B2"], [], facts=horse).piles == {"AV1": ["Suit of Armor-1"]}


# Examples 8 and 9.


def test_example_8_loot() -> None:
    piles = {"B1": ["Golden Crown", "Lost Keys"]}
    day = play_alone("Elf", ["S"], ["Elf loot: 1 3"], choices=["loot pile"], facts={"at": "B1"}, piles=piles)
    assert day.goods["Elf"] == []
    gloves = {"at": "B1", "goods": ["Deft Gloves+"]}
    day = play_alone("Elf", ["S"], ["Elf loot: 2"], choices=["loot pile", "activate"], facts=gloves, piles=piles)
    assert day.goods["Elf"] == ["Deft Gloves+", "Lost Keys+"]
    assert day.piles == {"B1": ["Golden Crown"]}


def test_example_9_peer() -> None:
    day = play_alone("Woods Girl", ["S"], ["Woods Girl peer: 3"], choices=["peer"], facts={"at": "DW3"})
    assert day.knows["Woods Girl"] == {"DW3-DW6"}
    assert day.found["Woods Girl"] == {"all"}


# Examples 10 and 11.


def crag(**setup: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"chits": {"CG": ["Bones", "Howl-4"]}, **setup}


def test_example_10_summoning() -> None:
    heroes = {"Dwarf": {"at": "CG6"}, "Elf": {"at": "CG1"}}
    setup = crag(rows=[4], heroes={"Dwarf": {"at": "CG6"}})
    day = play_day(setup, {"Dwarf": ["H"]}, ["Dwarf hide: 1 2"])
    assert day.monsters == {"Giant-1": "CG6"}
    assert (day.hidden["Dwarf"], day.blocked["Dwarf"], day.held) == (True, False, set())
    assert day.public == {"CG Bones", "CG Howl-4"}

    setup = crag(rows=[6], heroes={**heroes, "Dwarf": {"at": "CG3"}}, monsters=day.monsters)
    day = play_day(setup, {"Dwarf": [], "Elf": []}, ["next: Dwarf", "next: Elf"])
    bats = ["Giant Bat-2", "Giant Bat-3"]
    assert day.monsters == {"Giant-1": "CG6", "Giant Bat-1": "CG3", **dict.fromkeys(bats, "CG1")}
    assert day.blocked == {"Dwarf": True, "Elf": True}
    assert day.held == {"Giant Bat-1", *bats}

    alone = play_day({**setup, "heroes": {"Dwarf": {"at": "CG3"}}}, {"Dwarf": []})
    assert alone.monsters == {"Giant-1": "CG6", "Giant Bat-1": "CG3", **dict.fromkeys(bats, "CG4")}


def test_example_11_druid() -> None:
    heroes = {"Druid": {"at": "CG6"}, "Pilgrim": {"at": "CG1"}}
    setup = crag(rows=[4], heroes=heroes)
    day = play_day(setup, {"Druid": [], "Pilgrim": []}, ["next: Druid", "next: Pilgrim"])
    assert day.monsters == {"Giant-1": "CG1"}
    day = play_day({**setup, "heroes": {"Druid": {"at": "CG6"}}}, {"Druid": []})
    assert (day.monsters, day.summoned, day.face_up) == ({}, set(), set())
    assert day.public == {"CG Bones", "CG Howl-4"}


# Example 30.


def test_example_30_score() -> None:
    purse = {
        "points": ["treasures", "spells", "spells", "fame", "notoriety"],
        "worth": 11,
        "goods": [{"great": True}, {"fame": -10}, {"notoriety": 15}, {"notoriety": 5}],
        "spells": 8,
        "fame": 16,
        "notoriety": 11,
        "gold": 43,
        "curses": ["Ashes"],
    }
    assert score_kinds(purse) == {
        "treasures": (0, 0),
        "spells": (2, 4),
        "fame": (-2, -2),
        "notoriety": (0, 0),
        "gold": (-2, 0),
    }
    assert score(purse) == 0
    assert score({**purse, "curses": []}) == 3
    assert score({**purse, "dead": True}) == -100
    assert score_kinds({**purse, "curses": ["Disgust"]})["fame"] == (-7, -7)  # −1 − 10 − 10 = −21, −63


def test_q7_what_is_too_heavy_does_not_count() -> None:
    purse = {"points": [], "character": "Elf", "goods": ["Golden Crown"], "gold": 16}
    assert score(purse) == 0
    strong = {**purse, "goods": ["Golden Crown", "Power Boots+"]}
    assert score_kinds(strong)["treasures"] == (1, 0)
    assert score_kinds(strong)["notoriety"] == (-2, 0)  # −15 + 3, times three −36
    assert score_kinds({**purse, "goods": ["Golden Crown", "Workhorse-1"]})["treasures"] == (0, 0)
    assert score_kinds({**purse, "goods": ["Golden Crown", "Workhorse-1+"]})["treasures"] == (1, 0)
    tired = {"points": [], "character": "Elf", "goods": ["Imperial Tabard"], "gold": 16}
    assert score_kinds(tired)["treasures"] == (1, 0)
    assert score_kinds({**tired, "wounded": [10]})["treasures"] == (0, 0)


def test_a_refused_day_is_not_played() -> None:
    with pytest.raises(RefusedPlanError, match="Z5"):
        play_alone("Elf", ["M CG2"], [], facts={"at": "AV1"})
