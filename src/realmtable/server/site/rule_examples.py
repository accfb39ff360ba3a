"""Drawn examples for the rules, taken from the records that a game ships: their Event line begins with a clause.

``Event: E4: two Powers against one`` makes the record an example of clause E4. What is drawn is the board after the
turn whose comment speaks of the clause; the comments are its caption.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from realmtable.engine.match import Match
from realmtable.engine.record import Record
from realmtable.server.site.game_pictures import records

CLAUSE: Final = re.compile(r"[A-Z]{1,2}\d{1,3}[a-z]?")
EXAMPLE_EVENT: Final = re.compile(rf"({CLAUSE.pattern}(?:(?:, | and ){CLAUSE.pattern})*): (.+)")


class Example(NamedTuple):
    """A board that shows a clause at work: the match that leads to it, and where a reader may try it himself."""

    clauses: tuple[str, ...]
    title: str
    caption: str
    match: Match
    before: str  # the position in which the turn began
    text: str  # the turn in notation


@cache
def examples(game_id: str) -> tuple[Example, ...]:
    """Every example that the game's records give, in the order of their names."""
    return tuple(_find_examples(records(game_id)))


def _find_examples(found: list[Record]) -> Iterator[Example]:
    for record in found:
        event = EXAMPLE_EVENT.fullmatch(record.headers.get("Event", ""))
        if event is not None and record.turns:
            clauses = tuple(CLAUSE.findall(event[1]))
            index = turn_index_to_draw(record, clauses)
            turn = record.turns[index]
            caption = f"{record.comment} {turn.comment}".strip()
            match, before = record.replay(index + 1), record.game.encode(turn.before)
            yield Example(clauses, event[2], caption, match, before, turn.text)


def turn_index_to_draw(record: Record, clauses: tuple[str, ...]) -> int:
    """The turn to draw: one whose comment names a clause, else the latest said of an end, else the first said of."""
    said = [index for index, turn in enumerate(record.turns) if turn.comment]
    naming = [index for index in said if set(clauses) & set(CLAUSE.findall(record.turns[index].comment))]
    if naming:
        return naming[0]
    if not said or record.outcome() is not None:
        return len(record.turns) - 1
    return said[0]
