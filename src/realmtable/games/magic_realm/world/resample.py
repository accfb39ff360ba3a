"""Redraws what a seat does not know, so that bots can think about a world that fits their view.

Which slots are decided, who knows them and who has chosen stays the same; only what they hold changes. The flow, which
knows what can be written, then writes new plans.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import GoodsId, MapChitId, Place
from realmtable.games.magic_realm.catalog.setup_card import RED_CHIT
from realmtable.games.magic_realm.world.belongings import list_goods_at, write_list
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.draw_weights import Weights, weigh_equally, weigh_site_slot
from realmtable.games.magic_realm.world.entities import GOALS, NO_CHARACTER, NO_START, OPEN, OPEN_SMALL
from realmtable.games.magic_realm.world.knowledge import card_back
from realmtable.games.magic_realm.world.open_slots import (
    count_open_site_slots,
    decide_chit,
    list_undecided,
    weigh_cards,
    weigh_chits,
)
from realmtable.games.magic_realm.world.places import GONE, NOWHERE, box_of, is_box, pack_place
from realmtable.games.magic_realm.world.world import World

RUINS: Final = "Ruins"
MOST_GUESSED: Final = 12  # discoveries of another character


class Spot(NamedTuple):
    """Where a card lies that the seat does not know."""

    place: Place
    position: int
    back: int
    seen: int  # the seats that know it, as bits


def resample_world(world: World, seat: Seat, rng: Random, fighting: Collection[Seat] = ()) -> None:
    """Redraw what a seat does not know, in a world that is not sealed.

    Belongings, gold and discoveries of characters in combat stay: the steps of combat and its spoils depend on them.
    """
    _redraw_chits(world, 1 << seat, rng)
    _redraw_cards(world, 1 << seat, rng, [pack_place(other) for other in fighting])
    for other, hero in enumerate(world.heroes):
        if other != seat:
            discoveries, gold = hero.discoveries, hero.gold
            _redraw_choices(world, other, rng)
            if other in fighting:
                own = world.writable_hero(other)
                own.discoveries, own.gold = discoveries, gold


def draw_weighted(weights: Weights, rng: Random) -> int:
    """Return one of the candidates by its weight."""
    return rng.choices([found for found, _ in weights], [weight for _, weight in weights])[0]


def _redraw_chits(world: World, bit: int, rng: Random) -> None:
    """Redraw the chits that a seat does not know.

    A chit that no one has seen was decided for a map (X5): from the roll, everyone knows whether it is the one that
    the map names. If it is, it stays; if not, it is replaced by another one that is not, before the others are drawn.
    """
    unknown = [number for number, slot in enumerate(world.slots) if slot.chit >= 0 and not slot.seen & bit]
    told = [slot for slot in unknown if not world.slots[slot].seen]
    kept = [slot for slot in told if _is_named_by_map(world.slots[slot].chit)]
    drawn = [slot for slot in unknown if slot not in kept]
    for slot in drawn:
        decide_chit(world, slot, OPEN)
    for slot in sorted(drawn, key=lambda slot: slot not in told):
        weights = weigh_chits(world, slot)
        others = [(chit, weight) for chit, weight in weights if not _is_named_by_map(chit)]
        decide_chit(world, slot, draw_weighted(others if slot in told else weights, rng))


def _is_named_by_map(chit: MapChitId) -> bool:
    """Whether a map among the treasures leads to a chit: the Lost City, the Lost Castle, Ruins (G3)."""
    found = load_catalog().map_chits[chit]
    return found.kind == RED_CHIT or found.word == RUINS


def _redraw_cards(world: World, bit: int, rng: Random, kept: Collection[Place]) -> None:
    """Take away all unknown cards, then fill their places: first packs and piles, then boxes."""
    spots = []
    for card, goods in enumerate(world.goods):
        if goods.place not in kept and not goods.seen & bit and card in (there := list_goods_at(world, goods.place)):
            spot = Spot(goods.place, there.index(card), card_back(card), goods.seen)
            spots.append(spot)
            _fill(world, spot, spot.back)
            world.move_goods(card, NOWHERE)
            world.writable_goods(card).seen = 0
    carried = [spot for spot in spots if not is_box(spot.place)]
    large_left = sum(spot.back != OPEN_SMALL for spot in carried)
    for spot in carried:
        _draw_card(world, spot, _weigh_carried(world, spot.back, large_left), rng)
        large_left -= spot.back != OPEN_SMALL
    for spot in spots:
        if is_box(spot.place):
            _draw_card(world, spot, weigh_cards(world, box_of(spot.place), spot.position), rng)


def _draw_card(world: World, spot: Spot, weights: Weights, rng: Random) -> None:
    card = draw_weighted(weights, rng)
    _fill(world, spot, card)
    world.move_goods(card, spot.place)
    world.writable_goods(card).seen = spot.seen


def _fill(world: World, spot: Spot, entry: GoodsId) -> None:
    there = list_goods_at(world, spot.place)
    write_list(world, spot.place, (*there[: spot.position], entry, *there[spot.position + 1 :]))


def _weigh_carried(world: World, back: int, large_left: int) -> Weights:
    """Return the weights for a card in a pack or pile.

    A large one counts as one more slot of a site. Of the cards that lead to other treasures, only some can be carried.
    Enchanted cards are face up wherever they are carried, so a face-down card is none of them (T2).
    """
    tables = catalog_lookups()
    if back == OPEN_SMALL:
        return weigh_equally([card for card in list_undecided(world, tables.small) if card not in tables.enchanted])
    within = list_undecided(world, tables.within)
    weights = weigh_site_slot(list_undecided(world, tables.large), within, count_open_site_slots(world) + large_left)
    face_down = [(card, weight) for card, weight in weights if card not in tables.enchanted]
    return [(card, weight) for card, weight in face_down if card not in within or card in tables.portable]


def _redraw_choices(world: World, seat: Seat, rng: Random) -> None:
    """Redraw what only another seat's player knows: points, the starting place, gold, discoveries, and counts."""
    hero, catalog = world.writable_hero(seat), load_catalog()
    starts, limit = catalog_lookups().starts[hero.character], world.options.points_to_assign
    choosing = _is_choosing(world, seat)
    count = rng.randint(0, limit) if choosing else len(hero.points)
    hero.points = tuple(rng.randrange(len(GOALS)) for _ in range(count))
    hero.backs = hero.ordered = 0
    if choosing and len(starts) > 1:
        starts = (NO_START, *starts) if count == limit else (NO_START,)
    if world.day == 0 and (choosing or hero.start != NO_START):  # later, everyone knows it (M10)
        hero.start = rng.choice(starts)
    if world.options.secret_gold and hero.character != NO_CHARACTER and not hero.dead:
        hero.gold = catalog.numbers.starting_gold + _draw_gain(world, rng)
    known = rng.sample([*catalog.names.by_number("discovery")], rng.randint(0, min(world.day, MOST_GUESSED)))
    hero.discoveries = 0 if hero.dead else sum(1 << number for number in known)


def _is_choosing(world: World, seat: Seat) -> bool:
    """Whether a seat makes secret choices, so that nobody else knows how many of them it has made (Z6)."""
    frame = world.agenda[-1]
    return (frame.kind == "secrets" and not world.heroes[seat].ready) or (frame.kind, frame.seat) == ("goals", seat)


def _draw_gain(world: World, rng: Random) -> int:
    """Return what a character may have found: the gold of a card that is gone belongs to one of them (T5)."""
    gone = [card.gold for card in load_catalog().treasures if world.goods[card.id].place == GONE]
    return sum(gold for gold in gone if rng.randrange(len(world.heroes)) == 0)
