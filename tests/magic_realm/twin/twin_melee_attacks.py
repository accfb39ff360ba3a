"""The attacks of a melee (C10, C15 to C18, C26, C27), for the twin of Magic Realm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.magic_realm.twin.twin_data import LEVELS, MONSTERS, Row, load

HITS: Final = {
    "thrust": "charge",
    "swing": "dodge",
    "smash": "duck",
}  # C15: an attack and the manoeuvre that it matches
TABLES: Final = {"Power of the Pit": "pit", "Curse": "curse"}  # C27
WEAPONS: Final[dict[str, Row]] = {row["name"]: row for row in load("weapons")["weapon"]}
KINDS: Final[dict[str, Row]] = {}  # by the plain name; the second kind of Wolf needs its number, Wolf-4
for _row in load("monsters")["monster"]:
    KINDS.setdefault(_row["name"], _row)


@dataclass
class Attack:
    name: str  # c0, m0, m0p
    attacker: str  # c0, m0
    target: str
    direction: str
    time: int
    length: int
    harm: int = 0  # its level, N = 0, without stars
    stars: int = 0
    missile: bool = False
    table: str = ""  # C27: "curse" or "pit" instead of harm
    outright: bool = False  # C26: the red side kills


def find_monster(name: str) -> Row:
    return MONSTERS[name] if name in MONSTERS else KINDS[name]


def find_side(row: Row, *, dark: bool) -> Row:
    side: Row = row["dark" if dark else "light"]
    return side


def list_attacks(melee: Row) -> list[Attack]:
    """All attacks of the melee in the order of ids: characters, then monsters, each part after its monster."""
    attacks = []
    for number, character in enumerate(melee["characters"]):
        if character["fight"] and character["direction"] and character["target"]:
            attacks.append(read_character(f"c{number}", character))
    for number, monster in enumerate(melee["monsters"]):
        attacks += read_monster(f"m{number}", monster)
    return attacks


def read_character(name: str, character: Row) -> Attack:
    # C10: without a weapon, a dagger: it has no time and is never alerted.
    weapon = WEAPONS[character["weapon"] or "Dagger"]
    side = weapon["alerted" if character["weapon"] and character["alerted"] else "unalerted"]
    fight = character["fight"]
    missile = weapon.get("missile", False)
    harm = LEVELS.index(side["harm"])
    # C18: strength above the weight of a striking weapon adds one level, however much it is.
    if not missile and LEVELS.index(fight["strength"]) > LEVELS.index(weapon["weight"]):
        harm += 1
    return Attack(
        name=name,
        attacker=name,
        target=character["target"],
        direction=character["direction"],
        time=side.get("time", fight["time"]),  # C16
        length=weapon["length"],
        harm=harm,
        stars=side.get("stars", 0),
        missile=missile,
    )


def read_monster(name: str, monster: Row) -> list[Attack]:
    """The attacks of a monster and its head or club."""
    if monster["sheet"] is None:  # C3, C11: a monster that lies alone attacks no one, and its part is not there
        return []
    target = f"c{monster['sheet']}"
    row = find_monster(monster["name"])
    attacks = []
    if "attack" in find_side(row, dark=monster["dark"]):  # C27: a Spear Goblin's light side does not attack
        attacks.append(read_side(name, name, target, monster, row))
    if monster["part"]:
        attacks.append(read_side(f"{name}p", name, target, monster["part"], row["part"]))
    return attacks


def read_side(name: str, attacker: str, target: str, counter: Row, row: Row) -> Attack:
    """The attack of one counter, a monster or a head or club, with the side that shows (C15, C16)."""
    side = find_side(row, dark=counter["dark"])
    length: int = (row | side).get("length", 0)  # C17, C27: 17 on the side with the spell only
    attack = Attack(
        name=name,
        attacker=attacker,
        target=target,
        direction=counter["box"],
        time=side["attack"],
        length=length,
    )
    if "spell" in side:
        attack.table = TABLES[side["spell"]]
    elif side["harm"] == "red":
        attack.outright = True
    else:
        attack.harm = LEVELS.index(side["harm"])
        attack.stars = side.get("stars", 0)
    return attack


def is_hit(melee: Row, attack: Attack) -> bool:
    """C15: it matches or undercuts the manoeuvre, or there is none."""
    kind, number = attack.target[0], int(attack.target[1:])
    if kind == "m":
        monster = melee["monsters"][number]
        direction = HITS[monster["box"]]
        time = find_side(find_monster(monster["name"]), dark=monster["dark"])["move"]
    else:
        manoeuvre = melee["characters"][number]["maneuver"]
        if manoeuvre is None:
            return True
        direction, time = manoeuvre["direction"], manoeuvre["time"]
    return HITS[attack.direction] == direction or attack.time < time


def split_into_instants(attacks: list[Attack], *, first_round: bool) -> list[list[Attack]]:
    """C17: hits in the order in which they take effect; those of one list happen at one instant."""

    def find_moment(attack: Attack) -> tuple[int, int]:
        return (-attack.length, attack.time) if first_round else (attack.time, -attack.length)

    moments = sorted({find_moment(attack) for attack in attacks})
    return [[attack for attack in attacks if find_moment(attack) == moment] for moment in moments]
