"""Random days of the twin, replayed step by step: the same questions, the same answers, the same evening.

The twin is an independent implementation of the rules of the day; see twin_day.py.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.catalog.setup_card import LARGE, SMALL
from realmtable.games.magic_realm.day_rules.search import find_tile
from realmtable.games.magic_realm.flow.agenda import DONE, Draw
from realmtable.games.magic_realm.flow.codec import decode
from realmtable.games.magic_realm.flow.handlers import HANDLERS
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import FATIGUED, FOUND, WOUNDED, Hero
from realmtable.games.magic_realm.world.places import GONE, HOME
from realmtable.games.magic_realm.world.position_words import write_place, write_source
from realmtable.games.magic_realm.world.step_text import format_step, parse_step
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import CATALOG, VALLEYS
from tests.magic_realm.twin.test_twin_random import RandomScript, activate_some, make_plan
from tests.magic_realm.twin.twin_day import Day, play_day

EVENING = Draw(lambda *_: "evening", lambda *_: [(Step("pass"), 1)], lambda *_: DONE)
MACHINE = Machine({**HANDLERS, "sunset": EVENING, "midnight": EVENING})
CODES = [tile.code for tile in CATALOG.tiles]
STARTS = ["CG1", "CG2", "CG5", "CG6", "B1", "B2", "B3", "B6", "CL3", "CL6", "CS1", "CN3", "CN5", "CN6", "DW3", "LW5"]
SECOND = [chit.name for chit in CATALOG.map_chits if chit.kind in ("sound", "site")]
RED = {"C": "Lost City", "M": "Lost Castle"}


def underline(name: str) -> str:
    return name.replace(" ", "_")


# ---- set-ups


def deal_chits(rng: Random) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the chits of all tiles but valleys, and the stacks."""
    second = [*SECOND]
    rng.shuffle(second)
    tiles: dict[str, list[str]] = {}
    for letter in "WCM":
        group = [tile.code for tile in CATALOG.tiles if tile.letter == letter]
        warnings = ["Bones", "Dank", "Ruins", "Smoke", "Stink"]
        rng.shuffle(warnings)
        rng.shuffle(group)
        for code, warning in zip(group, warnings, strict=True):
            tiles[code] = [warning]
        if letter in RED:
            for code, chit in zip(group, [RED[letter], *(second.pop() for _ in range(4))], strict=True):
                tiles[code].append(chit)
    return tiles, {"Lost City": second[:5], "Lost Castle": second[5:]}


def deal_boxes(rng: Random) -> dict[str, list[str]]:
    """Return the treasures of sites and special cards, all decided."""
    sizes = {size: [card.name for card in CATALOG.treasures if card.size == size] for size in (LARGE, SMALL, "within")}
    for pool in sizes.values():
        rng.shuffle(pool)
    within = {
        box.name: [
            *(sizes[LARGE].pop() for slot in box.slots if slot == LARGE),
            *(CATALOG.goods[n].name for n in box.goods),
        ]
        for box in CATALOG.boxes
        if box.kind == "within"
    }
    large = [*sizes[LARGE], *sizes["within"]]
    rng.shuffle(large)
    pools = {LARGE: large, SMALL: sizes[SMALL]}
    sites = {
        box.name: [pools[slot].pop() for slot in box.slots if slot in pools]
        for box in CATALOG.boxes
        if box.kind == "site"
    }
    return {**sites, **within}


