"""The latest news of a table for one viewer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from realmtable.engine.protocol import Seat
from realmtable.server.tables.scenes.encoded_list import EncodedList
from realmtable.server.tables.seat_names import write_names
from realmtable.server.tables.table import MAX_NEWS, News, Table
from realmtable.server.tables.viewer_numbering import Numbering, viewer_index


def list_news(table: Table, viewer: Seat | None, numbering: Numbering, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the latest news that a viewer may know of, as plain data."""
    index = viewer_index(viewer)
    if table.is_alike_for_all:
        return cache_news(table, numbering, names).data
    known = [news for news in table.news if news.is_known(index)][-MAX_NEWS:]
    return [_news_data(news, index, numbering, names) for news in known]


class CachedNews(NamedTuple):
    """The news where all viewers read the same forever, cached for the next version of the table."""

    news: tuple[News, ...]
    data: list[dict[str, Any]]


class EncodedNews(NamedTuple):
    """The same as JSON."""

    data: list[dict[str, Any]]
    encoded: EncodedList


def cache_news(table: Table, numbering: Numbering, names: Sequence[str]) -> CachedNews:
    """Return the news of such a table; the data of earlier versions is used again."""
    news = table.news[-MAX_NEWS:]
    known: CachedNews | None = table.viewer_caches.get(CachedNews)
    if known is not None and known.news is news:
        return known
    same = len(news) - 1
    if known is not None and same > 0 and known.news[-same:] == news[:-1]:  # as after a move
        cached = CachedNews(news, [*known.data[-same:], _news_data(news[-1], 0, numbering, names)])
    else:
        cached = CachedNews(news, [_news_data(item, 0, numbering, names) for item in news])
    table.viewer_caches[CachedNews] = cached
    return cached


def encode_news(table: Table, numbering: Numbering, names: Sequence[str]) -> orjson.Fragment:
    """Return the news of such a table as JSON; what earlier versions have in common with it is used again."""
    data = cache_news(table, numbering, names).data
    known: EncodedNews = table.viewer_caches.get(EncodedNews) or EncodedNews([], EncodedList())
    if known.data is not data:
        count = len(known.data)
        first = next((index for index, item in enumerate(known.data) if data and item is data[0]), count)
        if known.data[first:] != data[: count - first]:  # as after a move was taken back
            first = count
        encoded = known.encoded.continue_with(first, count, data[count - first :])
        known = table.viewer_caches[EncodedNews] = EncodedNews(data, encoded)
    return known.encoded.as_json()


def _news_data(news: News, index: int, numbering: Numbering, names: Sequence[str]) -> dict[str, Any]:
    return {
        "version": numbering.visible_version(news.version),
        "seat": news.seat,
        "kind": news.kind,
        "text": news.texts[index] if len(news.texts) > 1 else news.texts[0],
        "words": write_names(news.words[index] if len(news.words) > 1 else news.words[0], names),
    }
