"""The death of a character (W3)."""

from __future__ import annotations

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.world.belongings import put_goods
from realmtable.games.magic_realm.world.places import NOWHERE, is_road, road_ends
from realmtable.games.magic_realm.world.world import World


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
