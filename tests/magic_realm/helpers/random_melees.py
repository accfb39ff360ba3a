"""Random melees in the form that `twin_combat.resolve_melee` takes: legal plays with pieces that exist, drawn so that
every clause from C15 to C28 is met often.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from tests.magic_realm.twin.twin_blocking import SPARE_THE_PILGRIM
from tests.magic_realm.twin.twin_data import CHARACTERS, GOODS, LEVELS, MONSTERS, Row, is_at_least, kind_of, weight_of
from tests.magic_realm.twin.twin_melee_attacks import HITS, find_monster, list_attacks

BOXES: Final = ("thrust", "swing", "smash")
ARMOUR_CLASSES: Final = ("shield", "helmet", "breastplate", "suit")
ARMOUR_CARDS: Final = ("Bejeweled Dwarf Vest", "Golden Arm Band", "Golden Crown")


@dataclass
class Piece:
    """A chit, gloves, boots or one side of a horse, as something to play."""

    kind: str  # Fight, Move or Duck
    strength: str
    time: int
    stars: int = 0  # of chits only (C8)
    horse: str | None = None


def random_melee(rng: random.Random) -> Row:
    """Draw a melee.

    A copy has its number only where copies differ: horses, and the second kind of Wolf (`Wolf-4`). Beside what
    `resolve_melee` needs, each character has the key `hidden`, which matters for Fiery Chasm (C27).
    """
    names = rng.sample([*CHARACTERS], rng.choice([1, 2, 2, 3, 3, 4]))
    goods = rng.sample([*GOODS], len(GOODS))  # whoever gets a piece takes it off this list
    first_round = rng.random() < 0.5
    monsters = draw_monsters(rng, names, first_round=first_round)
    held = {row["sheet"] for row in monsters if row["dark"] and find_monster(row["name"])["size"] == "T"}
    characters: list[Row] = []
    pierce = rng.random() < 0.5
    melee: Row = {"first_round": first_round, "pierce": pierce, "characters": characters, "monsters": monsters}
    alike = rng.random() < 0.4  # the characters strive for the same length, time and target
    targets = draw_targets(rng, len(names), len(monsters), 0.9 if alike else 0.2)
    for number, name in enumerate(names):
        like = characters[-1] if characters and alike else None
        character = draw_character(rng, name, targets[number], goods, number in held, like)
        # E7, E8, C3: whoever is attacked or has a target is not hidden.
        is_seen = targets[number] or f"c{number}" in targets or any(row["sheet"] == number for row in monsters)
        character["hidden"] = not is_seen and rng.random() < 0.5
        characters.append(character)
    for character in characters:
        aim(rng, melee, character)
    melee["rolls"] = {}
    for attack in list_attacks(melee):
        if attack.missile or attack.table:  # a missile needs a low roll for C22
            melee["rolls"][attack.name] = min(rng.randint(1, 6), 1 if attack.missile and rng.random() < 0.2 else 6)
    return melee


def draw_targets(rng: random.Random, characters: int, monsters: int, same: float) -> list[str | None]:
    """C3: a target for each character, with the chance `same` that of the one before it."""
    targets: list[str | None] = []
    for number in range(characters):
        others = [f"c{i}" for i in range(characters) if i != number]
        beasts = [f"m{i}" for i in range(monsters)]
        target = rng.choice((others if rng.random() < 0.3 else beasts) or beasts or others or [None])
        if targets and targets[-1] != f"c{number}" and rng.random() < same:
            target = targets[-1]
        targets.append(None if rng.random() < 0.1 else target)
    return targets


def aim(rng: random.Random, melee: Row, character: Row) -> None:
    """Let an attack match its target's manoeuvre more often than chance would (C15)."""
    if not character["direction"] or rng.random() < 0.6:
        return
    number = int(character["target"][1:])
    if character["target"][0] == "m":
        character["direction"] = melee["monsters"][number]["box"]
    elif melee["characters"][number]["maneuver"]:
        manoeuvre = melee["characters"][number]["maneuver"]["direction"]
        character["direction"] = next(attack for attack in BOXES if HITS[attack] == manoeuvre)


