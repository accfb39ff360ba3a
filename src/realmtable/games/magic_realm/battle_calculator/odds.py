"""The chances of one round: everything that a play can lead to, with exact probabilities (C11 to C28)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from realmtable.games.magic_realm.battle_calculator.duel import Duel, find_steed
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import Character
from realmtable.games.magic_realm.catalog.ids import GoodsId, MonsterId
from realmtable.games.magic_realm.catalog.tables import DIE
from realmtable.games.magic_realm.combat_rules.armor import DAMAGED, DESTROYED
from realmtable.games.magic_realm.combat_rules.boxes import (
    Boxes,
    Counter,
    lay_counters,
    list_counters,
    list_tactics_boxes,
    reposition,
)
from realmtable.games.magic_realm.combat_rules.catalog_to_melee import (
    character_weight,
    monster_attack,
    monster_fighter,
    part_attack,
    steed_of,
    weapon_attack,
)
from realmtable.games.magic_realm.combat_rules.melee import Attack, AttackId, Fighter, Maneuver, Melee
from realmtable.games.magic_realm.combat_rules.plays import Play
from realmtable.games.magic_realm.combat_rules.report import Report
from realmtable.games.magic_realm.combat_rules.resolve import resolve

NOTHING: Final[frozenset[GoodsId]] = frozenset()
HERO: Final = 0  # the character's place among the fighters; monsters follow


class RoundResult(NamedTuple):
    """What a round leads to, before fatigue and wounds are chosen."""

    killed: tuple[MonsterId, ...] = ()
    is_dead: bool = False
    wounds: int = 0
    is_alerted: bool = False
    dark: frozenset[Counter] = frozenset()
    damaged: frozenset[GoodsId] = frozenset()  # armour that is damaged now
    destroyed: frozenset[GoodsId] = frozenset()
    has_horse: bool = True
    words: tuple[str, ...] = ()  # results of tables that change chits (C27)


def list_results(
    duel: Duel, play: Play, target: MonsterId | None, *, is_rough: bool = False
) -> dict[RoundResult, float]:
    """Return every outcome of a play with its probability.

    A target that is not on the character's sheet lies apart and does not attack it. A rough answer leaves out that
    counters turn over.
    """
    chances: dict[RoundResult, float] = {}
    situations = list_arrangements(duel, target, is_rough=is_rough)
    if target is not None and target not in duel.monsters:
        duel = replace(duel, monsters=(*duel.monsters, target))
    hero, blow = _find_hero(duel, play), _find_blow(duel, play, target)
    pieces = [number for number, _ in duel.list_armor(play.shield)]
    known: dict[
        tuple[int, int], list[tuple[float, RoundResult]]
    ] = {}  # of situations that differ in nothing but chance
    for situation in situations:
        if situation.key not in known:
            melee = Melee((hero, *situation.fighters), (*blow, *situation.attacks), duel.is_first_round)
            reports = _list_reports(duel, melee, {}, 1.0)
            known[situation.key] = [
                (part, _read_report(duel, report, situation.dark, pieces)) for part, report in reports
            ]
        for part, outcome in known[situation.key]:
            chances[outcome] = chances.get(outcome, 0.0) + situation.chance * part
    return chances


# ---- the monsters


class Arrangement(NamedTuple):
    """Where the counters lie and which sides show after repositioning and tactics, and how likely that is."""

    chance: float
    dark: frozenset[Counter]
    fighters: tuple[Fighter, ...]
    attacks: tuple[Attack, ...]
    key: tuple[int, int] = (0, 0)  # the same for situations of a list that differ in nothing but their chance


def list_arrangements(duel: Duel, target: MonsterId | None, *, is_rough: bool = False) -> list[Arrangement]:
    """Return the situations of all monsters that attack the character, and of a target that lies apart."""
    if target is None or target in duel.monsters:
        return _pick_arrangements(duel.monsters, duel.dark, is_rough=is_rough)
    near = _pick_arrangements(
        duel.monsters, frozenset(counter for counter in duel.dark if counter.monster != target), is_rough=is_rough
    )
    far = _pick_arrangements(
        (target,), frozenset(counter for counter in duel.dark if counter.monster == target), is_rough=is_rough
    )
    return [
        Arrangement(
            here.chance * there.chance,
            here.dark | there.dark,
            here.fighters + there.fighters,
            here.attacks,
            (here.key[0], there.key[0]),
        )
        for here in near
        for there in far
    ]


@lru_cache(256)
def _pick_arrangements(
    monsters: tuple[MonsterId, ...], dark: frozenset[Counter], *, is_rough: bool
) -> list[Arrangement]:
    """Return all situations, or roughly those in which nothing has turned over."""
    if not monsters:
        return [Arrangement(1.0, dark, (), ())]
    found = list_monster_arrangements(monsters, dark)
    if not is_rough:
        return found
    kept = [situation for situation in found if situation.dark == dark]
    return [situation._replace(chance=1 / len(kept)) for situation in kept]


@lru_cache(256)
def list_monster_arrangements(monsters: tuple[MonsterId, ...], dark: frozenset[Counter]) -> list[Arrangement]:
    """Return everything that repositioning and tactics can lead to (C13, C14)."""
    laid, turning = lay_counters(list_counters(monsters), {}), chance_to_turn()
    found = []
    for die in range(1, DIE + 1):
        boxes = reposition(laid, die)
        rolled = list_tactics_boxes(boxes)
        for turns in product((False, True), repeat=len(rolled)):
            turned = {box for box, is_turned in zip(rolled, turns, strict=True) if is_turned}
            chance = turning ** len(turned) * (1 - turning) ** (len(rolled) - len(turned)) / DIE
            shown = dark ^ {counter for counter, box in boxes.items() if box in turned and counter.changes_tactics}
            found.append(_place_monsters(monsters, boxes, shown, chance))
    numbers: dict[object, int] = {}
    return [one._replace(key=(numbers.setdefault(one[1:], len(numbers)), 0)) for one in found]


def chance_to_turn() -> float:
    """Return the chance that one of two dice shows what turns a box over (C14)."""
    misses = load_catalog().tables.tactics_turn_on - 1
    return 1 - (misses / DIE) ** 2


def _place_monsters(
    monsters: tuple[MonsterId, ...], boxes: Boxes, dark: frozenset[Counter], chance: float
) -> Arrangement:
    fighters: list[Fighter] = []
    attacks: list[Attack | None] = []
    for number, monster in enumerate(monsters, HERO + 1):
        counter, part, row = Counter(monster), Counter(monster, is_part=True), load_catalog().monsters[monster]
        is_dark = counter in dark
        fighters.append(monster_fighter(row, is_dark=is_dark, box=boxes[counter]))
        attacks.append(monster_attack(row, is_dark=is_dark, box=boxes[counter], attacker=number, target=HERO))
        if part in boxes:
            attacks.append(part_attack(row, is_dark=part in dark, box=boxes[part], attacker=number, target=HERO))
    return Arrangement(chance, dark, tuple(fighters), tuple(attack for attack in attacks if attack is not None))


# ---- the character


def _find_hero(duel: Duel, play: Play) -> Fighter:
    steed = find_steed(duel, play.move)
    return Fighter(
        duel.character.name,
        character_weight(duel.character, is_berserk=duel.is_berserk),
        is_character=True,
        maneuver=None if play.move is None else Maneuver(play.maneuver, play.move.time),
        armor=tuple(piece for _, piece in duel.list_armor(play.shield)),
        steed=None if steed is None else steed_of(steed),
    )


def _find_blow(duel: Duel, play: Play, target: MonsterId | None) -> tuple[Attack, ...]:
    """Return the character's attack, if there is one."""
    if target is None or play.fight is None:
        return ()
    number = HERO + 1 + duel.monsters.index(target)
    return (
        weapon_attack(duel.weapon, play.fight, play.attack, is_alerted=duel.is_alerted, attacker=HERO, target=number),
    )