def make_setup(rng: Random) -> dict[str, Any]:
    """Return a set-up for the twin that a position can express too."""
    tiles, stacks = deal_chits(rng)
    boxes = deal_boxes(rng)
    sites = [box.name for box in CATALOG.boxes if box.kind == "site"]
    clearing = {chit.name: chit.clearing for chit in CATALOG.map_chits if chit.kind == "site"}
    lying = [f"{tile}{clearing[chit]}" for tile, chits in tiles.items() for chit in chits if chit in clearing]
    special = {card.name for card in CATALOG.treasures if card.size == "within"}
    counters = [goods.name for goods in CATALOG.goods if not goods.is_treasure]
    spare = [*counters, *(name for site in sites for name in boxes[site] if name not in special)]
    rng.shuffle(spare)
    centre = rng.choice([*lying, rng.choice(STARTS)])

    def take(most: int) -> list[str]:
        found = [spare.pop() for _ in range(rng.randint(0, most))]
        for entries in boxes.values():
            entries[:] = [name for name in entries if name not in found]
        return found

    heroes: dict[str, Any] = {}
    for row in rng.sample(CATALOG.characters, rng.randint(1, 4)):
        numbers = rng.sample(range(1, 13), rng.randint(0, 7))
        tired = rng.randint(0, len(numbers))
        heroes[row.name] = {
            "at": centre if rng.random() < 0.6 else rng.choice(STARTS),
            "goods": take(6),
            "hidden": rng.random() < 0.5,
            "fatigued": sorted(numbers[:tired]),
            "wounded": sorted(numbers[tired:]),
            "knows": rng.sample([*sites, "Toadstool Circle", "Crypt of the Knight", "Enchanted Meadow"], 8),
            "orders": {
                "shed": rng.choice(("ask", "keep")),
                "follow": "ask",
                "block": rng.choice(("ask", "ask", "never")),
            },
        }
    piles = {name: take(3) for name in rng.sample(sorted({centre, *STARTS}), 3)}
    setup: dict[str, Any] = {
        "map": "stock1",
        "options": {
            "follow": rng.choice(["all_day", "may_stop"]),
            "recording": rng.choice(["written", "written", "as_you_go"]),
            "two_rows": rng.choice(["solo", "always", "never"]),
            "encounter": rng.choice(["1", "2"]),
        },
        "day": rng.randint(1, 8),
        "chits": tiles,
        "stacks": stacks,
        "dwellings": {"Inn": "BV5", "House": "CV5", "Chapel": "DV5", "Guardhouse": "EV5"},
        "monsters": {"Ghost-1": "AV5", "Ghost-2": "AV5", **make_monsters(rng, centre)},
        "ghosts": "AV5",
        "boxes": boxes,
        "piles": {name: cards for name, cards in piles.items() if cards},
        "open": rng.random() < 0.5,
        "heroes": heroes,
    }
    activate_some(rng, setup)
    return setup


def make_monsters(rng: Random, centre: str) -> dict[str, str]:
    names = rng.sample(["Giant-1", "Wolf-1", "Imp", "Demon", "T Dragon-2", "Giant Bat-4", "Axe Goblin-3"], 2)
    return {name: rng.choice([centre, *STARTS]) for name in names}


def write_setup(setup: dict[str, Any], plans: dict[str, list[str]]) -> str:
    """Return the position of a set-up at birdsong, when all plans have been written."""
    stacks = {"Lost City": "City", "Lost Castle": "Castle"}
    chits = [f"{tile}:{underline(chit)}" for tile, row in setup["chits"].items() for chit in row]
    chits += [f"{stacks[name]}:{chit}" for name, row in setup["stacks"].items() for chit in row]
    boxes = [f"{underline(name)}:{','.join(map(underline, row)) or '-'}" for name, row in setup["boxes"].items()]
    fields = [
        "options=" + ",".join(["map=stock1", *(f"{name}={value}" for name, value in setup["options"].items())]),
        "heroes=" + ";".join(map(underline, setup["heroes"])),
        f"day={setup['day']}",
        ";".join([VALLEYS, *chits]),
        "denizens=" + ";".join(f"{underline(name)}:{at}" for name, at in setup["monsters"].items()),
        f"boxes={';'.join(boxes)}",
    ]
    enchanted = {CATALOG.goods[number].name for number in catalog_lookups().enchanted}
    if setup["piles"]:
        rows = [
            f"{place}:{','.join(underline(name) + '^' * (name in enchanted) for name in row)}"
            for place, row in setup["piles"].items()
        ]
        fields.append(f"piles={';'.join(rows)}")
    fields += ["open"] * setup["open"]
    for seat, (name, hero) in enumerate(setup["heroes"].items(), 1):
        orders = [f"{kind}:{word}" for kind, word in hero["orders"].items()]
        usual = ("block:ask", "shed:keep", "follow:along")
        found = {
            "at": hero["at"],
            "tired": ";".join(map(str, hero["fatigued"])),
            "wounded": ";".join(map(str, hero["wounded"])),
            "goods": ";".join(map(underline, hero["goods"])) or "-",
            "knows": ";".join(map(underline, hero["knows"])),
            "plan": ";".join(map(underline, plans[name])),
            "orders": ";".join(order for order in orders if order not in usual),
        }
        fields += [f"{seat}.{field}={value}" for field, value in found.items() if value]
        fields += [f"{seat}.unhidden"] * (not hero["hidden"])
    return " ".join(fields)


