"""Secret plays, boxes, repositioning and tactics (C7 to C14), for the twin of whole fights."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from tests.magic_realm.twin.twin_data import MONSTERS, Row
from tests.magic_realm.twin.twin_fight_pieces import (
    DIRECTIONS,
    MANEUVERS,
    Answer,
    Question,
    find_active,
    is_held,
    is_tremendous,
    list_fight_pieces,
    list_fighting,
    list_move_pieces,
    list_on_sheet,
    roll,
)

Play = Generator[Question, Answer, None]
BOXES: Final = 3
MOST_BACKS: Final = 20  # Z4
CHANGES: Final = {  # C13: where the boxes thrust, swing and smash go
    1: ("thrust", "smash", "swing"),
    2: ("smash", "swing", "thrust"),
    3: ("swing", "thrust", "smash"),
    4: ("thrust", "swing", "smash"),
    5: ("swing", "smash", "thrust"),
    6: ("smash", "thrust", "swing"),
}


def play_secretly(fight: Row) -> Play:
    """C7: all play at once; a play is built step by step until `ready`."""
    while waiting := [hero for hero in list_fighting(fight) if not hero["ready"]]:
        plays = {hero["name"]: list_plays(fight, hero) for hero in waiting}
        name, text = yield {name: [*steps] for name, steps in plays.items()}
        hero = fight["heroes"][name]
        if text == "ready":
            hero["ready"] = True
        elif text == "back":
            hero["draft"].pop()
            hero["backs"] += 1
        else:
            hero["draft"].append(plays[name][text])


def list_plays(fight: Row, hero: Row) -> dict[str, Row]:
    """What can be added to a play, by the text of the step."""
    verbs = [entry["verb"] for entry in hero["draft"]]
    found: dict[str, Row] = {}
    if not {"strike", "turn"} & {*verbs}:
        found |= list_attacks(hero)
    if "evade" not in verbs:
        found |= list_evasions(fight, hero)
    has_shield = find_active(hero, "shield") is not None
    if has_shield and "shield" not in verbs:
        found |= {f"shield {direction}": {"verb": "shield", "direction": direction} for direction in DIRECTIONS}
    for counter, box in list_settings(fight, hero):
        found[f"set {counter} {box}"] = {"verb": "set", "counter": counter, "box": box}
    if hero["draft"] and hero["backs"] < MOST_BACKS:
        found["back"] = {}
    if not has_shield or "shield" in verbs:
        found["ready"] = {}
    return found


def list_attacks(hero: Row) -> dict[str, Row]:
    """An attack on the target, or without one the turning of the weapon (C12)."""
    pieces = list_fight_pieces(hero)
    if hero["target"] is not None:
        return {
            f"strike {direction} {piece['text']}": {"verb": "strike", "piece": piece, "direction": direction}
            for piece in pieces
            for direction in DIRECTIONS
        }
    if find_active(hero, "weapon") is None:
        return {}
    return {f"turn weapon {piece['text']}": {"verb": "turn", "piece": piece} for piece in pieces}


def list_evasions(fight: Row, hero: Row) -> dict[str, Row]:
    return {
        f"evade {direction} {piece['text']}": {"verb": "evade", "piece": piece, "direction": direction}
        for piece in list_move_pieces(fight, hero, duck=True, horse=not is_held(fight, hero["name"]))
        for direction in (("duck",) if piece.get("kind") == "Duck" else MANEUVERS)
    }


# Boxes (C11).


def list_counters(fight: Row, name: str) -> list[str]:
    """The monsters on a sheet by their numbers, each head or club right after its monster."""
    found = []
    for monster in list_on_sheet(fight, name):
        found.append(monster)
        if "part" in MONSTERS[monster]:
            found.append(name_part(monster))
    return found


def name_part(monster: str) -> str:
    return f"{monster} {MONSTERS[monster]['part']['name'].split()[-1].lower()}"


def find_owner(counter: str) -> str | None:
    """The monster of a head or club."""
    return None if counter in MONSTERS else counter.rpartition(" ")[0]


def list_settings(fight: Row, hero: Row) -> list[tuple[str, str]]:
    """Where the next counter can be laid, if there are four or more."""
    counters = list_counters(fight, hero["name"])
    laid = {entry["counter"]: entry["box"] for entry in hero["draft"] if entry["verb"] == "set"}
    left = [counter for counter in counters if counter not in laid]
    if len(counters) <= BOXES or not left:
        return []
    found = []
    for box in DIRECTIONS:
        empty = {*DIRECTIONS} - {*laid.values(), box}
        if laid.get(find_owner(left[0]) or "") != box and len(empty) < len(left):
            found.append((left[0], box))
    return found


def lay_boxes(fight: Row, hero: Row) -> dict[str, str]:
    """The box of each counter on a sheet when the play is shown."""
    counters = list_counters(fight, hero["name"])
    if len(counters) <= BOXES:
        return dict(zip(counters, DIRECTIONS, strict=False))
    laid = {entry["counter"]: entry["box"] for entry in hero["draft"] if entry["verb"] == "set"}
    for counter in counters[len(laid) :]:
        allowed = [box for box in DIRECTIONS if laid.get(find_owner(counter) or "") != box]
        laid[counter] = min(allowed, key=[*laid.values()].count)
    return laid


# Repositioning and tactics (C13, C14).


def lay_sheets(fight: Row) -> list[dict[str, str]]:
    """All sheets with monsters: those of characters in order, then monsters that lie alone."""
    sheets = [lay_boxes(fight, hero) for hero in list_fighting(fight)]
    aimed = [hero["target"] for hero in list_fighting(fight)]
    alone = [name for name, monster in fight["monsters"].items() if monster["sheet"] is None and name in aimed]
    return [*(sheet for sheet in sheets if sheet), *({name: "thrust"} for name in alone)]


def move_monsters(fight: Row) -> Generator[Question, Answer, dict[str, str]]:
    """Return the boxes of all counters after repositioning; some are turned over."""
    sheets = lay_sheets(fight)
    moved = []
    for sheet in sheets:
        (die,) = yield from roll(1)
        moved.append({counter: CHANGES[die][DIRECTIONS.index(box)] for counter, box in sheet.items()})
    for sheet in moved:
        for box in DIRECTIONS:
            turning = [counter for counter, there in sheet.items() if there == box and can_turn(counter)]
            if turning and 6 in (yield from roll(2)):
                for counter in turning:
                    turn_over(fight, counter)
    return {counter: box for sheet in moved for counter, box in sheet.items()}


def can_turn(counter: str) -> bool:
    return counter not in MONSTERS or not is_tremendous(counter)


def turn_over(fight: Row, counter: str) -> None:
    owner = find_owner(counter)
    monster = fight["monsters"][owner or counter]
    key = "part_dark" if owner else "dark"
    monster[key] = not monster[key]
