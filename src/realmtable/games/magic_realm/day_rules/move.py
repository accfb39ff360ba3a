"""Moves: which roadways are open, mountains, what is carried along, and running (D9 to D11, E14, X2)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.catalog.map_graph import ALL_SECRETS, is_known
from realmtable.games.magic_realm.catalog.tiles import OPEN
from realmtable.games.magic_realm.day_rules.active_goods import leave_goods, order_left, settle_active
from realmtable.games.magic_realm.day_rules.carry import list_left_behind
from realmtable.games.magic_realm.day_rules.modifiers import has_effect, is_mountain
from realmtable.games.magic_realm.day_rules.sight import discover, list_watchers
from realmtable.games.magic_realm.world.map_layout import graph_of
from realmtable.games.magic_realm.world.places import NOWHERE, is_road, road_ends, road_place
from realmtable.games.magic_realm.world.world import World


class MoveKind(Enum):
    """What a Move to a clearing does now."""

    IMPOSSIBLE = "impossible"
    CLIMB = "climb"  # the first of the two Moves to a mountain
    ARRIVE = "arrive"


def can_use(world: World, seat: Seat, secret: int) -> bool:
    """Whether a roadway is open to a character (D9)."""
    known = ALL_SECRETS if has_effect(world, seat, "know_roads") else world.heroes[seat].discoveries
    return is_known(secret, known)


def find_roadway(world: World, seat: Seat, to: Place) -> Place:
    """Return the roadway that is open to a character and leads to a clearing; NOWHERE if there is none (D9, D30)."""
    place = world.heroes[seat].place
    if is_road(place):
        return place if to in road_ends(place) else NOWHERE
    open_ways = [way for way in graph_of(world).ways_between(place, to) if can_use(world, seat, way.secret)]
    return road_place(place, to) if open_ways else NOWHERE


def judge_move(world: World, seat: Seat, to: Place) -> MoveKind:
    """Return what a Move does (D9, D10)."""
    if find_roadway(world, seat, to) == NOWHERE:
        return MoveKind.IMPOSSIBLE
    if is_mountain(world, to) and world.heroes[seat].climbs != to:
        return MoveKind.CLIMB
    return MoveKind.ARRIVE


def move_party(world: World, seats: Sequence[Seat], to: Place) -> None:
    """Move a guide, the first of the seats, and its followers along the roadway to a clearing."""
    start, road = world.heroes[seats[0]].place, find_roadway(world, seats[0], to)
    let_users_know_roadway(world, seats, road)
    for seat in seats:
        if not is_road(start):  # D30: on a roadway, nothing is left behind
            for goods in order_left(world, seat, list_left_behind(world, seat)):
                leave_goods(world, seat, goods, start)
        world.move_hero(seat, to)
        hero = world.writable_hero(seat)
        hero.came_by, hero.climbs = road, NOWHERE
        settle_active(world, seat)


def let_users_know_roadway(world: World, seats: Sequence[Seat], road: Place) -> None:
    """Let those who use a roadway, and those who see one of them, discover it if it is hidden (D24, X2)."""
    secrets = sum(1 << secret for secret in _find_secrets(world, road))
    watchers = [other for seat in seats for end in road_ends(road) for other in list_watchers(world, seat, end)]
    discover(world, [seat for seat in (*seats, *watchers) if not has_effect(world, seat, "know_roads")], secrets)


def _find_secrets(world: World, road: Place) -> list[int]:
    return [way.secret for way in graph_of(world).ways_between(*road_ends(road)) if way.secret != OPEN]


# ---- running


def list_exits(world: World, seat: Seat) -> list[Place]:
    """Return the roadways onto which a character can run (E14)."""
    hero = world.heroes[seat]
    if hero.came_by != NOWHERE:
        return [hero.came_by]
    ways = graph_of(world).ways[hero.place]
    return sorted(road_place(hero.place, way.to) for way in ways if can_use(world, seat, way.secret))


def run_away(world: World, seat: Seat, road: Place) -> None:
    """Let a character run onto a roadway; those who see it discover a hidden path or secret passage (E14, X2)."""
    let_users_know_roadway(world, (seat,), road)
    world.move_hero(seat, road)
