"""The evening without combat: whom monsters attack, how to run from them, and death (A1 to A6, W3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Gait, Horse, Treasure
from realmtable.games.magic_realm.catalog.ids import GoodsId, MonsterId, Place
from realmtable.games.magic_realm.day_rules.action_chits import list_chits
from realmtable.games.magic_realm.day_rules.active_goods import bears_all
from realmtable.games.magic_realm.day_rules.blocking import is_spared_by
from realmtable.games.magic_realm.day_rules.chit_states import label_of
from realmtable.games.magic_realm.day_rules.modifiers import is_cave
from realmtable.games.magic_realm.day_rules.move import can_use, let_users_know_roadway
from realmtable.games.magic_realm.day_rules.sight import heroes_at
from realmtable.games.magic_realm.world.belongings import put_goods
from realmtable.games.magic_realm.world.entities import ACTIVE, WOUNDED
from realmtable.games.magic_realm.world.map_layout import graph_of
from realmtable.games.magic_realm.world.places import NOWHERE, is_road, road_ends, road_place
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

MOVE: Final = "Move"


def list_targets(world: World, monster: MonsterId) -> list[Seat]:
    """Return the characters that a monster can attack, by seats (A2)."""
    there = heroes_at(world, world.denizens[monster].place)
    return [seat for seat in there if not world.heroes[seat].hidden and not is_spared_by(world, seat, monster)]


# ---- running


def list_runs(world: World, seat: Seat, monsters: Iterable[MonsterId]) -> list[Step]:
    """Return the ways in which an attacked character can run (A4, A5)."""
    pieces = [*_list_pieces(world, seat, monsters)]
    return [Step("run", (road, piece)) for road in list_exits(world, seat) for piece in pieces]


def list_exits(world: World, seat: Seat) -> list[Place]:
    """Return the roadways onto which a character can run (A5)."""
    hero = world.heroes[seat]
    if hero.came_by != NOWHERE:
        return [hero.came_by]
    ways = graph_of(world).ways[hero.place]
    return sorted(road_place(hero.place, way.to) for way in ways if can_use(world, seat, way.secret))


def _list_pieces(world: World, seat: Seat, monsters: Iterable[MonsterId]) -> Iterator[int]:
    """Yield what is fast and strong enough: Move chits by label, then boots and horses numbered behind the labels."""
    limit = min(load_catalog().monsters[monster].light.move for monster in monsters)
    for chit in list_chits(world, seat, ACTIVE):
        if chit.kind == MOVE and chit.time < limit and bears_all(world, seat, chit.strength):
            yield label_of(chit)
    labels = len(load_catalog().names.by_number("action"))
    for goods in world.heroes[seat].pack:
        gaits = [gait for gait in _list_gaits(world, seat, goods) if gait.time < limit]
        if world.goods[goods].active and any(bears_all(world, seat, gait.strength, goods) for gait in gaits):
            yield labels + goods


def _list_gaits(world: World, seat: Seat, goods: GoodsId) -> list[Gait]:
    match load_catalog().goods[goods]:
        case Horse(walk=walk, gallop=gallop) if not is_cave(world, world.heroes[seat].place):
            return [walk, gallop]
        case Treasure(effects=effects):
            return [Gait(effect.strength, effect.time) for effect in effects if effect.verb == "move_piece"]
    return []


def costs_star(world: World, seat: Seat, piece: int) -> bool:
    """Whether running with a piece costs a star: that of a Move chit with two stars (A4)."""
    found = [chit for chit in list_chits(world, seat, ACTIVE) if label_of(chit) == piece]
    return any(chit.stars > 1 for chit in found)


def run_away(world: World, seat: Seat, road: Place) -> None:
    """Let a character run onto a roadway; those who see it discover a hidden path or secret passage (A5, X2)."""
    let_users_know_roadway(world, (seat,), road)
    world.move_hero(seat, road)


# ---- death


def is_mortally_wounded(world: World, seat: Seat) -> bool:
    """Whether all chits of a character are wounded (W3)."""
    return all(state == WOUNDED for state in world.heroes[seat].chits)


def let_die(world: World, seat: Seat) -> None:
    """Let a character die: it leaves its belongings in the clearing and loses everything else (W3).

    On a roadway, it leaves them at the end that is named first (D8).

    Everyone knows in which order it got them, so those who knew a face-down card still know it in the pile.
    """
    hero = world.heroes[seat]
    place = road_ends(hero.place)[0] if is_road(hero.place) else hero.place
    for goods in hero.pack:
        put_goods(world, goods, place)
    world.move_hero(seat, NOWHERE)
    hero = world.writable_hero(seat)
    hero.dead = True
    hero.gold = hero.fame = hero.notoriety = hero.discoveries = 0
