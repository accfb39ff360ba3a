"""Build fights outside a game, and play their steps, given as text."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, MANEUVERS
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.gear import number_piece
from realmtable.games.magic_realm.combat_flow.plays import monster_target
from realmtable.games.magic_realm.combat_flow.state import FIGHTING, CombatBelonging, Fight, Warrior
from realmtable.games.magic_realm.combat_rules.encounter import Sheets
from realmtable.games.magic_realm.combat_rules.plays import horse_pieces
from realmtable.games.magic_realm.world.belongings import active_kind
from realmtable.games.magic_realm.world.entities import ACTIVE, FATIGUED, WOUNDED
from realmtable.games.magic_realm.world.steps import Step
from tests.magic_realm.helpers.melee_helpers import chit, gloves_or_boots, horse

CATALOG = load_catalog()
CHARACTER = {row.name: row.id for row in CATALOG.characters}
MONSTER = {row.name: row.id for row in CATALOG.monsters}
GOODS = {row.name: row.id for row in CATALOG.goods}
STATES = {"active": ACTIVE, "fatigued": FATIGUED, "wounded": WOUNDED}
ROAD = 1000


def warrior(name: str, seat: Seat, *gear: str, **values: object) -> Warrior:
    """Return a character; gear is active unless a "-" stands before it, and alerted or damaged after a "!"."""
    pieces = [_read_gear(text) for text in gear]
    made = Warrior(seat, CHARACTER[name], gear=tuple(pieces), exits=(ROAD,))
    return replace(made, **values)  # type: ignore[arg-type]  # the values of a Warrior


def _read_gear(text: str) -> CombatBelonging:
    goods = GOODS[text.strip("-!")]
    is_weapon = goods < len(CATALOG.weapons)
    marked = text.endswith("!")
    return CombatBelonging(goods, not text.startswith("-"), marked and is_weapon, marked and not is_weapon)


def pile_of(fight: Fight) -> list[str]:
    """Return what has been left in the clearing; "!" marks damaged armour."""
    return [CATALOG.goods[gear.goods].name + "!" * gear.damaged for gear in fight.pile]


def chits(name: str, *active: str, **states: Sequence[str]) -> tuple[int, ...]:
    """Return the chits of a character: some are active, some in other states, and all others wounded."""
    wanted = [
        *((label, ACTIVE) for label in active),
        *((label, STATES[key]) for key in states for label in states[key]),
    ]
    found = []
    for row in CATALOG.characters[CHARACTER[name]].chits:
        match = next((pair for pair in wanted if pair[0] == row.label), (row.label, WOUNDED))
        if match in wanted:
            wanted.remove(match)
        found.append(match[1])
    assert not wanted
    return tuple(found)


def clash(*warriors: Warrior, monsters: Sequence[str] = (), cave: bool = False) -> Fight:
    """Return a fight at its first question."""
    numbers = tuple(sorted(MONSTER[name] for name in monsters))
    sheets = Sheets(numbers, tuple(each.seat for each in warriors), {})
    return machine.begin(Fight(tuple(warriors), sheets, is_cave=cave))


def step(text: str) -> Step:
    """Return a step by its words, as in Z15."""
    if text in ("rest easy", "aim none"):
        return Step(text)
    if text.startswith("turn weapon "):
        return Step("turn weapon", (_piece(text.removeprefix("turn weapon ")),))
    verb, _, rest = text.partition(" ")
    return Step(verb, _read_args(verb, rest)) if rest else Step(verb)


def _read_args(verb: str, rest: str) -> tuple[int, ...]:
    readers: dict[str, Callable[[str], tuple[int, ...]]] = {
        "charge": lambda text: (CHARACTER[text.partition(" with ")[0]], _piece(text.partition(" with ")[2])),
        "run": lambda text: (ROAD, _piece(text)),
        "aim": lambda text: (CHARACTER[text] if text in CHARACTER else monster_target(MONSTER[text]),),
        "next": lambda text: (CHARACTER[text],),
        "strike": lambda text: (DIRECTIONS.index(text.partition(" ")[0]), _piece(text.partition(" ")[2])),
        "evade": lambda text: (MANEUVERS.index(text.partition(" ")[0]), _piece(text.partition(" ")[2])),
        "alert": lambda text: (_piece(text),),
        "tire": lambda text: tuple(CATALOG.names.by_name("action")[label] for label in text.split(" for ")),
        "wound": lambda text: (CATALOG.names.by_name("action")[text],),
        "shield": lambda text: (DIRECTIONS.index(text),),
        "lure": lambda text: (MONSTER[text],),
        "set": lambda text: (2 * MONSTER[text.rpartition(" ")[0]], DIRECTIONS.index(text.rpartition(" ")[2])),
    }
    if verb in ("activate", "pack", "leave"):
        return (GOODS[rest],)
    return readers[verb](rest) if verb in readers else tuple(map(int, rest.split()))


def _piece(text: str) -> int:
    name, _, gait = text.rpartition(" ")
    if gait in ("walk", "gallop"):
        return number_piece(next(side for side in horse_pieces(horse(name)) if side.gait == gait))
    return number_piece(gloves_or_boots(text) if text in GOODS else chit(text))


def go(fight: Fight, *texts: str) -> Fight:
    """Play steps; a seat in front of a colon plays if several are to decide."""
    for text in texts:
        head, _, rest = text.partition(": ")
        seats = machine.list_deciding(fight)
        seat = int(head) if rest else seats[0]
        fight = machine.play(fight, seat, step(rest or text))
    return fight


def skip(fight: Fight, *kinds: str) -> Fight:
    """Let everyone do nothing and chance do the first thing, until a frame of one of these kinds is due."""
    idle = {"pass", "done", "ready", "rest easy", "continue", "aim none", "tire", "wound", "shield"}
    while fight.agenda and fight.agenda[-1].kind not in kinds:
        seat = machine.list_deciding(fight)[0]
        answers = machine.list_answers(fight, seat)
        wanted = answers if seat == CHANCE else [each for each in answers if each.verb in idle and each.verb != "back"]
        ready = [each for each in wanted if each.verb == "ready"]
        fight = machine.play(fight, seat, (ready or wanted)[0])
    return fight


def verbs(fight: Fight) -> set[str]:
    """Return the verbs of the present answers."""
    return {each.verb for each in machine.list_answers(fight, machine.list_deciding(fight)[0])}


def can(fight: Fight, text: str) -> bool:
    """Whether a step is among the answers."""
    return step(text) in machine.list_answers(fight, machine.list_deciding(fight)[0])


def random_fight(rng: random.Random) -> Fight:
    """Return a fight of up to four characters with random gear and up to five monsters."""
    seats = rng.randint(1, 4)
    pool = rng.sample(range(len(CATALOG.goods)), 24)
    warriors = []
    for seat, character in enumerate(rng.sample(range(len(CATALOG.characters)), seats)):
        kinds: set[str] = {""}
        gear = []
        for goods in [pool.pop() for _ in range(rng.randint(0, 6))]:
            kind = active_kind(goods)
            active = kind not in kinds and rng.random() < 0.7
            kinds |= {kind} if active else set()
            gear.append(CombatBelonging(goods, active, rng.random() < 0.3 and kind == "weapon", rng.random() < 0.3))
        finds = frozenset(range(seats)) if rng.random() < 0.3 else frozenset[int]()
        warriors.append(
            Warrior(seat, character, gear=tuple(gear), is_hidden=rng.random() < 0.3, finds=finds, exits=(ROAD,))
        )
    monsters = tuple(sorted(rng.sample(range(len(CATALOG.monsters)), rng.randint(0, 5))))
    return Fight(tuple(warriors), Sheets(monsters, tuple(range(seats)), {}), is_cave=rng.random() < 0.4)


def check_fight(fight: Fight) -> None:
    """Check what must be true at every moment."""
    present = {each.seat for each in fight.active_warriors}
    assert present == {*fight.sheets.seats} == {each.seat for each in fight.warriors if each.fate == FIGHTING}
    assert {*fight.sheets.assigned} <= {*fight.sheets.monsters}
    assert {*fight.sheets.assigned.values()} <= present
    belongings = [*(each.gear for each in fight.warriors), fight.pile]
    held = [gear.goods for each in belongings for gear in each] + [*fight.gone]
    assert len(held) == len({*held})
    for monster, seat in fight.sheets.assigned.items():
        assert not fight.warrior(seat).is_hidden, monster
    for each in fight.warriors:
        assert sum(piece.stars for piece in each.played) <= 2
        kinds = [active_kind(gear.goods) for gear in each.gear if gear.active and active_kind(gear.goods)]
        assert len(kinds) == len({*kinds})
