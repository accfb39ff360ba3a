"""The news of a table and the entries of its move list, in the words that each viewer may read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from realmtable.engine.match import fold_label, format_move_for, topic_for
from realmtable.engine.protocol import HasDescriptions, HasNews, HasTopics, Move, Seat
from realmtable.server.storage.table_store import Event
from realmtable.server.tables.latest_turn import Run, actor_name, format_run
from realmtable.server.tables.seat_names import names_to_keep, write_names
from realmtable.server.tables.table import MAX_NEWS, MoveListEntry, News, Table, replace, share_texts
from realmtable.server.tables.viewer_numbering import Numbering, SecretStep, viewer_index


def add_news(table: Table, event: Event, texts: tuple[str, ...], words: tuple[str, ...]) -> Table:
    """Return the table with another piece of news."""
    news = (*table.news, News(event.version, event.kind, event.seat, texts, words))
    return replace(table, news=latest_news(table, news, table.hidden_steps))


def latest_news(table: Table, news: tuple[News, ...], hidden_steps: tuple[SecretStep, ...]) -> tuple[News, ...]:
    """Return the latest news, which a table keeps; the rest is forgotten."""
    return _latest_for_each(news, len(table.seats) + 1) if hidden_steps else news[-MAX_NEWS:]


def _latest_for_each(news: tuple[News, ...], viewers: int) -> tuple[News, ...]:
    """Return the latest news of every viewer; secret steps must not push out what others can read."""
    counts = [0] * viewers
    latest: list[News] = []
    for item in reversed(news):
        readers = [index for index in range(viewers) if item.is_known(index)]
        if any(counts[index] < MAX_NEWS for index in readers):
            latest.append(item)
        for index in readers:
            counts[index] += 1
    return tuple(reversed(latest))


def texts_and_words(table: Table, seat: Seat, move: Move, text: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a step in notation and in words: one of each, or one for spectators and each seat.

    `text` is its notation, if the caller has just formatted it.
    """
    game, state = table.game, table.match.state
    name = actor_name(seat, names_to_keep(game))
    if game.info.hidden:
        viewers = (None, *range(len(table.seats)))
        texts = tuple(format_move_for(game, state, seat, move, viewer) for viewer in viewers)
        if isinstance(game, HasNews):
            return texts, tuple(game.news(state, seat, move, viewer) for viewer in viewers)
        return texts, tuple(f"{name}: {text}" for text in texts)
    text = game.format_move(state, move) if text is None else text
    if isinstance(game, HasNews):
        return (text,), (game.news(state, seat, move, None),)
    words = game.describe_move(state, move) if isinstance(game, HasDescriptions) else text
    return (text,), (f"{name}: {words}",)


def describe_default_step(name: str, words: str) -> str:
    """Return the words of a step that the table took for a silent seat; the game may have none for it.

    >>> describe_default_step("Azure", "Azure: Decline Protection"), describe_default_step("Azure", "")
    ('Azure did not answer in time: Decline Protection', 'Azure did not answer in time')
    >>> describe_default_step("Azure", "Azure declines Protection")
    'Azure did not answer in time and declines Protection'
    """
    if words.startswith(f"{name} "):
        return f"{name} did not answer in time and {words.removeprefix(f'{name} ')}"
    step = words.removeprefix(f"{name}: ")
    return f"{name} did not answer in time" + (f": {step}" if step else "")


def extend_move_list(table: Table, texts: tuple[str, ...]) -> tuple[MoveListEntry, ...]:
    """Return the list of moves with the latest step, which viewers read as `texts`, appended."""
    run = table.latest_run
    if line := _fold_chance_line(table, run):
        return (*table.move_list[: -1 if table.move_list and table.move_list[-1].first == line.first else None], line)
    if table.game.info.hidden:
        shared = share_texts(texts, _topics(table, (None, *range(len(table.seats)))))
        return (*table.move_list, MoveListEntry(run.turn, run.seat, first=table.step, last=table.step, **shared))
    return with_latest_turn(table, run)


def _topics(table: Table, viewers: Sequence[Seat | None]) -> tuple[str, ...]:
    """Return the topic of the latest step for each viewer; empty if the game has no topics."""
    entry = table.match.entry
    assert entry is not None  # noqa: S101 - the caller has played a step
    if not isinstance(table.game, HasTopics):
        return ()
    return tuple(topic_for(table.game, entry.before, entry.seat, entry.move, viewer) for viewer in viewers)


def with_latest_turn(table: Table, run: Run) -> tuple[MoveListEntry, ...]:
    """Return the list of moves with the latest turn, which has the topic of its first step."""
    first = table.step - len(run.moves) + 1
    earlier = table.move_list[:-1] if table.move_list and table.move_list[-1].first == first else table.move_list
    game = table.game
    topics = (topic_for(game, run.before, run.seat, run.moves[0], None),) if isinstance(game, HasTopics) else ()
    text = format_run(game, run)
    return (*earlier, MoveListEntry(run.turn, run.seat, (text,), first, table.step, topics=topics))


def _fold_chance_line(table: Table, run: Run) -> MoveListEntry | None:
    """Return the line that a step of chance shares with the ones before it, if any."""
    text = fold_label(table.game, run.seat, run.before, run.moves[0])
    if not text:
        return None
    before = table.move_list[-1] if table.move_list else None
    is_shared = before is not None and before.texts == (text,) and not before.readers and before.last == table.step - 1
    first = before.first if before and is_shared else table.step
    return MoveListEntry(run.turn, run.seat, (text,), first, table.step, topics=_topics(table, (None,)))


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
