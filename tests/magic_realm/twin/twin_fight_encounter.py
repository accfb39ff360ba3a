"""The encounter (E7 to E19) and the choice of targets (C3, C4), for the twin of whole fights."""

from __future__ import annotations

from collections.abc import Generator

from tests.magic_realm.twin.twin_data import ENCHANTED, GOODS, MONSTERS, Row
from tests.magic_realm.twin.twin_fight_pieces import (
    CHANCE,
    Answer,
    Question,
    ask,
    can_activate,
    find_active,
    is_held,
    is_spared,
    is_tremendous,
    list_chit_pieces,
    list_fight_pieces,
    list_fighting,
    list_move_pieces,
    list_on_sheet,
    list_visible,
    roll,
    settle,
)
from tests.magic_realm.twin.twin_fight_rolls import find_dice

Play = Generator[Question, Answer, None]


def play_encounter(fight: Row) -> Play:
    for hero in list_fighting(fight):
        yield from lure(fight, hero)
    yield from assign(fight)
    for hero in list_fighting(fight):
        yield from charge(fight, hero)
    for hero in list_fighting(fight):
        if hero["charges"] is None:
            yield from act(fight, hero)


def lure(fight: Row, hero: Row) -> Play:
    """E7."""
    while True:
        free = [
            name
            for name, monster in fight["monsters"].items()
            if monster["sheet"] != hero["name"]
            and not (monster["dark"] and is_tremendous(name))
            and not is_spared(hero["name"], name)
        ]
        steps = [*(f"lure {name}" for name in free), *["unhide"] * hero["hidden"], "pass"]
        text = yield from ask(hero["name"], steps)
        if text == "pass":
            return
        hero["hidden"] = False
        if text != "unhide":
            fight["monsters"][text.removeprefix("lure ")]["sheet"] = hero["name"]


def assign(fight: Row) -> Play:
    """E8."""
    for name, monster in fight["monsters"].items():
        heroes = [hero for hero in list_fighting(fight) if not hero["hidden"] and not is_spared(hero["name"], name)]
        if monster["sheet"] is not None or not heroes:
            continue
        while len(heroes) > 1:
            results = []
            for hero in heroes:
                dice, addition = find_dice(fight, hero, "assignment")
                rolled = yield from roll(dice)
                results.append(max(rolled) + addition)
            heroes = [hero for hero, result in zip(heroes, results, strict=True) if result == max(results)]
        monster["sheet"] = heroes[0]["name"]


def charge(fight: Row, hero: Row) -> Play:
    """E11."""
    others = list_visible(fight, hero)
    if not others or is_held(fight, hero["name"]):
        return
    steps = {
        f"charge {other} with {piece['text']}": (other, piece)
        for other in others
        for piece in list_move_pieces(fight, hero, duck=False, horse=True)
    }
    text = yield from ask(hero["name"], [*steps, "pass"], always=True)
    if text == "pass":
        return
    other, piece = steps[text]
    hero["charges"] = other
    hero["played"].append(piece)
    hero["hidden"] = fight["heroes"][other]["hidden"] = False


def find_limit(fight: Row, hero: Row) -> int:
    """E12: the time below which a piece must be."""
    times: list[int] = [99]
    for name in list_on_sheet(fight, hero["name"]):
        side = "dark" if fight["monsters"][name]["dark"] else "light"
        times += [MONSTERS[name][side]["move"]]
    times += [other["played"][0]["time"] for other in fight["heroes"].values() if other["charges"] == hero["name"]]
    return min(times)


def act(fight: Row, hero: Row) -> Play:
    """E12."""
    limit = find_limit(fight, hero)
    alerts = {}
    if find_active(hero, "weapon") is not None:
        alerts = {f"alert {piece['text']}": piece for piece in list_fight_pieces(hero)}
    for piece in list_chit_pieces(hero, "Berserk"):
        if not hero["berserk"]:
            alerts["berserk"] = piece
    runs = {}
    if not is_held(fight, hero["name"]):  # E15
        pieces = list_move_pieces(fight, hero, duck=False, horse=True)
        runs = {f"run {road} with {piece['text']}": (road, piece) for road in hero["exits"] for piece in pieces}
    steps = [text for text, piece in alerts.items() if piece["time"] < limit]
    steps += [text for text, (_, piece) in runs.items() if piece["time"] < limit]
    text = yield from ask(hero["name"], [*steps, *list_changes(fight, hero, []), "done"], always=True)
    if text in alerts:
        alert(hero, text, alerts[text])
    elif text in runs:
        run(fight, hero, *runs[text])
    else:
        yield from rearrange(fight, hero, text)


