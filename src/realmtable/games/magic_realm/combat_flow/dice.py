"""How characters roll in combat: by themselves, with active cards, and near enchanted ones (G3, E8, C18, C27)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import TABLES, Effect
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.catalog.ids import GoodsId
from realmtable.games.magic_realm.catalog.tables import DIE
from realmtable.games.magic_realm.combat_flow.state import TWO_DICE, Fight, Warrior
from realmtable.games.magic_realm.day_rules.modifiers import AROUND, DiceRule
from realmtable.games.magic_realm.world.steps import Step

ASSIGN: Final = "assign"  # the rolls of E8, which are on no table: only what works on every table changes them
FACES: Final = range(1, DIE + 1)


def find_dice_rule(fight: Fight, warrior: Warrior, table: str) -> DiceRule:
    """Return how a character rolls on a table now."""
    own = [gear.goods for gear in warrior.gear if gear.active]
    found = [effect for goods in own for effect in _list_effects(goods, table) if effect.where != AROUND]
    found += [effect for goods in _list_near(fight) for effect in _list_effects(goods, table) if effect.where == AROUND]
    base = warrior.dice.get(table, TWO_DICE)
    one_die = any(effect.verb == "one_die" for effect in found)
    add = sum(effect.number for effect in found if effect.verb == "add")
    return DiceRule(1 if one_die else base.dice, base.add + (0 if table == ASSIGN else add))


def _list_near(fight: Fight) -> Iterator[GoodsId]:
    """Yield all cards of combat that are in the clearing."""
    for belongings in (fight.pile, *(warrior.gear for warrior in fight.active_warriors)):
        yield from (gear.goods for gear in belongings)


def _list_effects(goods: GoodsId, table: str) -> list[Effect]:
    thing = load_catalog().goods[goods]
    effects = thing.effects if isinstance(thing, Treasure) else ()
    if table == ASSIGN:
        return [effect for effect in effects if effect.tables == TABLES]
    return [effect for effect in effects if table in effect.tables and effect.where in ("", AROUND)]


def list_rolls(dice: int) -> list[Step]:
    """Return all rolls of one or two dice."""
    if dice == 1:
        return [Step("die", (face,)) for face in FACES]
    return [Step("d", pair) for pair in product(FACES, repeat=2)]
