"""Whole fights and their independent twin agree (E2 to E19, C1 to C29, W4 to W6, K1 to K4).

At every question, the same seats decide and have the same legal steps; after every round, both are in the same state.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any, Final

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.state import DEAD, CombatBelonging, Fight, Rules, Warrior
from realmtable.games.magic_realm.combat_rules.encounter import Sheets
from realmtable.games.magic_realm.combat_rules.round_costs import Rounds
from realmtable.games.magic_realm.day_rules.modifiers import DiceRule
from realmtable.games.magic_realm.world.entities import ACTIVE, FATIGUED, WOUNDED
from realmtable.games.magic_realm.world.places import road_place
from realmtable.games.magic_realm.world.step_text import format_step
from realmtable.games.magic_realm.world.steps import Step
from tests.magic_realm.helpers.random_fights import random_fight
from tests.magic_realm.twin.twin_fight import FightTwin
from tests.magic_realm.twin.twin_fight_pieces import CHANCE as TWIN_CHANCE
from tests.magic_realm.twin.twin_fight_pieces import is_spared
from tests.magic_realm.twin.twin_fight_rolls import find_dice

CATALOG: Final = load_catalog()
CHARACTER: Final = {row.name: row.id for row in CATALOG.characters}
MONSTER: Final = {row.name: row.id for row in CATALOG.monsters}
GOODS: Final = {row.name: row.id for row in CATALOG.goods}
CLEARING: Final = CATALOG.names.by_name("clearing")
STATES: Final = {"active": ACTIVE, "fatigued": FATIGUED, "wounded": WOUNDED}
MARKS: Final = ("active", "alerted", "damaged")
RARE: Final = {"back": 1, "leave": 1, "run": 1, "rest": 1, "done": 8}  # how often a kind of step is chosen; others: 4
LEFT_OUT: Final[tuple[str, ...]] = ()
TABLES: Final = {"missile": "missile", "curse": "curse", "pit": "pit", "assign": "assignment"}


def read_road(text: str) -> int:
    one, _, two = text.partition("-")
    return road_place(CLEARING[one], CLEARING[two])


def begin_fight(row: dict[str, Any]) -> Fight:
    """Return a fight of the twin in the terms of the game."""
    seats = {name: hero["seat"] for name, hero in row["heroes"].items()}
    warriors = tuple(build_warrior(row, hero, seats) for hero in row["heroes"].values())
    monsters = tuple(MONSTER[name] for name in row["monsters"])
    sheets = Sheets(monsters, tuple(seats.values()), {})
    rounds = Rounds(row["round"], row["quiet"])
    rules = Rules(missiles_pierce=row["pierce"])
    return machine.begin(Fight(warriors, sheets, is_cave=row["cave"], rounds=rounds, rules=rules))


def build_warrior(row: dict[str, Any], hero: dict[str, Any], seats: dict[str, int]) -> Warrior:
    alone = row | {"heroes": {}}  # the game finds by itself what belongings change
    return Warrior(
        hero["seat"],
        CHARACTER[hero["name"]],
        chits=tuple(STATES[chit["state"]] for chit in hero["chits"]),
        gear=tuple(CombatBelonging(GOODS[item["name"]], *(item[key] for key in MARKS)) for item in hero["goods"]),
        is_hidden=hero["hidden"],
        finds=frozenset(seats[name] for name in hero["finds"]),
        spared_by=frozenset(MONSTER[name] for name in row["monsters"] if is_spared(hero["name"], name)),
        exits=tuple(read_road(text) for text in hero["exits"]),
        dice={key: DiceRule(*find_dice(alone, hero | {"goods": []}, table)) for key, table in TABLES.items()},
        is_berserk=hero["berserk"],
        curses=frozenset(hero["curses"]),
        gold=hero["gold"],
        fame=Fraction(hero["fame"]),
        notoriety=Fraction(hero["notoriety"]),
        kills=hero["kills"],
    )


def describe_fight(fight: Fight) -> dict[str, Any]:
    """Return what both sides must agree on, in the terms of the twin."""
    goods = [row.name for row in CATALOG.goods]
    names = {warrior.seat: CATALOG.characters[warrior.character].name for warrior in fight.warriors}
    sheets = fight.sheets
    return {
        "rounds": tuple(fight.rounds) if fight.agenda else None,
        "monsters": {
            CATALOG.monsters[monster].name: (
                names.get(sheets.assigned.get(monster, CHANCE)),
                (monster, False) in sheets.dark,
                (monster, True) in sheets.dark,
            )
            for monster in sheets.monsters
        },
        "pile": [goods[gear.goods] for gear in fight.pile],
        "gone": sorted(goods[number] for number in fight.gone),
        **{names[warrior.seat]: describe_warrior(warrior, goods) for warrior in fight.warriors},
    }


def describe_warrior(warrior: Warrior, goods: list[str]) -> tuple[object, ...]:
    if warrior.fate == DEAD:  # W3: nothing else is left
        return (DEAD,)
    return (
        warrior.fate,
        warrior.road if warrior.fate != "fighting" else None,
        warrior.is_hidden,
        warrior.is_berserk,
        warrior.chits,
        [describe_gear(goods[gear.goods], gear.active, gear.alerted, gear.damaged) for gear in warrior.gear],
        sorted(warrior.curses),
        (warrior.gold, warrior.fame, warrior.notoriety, warrior.kills),
    )


def describe_gear(name: str, active: bool, alerted: bool, damaged: bool) -> tuple[object, ...]:
    return name, active, active and alerted, damaged  # an inactive weapon shows no side that matters


def describe_twin(row: dict[str, Any], *, is_running: bool) -> dict[str, Any]:
    return {
        "rounds": (row["round"], row["quiet"]) if is_running else None,
        "monsters": {
            name: (monster["sheet"], monster["dark"], monster["part_dark"]) for name, monster in row["monsters"].items()
        },
        "pile": row["pile"],
        "gone": sorted(row["gone"]),
        **{name: describe_hero(hero) for name, hero in row["heroes"].items()},
    }


def describe_hero(hero: dict[str, Any]) -> tuple[object, ...]:
    if hero["fate"] == "dead":
        return (DEAD,)
    return (
        hero["fate"],
        read_road(hero["road"]) if hero["road"] else None,
        hero["hidden"],
        hero["berserk"],
        tuple(STATES[chit["state"]] for chit in hero["chits"]),
        [describe_gear(item["name"], *(item[key] for key in MARKS)) for item in hero["goods"]],
        sorted(hero["curses"]),
        (hero["gold"], hero["fame"], hero["notoriety"], hero["kills"]),
    )


def list_differences(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    keys = [key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)]
    return "; ".join(f"{key}: {ours.get(key)} but twin {theirs.get(key)}" for key in keys)


def compare_steps(ours: list[str], theirs: list[str]) -> str:
    return f"only the game {sorted({*ours} - {*theirs})}, only the twin {sorted({*theirs} - {*ours})}"


def choose_step(rng: Random, texts: list[str]) -> str:
    """Choose a kind of step first, so that fights last, and then one of its kind."""
    verbs = sorted({text.split()[0] for text in texts})
    verb = rng.choices(verbs, [RARE.get(verb, 4) for verb in verbs])[0]
    return rng.choice([text for text in texts if text.split()[0] == verb])


def list_game_steps(fight: Fight, seat: int, log: list[str]) -> dict[str, Step]:
    """Return the steps of the game by their texts."""
    answers = machine.list_answers(fight, seat)
    steps = {format_step(step): step for step in answers}
    assert len(steps) == len(answers), log
    return steps


def compare(seed: int, left_out: tuple[str, ...] = LEFT_OUT) -> int:
    """Play one random fight on both sides and return the number of its steps."""
    rng = Random(seed)
    row = random_fight(rng, left_out)
    fight, twin = begin_fight(row), FightTwin(row)
    seats = {hero["seat"]: name for name, hero in row["heroes"].items()} | {CHANCE: TWIN_CHANCE}
    log: list[str] = []
    number = 0
    while True:
        told = f"seed {seed}, step {len(log)}, round {row['round']}: {' / '.join(log)}"
        while [frame.kind for frame in fight.agenda[-1:]] == ["look"]:  # E2: the twin shows nothing
            fight = machine.play(fight, machine.list_deciding(fight)[0], Step("continue"))
        if fight.rounds.number != number or not fight.agenda:
            ours, theirs = describe_fight(fight), describe_twin(row, is_running=twin.question is not None)
            assert ours == theirs, f"{list_differences(ours, theirs)}, {told}"
            number = fight.rounds.number
        steps = {seats[seat]: list_game_steps(fight, seat, log) for seat in machine.list_deciding(fight)}
        assert sorted(steps) == sorted(twin.list_deciding()), f"{[*steps]} but twin {twin.list_deciding()}, {told}"
        for name, found in steps.items():
            assert {*found} == {*twin.list_steps(name)}, (
                f"{name}: {compare_steps([*found], twin.list_steps(name))}, {told}"
            )
        if not steps:
            return len(log)
        name = rng.choice([*steps])
        text = choose_step(rng, sorted(steps[name]))
        log.append(f"{name}: {text}")
        fight = machine.play(fight, next(seat for seat in seats if seats[seat] == name), steps[name][text])
        twin.answer(name, text)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 60, 20))
def test_random_fights_agree(first: int) -> None:
    for seed in range(first, first + 20):
        assert compare(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 3_000, 100))
def test_three_thousand_random_fights_agree(first: int) -> None:
    for seed in range(first, first + 100):
        assert compare(seed)