# Monsters.


def draw_monsters(rng: random.Random, names: list[str], *, first_round: bool) -> list[Row]:
    """Up to six monsters, often several of one kind, in the order of their numbers."""
    order = [*MONSTERS]
    counters = rng.sample(order, 6)
    for one, two in pairwise(range(6)):
        twins = [name for name in order if MONSTERS[name] is MONSTERS[counters[one]] and name not in counters]
        if twins and rng.random() < 0.4:
            counters[two] = rng.choice(twins)
    if rng.random() < 0.25:  # those with a table are one each, and would be rare
        counters[0] = rng.choice([name for name in SPARE_THE_PILGRIM if name not in counters[1:]] or counters[:1])
    counters = sorted(counters[: rng.randint(0, 6)], key=order.index)
    monsters = [draw_monster(rng, name, names, first_round=first_round) for name in counters]
    for sheet in range(len(names)):
        lay_out(rng, [row for row in monsters if row["sheet"] == sheet])
    return monsters


def draw_monster(rng: random.Random, counter: str, names: list[str], *, first_round: bool) -> Row:
    row = MONSTERS[counter]
    sheets = [i for i, name in enumerate(names) if name != "Pilgrim" or kind_of(counter) not in SPARE_THE_PILGRIM]
    alone = not sheets or rng.random() < 0.15
    may_be_dark = row["size"] != "T" or not (first_round or alone)  # C14, C26
    kind = kind_of(counter)
    return {
        "name": kind if find_monster(kind) is row else counter,  # only Wolves differ within one name
        "dark": may_be_dark and rng.random() < 0.5,
        "box": rng.choice(BOXES),
        "sheet": None if alone else rng.choice(sheets),
        "part": {"dark": rng.random() < 0.5, "box": rng.choice(BOXES)} if "part" in row and not alone else None,  # C11
    }


def lay_out(rng: random.Random, monsters: list[Row]) -> None:
    """C11: attackers fill as many boxes as possible, and no part lies in the box of its monster."""
    counters = [counter for row in monsters for counter in (row, row["part"]) if counter]
    while counters:
        for counter in counters:
            counter["box"] = rng.choice(BOXES)
        boxes = {counter["box"] for counter in counters}
        apart = all(row["part"]["box"] != row["box"] for row in monsters if row["part"])
        if apart and len(boxes) == min(3, len(counters)):
            return


# Characters.


def draw_character(
    rng: random.Random, name: str, target: str | None, goods: list[str], is_held: bool, like: Row | None
) -> Row:
    """A character with belongings that it can carry (C9), and its play (C7); armed like another one if possible."""
    fights, moves = list_pieces(rng, name, goods)
    if is_held:
        moves = [piece for piece in moves if piece.horse is None]  # C7: no horse in the grip of a red monster
    armour = draw_armour(rng, goods, find_strongest(moves))
    weapon = (
        None
        if rng.random() < 0.15
        else take_weapon(rng, goods, find_strongest(fights), like["weapon"] if like else None)
    )
    weights = [CHARACTERS[name]["weight"], *(weight_of(piece) for piece in armour)]
    fights = [piece for piece in fights if is_at_least(piece.strength, weight_of(weapon) if weapon else "N")]
    fight = rng.choice(fights) if fights and target and rng.random() < 0.95 else None
    weights += [weight_of(weapon)] if weapon else []
    moves = [piece for piece in moves if all(is_at_least(piece.strength, weight) for weight in weights)]
    moves = [piece for piece in moves if piece.stars + (fight.stars if fight else 0) <= 2]  # C8
    horses = [piece for piece in moves if piece.horse]
    move = rng.choice(horses if horses and rng.random() < 0.7 else moves) if moves and rng.random() < 0.95 else None
    return {
        "name": name,
        "berserk": name == "Berserker" and rng.random() < 0.5,
        "weapon": kind_of(weapon) if weapon else None,
        "alerted": weapon is not None and (like["alerted"] if like else rng.random() < 0.5),
        "fight": {"strength": fight.strength, "time": fight.time} if fight else None,
        "direction": rng.choice(BOXES) if fight else None,
        "target": target,
        "maneuver": {"direction": choose_manoeuvre(rng, move), "time": move.time} if move else None,
        "horse": move.horse if move else None,
        "shield_at": rng.choice(BOXES) if any(GOODS[piece]["class"] == "shield" for piece in armour) else None,
        "armor": [
            {"name": kind_of(piece), "damaged": GOODS[piece]["counter"] and rng.random() < 0.3} for piece in armour
        ],
    }


