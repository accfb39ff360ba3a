"""What a character is strong enough to carry (D11, Q7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Horse, Treasure
from realmtable.games.magic_realm.catalog.ids import STRENGTHS, GoodsId, is_as_strong
from realmtable.games.magic_realm.world.entities import ACTIVE
from realmtable.games.magic_realm.world.world import World

NEGLIGIBLE = STRENGTHS[0]


def find_strength(world: World, seat: Seat) -> str:
    """Return the strength of the strongest active Move chit, horse or boots."""
    return max((NEGLIGIBLE, *_list_strengths(world, seat)), key=STRENGTHS.index)


def horse_strength(horse: Horse) -> str:
    """Return the strength of the stronger of a horse's two gaits."""
    return max(horse.walk.strength, horse.gallop.strength, key=STRENGTHS.index)


def list_left_behind(world: World, seat: Seat) -> list[GoodsId]:
    """Return the belongings that a character cannot carry when it moves, in the order in which it got them (D11)."""
    strength = find_strength(world, seat)
    packing = max((NEGLIGIBLE, *_list_packing_strengths(world, seat)), key=STRENGTHS.index)
    return [
        goods
        for goods in _list_too_heavy(world, seat, strength)
        if world.goods[goods].active or not is_as_strong(packing, load_catalog().goods[goods].weight)
    ]


def list_dropped_at_the_end(world: World, seat: Seat) -> list[GoodsId]:
    """Return the belongings that do not count at the end, because no active piece can carry them (Q7)."""
    return [*_list_too_heavy(world, seat, find_strength(world, seat))]


def _list_strengths(world: World, seat: Seat) -> Iterator[str]:
    catalog, hero = load_catalog(), world.heroes[seat]
    for chit, state in zip(catalog.characters[hero.character].chits, hero.chits, strict=True):
        if chit.kind == "Move" and state == ACTIVE:
            yield chit.strength
    for number in hero.pack:
        if not world.goods[number].active:
            continue
        match catalog.goods[number]:
            case Horse() as horse:
                yield horse_strength(horse)
            case Treasure(effects=effects):
                yield from (effect.strength for effect in effects if effect.verb == "move_piece")


def list_weights(pack: Sequence[tuple[GoodsId, bool]]) -> Iterator[str]:
    """Yield the weights of all items that no inactive horse carries, given with whether they are active."""
    goods = load_catalog().goods
    led = [horse_strength(horse) for number, active in pack if not active and isinstance(horse := goods[number], Horse)]
    for number, active in pack:
        weight = goods[number].weight
        if weight and (active or not any(is_as_strong(strength, weight) for strength in led)):
            yield weight


def _list_packing_strengths(world: World, seat: Seat) -> Iterator[str]:
    for number in world.heroes[seat].pack:
        goods = load_catalog().goods[number]
        if isinstance(goods, Horse) and not world.goods[number].active:
            yield horse_strength(goods)


def _list_too_heavy(world: World, seat: Seat, strength: str) -> Iterator[GoodsId]:
    """Yield the belongings that are heavier than a strength; horses come along by themselves."""
    for number in world.heroes[seat].pack:
        weight = load_catalog().goods[number].weight
        if weight and not is_as_strong(strength, weight):
            yield number
