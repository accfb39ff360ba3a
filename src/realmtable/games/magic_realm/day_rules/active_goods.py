"""Which belongings can be active, and how they are left (D20, D25, T1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import ANY_ACTIVITY, PEER_AFAR, SITE_CARD_TABLES, Effect
from realmtable.games.magic_realm.catalog.goods_and_spells import Horse, Treasure
from realmtable.games.magic_realm.catalog.ids import GoodsId, Place, is_as_strong
from realmtable.games.magic_realm.day_rules.carry import horse_strength, list_weights
from realmtable.games.magic_realm.day_rules.modifiers import is_cave
from realmtable.games.magic_realm.world.belongings import active_kind, put_behind, put_goods
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.knowledge import (
    card_back,
    everyone,
    hide_in_pack,
    let_seats_know_goods,
    list_alike,
)
from realmtable.games.magic_realm.world.position_words import is_card
from realmtable.games.magic_realm.world.world import World

NO_GOODS: Final = -1
TABLES: Final = ("hide", "peer", "locate", "loot", "sight", *SITE_CARD_TABLES)
PHASES: Final = ("move", "hide", "search", "rest", "alert", PEER_AFAR, ANY_ACTIVITY)


def can_activate(world: World, seat: Seat, goods: GoodsId) -> bool:
    """Whether a character can make an inactive belonging active (D25)."""
    kind, others = active_kind(goods), world.heroes[seat].pack
    is_taken = kind and any(world.goods[other].active and active_kind(other) == kind for other in others)
    if is_taken or not can_be_active(goods, in_combat=world.options.has_combat):
        return False
    return _is_strong_enough(world, seat, goods)


def can_be_active(goods: GoodsId, *, in_combat: bool = False) -> bool:
    """Whether something can be active: always counters, and cards with an effect that is played (T1)."""
    thing = load_catalog().goods[goods]
    if not isinstance(thing, Treasure):
        return True
    return (in_combat and thing.kind == "armor") or any(map(_is_played, thing.effects))


def _is_played(effect: Effect) -> bool:
    if effect.verb in ("one_die", "add"):
        return any(table in TABLES for table in effect.tables)
    if effect.verb == "extra_phase":
        return effect.activity in PHASES
    return effect.verb in ("move_piece", "fight_piece", "keys")


def move_strength(goods: GoodsId) -> str:
    """Return the strength of a horse or boots; empty for other goods."""
    match load_catalog().goods[goods]:
        case Horse() as horse:
            return horse_strength(horse)
        case Treasure(effects=effects):
            return next((effect.strength for effect in effects if effect.verb == "move_piece"), "")
    return ""


def _is_strong_enough(world: World, seat: Seat, goods: GoodsId) -> bool:
    """Whether a horse or boots can carry the character and what no inactive horse carries; true for other goods."""
    strength, hero = move_strength(goods), world.heroes[seat]
    if not strength:
        return True
    if isinstance(load_catalog().goods[goods], Horse) and is_cave(world, hero.place):
        return False
    return bears_all(world, seat, strength, goods)


def bears_all(world: World, seat: Seat, strength: str, riding: GoodsId = NO_GOODS) -> bool:
    """Whether a strength suffices for the character and every item that no inactive horse carries (D25, E14)."""
    weights = [load_catalog().characters[world.heroes[seat].character].weight, *_list_weights(world, seat, riding)]
    return all(is_as_strong(strength, weight) for weight in weights)


def _list_weights(world: World, seat: Seat, riding: GoodsId) -> Iterator[str]:
    """Yield the weights of all items that no inactive horse carries, if one horse or pair of boots is active."""
    pack = world.heroes[seat].pack
    return list_weights([(number, number == riding or world.goods[number].active) for number in pack])


def activate(world: World, seat: Seat, goods: GoodsId) -> None:
    """Make a belonging active; everyone sees it, but not how long the character has had a card (X1)."""
    found = world.writable_goods(goods)
    found.active, found.alerted = True, False
    if is_card(goods):
        _put_behind(world, seat, [goods])
    let_seats_know_goods(world, goods, everyone(world))
    settle_active(world, seat)


def deactivate(world: World, seat: Seat, goods: GoodsId) -> None:
    """Make a belonging inactive; a horse then carries what it can."""
    world.writable_goods(goods).active = False
    settle_active(world, seat)


def settle_active(world: World, seat: Seat) -> None:
    """Make horses and boots inactive that are no longer strong enough, and horses in caves (D25)."""
    active = [goods for goods in world.heroes[seat].pack if world.goods[goods].active]
    for goods in [goods for goods in active if not _is_strong_enough(world, seat, goods)]:
        world.writable_goods(goods).active = False


def leave_goods(world: World, seat: Seat, goods: GoodsId, place: Place) -> None:
    """Put an abandoned belonging at the bottom of the pile in a clearing, cards face down (D20)."""
    alike = list_alike(_list_pack(world, seat), goods)
    if alike:
        hide_in_pack(world, seat, goods, 1 << seat)
        _put_behind(world, seat, alike)
    put_goods(world, goods, place)


def order_left(world: World, seat: Seat, left: Sequence[GoodsId]) -> list[GoodsId]:
    """Return abandoned belongings in the order in which they join the pile, those whose slot stays secret last (X1)."""
    pack = _list_pack(world, seat)
    return sorted(left, key=lambda goods: -card_back(goods) if list_alike(pack, goods) else 0)


def _list_pack(world: World, seat: Seat) -> list[tuple[GoodsId, bool]]:
    return [(goods, world.goods[goods].active) for goods in world.heroes[seat].pack]


def _put_behind(world: World, seat: Seat, moved: Sequence[GoodsId]) -> None:
    hero = world.writable_hero(seat)
    hero.pack = put_behind(hero.pack, moved)


def is_always_active(goods: GoodsId) -> bool:
    """Whether something can never be made inactive: an enchanted card (T2)."""
    return goods in catalog_lookups().enchanted
