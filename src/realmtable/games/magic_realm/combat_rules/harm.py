"""How much harm a hit does (C18)."""

from __future__ import annotations

from functools import cache

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import STRENGTHS
from realmtable.games.magic_realm.combat_rules.melee import MISSILE, Attack, Level


def count_harm(attack: Attack, *, on_armor: bool, roll: int | None = None) -> Level:
    """Return the harm of a hit, on armour or not, with the roll on the Missile table if it needs one."""
    stars = max(attack.stars - 1, 0) if on_armor else attack.stars
    level = attack.harm + stars + attack.is_stronger
    return level + read_missile_table(roll) if attack.table == MISSILE and roll is not None else level


@cache
def read_missile_table(roll: int) -> Level:
    """Return by how many levels a roll changes the harm of a missile."""
    (result,) = load_catalog().tables.by_name[MISSILE].read(roll)
    return int(result.removeprefix("levels "))


def level_of(letter: str) -> Level:
    """Return the level of a letter: N is 0, T is 4."""
    return STRENGTHS.index(letter)


def name_level(level: Level) -> str:
    """Return how a level of harm is written.

    >>> name_level(4), name_level(5), name_level(-1)
    ('T', 'above T', 'below N')
    """
    if level < 0:
        return "below N"
    return STRENGTHS[level] if level < len(STRENGTHS) else "above T"