def _list_reports(
    duel: Duel, melee: Melee, rolls: Mapping[AttackId, int], chance: float
) -> Iterator[tuple[float, Report]]:
    """Yield the reports of a melee with their chances, for all rolls that it needs."""
    report = resolve(melee, rolls)
    if report.waits_for is None:
        yield chance, report
        return
    table = melee.attacks[report.waits_for].table
    given = dict(duel.dice).get(table)
    chances = find_roll_chances(duel.character, table) if given is None else count_results(*given)
    for roll, part in chances.items():
        yield from _list_reports(duel, melee, {**rolls, report.waits_for: roll}, chance * part)


@lru_cache(256)
def find_roll_chances(character: Character, table: str) -> dict[int, float]:
    """Return the chances of the results 1 to 6 when a character rolls on a table (G3)."""
    effects = [effect for effect in character.effects if table in effect.tables and not effect.where]
    dice = 1 if any(effect.verb == "one_die" for effect in effects) else 2
    add = sum(effect.number for effect in effects if effect.verb == "add")
    return count_results(dice, add)


@lru_cache(16)
def count_results(dice: int, add: int) -> dict[int, float]:
    """Return the chances of the results 1 to 6 of some dice, the highest of which counts, with something added."""
    results = [min(max(max(faces) + add, 1), DIE) for faces in product(range(1, DIE + 1), repeat=dice)]
    return {result: results.count(result) / len(results) for result in sorted(set(results))}


# ---- what follows


def _read_report(duel: Duel, report: Report, dark: frozenset[Counter], pieces: Sequence[GoodsId]) -> RoundResult:
    dead = [death.fighter for death in report.deaths]
    killed = tuple([duel.monsters[number - HERO - 1] for number in sorted(dead) if number != HERO]) if dead else ()
    red = tuple([duel.monsters[number - HERO - 1] for number in report.red])
    wear = report.wear
    return RoundResult(
        killed,
        HERO in dead,
        report.wounds[HERO],
        report.weapons[0][1] if report.weapons else duel.is_alerted,  # only the character has a weapon to turn
        _find_dark(dark, red, killed),
        frozenset([pieces[worn.piece] for worn in wear if worn.state == DAMAGED]) if wear else NOTHING,
        frozenset([pieces[worn.piece] for worn in wear if worn.state == DESTROYED]) if wear else NOTHING,
        HERO not in report.dead_steeds,
        tuple([_name_result(spell.table, spell.roll) for spell in report.spells]) if report.spells else (),
    )


@lru_cache(4096)
def _find_dark(
    dark: frozenset[Counter], red: tuple[MonsterId, ...], killed: tuple[MonsterId, ...]
) -> frozenset[Counter]:
    """Return the counters whose dark side shows at the end: Tremendous monsters only if they are red side up (C26)."""
    rows = load_catalog().monsters
    shown = {counter for counter in dark if counter.is_part or rows[counter.monster].size != "T"}
    shown |= {Counter(monster) for monster in red}
    return frozenset(counter for counter in shown if counter.monster not in killed)


def _name_result(table: str, roll: int) -> str:
    """Return the word of a result on a table of monsters, which may change chits (C27)."""
    (word,) = load_catalog().tables.by_name[table].read(roll)
    return word
