"""What has changed in the long lists of a scene, the lines and the news, since one that a viewer has received."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from realmtable.server.tables.scenes.move_list import count_same_entries, first_recent_entry, line_of
from realmtable.server.tables.scenes.news_list import cache_news
from realmtable.server.tables.table import MAX_NEWS, MoveListEntry, News, Table


class KnownLists(NamedTuple):
    """The lists of a scene that a viewer has received, at a table that is alike for all."""

    entries: tuple[MoveListEntry, ...]  # of the whole list of moves, each of which is a line
    first: int  # the entry of the scene's first line
    news: tuple[News, ...]


class SceneChanges(NamedTuple):
    """What may differ from a scene whose lists are known, as JSON."""

    data: bytes
    known: KnownLists  # before
    now_known: KnownLists  # to a viewer who has received the changes


def known_lists(table: Table) -> KnownLists | None:
    """Return the lists of a table's scene; None if its lines are not the entries of the list of moves."""
    if not table.is_alike_for_all:
        return None
    known: KnownLists | None = table.shared_parts.get("lists")
    if known is None:
        first = first_recent_entry(table)
        if not all(line_of(entry) for entry in table.lines[first:]):
            return None
        known = table.shared_parts["lists"] = KnownLists(table.lines, first, table.news[-MAX_NEWS:])
    return known


def find_list_changes(table: Table, known: KnownLists) -> tuple[dict[str, Any], KnownLists] | None:
    """Return the fields `lines`, `earlier` and `news` of the changes since, and what a viewer knows then.

    None if the lists have changed so much, or in such a way, that the whole scene must be sent.
    """
    entries, first, news = table.lines, first_recent_entry(table), table.news[-MAX_NEWS:]
    same = count_same_entries(entries, known.entries)
    if not known.first <= first <= same:
        return None
    lines = [line_of(entry) for entry in entries[same:]]
    kept_news = _count_kept(known.news, news)
    if None in lines or kept_news is None:
        return None
    added_news = cache_news(table, table.numbering(()), table.game.info.seat_names).data[kept_news:]
    fields = {
        "lines": _splice(first - known.first, same - first, lines),
        "earlier": first > 0,
        "news": _splice(len(known.news) - kept_news, kept_news, added_news),
    }
    now_known: KnownLists = table.shared_parts.setdefault("lists", KnownLists(entries, first, news))
    return fields, now_known


def apply_changes(scene: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scene after changes, as clients do."""
    lists = {name: _apply_splice(scene[name], changes[name]) for name in ("lines", "news")}
    return {**scene, **changes, **lists}


def _apply_splice(items: Sequence[object], splice: Mapping[str, Any]) -> list[object]:
    return [*items[splice["drop"] :][: splice["keep"]], *splice["add"]]


def _count_kept(before: Sequence[News], after: Sequence[News]) -> int | None:
    """Return how many items the later list begins with that the earlier one ends with; None if no item is kept."""
    if not after:
        return None if before else 0
    if after[0] not in before:
        return None
    kept = before[before.index(after[0]) :]
    return len(kept) if after[: len(kept)] == kept else None


def _splice(drop: int, keep: int, add: Sequence[object]) -> dict[str, object]:
    """Return how a list is made from the one before: leave out `drop` items, keep the next `keep`, and add others."""
    return {"drop": drop, "keep": keep, "add": add}