# ---- replaying


def replay(world: World, script: RandomScript) -> World:
    """Play what the twin has played; every question must have the same answers."""
    rolled, asked = [*script.rolled], [*script.asked]
    while MACHINE.label(world) != "evening":
        seats = MACHINE.to_move(world)
        if world.part == "birdsong":
            world = MACHINE.play(world, seats[0], Step("done"))
        elif seats == (CHANCE,):
            assert rolled, f"{MACHINE.label(world)} is not drawn by the twin"
            world = MACHINE.play(world, CHANCE, read_roll(world, rolled.pop(0)))
        else:
            hero, options, answer = asked.pop(0) if asked else ("nobody", [], "")
            assert (name_of(world, seats[0]), {*texts(world)}) == (hero, {*options}), answer
            world = MACHINE.play(world, seats[0], parse_step(answer))
    assert (rolled, asked) == ([], [])
    return world


def name_of(world: World, seat: int) -> str:
    return CATALOG.characters[world.heroes[seat].character].name


def texts(world: World) -> list[str]:
    (seat,) = MACHINE.to_move(world)
    return [format_step(step) for step in MACHINE.legal_moves(world, seat)]


def read_roll(world: World, text: str) -> Step:
    """Return the step of a roll of the twin; it must be the one that is due."""
    label, _, rest = text.partition(": ")
    due, frame = MACHINE.label(world), world.agenda[-1]
    if label == "next":
        assert due == "next"
        return parse_step(f"next {rest}")
    if label != "prowl":
        due = f"{name_of(world, frame.seat)} {due}"
    assert label == due
    return parse_step(f"d {rest}" if " " in rest else f"die {rest}")


# ---- comparing


def describe(world: World) -> dict[str, Any]:
    """Return a state in the words of the twin."""
    discovery = CATALOG.names.by_number("discovery")
    names = [name_of(world, seat) for seat in range(len(world.heroes))]
    heroes = dict(zip(names, world.heroes, strict=True))
    goods = CATALOG.goods
    lying = {
        number: f"{CODES[tile]} {short(slot.chit)}"
        for number, slot in enumerate(world.slots)
        if slot.chit >= 0 and (tile := find_tile(world, number)) is not None and not is_replaced(world, number)
    }
    return {
        "places": {name: write_place(hero.place) for name, hero in heroes.items()},
        "hidden": {name: hero.hidden for name, hero in heroes.items()},
        "blocked": {name: hero.blocked for name, hero in heroes.items()},
        "used": {name: [write_source(source) for source in hero.used] for name, hero in heroes.items()},
        "goods": {
            name: [goods[n].name + "+" * world.goods[n].active for n in hero.pack] for name, hero in heroes.items()
        },
        "alerted": {name: list_alerted(world, hero) for name, hero in heroes.items()},
        "berserk": {name for name, hero in heroes.items() if hero.berserk},
        "fatigued": {name: list_chits(hero.chits, FATIGUED) for name, hero in heroes.items()},
        "wounded": {name: list_chits(hero.chits, WOUNDED) for name, hero in heroes.items()},
        "knows": {
            name: {word for number, word in discovery.items() if hero.discoveries >> number & 1}
            for name, hero in heroes.items()
        },
        "seen": {
            name: {text for number, text in lying.items() if world.slots[number].seen >> seat & 1}
            for seat, name in enumerate(names)
        },
        "found": {
            name: {word for bit, word in enumerate(FOUND) if hero.found >> bit & 1} for name, hero in heroes.items()
        },
        "gold": {name: hero.gold for name, hero in heroes.items()},
        "came": {name: None if hero.came_by < 0 else write_place(hero.came_by) for name, hero in heroes.items()},
        "monsters": {
            row.name: write_place(world.denizens[row.id].place)
            for row in CATALOG.monsters
            if world.denizens[row.id].place != HOME
        },
        "held": {row.name for row in CATALOG.monsters if world.denizens[row.id].blocked},
        "piles": {
            f"{CODES[tile]}{number}": [goods[n].name for n in row]
            for tile, record in enumerate(world.tiles)
            for number, row in enumerate(record.piles)
            if row
        },
        "boxes": {
            box.name: [goods[n].name for n in world.boxes[box.id].entries]
            for box in CATALOG.boxes
            if box.kind in ("site", "within")
        },
        "gone": sorted(goods[n].name for n, thing in enumerate(world.goods) if thing.place == GONE),
        "dwellings": sorted(
            write_place(place_of(tile, record.dwelling))
            for tile, record in enumerate(world.tiles)
            if record.dwelling and CODES[tile] != "AV"
        ),
        "summoned": {text for number, text in lying.items() if world.slots[number].summoned},
        "rows": [*world.rows],
        "first": None if world.first < 0 else names[world.first],
    }


