"""Monsters, weapons, armour and horses of the catalog, as parts of a melee (C10, C16, C20, C24, C27)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import Character, Face, Monster
from realmtable.games.magic_realm.catalog.goods_and_spells import Armor, Horse, Treasure, Weapon
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, RED
from realmtable.games.magic_realm.combat_rules.harm import level_of
from realmtable.games.magic_realm.combat_rules.melee import (
    CARD,
    CURSE,
    EVERY_DIRECTION,
    MISSILE,
    OINTMENT,
    PIT,
    TREMENDOUS,
    ArmorPiece,
    Attack,
    Direction,
    Fighter,
    FighterId,
    Level,
    Maneuver,
    Steed,
)
from realmtable.games.magic_realm.combat_rules.plays import Piece

SPELL_TABLES: Final[Mapping[str, str]] = MappingProxyType({"Power of the Pit": PIT, "Curse": CURSE})
SHIELD: Final = "shield"


# ---- monsters


def monster_fighter(monster: Monster, *, is_dark: bool, box: Direction) -> Fighter:
    """Return a monster that lies in a box of a sheet."""
    level = level_of(monster.size)
    face = monster.dark if is_dark else monster.light
    return Fighter(
        monster.name,
        level,
        is_armored=monster.is_armored,
        maneuver=Maneuver(box, face.move),
        is_tremendous=level == TREMENDOUS,
        is_red=is_dark and level == TREMENDOUS,
    )


def monster_attack(
    monster: Monster, *, is_dark: bool, box: Direction, attacker: FighterId, target: FighterId
) -> Attack | None:
    """Return the attack of a monster's body; None for a side that does not attack (C27)."""
    return _read_face(monster.dark if is_dark else monster.light, monster.name, box, attacker, target)


def part_attack(
    monster: Monster, *, is_dark: bool, box: Direction, attacker: FighterId, target: FighterId
) -> Attack | None:
    """Return the attack of a monster's head or club; None if it has none."""
    if monster.part is None:
        return None
    return _read_face(monster.part.dark if is_dark else monster.part.light, monster.part.name, box, attacker, target)


def _read_face(face: Face, source: str, box: Direction, attacker: FighterId, target: FighterId) -> Attack | None:
    if not face.attack:
        return None
    return Attack(
        attacker,
        target,
        box,
        face.attack,
        face.length,
        0 if face.harm in ("", RED) else level_of(face.harm),
        face.stars,
        table=SPELL_TABLES[face.spell] if face.spell else "",
        kills=face.harm == RED,
        source=source,
    )


# ---- characters


def character_weight(character: Character, *, is_berserk: bool = False) -> Level:
    """Return the harm that kills a character (C19)."""
    return TREMENDOUS if is_berserk else level_of(character.weight)


def weapon_attack(
    weapon: Weapon | None,
    fight: Piece,
    direction: Direction,
    *,
    is_alerted: bool = False,
    attacker: FighterId,
    target: FighterId,
) -> Attack:
    """Return the attack of a character with a Fight chit or gloves and its active weapon, or the dagger (C10, C16)."""
    used = load_catalog().dagger if weapon is None else weapon
    side = used.alerted if is_alerted else used.unalerted
    return Attack(
        attacker,
        target,
        direction,
        side.time or fight.time,
        used.length,
        level_of(side.harm),
        side.stars,
        is_stronger=not used.is_missile and fight.strength > level_of(used.weight),
        table=MISSILE if used.is_missile else "",
        turns_weapon=weapon is not None,
        source=used.name,
    )


def armor_piece(armor: Armor, *, is_damaged: bool = False, shield_at: Direction | None = None) -> ArmorPiece:
    """Return a piece of armour; a shield covers the direction in which it was put."""
    covers = tuple(DIRECTIONS.index(word) for word in armor.covers)
    if armor.layer == SHIELD and shield_at is not None:
        covers = (shield_at,)
    return ArmorPiece(armor.name, armor.layer, covers, level_of(armor.weight), is_damaged)


def card_armor(card: Treasure) -> ArmorPiece | None:
    """Return the armour that a treasure card is; None if it is none. What covers every direction is the Ointment."""
    effect = next((effect for effect in card.effects if effect.verb == "armor"), None)
    if effect is None:
        return None
    covers = tuple(DIRECTIONS.index(word) for word in effect.names)
    layer = OINTMENT if covers == EVERY_DIRECTION else CARD
    return ArmorPiece(card.name, layer, covers, level_of(effect.strength))


def steed_of(horse: Horse) -> Steed:
    """Return the horse with which a character manoeuvres."""
    return Steed(horse.name, level_of(horse.breed.vulnerability), horse.breed.is_armored)
