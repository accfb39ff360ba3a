"""Examples for the rules pages, taken from a game's records whose Event header starts with a clause.

``Event: E4: two Powers against one`` makes the record an example of clause E4. The picture shows the board after the
turn whose comment names the clause; the comments become the caption.
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
    """An example of a clause: the match that leads to the board, and the position in which readers can try it."""

    clauses: tuple[str, ...]
    title: str
    caption: str
    match: Match
    before: str  # the position before the turn
    text: str  # the turn in notation


@cache
def examples(game_id: str) -> tuple[Example, ...]:
    """Return the examples from a game's records, sorted by record name."""
    return tuple(_find_examples(records(game_id)))


def _find_examples(candidates: list[Record]) -> Iterator[Example]:
    for record in candidates:
        event = EXAMPLE_EVENT.fullmatch(record.headers.get("Event", ""))
        if event is not None and record.turns:
            clauses = tuple(CLAUSE.findall(event[1]))
            index = turn_index_to_draw(record, clauses)
            turn = record.turns[index]
            caption = f"{record.comment} {turn.comment}".strip()
            match, before = record.replay(index + 1), record.game.encode(turn.before)
            yield Example(clauses, event[2], caption, match, before, turn.text)


def turn_index_to_draw(record: Record, clauses: tuple[str, ...]) -> int:
    """Return the index of the turn to draw.

    This is the first turn whose comment names one of the clauses; else the last turn, if the record has no comments or
    ends with an outcome; else the first turn with a comment.
    """
    commented = [index for index, turn in enumerate(record.turns) if turn.comment]
    naming = [index for index in commented if set(clauses) & set(CLAUSE.findall(record.turns[index].comment))]
    if naming:
        return naming[0]
    if not commented or record.outcome() is not None:
        return len(record.turns) - 1
    return commented[0]
