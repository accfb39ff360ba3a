"""What combat leaves behind in the world: chits, belongings, spoils, runners and the dead (C21, E14, K1 to K7)."""

from __future__ import annotations

from fractions import Fraction

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Armor
from realmtable.games.magic_realm.catalog.ids import GoodsId, Place
from realmtable.games.magic_realm.combat_flow.state import DEAD, RAN, Fight, Warrior
from realmtable.games.magic_realm.day_rules.active_goods import settle_active
from realmtable.games.magic_realm.day_rules.death import let_die
from realmtable.games.magic_realm.day_rules.move import run_away
from realmtable.games.magic_realm.day_rules.sight import monsters_at
from realmtable.games.magic_realm.world.belongings import put_goods
from realmtable.games.magic_realm.world.entities import CURSES
from realmtable.games.magic_realm.world.knowledge import everyone, let_seats_know_goods
from realmtable.games.magic_realm.world.places import GONE, box_place, pack_place
from realmtable.games.magic_realm.world.world import World


def settle_fight(world: World, fight: Fight, place: Place) -> None:
    """Write what has become of everyone in combat, finished or not, into the world."""
    for goods in fight.gone:
        _remove_goods(world, goods)
    for goods, seat in fight.hidden_cards.items():
        world.writable_goods(goods).seen = 1 << seat
    for gear in fight.pile:
        put_goods(world, gear.goods, place)
        world.writable_goods(gear.goods).damaged = gear.damaged  # C20: until it is destroyed
    for warrior in fight.warriors:
        _settle_warrior(world, warrior)
    for monster in monsters_at(world, place):
        if monster not in fight.sheets.monsters:
            world.move_denizen(monster, GONE)  # K7
    for warrior in fight.warriors:
        if warrior.fate == DEAD:
            let_die(world, warrior.seat)
        elif warrior.fate == RAN:
            run_away(world, warrior.seat, warrior.road)


def world_if_fight_ended(world: World, fight: Fight, place: Place) -> World:
    """Return a world as it would be if combat ended now, with the same agenda."""
    shown = world.fork()
    settle_fight(shown, fight, place)
    return shown.seal()


def _remove_goods(world: World, goods: GoodsId) -> None:
    """Return destroyed ordinary armour to the box of its native group; other goods leave the game (C21, C24)."""
    let_seats_know_goods(world, goods, everyone(world))
    thing = load_catalog().goods[goods]
    home = thing.home if isinstance(thing, Armor) else ""
    boxes = load_catalog().names.by_name("box")
    put_goods(world, goods, box_place(boxes[home]) if home else GONE)
    world.writable_goods(goods).damaged = False


def _settle_warrior(world: World, warrior: Warrior) -> None:
    seat = warrior.seat
    hero = world.writable_hero(seat)
    hero.chits, hero.hidden, hero.gold = warrior.chits, warrior.is_hidden, warrior.gold
    hero.fame, hero.notoriety = simplify(warrior.fame), simplify(warrior.notoriety)
    hero.kills, hero.berserk = warrior.kills, warrior.is_berserk
    hero.curses = sum(1 << CURSES.index(word) for word in warrior.curses)
    for gear in warrior.gear:
        if gear.goods not in hero.pack:
            put_goods(world, gear.goods, pack_place(seat))
            let_seats_know_goods(world, gear.goods, 1 << seat)
        found = world.writable_goods(gear.goods)
        found.active, found.alerted, found.damaged = gear.active, gear.alerted, gear.damaged
    if warrior.fate != DEAD:
        hero.pack = tuple(gear.goods for gear in warrior.gear)
        settle_active(world, seat)


def simplify(points: Fraction | int) -> Fraction | int:
    """Return a whole number as such."""
    whole = Fraction(points)
    return whole.numerator if whole.denominator == 1 else whole
