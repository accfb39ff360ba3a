"""Random days of the twin of Magic Realm keep every piece in one place, and can be replayed from their record."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from tests.magic_realm.twin.twin_data import (
    CHARACTERS,
    CHITS,
    CLEARINGS,
    ENCHANTED,
    GOODS,
    SITE_CARDS,
    SITES,
    SPECIAL_BOXES,
    TILES,
    is_mountain,
    tile_of,
)
from tests.magic_realm.twin.twin_day import Day, Twin, play_day
from tests.magic_realm.twin.twin_goods import ONE_AT_A_TIME
from tests.magic_realm.twin.twin_state import Script, World
from tests.magic_realm.twin.twin_written_day import find_refusal

WARNINGS = ("Bones", "Dank", "Ruins", "Smoke", "Stink")
STARTS = [name for name in CLEARINGS if tile_of(name) in {"CL", "CG", "B", "CS"}]  # close together, so that they meet
INSIDE = {good for row in SPECIAL_BOXES.values() for good in row.get("goods", [])}
ITEMS = [name for name, row in GOODS.items() if row.get("size") != "within" and name not in INSIDE]


class RandomScript(Script):
    """Answers with chance and writes down what it answered."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__([], [], strict=False)
        self.rng = rng
        self.rolled: list[str] = []

    def roll(self, label: str, count: int) -> list[int]:
        numbers = [self.rng.randint(1, 6) for _ in range(count)]
        self.rolled.append(f"{label}: {' '.join(map(str, numbers))}")
        return numbers

    def draw_next(self, names: list[str]) -> str:
        name = self.rng.choice(names)
        self.rolled.append(f"next: {name}")
        return name

    def choose(self, hero: str, options: list[str], default: str | None, *, always: bool = False) -> str:
        if len(options) == 1 and not always:
            return options[0]
        answer = default if default and self.rng.random() < 0.5 else self.rng.choice(options)
        self.asked.append((hero, options, answer))
        return answer


def take(rng: random.Random, pool: list[str], most: int) -> list[str]:
    """Remove up to `most` names from a shuffled pool."""
    return [pool.pop() for _ in range(min(len(pool), rng.randint(0, most)))]


def make_setup(rng: random.Random) -> dict[str, Any]:
    goods = [*ITEMS]
    chits = [*CHITS]
    monsters = ["Giant-1", "Wolf-1", "Imp", "T Dragon-2", "Giant Bat-4", "Axe Goblin-3", "Ghost-1"]
    for pool in (goods, chits, monsters):
        rng.shuffle(pool)
    tiles = {tile: [rng.choice(WARNINGS)] for tile, row in TILES.items() if row["group"] != "V"}
    for letter, owner in (("C", "Lost City"), ("M", "Lost Castle")):
        group = [tile for tile, row in TILES.items() if row["group"] == letter]
        rng.shuffle(group)
        for tile, chit in zip(group, [owner, *(chits.pop() for _ in range(4))], strict=True):
            tiles[tile].append(chit)
    sites = [f"{tile}{SITES[chit]}" for tile, chits in tiles.items() for chit in chits if chit in SITES]
    centre = rng.choice([*sites, rng.choice(STARTS)])
    heroes: dict[str, Any] = {}
    for name in rng.sample([*CHARACTERS], rng.randint(1, 4)):
        numbers = [*range(1, 13)]
        rng.shuffle(numbers)
        heroes[name] = {
            "at": centre if rng.random() < 0.6 else rng.choice(STARTS),
            "goods": take(rng, goods, 5),
            "hidden": rng.random() < 0.5,
            "fatigued": [numbers.pop() for _ in range(rng.randint(0, 5))],
            "wounded": [numbers.pop() for _ in range(rng.randint(0, 3))],
            "knows": rng.sample([*SITES, *SITE_CARDS], 8),
            "orders": {"shed": "ask", "follow": "ask"},
        }
    boxes = {site: take(rng, goods, 4) for site in SITES}
    for card in ("Toadstool Circle", "Crypt of the Knight", "Enchanted Meadow", "Mouldy Skeleton", "Remains of Thief"):
        boxes[rng.choice([*SITES])].insert(0, card)
    setup: dict[str, Any] = {
        "map": f"stock{rng.randint(1, 3)}",
        "options": {"follow": rng.choice(["all_day", "may_stop"]), "recording": rng.choice(["written", "as_you_go"])},
        "day": rng.randint(1, 8),
        "chits": tiles,
        "stacks": {"Lost City": chits[:5], "Lost Castle": chits[5:]},
        "dwellings": {"Inn": "AV5"},
        "monsters": {name: rng.choice([centre, *STARTS]) for name in monsters[:2]},
        "boxes": boxes,
        "piles": {rng.choice(STARTS): take(rng, goods, 3) for _ in range(3)},
        "open": rng.random() < 0.5,
    }
    setup["heroes"] = heroes
    activate_some(rng, setup)
    return setup


