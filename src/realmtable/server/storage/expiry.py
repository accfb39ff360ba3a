"""Deletes old games and records of guests, and guests who have not returned.

A named account protects everything it took part in: tables that it opened, played, chatted at or had analysed, and the
guests it met there. Rows are deleted in small transactions that check the conditions again, so people can keep playing
and several processes can do this at once. Backups are not affected.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, literal, or_, select

from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

DAY_S: Final = 86_400.0
CHUNK: Final = 20  # tables, records or guests per transaction
PAUSE_S: Final = 0.02  # between transactions, so that games are not held up
SESSION_REFRESH_DAYS: Final = 7.0
PLAYERS, TABLES, SEATS, EVENTS = schema.players.c, schema.tables.c, schema.seats.c, schema.events.c
RECORDS, ANALYSES, SESSIONS = schema.records.c, schema.analyses.c, schema.sessions.c

OWNED_BY_GUESTS: Final = (
    schema.sessions,
    schema.sign_in_links,
    schema.solves,
    schema.rating_history,
    schema.ratings,
    schema.mutes,
)

OnTablesRemoved = Callable[[Sequence[str]], Awaitable[None]]


class ExpiryTerms(NamedTuple):
    """After how many days things are deleted; 0 means never."""

    abandoned_days: int
    guest_days: int
    session_days: int


class Expiry:
    """Deletes what has expired by `now`. `on_tables_removed` is called with ids of tables after each commit."""

    def __init__(
        self, database: Database, terms: ExpiryTerms, now: float, on_tables_removed: OnTablesRemoved | None = None
    ) -> None:
        self._database = database
        self._terms = terms
        self._now = now
        self._on_tables_removed = on_tables_removed

    async def count(self) -> dict[str, int]:
        """Return how many of each kind would be deleted now, except guests who still have games to delete."""
        counts = {}
        for kind, condition in self._conditions().items():
            source = {"tables": schema.tables, "records": schema.records, "guests": schema.players}[kind]
            rows = await self._database.rows(select(func.count()).select_from(source).where(condition))
            counts[kind] = int(rows[0][0])
        return counts

    async def remove(self) -> dict[str, int]:
        """Delete everything that has expired; return how many of each kind."""
        removed: Counter[str] = Counter(tables=0, records=0, guests=0)
        work = {"tables": _remove_tables, "records": _remove_records, "guests": _remove_guests}
        for kind, condition in self._conditions().items():
            last = ""
            while ids := await self._database.write(partial(work[kind], condition=condition, after=last)):
                last = ids[-1]
                removed[kind] += len(ids)
                if kind == "tables" and self._on_tables_removed is not None:
                    await self._on_tables_removed(ids)
                await asyncio.sleep(PAUSE_S)
        return dict(removed)

    def _conditions(self) -> dict[str, ColumnElement[bool]]:
        """Return the conditions for expired rows, in the order in which they can be deleted."""
        conditions: dict[str, ColumnElement[bool]] = {}
        ages = [
            and_(TABLES.status.in_(statuses), TABLES.updated_at < self._now - days * DAY_S)
            for statuses, days in (
                (("open", "running", "halted"), self._terms.abandoned_days),
                (("over",), self._terms.guest_days),
            )
            if days
        ]
        if ages:
            # A correspondence game is not abandoned while a player still has time to move.
            in_time = and_(TABLES.status == "running", TABLES.deadline.is_not(None), TABLES.deadline > self._now)
            conditions["tables"] = and_(or_(*ages), ~in_time, _is_guests_table())
        if self._terms.guest_days:
            before = self._now - self._terms.guest_days * DAY_S
            conditions["records"] = and_(
                RECORDS.created_at < before,
                _is_by_guest(RECORDS.created_by),
                ~self._was_seen_since(RECORDS.created_by, before),
                _is_free_of_analyses(literal("record:") + RECORDS.id),
            )
            conditions["guests"] = and_(
                PLAYERS.kind == "guest",
                PLAYERS.created_at < before,
                ~self._was_seen_since(PLAYERS.id, before),
                *(~exists().where(column == PLAYERS.id) for column in _guest_references()),
            )
        return conditions

    def _was_seen_since(self, player: ColumnElement[str], moment: float) -> ColumnElement[bool]:
        # A session is extended when used, at most every few days, so its end tells roughly when it was last used.
        used_since = SESSIONS.expires_at > moment + (self._terms.session_days - SESSION_REFRESH_DAYS) * DAY_S
        return exists().where(SESSIONS.player_id == player, used_since)


def _is_by_guest(player: ColumnElement[str]) -> ColumnElement[bool]:
    owner = schema.players.alias()
    return exists().where(owner.c.id == player, owner.c.kind == "guest")


def _is_guests_table() -> ColumnElement[bool]:
    """Whether no named account is involved in a table, and no analysis of it is in progress."""
    member = schema.players.alias()
    is_member = and_(member.c.kind == "member", member.c.id == TABLES.created_by)
    sits = exists().where(SEATS.table_id == TABLES.id, SEATS.player_id == member.c.id, member.c.kind == "member")
    acted = exists().where(EVENTS.table_id == TABLES.id, EVENTS.player_id == member.c.id, member.c.kind == "member")
    return and_(~exists().where(is_member), ~sits, ~acted, _is_free_of_analyses(literal("table:") + TABLES.id))


def _is_free_of_analyses(source: ColumnElement[Any]) -> ColumnElement[bool]:
    """Whether no named account has requested an analysis of it, and none is in progress."""
    member = schema.players.alias()
    asked = exists().where(
        ANALYSES.source == source,
        ANALYSES.asked_by == member.c.id,
        or_(member.c.kind == "member", ANALYSES.status.in_(("waiting", "running"))),
    )
    return ~asked


def _guest_references() -> list[ColumnElement[str]]:
    """Return the columns whose references protect a guest from being deleted."""
    return [
        TABLES.created_by,
        SEATS.player_id,
        EVENTS.player_id,
        RECORDS.created_by,
        ANALYSES.asked_by,
        schema.tokens.c.player_id,
    ]


def _lock_expired_ids(
    connection: Connection, column: ColumnElement[str], condition: ColumnElement[bool], after: str
) -> list[str]:
    """Lock and return the next expired ids, skipping those locked by another process."""
    statement = select(column).where(condition, column > after).order_by(column).limit(CHUNK)
    return list(connection.execute(statement.with_for_update(skip_locked=True)).scalars())


def _remove_tables(connection: Connection, condition: ColumnElement[bool], after: str) -> list[str]:
    ids = _lock_expired_ids(connection, TABLES.id, condition, after)
    if ids:
        sources = [f"table:{table_id}" for table_id in ids]
        connection.execute(delete(schema.analyses).where(ANALYSES.source.in_(sources)))
        for table in (schema.rated_tables, schema.snapshots, schema.events, schema.seats):
            connection.execute(delete(table).where(table.c.table_id.in_(ids)))
        connection.execute(delete(schema.tables).where(TABLES.id.in_(ids)))
    return ids


def _remove_records(connection: Connection, condition: ColumnElement[bool], after: str) -> list[str]:
    ids = _lock_expired_ids(connection, RECORDS.id, condition, after)
    if ids:
        sources = [f"record:{record_id}" for record_id in ids]
        connection.execute(delete(schema.analyses).where(ANALYSES.source.in_(sources)))
        connection.execute(delete(schema.records).where(RECORDS.id.in_(ids)))
    return ids


def _remove_guests(connection: Connection, condition: ColumnElement[bool], after: str) -> list[str]:
    ids = _lock_expired_ids(connection, PLAYERS.id, condition, after)
    if ids:
        connection.execute(delete(schema.mutes).where(schema.mutes.c.muted_id.in_(ids)))
        for table in OWNED_BY_GUESTS:
            connection.execute(delete(table).where(table.c.player_id.in_(ids)))
        connection.execute(delete(schema.players).where(PLAYERS.id.in_(ids)))
    return ids
