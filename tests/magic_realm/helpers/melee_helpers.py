"""Build the fighters, attacks and pieces of a melee in a few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from realmtable.games.magic_realm.catalog.goods_and_spells import Horse
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS
from realmtable.games.magic_realm.combat_rules.catalog_to_melee import (
    armor_piece,
    card_armor,
    character_weight,
    monster_attack,
    monster_fighter,
    part_attack,
    steed_of,
    weapon_attack,
)
from realmtable.games.magic_realm.combat_rules.melee import (
    ArmorPiece,
    Attack,
    Direction,
    Fighter,
    Maneuver,
    Melee,
    Steed,
)
from realmtable.games.magic_realm.combat_rules.plays import Hand, Piece, card_pieces, chit_piece, horse_pieces
from realmtable.games.magic_realm.combat_rules.report import Report
from realmtable.games.magic_realm.combat_rules.resolve import resolve
from tests.magic_realm.helpers.catalog_helpers import CATALOG, armor, character, monster, treasure, weapon

THRUST, SWING, SMASH = range(len(DIRECTIONS))
CHARGE, DODGE, DUCK = THRUST, SWING, SMASH


def horse(name: str) -> Horse:
    return next(row for row in CATALOG.horses if row.name == name)


def chit(label: str) -> Piece:
    """Return an action chit, whoever has it."""
    rows = [row for hero in CATALOG.characters for row in hero.chits]
    piece = chit_piece(next(row for row in rows if row.label == label))
    assert piece is not None
    return piece


def gloves_or_boots(name: str) -> Piece:
    (piece,) = card_pieces(treasure(name))
    return piece


def worn(*kinds: str, shield: Direction | None = None, damaged: Sequence[str] = ()) -> tuple[ArmorPiece, ...]:
    """Return pieces of armour by kind; cards by name."""
    cards = {card.name for card in CATALOG.treasures}
    found = [
        card_armor(treasure(kind))
        if kind in cards
        else armor_piece(armor(kind), shield_at=shield, is_damaged=kind in damaged)
        for kind in kinds
    ]
    return tuple(piece for piece in found if piece is not None)


def hero(
    name: str,
    evade: tuple[Direction, str] | None = None,
    armor: tuple[ArmorPiece, ...] = (),
    *,
    on: str = "",
    berserk: bool = False,
    hidden: bool = False,
) -> Fighter:
    """Return a character that manoeuvres with a chit, boots, or a horse ("walk" or "gallop")."""
    maneuver, steed = None, None
    if on:
        steed = steed_of(horse(on))
    if evade is not None:
        direction, label = evade
        sides = {side.gait: side for side in horse_pieces(horse(on))} if on else {}
        maneuver = Maneuver(direction, (sides.get(label) or chit(label)).time)
    return Fighter(
        name,
        character_weight(character(name), is_berserk=berserk),
        is_character=True,
        maneuver=maneuver,
        armor=armor,
        steed=steed,
        is_hidden=hidden,
    )


def beast(name: str, box: Direction = THRUST, *, dark: bool = False) -> Fighter:
    return monster_fighter(monster(name), is_dark=dark, box=box)


def bite(name: str, box: Direction, *, attacker: int, target: int, dark: bool = False) -> Attack:
    found = monster_attack(monster(name), is_dark=dark, box=box, attacker=attacker, target=target)
    assert found is not None
    return found


def club(name: str, box: Direction, *, attacker: int, target: int, dark: bool = False) -> Attack:
    found = part_attack(monster(name), is_dark=dark, box=box, attacker=attacker, target=target)
    assert found is not None
    return found


def blow(kind: str, direction: Direction, fight: str, *, attacker: int, target: int, alerted: bool = False) -> Attack:
    """Return the attack of a character with a weapon ("" for the dagger) and a Fight chit."""
    used = weapon(kind) if kind else None
    return weapon_attack(used, chit(fight), direction, is_alerted=alerted, attacker=attacker, target=target)


def hit(attacker: int, target: int, direction: Direction = THRUST, **values: int) -> Attack:
    """Return an attack with plain numbers, which undercuts every manoeuvre."""
    return replace(Attack(attacker, target, direction, 0), **values)  # type: ignore[arg-type]  # numbers only


def fight(
    fighters: Sequence[Fighter],
    attacks: Sequence[Attack],
    rolls: Mapping[int, int] | None = None,
    *,
    first: bool = True,
    pierced: bool = False,
) -> Report:
    return resolve(Melee(tuple(fighters), tuple(attacks), first, pierced), rolls or {})


def mount(vulnerability: int, *, armored: bool = False) -> Steed:
    return Steed("horse", vulnerability, armored)


def hand(*pieces: Piece, **values: object) -> Hand:
    return Hand(pieces, **values)  # type: ignore[arg-type]  # the values of a Hand
