"""Moves goods between boxes, packs and piles, so that each of them is in exactly one place."""

from __future__ import annotations

from collections.abc import Collection

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import GoodsId, Place, clearing_of, tile_of
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.places import box_of, is_box, is_clearing, is_pack, pack_seat
from realmtable.games.magic_realm.world.position_words import is_card
from realmtable.games.magic_realm.world.world import World


def pile_at(world: World, place: Place) -> tuple[GoodsId, ...]:
    """Return the abandoned goods in a clearing, the top one first."""
    return world.tiles[tile_of(place)].piles[clearing_of(place)]


def list_goods_at(world: World, place: Place) -> tuple[int, ...]:
    """Return what lies in a box, a pack or the pile of a clearing, in its order; nothing elsewhere."""
    if is_box(place):
        return world.boxes[box_of(place)].entries
    if is_pack(place):
        return world.heroes[pack_seat(place)].pack
    return pile_at(world, place) if is_clearing(place) else ()


def put_goods(world: World, goods: GoodsId, place: Place, *, on_top: bool = False) -> None:
    """Move goods to a pack, a box, the pile of a clearing or out of the game.

    They go below everything that lies there, unless `on_top`. They become inactive; enchanted cards stay active (T2).
    """
    before = world.goods[goods].place
    write_list(world, before, tuple(other for other in list_goods_at(world, before) if other != goods))
    there = list_goods_at(world, place)
    write_list(world, place, (goods, *there) if on_top else (*there, goods))
    if goods not in catalog_lookups().enchanted:
        world.writable_goods(goods).active = False
    if world.goods[goods].alerted:
        world.writable_goods(goods).alerted = False
    world.move_goods(goods, place)


def put_behind(pack: tuple[GoodsId, ...], moved: Collection[GoodsId]) -> tuple[GoodsId, ...]:
    """Return a pack with some of its goods behind the others, both in their order."""
    return tuple(sorted(pack, key=lambda goods: goods in moved))


def write_list(world: World, place: Place, goods: tuple[int, ...]) -> None:
    """Write what lies in a box, a pack or the pile of a clearing; do nothing for other places."""
    if is_box(place):
        world.writable_box(box_of(place)).entries = goods
    elif is_pack(place):
        world.writable_hero(pack_seat(place)).pack = goods
    elif is_clearing(place):
        tile, number = world.writable_tile(tile_of(place)), clearing_of(place)
        tile.piles = (*tile.piles[:number], goods, *tile.piles[number + 1 :])


def active_kind(goods: int) -> str:
    """Return the group of goods of which only one can be active at a time (D25); empty for other cards."""
    catalog = load_catalog()
    thing = catalog.goods[goods]
    if goods < len(catalog.weapons):
        return "weapon"
    if goods < len(catalog.weapons) + len(catalog.armor):
        piece = catalog.armor[goods - len(catalog.weapons)]
        return f"{piece.layer} {piece.covers}"
    if not is_card(goods):
        return "horse"
    return thing.kind if thing.kind in ("boots", "gloves") else ""