def activate_some(rng: random.Random, setup: dict[str, Any]) -> None:
    """Make some belongings active that can be, so that they give phases in written days."""
    twin = Twin(setup, Script([], [], strict=False))
    for hero in twin.heroes.values():
        for item in hero.goods:
            item.active = item.name in ENCHANTED or (twin.can_activate(hero, item) and rng.random() < 0.7)
        twin.settle(hero)
        alerted = [item.name for item in hero.goods if item.active and rng.random() < 0.3]  # D14
        setup["heroes"][hero.name]["goods"] = [
            item.name + "+" * item.active + "!" * (item.name in alerted and GOODS[item.name]["class"] == "weapon")
            for item in hero.goods
        ]


def make_plan(rng: random.Random, setup: dict[str, Any], name: str) -> list[str]:
    world = World(setup, Script([], [], strict=False))
    at = setup["heroes"][name]["at"]
    others = [other for other, facts in setup["heroes"].items() if facts["at"] == at and other != name]
    if others and rng.random() < 0.4:
        return [f"F {rng.choice(others)}"]
    plan: list[str] = []
    while setup["options"]["recording"] == "written" and rng.random() < 0.95:
        near = [end for row in world.roadways.values() if at in row["ends"] for end in row["ends"] if end != at]
        target = rng.choice(near)
        moves = [[f"M {target}"] * (1 + is_mountain(target)), [f"M {target} pony"]]
        entries = rng.choice([*moves, moves[0], ["H"], *[["S"]] * 5, *[["R"], ["A"]] * 2, ["-"], ["P CG2"]])
        if find_refusal(world, world.heroes[name], [*plan, *entries]) is None:
            plan += entries
            at = target if entries in moves else at
    return plan


def play_random(seed: int) -> tuple[dict[str, Any], dict[str, list[str]], RandomScript, Day]:
    rng = random.Random(seed)
    setup = make_setup(rng)
    plans = {name: make_plan(rng, setup, name) for name in setup["heroes"]}
    script = RandomScript(rng)
    return setup, plans, script, play_day(setup, plans, script=script)


def count_goods(goods: Iterable[list[str]], *places: dict[str, list[str]]) -> Counter[str]:
    names = [name.rstrip("+!") for names in goods for name in names]
    return Counter([*names, *(name for place in places for cards in place.values() for name in cards)])


def check_goods(setup: dict[str, Any], day: Day) -> None:
    before = World(setup, Script([], [], strict=False))
    goods = count_goods([facts["goods"] for facts in setup["heroes"].values()], before.boxes, before.piles)
    assert max(goods.values()) == 1
    assert count_goods(day.goods.values(), day.boxes, day.piles) + Counter(day.gone) == goods


def check_hero(facts: dict[str, Any], plan: list[str], day: Day, name: str) -> None:
    assert day.places[name] in CLEARINGS
    assert not (day.hidden[name] and day.blocked[name])
    active = Counter(GOODS[item[:-1]]["class"] for item in day.goods[name] if item.endswith("+"))
    assert all(active[kind] <= 1 for kind in ONE_AT_A_TIME)
    assert not {*day.fatigued[name]} & {*day.wounded[name]}
    assert {*facts["knows"]} <= day.knows[name]
    done = [phase.partition(":")[0] for phase in day.phases[name]]
    if plan:  # a written day
        assert done == ([] if plan[0].startswith("F ") else plan[: len(done)])
    assert len(done) == len(day.used[name]) + sum(clause in {"D5", "D6", "T1"} for _, _, clause in day.lost[name])


@pytest.mark.parametrize("first", range(0, 300, 30))
def test_random_days_keep_every_piece_in_one_place_and_can_be_replayed(first: int) -> None:
    for seed in range(first, first + 30):
        setup, plans, script, day = play_random(seed)
        check_goods(setup, day)
        assert day.held <= {*day.monsters}
        assert {*day.monsters.values()} <= {*CLEARINGS}
        for name, facts in setup["heroes"].items():
            check_hero(facts, plans[name], day, name)
        choices = [f"{hero}: {answer}" for hero, _, answer in script.asked]
        assert play_day(setup, plans, script.rolled, choices, strict=True) == day