def short(chit: int) -> str:
    return CATALOG.names.by_number("short chit")[chit]


def is_replaced(world: World, slot: int) -> bool:
    return slot < len(world.tiles) and bool(world.tiles[slot].dwelling)


def list_alerted(world: World, hero: Hero) -> set[str]:
    """The alerted weapon; an inactive one shows no side that matters (D14)."""
    return {CATALOG.goods[n].name for n in hero.pack if world.goods[n].active and world.goods[n].alerted}


def list_chits(chits: tuple[int, ...], state: int) -> list[int]:
    return [number for number, found in enumerate(chits, 1) if found == state]


def describe_twin(day: Day) -> dict[str, Any]:
    """Return the evening of the twin in the same form."""
    found = {name: getattr(day, name) for name in (
        "places", "hidden", "blocked", "goods", "alerted", "berserk",
        "fatigued", "wounded", "knows", "found", "gold", "came",
        "monsters", "held", "piles", "rows", "first",
    )}  # fmt: skip
    lying = {f"{tile} {chit}" for tile, row in day.chits.items() for chit in row}
    if "Wizard" in day.knows:  # he knows all roadways, so what he finds is not noted (F7)
        found["knows"] = {**day.knows, "Wizard": {name for name in day.knows["Wizard"] if "-" not in name}}
    return {
        **found,
        "used": {name: [underline(source) for source in row] for name, row in day.used.items()},
        "seen": {name: (row | day.public) & lying for name, row in day.seen.items()},
        "boxes": day.boxes,
        "gone": sorted(day.gone),
        "dwellings": sorted(day.dwellings.values()),
        "summoned": {text for text in day.summoned & lying if text.partition(" ")[2] not in RED.values()},
    }


def compare_day(seed: int) -> None:
    rng = Random(seed)
    setup = make_setup(rng)
    plans = {name: make_plan(rng, setup, name) for name in setup["heroes"]}
    script = RandomScript(rng)
    expected = describe_twin(play_day(setup, plans, script=script))
    found = describe(replay(decode(MACHINE, write_setup(setup, plans)), script))
    for name, value in expected.items():
        assert found[name] == value, (seed, name)


@pytest.mark.parametrize("seed", range(100))
def test_random_days_of_the_twin_are_played_alike(seed: int) -> None:
    compare_day(seed)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(50))
def test_five_thousand_random_days_of_the_twin_are_played_alike(batch: int) -> None:
    for seed in range(1000 + 100 * batch, 1100 + 100 * batch):
        compare_day(seed)
