"""A second, slow program for a whole evening's combat in a clearing, written from the text of the rules alone.

`make_fight` describes a clearing; a `FightTwin` then says who has to decide, lists the legal steps as texts (Z15), and
plays one. Nothing is shared with the game but RULES.md, RULES-combat.md and the data. Readings of what the text leaves
open are in `twin_fight_readings.md`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from tests.magic_realm.twin.twin_data import MONSTERS, Row
from tests.magic_realm.twin.twin_fight_encounter import choose_targets, play_encounter
from tests.magic_realm.twin.twin_fight_pieces import (
    MAX_STARS,
    Answer,
    Question,
    ask,
    begin_round,
    find_active,
    is_spared,
    is_tremendous,
    list_fighting,
    list_payments,
    list_woundable,
    tire,
    type_of,
    wound,
)
from tests.magic_realm.twin.twin_fight_plays import move_monsters, play_secretly
from tests.magic_realm.twin.twin_fight_round import bury, die, resolve

Play = Generator[Question, Answer, None]
LAST_ROUND: Final = 60  # E2
QUIET_ROUNDS: Final = 2  # E2


def make_fight(heroes: list[Row], monsters: list[str], *, cave: bool, pierce: bool = False) -> Row:
    """Return combat that begins (E4); heroes are in order (E5). `pierce` is V13."""
    return {
        "heroes": {hero["name"]: hero for hero in heroes},
        "monsters": {name: {"sheet": None, "dark": False, "part_dark": False} for name in MONSTERS if name in monsters},
        "cave": cave,
        "pierce": pierce,
        "round": 1,
        "quiet": 0,
        "eventful": False,
        "pile": [],  # from the top
        "gone": [],
        "damaged": set(),  # pieces of armour
        "dead": [],  # heroes
    }


class FightTwin:
    """A fight that waits for an answer."""

    def __init__(self, fight: Row) -> None:
        self.fight = fight
        self.play = play_evening(fight)
        self.question: Question | None = next(self.play, None)

    def list_deciding(self) -> list[str]:
        return [*(self.question or {})]

    def list_steps(self, name: str) -> list[str]:
        assert self.question is not None
        return self.question[name]

    def answer(self, name: str, text: str) -> None:
        assert text in self.list_steps(name)
        try:
            self.question = self.play.send((name, text))
        except StopIteration:
            self.question = None


def play_evening(fight: Row) -> Play:
    """E2."""
    while True:
        goes_on = yield from ask_for_round(fight)
        if not goes_on:
            break
        for hero in fight["heroes"].values():
            hero.update(begin_round())
        fight["eventful"] = False
        yield from play_encounter(fight)
        yield from choose_targets(fight)
        yield from play_secretly(fight)
        boxes = yield from move_monsters(fight)
        yield from resolve(fight, boxes)
        turn_weapons(fight)
        yield from pay(fight)
        disengage(fight)
        if is_finished(fight):
            break
        fight["round"] += 1
    for monster in fight["monsters"].values():  # E4
        monster.update(dark=False, part_dark=False)


def ask_for_round(fight: Row) -> Generator[Question, Answer, bool]:
    """E6."""
    heroes = list_fighting(fight)
    if any(not hero["hidden"] and not is_spared(hero["name"], name) for hero in heroes for name in fight["monsters"]):
        return True
    for hero in heroes:
        text = yield from ask(hero["name"], ["rest easy", "stir"])
        if text == "stir":
            return True
    return False


def turn_weapons(fight: Row) -> None:
    """C12."""
    for hero in list_fighting(fight):
        weapon = find_active(hero, "weapon")
        if weapon is not None and any(entry["verb"] == "turn" for entry in hero["draft"]):
            weapon["alerted"] = not weapon["alerted"]


def pay(fight: Row) -> Play:
    """W4 to W6."""
    ran = [hero for hero in fight["heroes"].values() if hero["fate"] == "ran" and hero["played"]]
    for hero in [*list_fighting(fight), *sorted(ran, key=lambda hero: int(hero["seat"]))]:
        if all(chit["state"] == "wounded" for chit in hero["chits"]):  # W6
            die(fight, hero["name"], [])
            continue
        yield from pay_star(fight, hero)
        yield from take_wounds(fight, hero)


def pay_star(fight: Row, hero: Row) -> Play:
    """W4: with two stars, one of a type that was played."""
    pieces = [*hero["played"], *(entry["piece"] for entry in hero["draft"] if "piece" in entry)]
    starred = [piece for piece in pieces if piece["stars"]]
    if sum(piece["stars"] for piece in starred) < MAX_STARS:
        return
    kinds = dict.fromkeys(type_of(piece) for piece in starred)
    steps = [text for kind in kinds for text in list_payments(hero, kind)]
    if not steps:
        return
    text = yield from ask(hero["name"], steps)
    tire(hero, text)
    fight["eventful"] = True


def take_wounds(fight: Row, hero: Row) -> Play:
    """W5, W2, W3."""
    for _ in range(hero["wounds"]):
        text = yield from ask(hero["name"], list_woundable(hero))
        wound(hero, text)
        fight["eventful"] = True
        if all(chit["state"] == "wounded" for chit in hero["chits"]):
            die(fight, hero["name"], [])
            return


def disengage(fight: Row) -> None:
    """C29, C26."""
    here = [hero["name"] for hero in list_fighting(fight)]
    for name, monster in fight["monsters"].items():
        if monster["sheet"] not in here:
            monster["sheet"] = None
            if is_tremendous(name):
                monster["dark"] = False


def is_finished(fight: Row) -> bool:
    """E2: whether combat ends after this round."""
    red = [name for name, monster in fight["monsters"].items() if is_tremendous(name) and monster["dark"]]
    fight["quiet"] = 0 if fight["eventful"] or red else fight["quiet"] + 1
    if not list_fighting(fight) or fight["quiet"] == QUIET_ROUNDS:
        return True
    if fight["round"] < LAST_ROUND:
        return False
    for name in red:
        hero = fight["heroes"][fight["monsters"][name]["sheet"]]
        if hero["fate"] == "fighting":
            bury(fight, hero, [])
    disengage(fight)
    return True
