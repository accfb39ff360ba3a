"""What happens in a melee and who gains by it (C15 to C28, K1 to K4), for the twin of whole fights.

The hits themselves are those of the twin of a melee; this module says who takes part, rolls the dice when they are due,
and carries out what each instant does to heroes and monsters.
"""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction

from tests.magic_realm.twin.twin_data import GOODS, MONSTERS, Row
from tests.magic_realm.twin.twin_fight_pieces import (
    Answer,
    Question,
    find_active,
    list_fighting,
    receive,
    roll,
    settle,
    type_of,
)
from tests.magic_realm.twin.twin_fight_plays import name_part
from tests.magic_realm.twin.twin_fight_rolls import find_dice, read_dice
from tests.magic_realm.twin.twin_melee import ARMOUR, CARDS, Melee
from tests.magic_realm.twin.twin_melee_attacks import Attack, is_hit, list_attacks, split_into_instants

Play = Generator[Question, Answer, None]
CURSES = ("Eyemist", "Squeak", "Wither", "Ill Health", "Ashes", "Disgust")
TERROR, BLIGHT, FORGET = 3, 4, 5
ARMOUR_CLASSES = ("helmet", "breastplate", "shield", "suit")


def resolve(fight: Row, boxes: dict[str, str]) -> Play:
    """C15 to C28."""
    heroes = list_fighting(fight)
    monsters = [*fight["monsters"]]
    ids = {f"c{number}": hero["name"] for number, hero in enumerate(heroes)}
    ids |= {f"m{number}": name for number, name in enumerate(monsters)}
    melee = {
        "first_round": fight["round"] == 1,
        "pierce": fight["pierce"],
        "characters": [describe_hero(hero, ids) for hero in heroes],
        "monsters": [describe_monster(fight, name, boxes, heroes) for name in monsters],
        "rolls": {},
    }
    twin = Melee(melee)
    hits = []
    for attack in list_attacks(melee):
        if is_hit(melee, attack):
            hits.append(attack)
        else:
            twin.results[attack.name] = "missed"
    for instant in split_into_instants(hits, first_round=melee["first_round"]):
        yield from roll_dice(fight, twin, instant, ids)
        before = take_notes(twin)
        twin.play_instant(instant)
        finish_instant(fight, twin, before, ids)
    finish_melee(fight, twin, ids)


def describe_hero(hero: Row, ids: dict[str, str]) -> Row:
    """Return a hero as the twin of a melee wants it."""
    entries = {entry["verb"]: entry for entry in hero["draft"]}
    strike, evade = entries.get("strike"), entries.get("evade")
    weapon = find_active(hero, "weapon")
    worn = [item for item in hero["goods"] if item["active"] and is_armour(item["name"])]
    horse = evade["piece"].get("horse") if evade else None
    return {
        "name": hero["name"],
        "weapon": name_kind(weapon["name"]) if weapon else None,
        "alerted": bool(weapon and weapon["alerted"]),
        "fight": {key: strike["piece"][key] for key in ("strength", "time")} if strike else None,
        "direction": strike["direction"] if strike else None,
        "target": next((key for key, name in ids.items() if name == hero["target"]), None),
        "maneuver": {"direction": evade["direction"], "time": evade["piece"]["time"]} if evade else None,
        "horse": horse,
        "armor": [{"name": name_kind(item["name"]), "damaged": item["damaged"]} for item in worn],
        "shield_at": entries["shield"]["direction"] if "shield" in entries else None,
        "berserk": hero["berserk"],
        "hidden": hero["hidden"],
    }


def name_kind(name: str) -> str:
    """Return the name without a number, as the twin of a melee wants it."""
    return str(GOODS[name].get("name", name))


def is_armour(name: str) -> bool:
    return name in CARDS or GOODS[name]["class"] in ARMOUR_CLASSES


def describe_monster(fight: Row, name: str, boxes: dict[str, str], heroes: list[Row]) -> Row:
    monster = fight["monsters"][name]
    sheet = next((number for number, hero in enumerate(heroes) if hero["name"] == monster["sheet"]), None)
    part = None
    if "part" in MONSTERS[name] and sheet is not None:
        part = {"dark": monster["part_dark"], "box": boxes[name_part(name)]}
    return {"name": name, "dark": monster["dark"], "sheet": sheet, "box": boxes.get(name), "part": part}


def roll_dice(fight: Row, twin: Melee, instant: list[Attack], ids: dict[str, str]) -> Play:
    """C25: the dice of hits that are not cancelled; a missile's owner rolls, or the target of a Demon or the Imp."""
    for attack in instant:
        if {attack.attacker, attack.target} & {*twin.killed} or not (attack.missile or attack.table):
            continue
        roller = fight["heroes"][ids[attack.attacker if attack.missile else attack.target]]
        dice, addition = find_dice(fight, roller, attack.table or "missile")
        rolled = yield from roll(dice)
        twin.melee["rolls"][attack.name] = read_dice(rolled, addition)


def take_notes(twin: Melee) -> Row:
    return {
        "killed": {*twin.killed},
        "horses": {*twin.horses_killed},
        "spells": len(twin.spells),
        "changes": {name: {**changes} for name, changes in twin.changes.items()},
    }


