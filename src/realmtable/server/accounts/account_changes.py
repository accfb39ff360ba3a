"""Every process learns of a changed account within a second or two, whoever changed it: the database tells.

Each change (a sign-out, a new name or password, a revoked token) gives the player's row the next number of one counter.
A process asks for rows with newer numbers once a second, which is one look into an index. The fan-out may bring the
news sooner; it is never needed, so a command in a process of its own is noticed as well.
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
    """Number a change of a player's account.

    Call it first in the transaction that makes the change. The counter's row stays locked until the end, so numbers
    become visible in their order, and no two transactions wait for each other in a circle.
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
    """The number of the latest change; 0 before the first."""
    value = func.max(schema.counters.c.value)
    rows = await database.rows(select(value).where(schema.counters.c.name == COUNTER))
    return int(rows[0][0] or 0)


async def changes_after(database: Database, number: int) -> Sequence[tuple[str, int]]:
    """The players whose accounts have changed after that number, each with their latest one, in order."""
    columns = schema.players.c
    query = select(columns.id, columns.change_number).where(columns.change_number > number)
    return [(row.id, row.change_number) for row in await database.rows(query.order_by(columns.change_number))]


class AccountWatch:
    """Calls `on_change` with the id of each player whose account has changed, once for each change."""

    def __init__(self, database: Database, on_change: Callable[[str], None]) -> None:
        self._database, self._on_change = database, on_change
        self._latest = 0  # everything up to this number was seen in the database
        self._ahead_of_database: dict[str, int] = {}  # newer numbers that the fan-out has brought

    async def start(self) -> None:
        """Begin with changes after this moment; call it before anything of an account is kept in memory."""
        self._latest = await latest_change_number(self._database)

    def receive(self, player_id: str, number: int) -> None:
        """Take note of a change that the fan-out or the database tells of."""
        if number > max(self._latest, self._ahead_of_database.get(player_id, 0)):
            self._ahead_of_database[player_id] = number
            self._on_change(player_id)

    async def poll(self) -> None:
        """Ask the database for changes once."""
        for player_id, number in await changes_after(self._database, self._latest):
            self.receive(player_id, number)
            self._latest = number
        self._ahead_of_database = {
            player_id: number for player_id, number in self._ahead_of_database.items() if number > self._latest
        }

    async def run(self) -> None:
        """Ask again and again; nothing ends this but cancelling."""
        while True:
            try:
                await self.poll()
            except Unavailable:
                pass  # nobody can change an account meanwhile; what was missed is found afterwards
            except Exception:  # whatever it is, the next second's sign-outs must be seen
                log.exception("account_watch_failed")
            await asyncio.sleep(POLL_S)
