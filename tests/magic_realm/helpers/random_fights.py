"""Random fights for the twin of whole fights, in its own terms."""

from __future__ import annotations

from random import Random
from typing import Final

from tests.magic_realm.twin.twin_data import CHARACTERS, ENCHANTED, GOODS, MONSTERS, SITE_CARDS, USABLE_CARDS, Row
from tests.magic_realm.twin.twin_fight import make_fight
from tests.magic_realm.twin.twin_fight_pieces import ONE_AT_A_TIME, find_active, make_hero, settle
from tests.magic_realm.twin.twin_melee import CARDS

ROADS: Final = ("B2-B3", "B1-B6", "CG2-CG5")
USED_CARDS: Final = [*USABLE_CARDS, *CARDS]
BELONGINGS: Final = [name for name in GOODS if name not in SITE_CARDS]
BEASTS: Final = ("T Dragon-1", "T Flying Dragon", "Giant-1", "Giant-2", "Demon", "Winged Demon", "Imp", "T Troll-1")


def random_fight(rng: Random, left_out: tuple[str, ...] = ()) -> Row:
    """Return a clearing with one to four characters and up to five monsters, without some belongings."""
    names = rng.sample([*CHARACTERS], rng.randint(1, 4))
    goods = [name for name in BELONGINGS if name not in left_out]
    if rng.random() < 0.8:
        goods = [name for name in goods if GOODS[name]["counter"] or name in USED_CARDS]
    pool = rng.sample(goods, 28)
    first = rng.randrange(len(names))
    cave = rng.random() < 0.3
    heroes = [
        random_hero(rng, names[seat], seat, pool, cave=cave)
        for seat in [*range(first, len(names)), *range(first)]  # E5
    ]
    for hero in heroes:
        hero["finds"] = {name for name in names if rng.random() < 0.3} - {hero["name"]}
    monsters = rng.sample([*MONSTERS], rng.randint(0, 4))
    monsters += rng.sample(BEASTS, rng.randint(0, 1))
    fight = make_fight(heroes, monsters, cave=cave, pierce=rng.random() < 0.5)
    if rng.random() < 0.1:  # E2: combat that has lasted long
        fight["round"] = rng.randint(57, 60)
    return fight


def random_hero(rng: Random, name: str, seat: int, pool: list[str], *, cave: bool) -> Row:
    hero = make_hero(name, seat)
    hero["hidden"] = rng.random() < 0.3
    hero["exits"] = rng.sample(ROADS, rng.randint(0, 2))
    hero["gold"] = rng.randint(0, 30)
    hero["fame"], hero["notoriety"] = rng.randint(-3, 9), rng.randint(-5, 20)
    hero["kills"] = rng.randint(0, 2)
    for _ in range(rng.randint(0, 7)):
        hero["goods"].append(random_item(rng, hero, pool.pop()))
    settle(hero, cave=cave)
    if rng.random() < 0.4:
        for chit in hero["chits"]:
            chit["state"] = rng.choice(("active", "active", "fatigued", "wounded"))
        hero["chits"][rng.randrange(len(hero["chits"]))]["state"] = "active"
    if rng.random() < 0.1:
        add_curse(rng, hero)
    hero["berserk"] = name == "Berserker" and rng.random() < 0.3
    return hero


def add_curse(rng: Random, hero: Row) -> None:
    hero["curses"].add(rng.choice(("Ashes", "Disgust", "Eyemist", "Wither")))
    if "Wither" in hero["curses"]:  # C27
        for chit in hero["chits"]:
            if chit["stars"] and chit["state"] == "active":
                chit["state"] = "fatigued"


def random_item(rng: Random, hero: Row, name: str) -> Row:
    kind = GOODS[name]["class"]
    fits = GOODS[name]["counter"] or name in USED_CARDS
    fits = fits and not (kind in ONE_AT_A_TIME and find_active(hero, kind) is not None)
    active = name in ENCHANTED or (fits and rng.random() < 0.7)
    alerted = active and kind == "weapon" and rng.random() < 0.4
    damaged = kind in {"helmet", "breastplate", "shield", "suit"} and rng.random() < 0.3
    return {"name": name, "active": active, "alerted": alerted, "damaged": damaged}
