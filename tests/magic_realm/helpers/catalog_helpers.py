"""Rows of the catalog by name."""

from __future__ import annotations

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import Character, Monster
from realmtable.games.magic_realm.catalog.goods_and_spells import Armor, Treasure, Weapon

CATALOG = load_catalog()


def character(name: str) -> Character:
    return next(found for found in CATALOG.characters if found.name == name)


def monster(name: str) -> Monster:
    """Return the first monster of a kind, or the one with this name."""
    return next(found for found in CATALOG.monsters if name in (found.name, found.kind))


def treasure(name: str) -> Treasure:
    return next(found for found in CATALOG.treasures if found.name == name)


def weapon(kind: str) -> Weapon:
    return next(found for found in CATALOG.weapons if found.kind == kind)


def armor(kind: str) -> Armor:
    return next(found for found in CATALOG.armor if found.kind == kind)
