"""A fight as it begins in a clearing of a world (E4, E5)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.catalog.ids import GoodsId
from realmtable.games.magic_realm.combat_flow.state import CombatBelonging, Fight, Rules, Warrior
from realmtable.games.magic_realm.combat_rules.encounter import Sheets
from realmtable.games.magic_realm.combat_rules.melee import CURSE, MISSILE, PIT
from realmtable.games.magic_realm.day_rules.blocking import is_spared_by
from realmtable.games.magic_realm.day_rules.curses import list_curses
from realmtable.games.magic_realm.day_rules.modifiers import AROUND, DiceRule, is_at, is_cave
from realmtable.games.magic_realm.day_rules.move import list_exits
from realmtable.games.magic_realm.day_rules.sight import monsters_at, sees
from realmtable.games.magic_realm.world.belongings import pile_at
from realmtable.games.magic_realm.world.world import World


def begin_fight(world: World, seats: Sequence[Seat]) -> Fight:
    """Return the fight of some characters in one clearing, given in order, before anything has happened."""
    place = world.heroes[seats[0]].place
    monsters = tuple(monsters_at(world, place))
    warriors = tuple(_build_warrior(world, seat, seats) for seat in seats)
    options = world.options
    rules = Rules(
        options.character_kills == "multiplied",
        options.horses == "turn",
        options.charge_on_horse,
        options.missile_through_armour,
    )
    return Fight(warriors, Sheets(monsters, tuple(seats), {}), is_cave=is_cave(world, place), rules=rules)


def _build_warrior(world: World, seat: Seat, seats: Sequence[Seat]) -> Warrior:
    hero = world.heroes[seat]
    others = [other for other in seats if other != seat and world.heroes[other].hidden]
    return Warrior(
        seat,
        hero.character,
        hero.chits,
        tuple(_build_gear(world, goods) for goods in hero.pack),
        is_hidden=hero.hidden,
        finds=frozenset(other for other in others if sees(world, seat, other)),
        spared_by=frozenset(
            monster for monster in monsters_at(world, hero.place) if is_spared_by(world, seat, monster)
        ),
        exits=tuple(list_exits(world, seat)),
        dice=_find_dice(world, seat),
        is_berserk=hero.berserk,
        curses=frozenset(list_curses(hero.curses)),
        gold=hero.gold,
        fame=Fraction(hero.fame),
        notoriety=Fraction(hero.notoriety),
        kills=hero.kills,
    )


def _build_gear(world: World, goods: GoodsId) -> CombatBelonging:
    found = world.goods[goods]
    return CombatBelonging(goods, found.active, found.alerted, found.damaged)


def _find_dice(world: World, seat: Seat) -> dict[str, DiceRule]:
    """Return how a character rolls in combat by itself, and because of what lies in the clearing."""
    hero = world.heroes[seat]
    lying = [load_catalog().goods[goods] for goods in pile_at(world, hero.place) if world.goods[goods].active]
    around = [effect for card in lying if isinstance(card, Treasure) for effect in card.effects]
    found = {}
    for table in (MISSILE, CURSE, PIT):
        own = [effect for effect in load_catalog().characters[hero.character].effects if table in effect.tables]
        one_die = any(effect.verb == "one_die" and is_at(world, seat, effect.where) for effect in own)
        added = [effect for effect in around if effect.where == AROUND and table in effect.tables]
        fixed = [effect for effect in own if effect.verb == "add" and is_at(world, seat, effect.where)]
        found[table] = DiceRule(1 if one_die else 2, sum(effect.number for effect in (*fixed, *added)))
    return found
