"""The list of moves for one viewer: steps hidden from them are left out, and the rest are renumbered.

A scene has only the latest lines; `page_of_moves` returns earlier ones. What a viewer may know of is worked out once
for each step and kept with the table.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Final

from realmtable.engine.protocol import HasTopics, Seat
from realmtable.server.tables.table import MoveListEntry, Table
from realmtable.server.tables.viewer_knowledge import COUNTS_ALL, Numbering

RECENT_LINES: Final = 40  # a scene has at least so many of the latest lines …
MAX_RECENT_LINES: Final = 200  # … and all of the current and the previous turn number, but no more than this
PAGE_LINES: Final = 100  # of one page of earlier lines
MAX_JOINED_STEPS: Final = 100  # in one line

Line = dict[str, Any]


def list_moves(table: Table, seats: Sequence[Seat], viewer: Seat | None) -> list[Line]:
    """Return all turns as plain data, for a viewer on `seats` who gets the view of `viewer`."""
    lines = _lines_of(table, seats, viewer)
    return [lines.line(index) for index in range(len(lines))]


def list_recent_moves(table: Table, seats: Sequence[Seat], viewer: Seat | None) -> tuple[list[Line], bool]:
    """Return the latest turns, and whether there are earlier ones."""
    lines, turn = _lines_of(table, seats, viewer), table.game.turn(table.match.state).number
    first = max(0, len(lines) - RECENT_LINES)
    while first > max(0, len(lines) - MAX_RECENT_LINES) and lines.first_entry(first - 1).turn >= turn - 1:
        first -= 1
    return [lines.line(index) for index in range(first, len(lines))], first > 0


def count_same_entries(entries: Sequence[MoveListEntry], before: Sequence[MoveListEntry]) -> int:
    """Return how many entries two versions of the list of moves begin with in common."""
    same = min(len(entries), len(before))
    while same and entries[same - 1] is not before[same - 1]:  # an entry's predecessors never change
        same -= 1
    return same


def page_of_moves(
    table: Table,
    seats: Sequence[Seat],
    viewer: Seat | None,
    *,
    before: int | None = None,
    topic: str | None = None,
    mine: bool = False,
) -> tuple[list[Line], bool]:
    """Return the latest lines that begin before the step `before`, as the viewer counts, and whether there are more.

    With a `topic` or `mine`, these are the lines with that topic, or of the viewer's own seats.
    """
    lines = _lines_of(table, seats, viewer)
    found: list[int] = []
    for index in range(lines.count_before(before) - 1, -1, -1):
        entry = lines.first_entry(index)
        if (topic is None or entry.topic_for(viewer) == topic) and (not mine or entry.seat in seats):
            if len(found) == PAGE_LINES:
                return [lines.line(at) for at in reversed(found)], True
            found.append(index)
    return [lines.line(at) for at in reversed(found)], False


class ViewerLines:
    """Which entries of the move list a viewer may know of, and how they are joined to lines.

    Joining is done for each viewer, since a secret step must not show as a gap between two others.
    """

    def __init__(self, table: Table, viewer: Seat | None) -> None:
        info = table.game.info
        self._viewer = viewer
        self._is_over = table.result is not None
        self._joins_steps = info.hidden  # otherwise entries are whole turns
        self._has_topics = isinstance(table.game, HasTopics)
        self._separator = ". " if info.presentation.tells_moves else ", " if info.presentation.spaced else ","
        self._entries: tuple[MoveListEntry, ...] = ()
        self._known = array("l")  # the places of the entries that the viewer may know of
        self._starts = array("l")  # where each line begins among the known entries
        self._made: dict[int, Line] = {}  # some lines that cannot grow any more
        self._numbering = COUNTS_ALL

    def __len__(self) -> int:
        return len(self._starts)

    def update(self, entries: tuple[MoveListEntry, ...], numbering: Numbering) -> None:
        """Continue with the entries of another version; only those that differ are looked at."""
        same = count_same_entries(entries, self._entries)
        count = len(self._starts)
        self._numbering = numbering
        while self._known and self._known[-1] >= same:
            self._known.pop()
        while self._starts and self._starts[-1] >= len(self._known):
            self._starts.pop()
        for index in range(max(0, len(self._starts) - 1), count):
            self._made.pop(index, None)
        self._entries = entries
        for index in range(same, len(entries)):
            if self._text(entries[index]):
                if not self._continues_line(entries[index]):
                    self._starts.append(len(self._known))
                self._known.append(index)

    def first_entry(self, index: int) -> MoveListEntry:
        """Return the entry that a line begins with."""
        return self._entries[self._known[self._starts[index]]]

    def count_before(self, step: int | None) -> int:
        """Return the number of lines that begin before a step, as the viewer counts; of all lines for None."""
        if step is None:
            return len(self)
        places = range(len(self))
        return bisect_left(places, step, key=lambda index: self._numbering.visible_step(self.first_entry(index).first))

    def line(self, index: int) -> Line:
        """Return a line as plain data; one that cannot grow any more is made once."""
        is_last = index + 1 == len(self._starts)
        line = None if is_last else self._made.get(index)
        if line is None:
            line = self._make(self._starts[index], len(self._known) if is_last else self._starts[index + 1])
            if not is_last:
                if len(self._made) >= 2 * MAX_RECENT_LINES:
                    self._made.clear()
                self._made[index] = line
        return line

    def _make(self, start: int, end: int) -> Line:
        entries = [self._entries[at] for at in self._known[start:end]]
        first, numbering = entries[0], self._numbering
        texts = [self._text(entry) for entry in (entries if first.seat >= 0 else entries[:1])]
        line = {
            "turn": first.turn,
            "seat": first.seat,
            "text": self._separator.join(texts),
            "steps": [numbering.visible_step(first.first), numbering.visible_step(entries[-1].last)],
        }
        if self._has_topics:
            line["topic"] = first.topic_for(self._viewer)
        return line

    def _text(self, entry: MoveListEntry) -> str:
        """Return the text for the viewer; once the game is over, all secret steps are revealed."""
        return entry.text_for(self._viewer) or (entry.text_for(entry.seat) if self._is_over else "")

    def _continues_line(self, entry: MoveListEntry) -> bool:
        """Whether an entry continues the latest line: steps of one seat in one turn, or of one deal."""
        if not self._joins_steps or not self._starts:
            return False
        last = self._entries[self._known[-1]]
        if last.seat < 0:  # steps of chance with one text for all, like the cards of a deal
            return entry.seat < 0 and not entry.readers and entry.texts == (self._text(last),)
        is_same_turn = (entry.turn, entry.seat) == (last.turn, last.seat)
        is_same_topic = entry.topic_for(self._viewer) == last.topic_for(self._viewer)
        return is_same_turn and is_same_topic and len(self._known) - self._starts[-1] < MAX_JOINED_STEPS


def _lines_of(table: Table, seats: Sequence[Seat], viewer: Seat | None) -> ViewerLines:
    """Return the lines of a viewer, kept from earlier versions of the table if there were any."""
    numbering = table.numbering(seats)
    key = (ViewerLines, viewer, None if numbering is COUNTS_ALL else tuple(seats), table.result is not None)
    lines: ViewerLines | None = table.viewer_caches.get(key)
    if lines is None:
        lines = table.viewer_caches[key] = ViewerLines(table, viewer)
    lines.update(table.move_list, numbering)
    return lines
