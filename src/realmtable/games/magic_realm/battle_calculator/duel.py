"""A fight between one character and the monsters on its sheet, as it stands at the beginning of a round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import Character
from realmtable.games.magic_realm.catalog.goods_and_spells import Armor, Goods, Horse, Treasure, Weapon
from realmtable.games.magic_realm.catalog.ids import CharacterId, GoodsId, MonsterId
from realmtable.games.magic_realm.combat_rules.boxes import Counter
from realmtable.games.magic_realm.combat_rules.catalog_to_melee import SHIELD, armor_piece, card_armor
from realmtable.games.magic_realm.combat_rules.harm import level_of
from realmtable.games.magic_realm.combat_rules.melee import ArmorPiece, Direction, Level
from realmtable.games.magic_realm.combat_rules.plays import BERSERK, Hand, Piece, card_pieces, chit_piece, horse_pieces
from realmtable.games.magic_realm.day_rules.chit_states import ChitStates
from realmtable.games.magic_realm.day_rules.modifiers import DiceRule
from realmtable.games.magic_realm.world.entities import ACTIVE

Thing = TypeVar("Thing", bound=Goods)


@dataclass(frozen=True, slots=True)
class Duel:
    """A character with its chits and what it uses, and the monsters on its sheet. All are given by their numbers."""

    character_id: CharacterId
    chits: ChitStates
    monsters: tuple[MonsterId, ...]
    dark: frozenset[Counter] = frozenset()  # the counters whose dark side shows
    goods: tuple[GoodsId, ...] = ()  # active weapon, armour, horse, boots and gloves
    damaged: frozenset[GoodsId] = frozenset()  # armour
    is_alerted: bool = False
    is_berserk: bool = False
    is_in_cave: bool = False
    is_first_round: bool = True
    quiet_rounds: int = 0
    played: tuple[Piece, ...] = ()  # in the encounter of this round
    burden: Level = 0  # the heaviest of what it carries without using it
    dice: tuple[tuple[str, DiceRule], ...] = ()  # how it rolls on tables, if not by its own advantages alone (G3)

    @property
    def character(self) -> Character:
        """The character."""
        return load_catalog().characters[self.character_id]

    @property
    def weapon(self) -> Weapon | None:
        """The active weapon."""
        return next(self.list_goods(Weapon), None)

    @property
    def horse(self) -> Horse | None:
        """The active horse."""
        return next(self.list_goods(Horse), None)

    @property
    def has_shield(self) -> bool:
        """Whether a shield has to be put in front of a direction."""
        return any(piece.layer == SHIELD for piece in self.list_goods(Armor))

    def list_goods(self, kind: type[Thing]) -> Iterator[Thing]:
        """Yield the goods of a kind."""
        things = (load_catalog().goods[number] for number in self.goods)
        return (thing for thing in things if isinstance(thing, kind))

    def list_armor(self, shield_at: Direction) -> list[tuple[GoodsId, ArmorPiece]]:
        """Return the armour with its numbers, with the shield in front of a direction."""
        counters = (
            (piece.id, armor_piece(piece, is_damaged=piece.id in self.damaged, shield_at=shield_at))
            for piece in self.list_goods(Armor)
        )
        cards = ((card.id, card_armor(card)) for card in self.list_goods(Treasure))
        return [(number, piece) for number, piece in (*counters, *cards) if piece is not None]

    def is_red(self, monster: MonsterId) -> bool:
        """Whether a Tremendous monster is red side up (C26)."""
        return load_catalog().monsters[monster].size == "T" and Counter(monster) in self.dark


def hand_of(duel: Duel) -> Hand:
    """Return what the character can play (C7 to C9)."""
    rows = zip(duel.character.chits, duel.chits, strict=True)
    chits = [chit_piece(chit) for chit, state in rows if state == ACTIVE]
    cards = [piece for card in duel.list_goods(Treasure) for piece in card_pieces(card)]
    horses = [] if duel.is_in_cave else [side for horse in duel.list_goods(Horse) for side in horse_pieces(horse)]
    return Hand(
        tuple(piece for piece in (*chits, *cards, *horses) if piece is not None and piece.kind != BERSERK),
        weapon_weight=level_of((duel.weapon or load_catalog().dagger).weight),
        load=max(duel.burden, *(level_of(letter) for letter in _list_weights(duel))),
        played=duel.played,
        is_held=any(duel.is_red(monster) for monster in duel.monsters),
    )


def _list_weights(duel: Duel) -> Iterator[str]:
    """Yield the weights that a Move chit must carry: the character and all it uses (C9)."""
    yield duel.character.weight
    yield from (thing.weight for thing in duel.list_goods(Goods) if thing.weight)


def find_steed(duel: Duel, move: Piece | None) -> Horse | None:
    """Return the horse that a piece is a side of, if it is one."""
    return duel.horse if move is not None and move.gait else None


@cache
def _name_alike(monster: MonsterId) -> object:
    """Return what monsters that cannot be told apart have in common; some of one kind can."""
    return replace(load_catalog().monsters[monster], id=0, name="")


def _shows_dark(duel: Duel, monster: MonsterId) -> tuple[bool, bool]:
    return Counter(monster) in duel.dark, Counter(monster, is_part=True) in duel.dark


def sort_alike(duel: Duel) -> Duel:
    """Return the same fight with monsters that are alike in a fixed order: which of them is which does not matter."""
    found: list[MonsterId] = []
    dark: set[Counter] = set()
    for common in dict.fromkeys(map(_name_alike, duel.monsters)):
        sides = sorted(_shows_dark(duel, monster) for monster in duel.monsters if _name_alike(monster) == common)
        numbers = [row.id for row in load_catalog().monsters if _name_alike(row.id) == common]
        for number, shown in zip(numbers, sides, strict=False):
            found.append(number)
            dark |= {Counter(number, bool(part)) for part, is_dark in enumerate(shown) if is_dark}
    return replace(duel, monsters=tuple(found), dark=frozenset(dark))


def list_targets(duel: Duel) -> list[MonsterId]:
    """Return the monsters worth telling apart as targets: one of each kind and side."""
    firsts = {(_name_alike(monster), _shows_dark(duel, monster)): monster for monster in reversed(duel.monsters)}
    return sorted(firsts.values(), key=duel.monsters.index)
