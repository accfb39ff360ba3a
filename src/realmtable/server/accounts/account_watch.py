"""Notifies every process of a changed account within a second or two, through the database.

Each change (a sign-out, a new name or password, a revoked token) gives the player's row the next number of a counter.
Every process polls for newer numbers once a second, which is a single index lookup. The fan-out may be faster but is
not required, so changes by command-line tools are noticed as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import structlog
from sqlalchemy import func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from realmtable.server.errors import Unavailable
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

COUNTER = "account_changes"
POLL_S = 1.0

log = structlog.get_logger(__name__)


async def note_change(connection: AsyncConnection, player_id: str) -> int:
    """Assign and return the number of a change to a player's account.

    Call this first in the transaction that makes the change. The counter's row stays locked until the commit, so that
    numbers become visible in order and transactions cannot deadlock.
    """
    inserts = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    counters = schema.counters
    next_number = (
        inserts(counters)
        .values(name=COUNTER, value=1)
        .on_conflict_do_update(index_elements=[counters.c.name], set_={"value": counters.c.value + 1})
        .returning(counters.c.value)
    )
    number = int((await connection.execute(next_number)).scalar_one())
    players = schema.players
    await connection.execute(update(players).where(players.c.id == player_id).values(change_number=number))
    return number


async def latest_change_number(database: Database) -> int:
    """Return the number of the latest change; 0 before the first."""
    value = func.max(schema.counters.c.value)
    rows = await database.rows(select(value).where(schema.counters.c.name == COUNTER))
    return int(rows[0][0] or 0)


async def changes_after(database: Database, number: int) -> Sequence[tuple[str, int]]:
    """Return the players whose accounts changed after `number`, each with its latest number, in order."""
    columns = schema.players.c
    query = select(columns.id, columns.change_number).where(columns.change_number > number)
    return [(row.id, row.change_number) for row in await database.rows(query.order_by(columns.change_number))]


class AccountWatch:
    """Calls `on_change` with the player's id, once for each change to an account."""

    def __init__(self, database: Database, on_change: Callable[[str], None]) -> None:
        self._database, self._on_change = database, on_change
        self._latest = 0  # all changes up to this number were read from the database
        self._ahead_of_database: dict[str, int] = {}  # newer numbers, received from the fan-out

    async def start(self) -> None:
        """Watch for changes from now on; call this before any account is cached."""
        self._latest = await latest_change_number(self._database)

    def receive(self, player_id: str, number: int) -> None:
        """Handle a change from the fan-out or the database."""
        if number > max(self._latest, self._ahead_of_database.get(player_id, 0)):
            self._ahead_of_database[player_id] = number
            self._on_change(player_id)

    async def poll(self) -> None:
        """Query the database for changes once."""
        for player_id, number in await changes_after(self._database, self._latest):
            self.receive(player_id, number)
            self._latest = number
        self._ahead_of_database = {
            player_id: number for player_id, number in self._ahead_of_database.items() if number > self._latest
        }

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            try:
                await self.poll()
            except Unavailable:
                pass  # no account can change meanwhile; the next poll catches up
            except Exception:  # whatever happens, later sign-outs must be noticed
                log.exception("account_watch_failed")
            await asyncio.sleep(POLL_S)