def finish_instant(fight: Row, twin: Melee, before: Row, ids: dict[str, str]) -> None:
    """Carry out what an instant did: chits, armour and horses, deaths."""
    for target, table, result in twin.spells[before["spells"] :]:
        assert isinstance(target, str)
        assert isinstance(result, int)
        cast(fight, fight["heroes"][ids[target]], str(table), result)
    for key, changes in twin.changes.items():
        new = {piece: state for piece, state in changes.items() if before["changes"][key].get(piece) != state}
        for piece, state in new.items():
            wear_armour(fight, fight["heroes"][ids[key]], piece, state)
    for key in twin.horses_killed - before["horses"]:
        hero = fight["heroes"][ids[key]]
        lose(fight, hero, twin.characters[key]["horse"])
    dead = [key for key in twin.killed if key not in before["killed"]]
    for key in sorted(dead, key=lambda key: (key[0] == "m", int(key[1:]))):
        killers = [ids[one] for one in sorted(twin.killed[key]) if one[0] == "c"]
        die(fight, ids[key], killers)


def cast(fight: Row, target: Row, table: str, result: int) -> None:
    """C27, W6: what the tables do to chits; the rest is in the twin of a melee."""
    if table == "curse":
        curse = CURSES[result - 1]
        if curse == "Wither" and curse not in target["curses"]:
            change_chits(fight, [chit for chit in target["chits"] if is_active(chit) and chit["stars"]], "fatigued")
        target["curses"].add(curse)
    elif result == TERROR:
        for hero in list_fighting(fight):
            weak = [
                chit
                for chit in hero["chits"]
                if chit["strength"] in {"L", "M"} and type_of(chit) != "Magic" and chit["state"] != "wounded"
            ]
            change_chits(fight, weak, "wounded")
            for item in [*hero["goods"]]:
                if GOODS[item["name"]].get("breed") == "pony":
                    lose(fight, hero, item["name"])
    elif result == BLIGHT:
        change_chits(fight, [chit for chit in target["chits"] if is_active(chit) and chit["stars"]], "wounded")
    elif result == FORGET:
        magic = [chit for chit in target["chits"] if is_active(chit) and chit["kind"] == "Magic"]
        change_chits(fight, magic, "fatigued")


def is_active(chit: Row) -> bool:
    return bool(chit["state"] == "active")


def change_chits(fight: Row, chits: list[Row], state: str) -> None:
    for chit in chits:
        chit["state"] = state
        fight["eventful"] = True


def wear_armour(fight: Row, hero: Row, piece: str, state: str) -> None:
    """C20, C21."""
    fight["eventful"] = True
    item = next(item for item in hero["goods"] if item["active"] and name_kind(item["name"]) == piece)
    if state == "damaged":
        item["damaged"] = True
        fight["damaged"].add(item["name"])
        return
    lose(fight, hero, item["name"])
    if piece in CARDS:
        hero["gold"] += next(does["number"] for does in GOODS[piece]["does"] if does["verb"] == "armor")
    else:
        hero["gold"] += ARMOUR[piece].get("destroyed_price", 0)


def lose(fight: Row, hero: Row, name: str) -> None:
    """C21, C24: a piece is gone; Terror can name a pony twice, and that of someone who is dead already."""
    fight["eventful"] = True
    if name in fight["gone"]:
        return
    for other in fight["heroes"].values():
        other["goods"] = [item for item in other["goods"] if item["name"] != name]
    if name in fight["pile"]:
        fight["pile"].remove(name)
    fight["gone"].append(name)
    fight["damaged"].discard(name)
    settle(hero, cave=fight["cave"])


def die(fight: Row, name: str, killers: list[str]) -> None:
    """K1, K3, K4, K7."""
    fight["eventful"] = True
    names = [killer for killer in fight["heroes"] if killer in killers]  # in order
    if name in fight["monsters"]:
        del fight["monsters"][name]
        fame, notoriety = MONSTERS[name]["fame"], MONSTERS[name]["notoriety"]
    else:
        fame, notoriety = 0, fight["heroes"][name]["notoriety"]
    for killer in names:
        hero = fight["heroes"][killer]
        hero["kills"] += 1
        hero["fame"] += Fraction(fame * hero["kills"], len(names))
        hero["notoriety"] += Fraction(notoriety * hero["kills"], len(names))
    if name in fight["heroes"]:
        bury(fight, fight["heroes"][name], names)


def bury(fight: Row, hero: Row, killers: list[str]) -> None:
    """K3, K4, W3: the first killer takes gold and belongings; without one they stay in the clearing."""
    hero["fate"] = "dead"
    fight["dead"].append(hero["name"])
    goods, hero["goods"] = hero["goods"], []
    if killers:
        first = fight["heroes"][killers[0]]
        first["gold"] += hero["gold"]
        receive(first, goods, cave=fight["cave"])
    else:
        fight["pile"] += [item["name"] for item in goods]
    hero["gold"] = hero["fame"] = hero["notoriety"] = 0


def finish_melee(fight: Row, twin: Melee, ids: dict[str, str]) -> None:
    """C26, C28 and the wounds that are taken in the fatigue step."""
    for key, alerted in twin.list_weapons().items():
        weapon = find_active(fight["heroes"][ids[key]], "weapon")
        if weapon is not None:  # the dead have none
            weapon["alerted"] = alerted
    red = [ids[key] for key in twin.list_red()]
    for name, monster in fight["monsters"].items():
        if MONSTERS[name]["size"] == "T":
            monster["dark"] = name in red
    for key, wounds in twin.wounds.items():
        if key not in twin.killed:
            fight["heroes"][ids[key]]["wounds"] = wounds
