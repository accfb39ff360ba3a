"""The catalog: all facts of the game in typed rows."""

from __future__ import annotations

from dataclasses import dataclass

from realmtable.games.magic_realm.catalog.characters_and_denizens import Character, Monster, Native, NativeGroup
from realmtable.games.magic_realm.catalog.game_numbers import Numbers
from realmtable.games.magic_realm.catalog.goods_and_spells import (
    Armor,
    Goods,
    Horse,
    HorseKind,
    Spell,
    Treasure,
    Weapon,
)
from realmtable.games.magic_realm.catalog.names import Names
from realmtable.games.magic_realm.catalog.placement import StockMap
from realmtable.games.magic_realm.catalog.setup_card import ChartBox, Dwelling, Ghosts, MapChit, SetupBox
from realmtable.games.magic_realm.catalog.tables import Tables
from realmtable.games.magic_realm.catalog.tiles import Road, Tile


@dataclass(frozen=True, slots=True)
class Catalog:
    """Everything that never changes. The position of a row in its tuple is its number."""

    tiles: tuple[Tile, ...]
    roads: tuple[Road, ...]  # of all tiles and both sides
    secret_roads: tuple[Road, ...]  # hidden paths and secret passages, by their secret ids
    characters: tuple[Character, ...]
    monsters: tuple[Monster, ...]
    groups: tuple[NativeGroup, ...]
    natives: tuple[Native, ...]
    visitors: tuple[str, ...]
    weapons: tuple[Weapon, ...]
    armor: tuple[Armor, ...]
    horses: tuple[Horse, ...]
    treasures: tuple[Treasure, ...]
    goods: tuple[Goods, ...]  # the four above, one after the other; their ids are positions here
    dagger: Weapon
    breeds: tuple[HorseKind, ...]
    spells: tuple[Spell, ...]
    map_chits: tuple[MapChit, ...]
    dwellings: tuple[Dwelling, ...]
    ghosts: Ghosts
    boxes: tuple[SetupBox, ...]
    chart: tuple[ChartBox, ...]
    tables: Tables
    numbers: Numbers
    stock_maps: tuple[StockMap, ...]
    names: Names

    def summoned_boxes(self, row: int, chit: int, letter: str) -> tuple[ChartBox, ...]:
        """Return the boxes of a row that a map chit can summon in a tile with a warning of this letter (P3)."""
        found = self.map_chits[chit]
        return tuple(box for box in self.chart if box.row == row and box.is_summoned_by(found, letter))

    def box(self, name: str) -> SetupBox:
        """Return the box of the set-up card with this name."""
        return next(box for box in self.boxes if box.name == name)
