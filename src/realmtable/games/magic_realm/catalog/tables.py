"""The tables that dice are rolled on: results as words, and what the words mean (G3, D16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog.effects import TABLES
from realmtable.games.magic_realm.catalog.goods_and_spells import Gait
from realmtable.games.magic_realm.catalog.ids import RELATIONS, STRENGTHS
from realmtable.games.magic_realm.catalog.toml_entry import TomlEntry

DIE: Final = 6
NOTHING: Final = "nothing"
MEETING: Final = "meeting"
BOXES: Final = 3  # of a melee sheet, in the order of DIRECTIONS


@dataclass(frozen=True, slots=True)
class Table:
    """A table for one roll."""

    name: str
    title: str
    is_search: bool
    is_site_card: bool
    results: tuple[tuple[str, ...], ...]  # for 1 to 6; all words of a result happen

    def read(self, roll: int) -> tuple[str, ...]:
        """Return the result of a roll, kept within 1 to 6 (G3)."""
        return self.results[min(max(roll, 1), DIE) - 1]


@dataclass(frozen=True, slots=True)
class Form:
    """A creature that Transform turns its target into."""

    name: str
    attack: Gait | None
    move: Gait
    flies: bool
    is_armored: bool
    vulnerability: str


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables."""

    by_name: Mapping[str, Table]
    meeting: Mapping[str, Table]  # by relation
    reposition: tuple[tuple[int, ...], ...]  # for 1 to 6: the new box of boxes 0, 1, 2
    tactics_turn_on: int
    forms: tuple[Form, ...]
    meanings: Mapping[str, str]  # of the words in results, for players


def read_tables(file: TomlEntry) -> Tables:
    """Return the tables of `tables.toml`."""
    tables = {table.name: table for table in map(_read_table, file.entries("table"))}
    meeting = _read_meeting(file.entry("meeting"))
    meanings = file.entry("result")
    words = {word: meanings.text(word) for word in meanings.fields()}
    reposition = file.entry("reposition")
    moves = reposition.number_lists("results", 0, BOXES - 1)
    reposition.finish()
    tactics = file.entry("tactics")
    turn_on = tactics.number("turn_on", 1, DIE)
    tactics.finish()
    forms = tuple(_read_form(entry) for entry in file.entries("form"))
    file.finish()
    if {*tables, MEETING} != {*TABLES}:
        raise BadInput(f"The tables must be {', '.join(TABLES)}.")
    if len(moves) != DIE or any(sorted(move) != [*range(BOXES)] for move in moves):
        raise BadInput("Each of the six results of repositioning must name the boxes 0, 1 and 2 once.")
    _check_meanings([*tables.values(), *meeting.values()], words)
    return Tables(MappingProxyType(tables), MappingProxyType(meeting), moves, turn_on, forms, MappingProxyType(words))


def _read_table(entry: TomlEntry) -> Table:
    table = Table(
        entry.text("name"),
        entry.text("title"),
        entry.flag("search"),
        entry.flag("site"),
        entry.word_lists("results"),
    )
    entry.finish()
    return _check_table(table)


def _read_meeting(entry: TomlEntry) -> dict[str, Table]:
    columns = entry.words("columns", default=None)
    if columns != RELATIONS:
        raise BadInput(f"The columns of the Meeting table must be {', '.join(RELATIONS)}.")
    tables = {
        column: Table(MEETING, "Meeting", False, False, tuple((word,) for word in entry.words(column, default=None)))
        for column in columns
    }
    entry.finish()
    return {column: _check_table(table) for column, table in tables.items()}


def _check_table(table: Table) -> Table:
    if len(table.results) != DIE or not all(table.results):
        raise BadInput(f"The table {table.name} needs six results of at least one word.")
    return table


def _check_meanings(tables: list[Table], meanings: Mapping[str, str]) -> None:
    used = {word for table in tables for result in table.results for word in result} - {NOTHING}
    for word in sorted(used ^ {*meanings}):
        raise BadInput(f"The results and their explanations differ in the word {word}.")


def _read_form(entry: TomlEntry) -> Form:
    form = Form(
        entry.text("name"),
        Gait(*entry.signature("attack")) if entry.has("attack") else None,
        Gait(*entry.signature("move")),
        entry.flag("flies"),
        entry.flag("armored"),
        entry.word("vulnerability", STRENGTHS),
    )
    entry.finish()
    return form
