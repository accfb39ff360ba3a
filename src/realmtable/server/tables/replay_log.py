"""Rebuilds a table from its log: from the first event, or from a snapshot taken between turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.engine.match import Match
from realmtable.engine.protocol import Seat
from realmtable.server.storage.table_store import Event, Snapshot, TableRow
from realmtable.server.tables.clock import Clock
from realmtable.server.tables.events.apply import STEP_KINDS, apply_event
from realmtable.server.tables.events.timeout import TimedOutPlayer
from realmtable.server.tables.events.undo import HistoryNeeded
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import (
    OFFERS,
    ChatMessage,
    MoveListEntry,
    News,
    Occupant,
    Offer,
    Result,
    Table,
    share_texts,
)
from realmtable.server.tables.viewer_knowledge import SecretStep


def table_before_events(row: TableRow) -> Table:
    """Return a table before its first event."""
    setup = Setup.from_data(row.setup)
    game = registry.game(row.game)
    match = Match(game, setup.first_state(game))
    return Table(
        id=row.id,
        setup=setup,
        seed=row.seed,
        created_by=row.created_by,
        match=match,
        clock=Clock.fresh(setup.clock, setup.seats, row.created_at),
        seats=(None,) * setup.seats,
        choices_since=(0,) * setup.seats,
        changed_at=row.created_at,
    )


def replay(row: TableRow, events: Iterable[Event], snapshot: Snapshot | None = None) -> Table:
    """Return the table that the events produce under today's rules.

    If these refuse its first position or a step, stop there and set `trouble`; set it, too, if they lead to another
    turn or to other seats than those that were to move when the latest event was stored.
    """
    events, trouble = list(events), ""
    try:
        table = table_before_events(row)
    except RealmtableError as error:
        trouble = f"The rules were corrected after this game began; its first position is now refused: {error}"
        table = table_before_events(replace(row, setup={**row.setup, "start": None, "options": []}))
        events = [*takewhile(lambda event: event.kind not in STEP_KINDS, events)]
    if snapshot is not None and "secrets" in snapshot.data and row.rules_version == table.game.info.rules_version:
        table = _restore(table, snapshot)  # older snapshots lack the secret steps
    for event in events:
        if event.version <= table.version:
            continue
        try:
            table = apply_event(table, event)
        except HistoryNeeded:  # a step before the snapshot was taken back after it
            return replay(row, events)
        except RealmtableError as error:
            trouble = f"The rules were corrected after this game began; step {table.step + 1} is now illegal: {error}"
            return _halt(row, table, trouble)
    trouble = trouble or _find_difference(row, table)
    return _halt(row, table, trouble) if trouble else table


def _halt(row: TableRow, table: Table, trouble: str) -> Table:
    """Return a table that stops here. A game that was over keeps the result that was stored."""
    result = row.summary.result
    return replace(table, trouble=trouble, result=None if result is None else Result.from_data(result))


def _find_difference(row: TableRow, table: Table) -> str:
    """Say if the steps of a game that began under older rules now lead to another position than its players saw."""
    stored, turn = row.summary, table.game.turn(table.match.state).number
    is_known = row.rules_version != table.game.info.rules_version and table.version == stored.version
    if not is_known or (turn, tuple(table.acting)) == (stored.turn, stored.acting):
        return ""
    return "The rules were corrected after this game began, and its steps now lead to another position."


def take_snapshot(table: Table) -> Snapshot:
    """Return a table between turns as data that `replay` can continue from."""
    data = {
        "state": table.game.encode(table.match.state),
        "draws": table.match.draws,
        "clock": table.clock.as_data(),
        "bell": table.clock_deadline,
        "answer": table.decision_deadline,
        "silent": list(table.answered_for),
        "seats": [None if sitter is None else list(sitter) for sitter in table.seats],
        "offer": None if table.offer is None else list(table.offer),
        "offered": [[*key, turn] for key, turn in table.offer_turns.items()],
        "fresh": list(table.choices_since),
        "step": table.step,
        "begun": sorted(table.begun),
        "lines": [_line_data(line) for line in table.move_list],
        "uncounted": table.is_uncounted,
        "secrets": [[secret.version, secret.step, list(secret.hidden_from)] for secret in table.hidden_steps],
        "undo": [list(steps) for steps in table.undo_steps],
        "news": [_news_data(news) for news in table.news],
        "chat": [list(message) for message in table.chat],
        "marks": [list(path) for path in table.last_turn_paths],
        "changed_at": table.changed_at,
        "timed_out": [list(late) for late in table.timed_out],
    }
    return Snapshot(table.version, data)


def _news_data(news: News) -> list[Any]:
    """Return a piece of news as data; what has its default is left out."""
    return [*news[:3], list(news.texts), list(news.words), *([list(news.cards)] if news.cards else [])]


def _line_data(line: MoveListEntry) -> list[Any]:
    """Return an entry of the move list as data; what has its default is left out."""
    data = [line.turn, line.seat, list(line.texts), line.first, line.last]
    return [*data, list(line.readers), *([list(line.topics)] if line.topics else [])] if line[5:] != ((), ()) else data


def _restore_line(data: Sequence[Any]) -> MoveListEntry:
    turn, seat, texts, first, last, *rest = data
    if not rest and len(texts) > 1:  # an older snapshot has a text for each viewer
        return MoveListEntry(turn, seat, first=first, last=last, **share_texts(texts))
    readers, topics = [*map(tuple, rest), (), ()][:2]
    return MoveListEntry(turn, seat, tuple(texts), first, last, readers, topics)


def _restore_offer_turns(data: Sequence[Any]) -> dict[tuple[str, Seat], int]:
    if data and isinstance(data[0], int):  # an older snapshot has one turn for each seat, whatever it offered
        return {(what, seat): turn for seat, turn in enumerate(data) for what in OFFERS}
    return {(what, seat): turn for what, seat, turn in data}


def _restore(table: Table, snapshot: Snapshot) -> Table:
    data = snapshot.data
    return replace(
        table,
        match=Match(table.game, table.game.decode(data["state"]), None, data["draws"]),
        clock=Clock.from_data(table.setup.clock, data["clock"]),
        clock_deadline=data["bell"],
        decision_deadline=data.get("answer"),  # older snapshots have none
        answered_for=tuple(data.get("silent", ())),
        seats=tuple(None if sitter is None else Occupant(*sitter) for sitter in data["seats"]),
        version=snapshot.version,
        started=True,
        offer=None if data["offer"] is None else Offer(*data["offer"]),
        offer_turns=_restore_offer_turns(data["offered"]),
        choices_since=tuple(data["fresh"]),
        step=data["step"],
        begun=frozenset(data["begun"] if "begun" in data else (line[1] for line in data["lines"])),  # older: no undone
        snapshot_step=data["step"],
        move_list=tuple(_restore_line(line) for line in data["lines"]),
        hidden_steps=tuple(SecretStep(version, step, tuple(viewers)) for version, step, viewers in data["secrets"]),
        undo_steps=tuple(tuple(steps) for steps in data.get("undo", ())),
        news=tuple(News(*item[:3], *map(tuple, item[3:])) for item in data["news"]),
        chat=tuple(ChatMessage(*message) for message in data["chat"]),
        is_uncounted=data.get("uncounted", False),  # older snapshots have none
        last_paths=tuple(tuple(path) for path in data["marks"]),
        changed_at=data["changed_at"],
        timed_out=tuple(TimedOutPlayer(*late) for late in data.get("timed_out", ())),  # older snapshots have none
    )
