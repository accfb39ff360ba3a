"""Which piece of armour a hit strikes, and what becomes of it (C20)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.games.magic_realm.combat_rules.melee import ARMOR_LAYERS, ArmorPiece, Direction, Level

INTACT: Final = 0
DAMAGED: Final = 1
DESTROYED: Final = 2


def find_struck_armor(pieces: Sequence[ArmorPiece], wear: Sequence[int], direction: Direction) -> int | None:
    """Return the number of the outermost piece in a direction that is not destroyed; None if there is none."""
    covering = [number for number, piece in enumerate(pieces) if direction in piece.covers and wear[number] < DESTROYED]
    return min(covering, key=lambda number: ARMOR_LAYERS.index(pieces[number].layer), default=None)


def wear_out(piece: ArmorPiece, wear: int, level: Level) -> int:
    """Return the state of a piece after a hit: intact, damaged or destroyed."""
    if level < piece.toughness:
        return wear
    if level > piece.toughness or piece.is_card:
        return DESTROYED
    return wear + 1


def damage_counter(piece: ArmorPiece, wear: int) -> int:
    """Return the state of a piece after Rust (C27): cards are spared."""
    return wear if piece.is_card else min(wear + 1, DESTROYED)
