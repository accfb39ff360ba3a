"""What changes the dice and phases of a character: its advantages, its active cards, and what is around it (G3, D5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import Effect
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.catalog.ids import Place, place_of, tile_of
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.map_layout import graph_of
from realmtable.games.magic_realm.world.open_slots import site_slot, warning_slot
from realmtable.games.magic_realm.world.places import is_clearing, is_pack, is_road, pack_seat
from realmtable.games.magic_realm.world.world import World

AROUND: Final = "clearing"  # the effects of a card that reach everyone in its clearing, whoever has it
RUINS: Final = "Ruins"  # a tile and a warning
WOODS: Final = "Woods"  # in the names of tiles


class DiceRule(NamedTuple):
    """How many dice are rolled on a table, and what is added to the higher one."""

    dice: int
    add: int


def find_dice_rule(world: World, seat: Seat, table: str) -> DiceRule:
    """Return how a character rolls on a table (G3)."""
    own = [effect for effect in list_effects(world, seat) if effect.where != AROUND]
    found = [
        effect
        for effect in (*own, *_list_effects_around(world, world.heroes[seat].place))
        if table in effect.tables and is_at(world, seat, effect.where)
    ]
    one_die = any(effect.verb == "one_die" for effect in found)
    return DiceRule(1 if one_die else 2, sum(effect.number for effect in found if effect.verb == "add"))


def read_roll(table: str, dice: tuple[int, ...], add: int) -> tuple[str, ...]:
    """Return the result of a roll: the higher die, with what is added (G3)."""
    return load_catalog().tables.by_name[table].read(max(dice) + add)


def list_effects(world: World, seat: Seat) -> Iterator[Effect]:
    """Yield what a character's advantages and active cards do."""
    catalog, hero = load_catalog(), world.heroes[seat]
    yield from catalog.characters[hero.character].effects
    for number in hero.pack:
        goods = catalog.goods[number]
        if isinstance(goods, Treasure) and world.goods[number].active:
            yield from goods.effects


def has_effect(world: World, seat: Seat, verb: str) -> bool:
    """Whether an advantage or an active card of a character does something."""
    return any(effect.verb == verb for effect in list_effects(world, seat))


def _list_effects_around(world: World, place: Place) -> Iterator[Effect]:
    for number in sorted(catalog_lookups().enchanted):
        card = world.goods[number]
        where = world.heroes[pack_seat(card.place)].place if is_pack(card.place) else card.place
        if card.active and where == place:
            treasure = load_catalog().goods[number]
            assert isinstance(treasure, Treasure)  # noqa: S101 - enchanted goods are cards
            yield from treasure.effects


def kind_at(world: World, place: Place) -> str:
    """Return the kind of a clearing: woods, cave or mountain; empty for a roadway."""
    return "" if is_road(place) else graph_of(world).clearings[place].kind


def is_cave(world: World, place: Place) -> bool:
    """Whether a place is a cave clearing."""
    return kind_at(world, place) == "cave"


def is_mountain(world: World, place: Place) -> bool:
    """Whether a place is a mountain clearing."""
    return kind_at(world, place) == "mountain"


def is_at(world: World, seat: Seat, where: str) -> bool:
    """Whether a character is where an effect works."""
    place = world.heroes[seat].place
    if where in ("", AROUND):
        return True
    if not is_clearing(place):
        return False
    if where in ("cave", "mountain"):
        return kind_at(world, place) == where
    if where == "dwelling":
        return has_dwelling(world, place)
    tile = load_catalog().tiles[tile_of(place)]
    if where == "woods tile":
        return WOODS in tile.name
    chits = load_catalog().map_chits
    slots = [site_slot(tile.id)]
    if not world.tiles[tile.id].dwelling:  # M5, M6: a warning that was replaced has left the game
        slots.append(warning_slot(tile.id))
    lying = [world.slots[slot].chit for slot in slots]
    return (where == RUINS == tile.name) or any(chit >= 0 and chits[chit].word == where for chit in lying)


def has_dwelling(world: World, place: Place) -> bool:
    """Whether a dwelling stands in a clearing; the Ghosts are not one (M6)."""
    tile = tile_of(place)
    number = world.tiles[tile].dwelling
    return (
        bool(number)
        and place_of(tile, number) == place
        and world.slots[warning_slot(tile)].chit != load_catalog().ghosts.chit
    )
