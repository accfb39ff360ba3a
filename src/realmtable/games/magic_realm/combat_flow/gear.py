"""What a character in combat has at hand: pieces to play, a weapon, armour, and how much it carries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import ActionChit
from realmtable.games.magic_realm.catalog.goods_and_spells import Armor, Horse, Treasure, Weapon
from realmtable.games.magic_realm.catalog.ids import GoodsId
from realmtable.games.magic_realm.combat_flow.state import CombatBelonging, Fight, Warrior
from realmtable.games.magic_realm.combat_rules.catalog_to_melee import armor_piece, card_armor
from realmtable.games.magic_realm.combat_rules.harm import level_of
from realmtable.games.magic_realm.combat_rules.melee import ArmorPiece, Direction, Level
from realmtable.games.magic_realm.combat_rules.plays import MOVE, Hand, Piece, card_pieces, chit_piece, horse_pieces
from realmtable.games.magic_realm.day_rules.active_goods import can_be_active, is_always_active
from realmtable.games.magic_realm.day_rules.carry import list_weights
from realmtable.games.magic_realm.world.belongings import active_kind
from realmtable.games.magic_realm.world.entities import ACTIVE


def chits_of(warrior: Warrior) -> tuple[ActionChit, ...]:
    """Return the twelve chits of a character."""
    return load_catalog().characters[warrior.character].chits


def find_load(warrior: Warrior) -> Level:
    """Return the heaviest of a character and what no inactive horse carries (C9)."""
    weights = list_weights([(gear.goods, gear.active) for gear in warrior.gear])
    return max(map(level_of, (load_catalog().characters[warrior.character].weight, *weights)))


def find_weapon(warrior: Warrior) -> tuple[CombatBelonging, Weapon] | None:
    """Return the active weapon; None if there is only the dagger."""
    for gear in warrior.gear:
        thing = load_catalog().goods[gear.goods]
        if gear.active and isinstance(thing, Weapon):
            return gear, thing
    return None


def find_hand(fight: Fight, warrior: Warrior) -> Hand:
    """Return what a character can play from."""
    weapon = find_weapon(warrior)
    return Hand(
        (*_list_chits(warrior), *_list_gear_pieces(fight, warrior)),
        level_of("N" if weapon is None else weapon[1].weight),
        find_load(warrior),
        warrior.played,
        fight.sheets.is_held(warrior.seat),
        turns_horses=fight.rules.turns_horses,
    )


def _list_chits(warrior: Warrior) -> Iterator[Piece]:
    for chit, state in zip(chits_of(warrior), warrior.chits, strict=True):
        piece = chit_piece(chit)
        if state == ACTIVE and piece is not None:
            yield piece


def _list_gear_pieces(fight: Fight, warrior: Warrior) -> Iterator[Piece]:
    for gear in warrior.gear:
        if gear.active:
            match load_catalog().goods[gear.goods]:
                case Treasure() as card:
                    yield from card_pieces(card)
                case Horse() as horse if not fight.is_cave:
                    yield from horse_pieces(horse)


def list_armor(warrior: Warrior, shield_at: Direction | None) -> list[tuple[CombatBelonging, ArmorPiece]]:
    """Return the active armour of a character, with the gear that it is."""
    found = []
    for gear in warrior.gear:
        piece = _read_armor(gear, shield_at)
        if gear.active and piece is not None:
            found.append((gear, piece))
    return found


def _read_armor(gear: CombatBelonging, shield_at: Direction | None) -> ArmorPiece | None:
    match load_catalog().goods[gear.goods]:
        case Armor() as armor:
            return armor_piece(armor, is_damaged=gear.damaged, shield_at=shield_at)
        case Treasure() as card:
            return card_armor(card)
    return None


def has_shield(warrior: Warrior) -> bool:
    """Whether a shield has to be put somewhere (C7)."""
    return any(piece.layer == "shield" for _, piece in list_armor(warrior, None))


# ---- numbers of pieces in steps


def number_piece(piece: Piece) -> int:
    """Return the number of a piece in steps: a label, or goods behind the labels; galloping horses behind those."""
    catalog = load_catalog()
    labels = catalog.names.by_name("action")
    if piece.name in labels:
        return labels[piece.name]
    goods = next(thing.id for thing in catalog.goods if thing.name == piece.name)
    return len(labels) + goods + len(catalog.goods) * (piece.gait == "gallop")


def pick_piece(hand: Hand, number: int) -> Piece:
    """Return the piece of a hand with a number."""
    return next(piece for piece in hand.pieces if number_piece(piece) == number)


# ---- changing gear


def change_gear(warrior: Warrior, goods: GoodsId, **values: bool) -> Warrior:
    """Return a character after a change of one belonging."""
    changed = [gear._replace(**values) if gear.goods == goods else gear for gear in warrior.gear]
    return replace(warrior, gear=tuple(changed))


def drop_gear(warrior: Warrior, goods: GoodsId) -> Warrior:
    """Return a character without a belonging."""
    return replace(warrior, gear=tuple(gear for gear in warrior.gear if gear.goods != goods))


def can_be_activated(fight: Fight, warrior: Warrior, goods: GoodsId) -> bool:
    """Whether an inactive belonging can be made active (D25, T1)."""
    thing, kind = load_catalog().goods[goods], active_kind(goods)
    if not can_be_active(goods, in_combat=True) or (fight.is_cave and isinstance(thing, Horse)):
        return False
    if kind and any(gear.active and active_kind(gear.goods) == kind for gear in warrior.gear):
        return False
    return _carries_all(change_gear(warrior, goods, active=True), goods)


def _carries_all(warrior: Warrior, goods: GoodsId) -> bool:
    """Whether active boots or horses are strong enough for everything; true for other goods (D25)."""
    match load_catalog().goods[goods]:
        case Horse() as horse:
            pieces: list[Piece] = [*horse_pieces(horse)]
        case Treasure() as card:
            pieces = [piece for piece in card_pieces(card) if piece.kind == MOVE]
        case _:
            return True
    return not pieces or max(piece.strength for piece in pieces) >= find_load(warrior)


def lay_down(gear: CombatBelonging) -> CombatBelonging:
    """Return a belonging without its owner: inactive, except for enchanted cards (T2), and as damaged as it was."""
    return gear._replace(active=is_always_active(gear.goods), alerted=False)


def settle_gear(warrior: Warrior) -> Warrior:
    """Make boots and horses inactive that are too weak for what their owner carries now (D25)."""
    for gear in warrior.gear:
        if gear.active and not _carries_all(warrior, gear.goods):
            warrior = change_gear(warrior, gear.goods, active=False)
    return warrior