def choose_manoeuvre(rng: random.Random, piece: Piece) -> str:
    return "duck" if piece.kind == "Duck" else rng.choice([*HITS.values()])  # C7


def list_pieces(rng: random.Random, name: str, goods: list[str]) -> tuple[list[Piece], list[Piece]]:
    """What a character can play to attack and to manoeuvre: its chits, and often gloves, boots or a horse."""
    pieces = []
    for chit in CHARACTERS[name]["chits"]:
        kind, label = chit.split()
        if kind in {"Fight", "Move", "Duck"}:  # Magic chits and the Berserk chit are not played in a melee
            pieces.append(Piece(kind, label[0], int(label[1]), stars=label.count("*")))
    if rng.random() < 0.3:
        pieces.append(read_card("Fight", take(goods, "gloves")))
    if rng.random() < 0.3:
        pieces.append(read_card("Move", take(goods, "boots")))
    if rng.random() < 0.4:
        horse = take(goods, "horse")
        pieces += [Piece("Move", GOODS[horse][s][0], int(GOODS[horse][s][1]), horse=horse) for s in ("walk", "gallop")]
    return [row for row in pieces if row.kind == "Fight"], [row for row in pieces if row.kind != "Fight"]


def read_card(kind: str, card: str) -> Piece:
    does = next(does for does in GOODS[card]["does"] if does["verb"] in {"fight_piece", "move_piece"})
    return Piece(kind, does["strength"], does["time"])


def find_strongest(pieces: list[Piece]) -> str:
    return max((piece.strength for piece in pieces), key=LEVELS.index, default="N")


def take(goods: list[str], kind: str) -> str:
    """Take the next piece of a class off the list."""
    piece = next(name for name in goods if GOODS[name]["class"] == kind)
    goods.remove(piece)
    return piece


def take_weapon(rng: random.Random, goods: list[str], strength: str, like: str | None) -> str | None:
    """C9: a weapon that is not too heavy; one of the kind `like` if there is one, and often a missile weapon."""
    weapons = [row for row in goods if GOODS[row]["class"] == "weapon" and is_at_least(strength, weight_of(row))]
    if not weapons:
        return None
    same = [name for name in weapons if like and kind_of(name) == like]
    missile = [name for name in weapons if GOODS[name].get("missile")] if rng.random() < 0.2 else []
    weapon = (same or missile or weapons)[0]
    goods.remove(weapon)
    return weapon


def draw_armour(rng: random.Random, goods: list[str], strength: str) -> list[str]:
    """D25: at most one piece of a class and any cards, seldom too heavy to move with."""
    strength = "T" if rng.random() < 0.1 else strength
    armour: list[str] = [name for name in ARMOUR_CARDS if name in goods and rng.random() < 0.15]
    for kind in ARMOUR_CLASSES:
        if rng.random() < 0.3:
            armour += [name for name in goods if GOODS[name]["class"] == kind][:1]
    armour = [name for name in armour if is_at_least(strength, weight_of(name))]
    for name in armour:
        goods.remove(name)
    return armour
