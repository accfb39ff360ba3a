"""Who is ahead, what players gain and what they use: what experiments ask of a game of Magic Realm."""

from __future__ import annotations

import re
from math import ceil
from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.flow.score import list_totals
from realmtable.games.magic_realm.text.wording import ACTIVITY_NAMES
from realmtable.games.magic_realm.world.entities import NO_CHARACTER, Hero
from realmtable.games.magic_realm.world.step_text import format_step
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

UNCOUNTED: Final = frozenset(
    {
        *("order", "back", "done", "ready", "draw", "lay", "tile", "place", "turn", "now", "later", "go", "run on"),
        *("along", "pass", "enough", "rest easy", "continue", "aim none"),
    }
)  # choices of the set-up, answers that decline, and everything that only ends a choice
_NUMBER: Final = re.compile(r"-\d+$")


def standings(world: World) -> list[int]:
    """Return the total of each seat if the game ended now (Q8); 0 while characters are being chosen."""
    return [0] * len(world.heroes) if world.part == "setup" else list_totals(world)


def count_gains(world: World) -> dict[str, list[int]]:
    """Return the treasures of each seat, and its fame and notoriety from fights, which only kills bring (K1)."""
    return {
        "kill": [ceil(hero.fame + hero.notoriety) for hero in world.heroes],
        "treasure": [len(_name_treasures(hero)) for hero in world.heroes],
    }


def name_uses(step: Step) -> list[str]:
    """Name the action of a step, with the character, monster, place or belonging it is about."""
    if step.verb in UNCOUNTED:
        return []
    if step.verb in ACTIVITY_NAMES:
        return [ACTIVITY_NAMES[step.verb]]
    words = [_NUMBER.sub("", word) for word in format_step(step).split()]
    return [" ".join(word for word in words if not any(sign.isdigit() for sign in word))]


def name_holdings(world: World) -> list[list[str]]:
    """Name the character of each seat and its treasures."""
    return [[*_name_character(hero), *(f"end with {name}" for name in _name_treasures(hero))] for hero in world.heroes]


def _name_character(hero: Hero) -> list[str]:
    return [] if hero.character == NO_CHARACTER else [f"end as {load_catalog().characters[hero.character].name}"]


def _name_treasures(hero: Hero) -> list[str]:
    goods = load_catalog().goods
    return [goods[number].name for number in hero.pack if isinstance(goods[number], Treasure)]
