"""The browsers that players want to be notified on. A subscription belongs to a session and ends with it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

MAX_DEVICES: Final = 10  # per player; a further one replaces the one that was seen least recently
COLUMNS: Final = schema.push_subscriptions.c
SESSIONS: Final = schema.sessions.c


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a browser gives a server that may notify it. All of it is secret."""

    endpoint: str = field(repr=False)
    p256dh: str = field(repr=False)
    auth: str = field(repr=False)

    @property
    def endpoint_hash(self) -> str:
        """The key of the subscription."""
        return hashlib.sha256(self.endpoint.encode()).hexdigest()


class SubscriptionStore:
    """The subscriptions in one database. Sessions are named by the hash of their token."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, session_hash: str, subscription: Subscription, now: float) -> bool:
        """Store the subscription of a session's browser; return False if the session has ended.

        It replaces an earlier subscription of this session, and that of another session with the same endpoint.
        """

        def write(connection: Connection) -> bool:
            valid = (SESSIONS.token_hash == session_hash) & (SESSIONS.expires_at > now)
            query = select(SESSIONS.player_id).where(valid).with_for_update(read=True)
            player_id = connection.execute(query).scalar_one_or_none()
            if player_id is None:
                return False
            same = (COLUMNS.endpoint_hash == subscription.endpoint_hash) | (COLUMNS.session_hash == session_hash)
            connection.execute(delete(schema.push_subscriptions).where(same))
            _make_room(connection, player_id)
            row = {"endpoint_hash": subscription.endpoint_hash, "session_hash": session_hash, "seen_at": now}
            secrets = {name: getattr(subscription, name) for name in ("endpoint", "p256dh", "auth")}
            connection.execute(insert(schema.push_subscriptions).values(row | secrets))
            return True

        return await self._database.write(write)

    async def is_subscribed(self, session_hash: str) -> bool:
        """Whether the browser of a session is notified."""
        query = select(COLUMNS.endpoint_hash).where(COLUMNS.session_hash == session_hash).limit(1)
        return bool(await self._database.rows(query))

    async def list_of(self, player_id: str, now: float) -> list[Subscription]:
        """Return the subscriptions of a player's sessions that have not expired."""
        query = (
            select(COLUMNS.endpoint, COLUMNS.p256dh, COLUMNS.auth)
            .join(schema.sessions, SESSIONS.token_hash == COLUMNS.session_hash)
            .where(SESSIONS.player_id == player_id, SESSIONS.expires_at > now)
            .order_by(COLUMNS.seen_at.desc())
            .limit(MAX_DEVICES)
        )
        return [Subscription(row.endpoint, row.p256dh, row.auth) for row in await self._database.rows(query)]

    async def remove_of(self, session_hash: str) -> None:
        """Delete the subscription of a session's browser."""
        await self._remove(COLUMNS.session_hash == session_hash)

    async def remove(self, subscription: Subscription) -> None:
        """Delete a subscription that the push service no longer knows, unless it has new keys."""
        same = (COLUMNS.endpoint_hash == subscription.endpoint_hash) & (COLUMNS.auth == subscription.auth)
        await self._remove(same)

    async def remove_unseen(self, before: float) -> int:
        """Delete the subscriptions that no browser has confirmed since `before`; return their number."""
        return await self._remove(COLUMNS.seen_at < before)

    async def _remove(self, condition: ColumnElement[bool]) -> int:
        return await self._database.execute(delete(schema.push_subscriptions).where(condition))


def _make_room(connection: Connection, player_id: str) -> None:
    """Delete a player's least recently seen subscriptions, so that one more can be added."""
    mine = select(SESSIONS.token_hash).where(SESSIONS.player_id == player_id)
    query = select(COLUMNS.endpoint_hash).where(COLUMNS.session_hash.in_(mine)).order_by(COLUMNS.seen_at.desc())
    surplus = list(connection.execute(query.offset(MAX_DEVICES - 1)).scalars())
    if surplus:
        connection.execute(delete(schema.push_subscriptions).where(COLUMNS.endpoint_hash.in_(surplus)))


async def move_subscription(connection: AsyncConnection, old_hash: str, new_hash: str) -> None:
    """Give the subscription of a session to the one that replaces it in its browser, if it is the same player's."""
    owners = [
        select(SESSIONS.player_id).where(SESSIONS.token_hash == each).scalar_subquery() for each in (old_hash, new_hash)
    ]
    mine = (COLUMNS.session_hash == old_hash) & (owners[0] == owners[1])
    await connection.execute(update(schema.push_subscriptions).where(mine).values(session_hash=new_hash))


async def load_key(database: Database, name: str, create: Callable[[], str]) -> str:
    """Return the key with this name, created on first use; of several processes, all use the first one's."""
    columns = schema.server_keys.c
    query = select(columns.value).where(columns.name == name)
    if rows := await database.rows(query):
        return str(rows[0].value)
    statement = database.insert_new(schema.server_keys, {"name": name, "value": await asyncio.to_thread(create)})

    def write(connection: Connection) -> str:
        connection.execute(statement)
        return str(connection.execute(query).scalar_one())

    return await database.write(write)
