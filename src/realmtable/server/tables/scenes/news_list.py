"""The latest news of a table for one viewer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from realmtable.engine.protocol import Seat
from realmtable.server.tables.seat_names import write_names
from realmtable.server.tables.table import MAX_NEWS, News, Table
from realmtable.server.tables.viewer_numbering import Numbering, viewer_index


def list_news(table: Table, viewer: Seat | None, numbering: Numbering, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the latest news that a viewer may know of, as plain data."""
    index = viewer_index(viewer)
    known = [news for news in table.news if news.is_known(index)][-MAX_NEWS:]
    return [_news_data(news, index, numbering, names) for news in known]


def _news_data(news: News, index: int, numbering: Numbering, names: Sequence[str]) -> dict[str, Any]:
    return {
        "version": numbering.visible_version(news.version),
        "seat": news.seat,
        "kind": news.kind,
        "text": news.texts[index] if len(news.texts) > 1 else news.texts[0],
        "words": write_names(news.words[index] if len(news.words) > 1 else news.words[0], names),
    }
