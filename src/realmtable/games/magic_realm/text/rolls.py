"""Explain a roll: what changed the dice, and what the table says (G3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import Effect
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.catalog.tables import DIE
from realmtable.games.magic_realm.day_rules.modifiers import AROUND, find_dice_rule, is_at
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.places import is_pack, pack_seat
from realmtable.games.magic_realm.world.world import World
from realmtable.kit.wording import join_words

RESULTS: Final = {
    "hidden": "hidden",
    "nothing": "nothing",
    "choice": "any result",
    "clues": "clues",
    "paths": "hidden paths",
    "passages": "secret passages",
    "hidden enemies": "hidden enemies",
    "discover chits": "discover chits",
    "counters": "counters",
    "treasures": "treasure cards",
    "perceive spell": "a spell, of which there are none in this game",
    "treasure": "the treasure card",
    "teleport to a cave": "any cave",
    "see afar": "peer anywhere until midnight",
    "pit": "the Power of the Pit, which has no effect here",
    "curse": "a curse, which has no effect here",
    "wish": "a wish, which has no effect in this game",
    "refresh": "all chits become active",
    "gold 1": "1 gold",
}
ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth")


def format_result(words: tuple[str, ...]) -> str:
    """Return a row of a table in words."""
    return join_words([_format_word(word) for word in words])


def _format_word(word: str) -> str:
    if word.startswith("take "):
        return f"the {ORDINALS[int(word.removeprefix('take ')) - 1]} from the top"
    return RESULTS.get(word, word.replace("-", " "))


def format_roll(world: World, seat: Seat, table: str, dice: tuple[int, ...]) -> str:
    """Return dice, what changed them, and the row of the table: "6 and 2 on Hide: 6, nothing"."""
    found = load_catalog().tables.by_name[table]
    causes = [*list_causes(world, seat, table)]
    result = min(max(max(dice) + find_dice_rule(world, seat, table).add, 1), DIE)
    one = [name for name, number in causes if not number]
    words = " and ".join(map(str, dice)) + (f" with one die ({one[0]})" if len(dice) == 1 else "")
    changes = [f", {'+' if number > 0 else '−'}{abs(number)} ({name})" for name, number in causes if number]
    return f"{words}{''.join(changes)} on {found.title}: {result}, {format_result(found.read(result))}"


def list_causes(world: World, seat: Seat, table: str) -> Iterator[tuple[str, int]]:
    """Yield what changes a roll, each with its addition; 0 stands for rolling one die."""
    for name, effect in _list_named_effects(world, seat):
        if table in effect.tables and is_at(world, seat, effect.where):
            yield name, effect.number  # only these two verbs have tables: one_die, whose number is 0, and add


def _list_named_effects(world: World, seat: Seat) -> Iterator[tuple[str, Effect]]:
    catalog, hero = load_catalog(), world.heroes[seat]
    for advantage in catalog.characters[hero.character].advantages:
        yield from ((advantage.name, effect) for effect in advantage.effects)
    for number in hero.pack:
        goods = catalog.goods[number]
        if isinstance(goods, Treasure) and world.goods[number].active:
            yield from ((goods.name, effect) for effect in goods.effects if effect.where != AROUND)
    for number in sorted(catalog_lookups().enchanted):
        card, treasure = world.goods[number], catalog.goods[number]
        where = world.heroes[pack_seat(card.place)].place if is_pack(card.place) else card.place
        if card.active and where == hero.place and isinstance(treasure, Treasure):
            yield from ((treasure.name, effect) for effect in treasure.effects)