def alert(hero: Row, text: str, piece: Row) -> None:
    """E13."""
    hero["played"].append(piece)
    if text == "berserk":
        hero["berserk"] = True
        return
    weapon = find_active(hero, "weapon")
    assert weapon is not None
    weapon["alerted"] = not weapon["alerted"]


def run(fight: Row, hero: Row, road: str, piece: Row) -> None:
    """E14."""
    hero["played"].append(piece)
    hero["fate"], hero["road"] = "ran", road
    for name in list_on_sheet(fight, hero["name"]):
        fight["monsters"][name]["sheet"] = None


def list_changes(fight: Row, hero: Row, changes: list[str]) -> list[str]:
    """E19: one belonging becomes active and one inactive, or any are left."""
    verbs = [text.partition(" ")[0] for text in changes]
    changed = [text.partition(" ")[2] for text in changes]
    found = []
    for item in hero["goods"]:
        if item["name"] in changed:
            continue
        if "leave" not in verbs:
            if "activate" not in verbs and can_activate(hero, item, cave=fight["cave"]):
                found.append(f"activate {item['name']}")
            if "pack" not in verbs and item["active"] and item["name"] not in ENCHANTED:
                found.append(f"pack {item['name']}")
        if not {"activate", "pack"} & {*verbs}:
            found.append(f"leave {item['name']}")
    return found


def rearrange(fight: Row, hero: Row, text: str) -> Play:
    """E19, from its first step on."""
    changes: list[str] = []
    while text != "done":
        changes.append(text)
        verb, _, name = text.partition(" ")
        item = next(item for item in hero["goods"] if item["name"] == name)
        if verb == "leave":
            hide_slot(hero, item)
            hero["goods"].remove(item)
            fight["pile"].append(name)
        else:
            item["active"] = verb == "activate"
            item["alerted"] = False  # D14
            if item["active"] and not GOODS[name]["counter"]:
                move_back(hero, [name])
        settle(hero, cave=fight["cave"])
        text = yield from ask(hero["name"], [*list_changes(fight, hero, changes), "done"], always=True)


def hide_slot(hero: Row, item: Row) -> None:
    """X1: before one of several like cards is left, all of them go behind the other belongings."""
    cards = [other for other in hero["goods"] if not other["active"] and not GOODS[other["name"]]["counter"]]
    small = [GOODS[other["name"]]["size"] == "small" for other in cards]
    if item in cards:
        is_small = small[cards.index(item)]
        alike = [other["name"] for other, same in zip(cards, small, strict=True) if same == is_small]
        move_back(hero, alike if len(alike) > 1 else [])


def move_back(hero: Row, names: list[str]) -> None:
    hero["goods"].sort(key=lambda item: item["name"] in names)


def choose_targets(fight: Row) -> Play:
    """C3, C4."""
    waiting = [hero["name"] for hero in list_fighting(fight)]
    while waiting:
        _, text = yield {CHANCE: [f"next {name}" for name in waiting]}
        hero = fight["heroes"][text.removeprefix("next ")]
        waiting.remove(hero["name"])
        targets = [*list_visible(fight, hero), *fight["monsters"]]
        if hero["charges"] is not None:
            targets = [name for name in targets if name == hero["charges"]]
        text = yield from ask(hero["name"], [*(f"aim {name}" for name in targets), "aim none"])
        if text == "aim none":
            continue
        hero["target"] = text.removeprefix("aim ")
        hero["hidden"] = False
        if hero["target"] in fight["heroes"]:
            fight["heroes"][hero["target"]]["hidden"] = False
