"""The list of moves for one viewer: steps hidden from them are left out, and the rest are renumbered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from realmtable.engine.protocol import Seat
from realmtable.server.tables.table import MoveListEntry, Table


def list_moves(table: Table, seats: Sequence[Seat], viewer: Seat | None) -> list[dict[str, Any]]:
    """Return the turns as plain data, for a viewer on `seats` who gets the view of `viewer`."""
    if not table.game.info.hidden:
        return [
            {"turn": line.turn, "seat": line.seat, "text": line.texts[0], "steps": [line.first, line.last]}
            for line in table.lines
        ]
    numbering = table.numbering(seats)
    return [
        {
            "turn": line.turn,
            "seat": line.seat,
            "text": line.text_for(viewer),
            "steps": [numbering.visible_step(line.first), numbering.visible_step(line.last)],
        }
        for line in _join_turns(table, viewer)
    ]


def _join_turns(table: Table, viewer: Seat | None) -> Iterator[MoveListEntry]:
    """Yield the steps that a viewer may know of, joining those of one seat in one turn.

    Joining is done for each viewer, since a secret step must not show as a gap between two others.
    """
    comma = ", " if table.game.info.spaced else ","
    joined: MoveListEntry | None = None
    for line in table.lines:
        text = _text_for(table, line, viewer)
        if not text:
            continue
        if joined is not None and _is_same_deal(joined, line):
            joined = joined._replace(last=line.last)
        elif joined is not None and _is_same_turn(joined, line):
            joined = joined._replace(texts=(f"{joined.texts[0]}{comma}{text}",), last=line.last)
        else:
            if joined is not None:
                yield joined
            joined = line if len(line.texts) == 1 else line._replace(texts=(text,))
    if joined is not None:
        yield joined


def _text_for(table: Table, line: MoveListEntry, viewer: Seat | None) -> str:
    """Return the text for a viewer; once the game is over, all secret steps are revealed."""
    return line.text_for(viewer) or (line.text_for(line.seat) if table.result is not None else "")


def _is_same_turn(one: MoveListEntry, other: MoveListEntry) -> bool:
    return one.seat >= 0 and (one.turn, one.seat) == (other.turn, other.seat)


def _is_same_deal(one: MoveListEntry, other: MoveListEntry) -> bool:
    """Whether two lines are steps of chance with the same text, like the cards of a deal."""
    return one.seat < 0 and len(other.texts) == 1 and one.texts == other.texts
