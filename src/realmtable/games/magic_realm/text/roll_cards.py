"""Rolls as cards show them: the dice, which one counts, what is added and why, and the row of the table."""

from __future__ import annotations

from realmtable.engine.language import translate
from realmtable.engine.protocol import Seat
from realmtable.engine.table_parts import Roll
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import ROWS
from realmtable.games.magic_realm.catalog.tables import DIE, Table
from realmtable.games.magic_realm.day_rules.modifiers import find_dice_rule
from realmtable.games.magic_realm.text.rolls import format_result, list_causes
from realmtable.games.magic_realm.world.world import World
from realmtable.kit.wording import format_signed, join_words


def make_table_roll(world: World, seat: Seat, table: str, dice: tuple[int, ...]) -> Roll:
    """Return a roll of a character on a table (G3)."""
    found = load_catalog().tables.by_name[table]
    result = min(max(max(dice) + find_dice_rule(world, seat, table).add, 1), DIE)
    causes = [
        (name, format_signed(add) if add else translate("one die")) for name, add in list_causes(world, seat, table)
    ]
    return _fill_roll(dice, tuple(causes), found, result)


def make_fight_roll(table: str, dice: tuple[int, ...], add: int) -> Roll:
    """Return a roll on a table in combat; what is added comes from the character's belongings and advantages (C18)."""
    found = load_catalog().tables.by_name[table]
    result = min(max(max(dice) + add, 1), DIE)
    return _fill_roll(dice, ((translate("in all"), format_signed(add)),) if add else (), found, result)


def _fill_roll(dice: tuple[int, ...], causes: tuple[tuple[str, str], ...], table: Table, result: int) -> Roll:
    rows = tuple(_shorten_row(words) for words in table.results)
    return Roll(dice, find_higher(dice), causes, format_result(table.read(result)), rows, result - 1)


def find_higher(dice: tuple[int, ...]) -> tuple[bool, ...]:
    """Return for each die whether it counts: the first of the highest.

    >>> find_higher((3, 5)), find_higher((4, 4)), find_higher((2,))
    ((False, True), (True, False), (True,))
    """
    highest = dice.index(max(dice))
    return tuple(number == highest for number in range(len(dice)))


def _shorten_row(words: tuple[str, ...]) -> str:
    """Return a row of a table in a word or two."""
    ordinals = (
        translate("1st"), translate("2nd"), translate("3rd"), translate("4th"), translate("5th"), translate("6th"),
    )  # fmt: skip
    take = next((word.removeprefix("take ") for word in words if word.startswith("take ")), "")
    return ordinals[int(take) - 1] if take else format_result(words)


def make_dawn_roll(die: int) -> Roll:
    """Return the roll that decides which monsters prowl (B5)."""
    rows = tuple(name_row(row) for row in range(1, ROWS + 1))
    return Roll((die,), (True,), (), rows[die - 1], rows, die - 1)


def name_row(row: int) -> str:
    """Return the monsters of a row of the appearance chart in a few words.

    >>> name_row(1), name_row(4)
    ('Dragons', 'Giants and Trolls')
    """
    kinds = [monster.kind.rpartition(" ")[2] for monster in load_catalog().monsters if monster.row == row]
    names = [f"{kind.removesuffix('f')}ves" if kind.endswith("f") else f"{kind}s" for kind in dict.fromkeys(kinds)]
    return join_words([name if kinds.count(name.removesuffix("s")) != 1 else name.removesuffix("s") for name in names])
