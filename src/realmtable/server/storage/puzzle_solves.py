"""Solved puzzles, and the days on which players solved the daily puzzle."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select

from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

COLUMNS = schema.solves.c
MAX_DAYS = 400  # longest streak that is counted


@dataclass(frozen=True)
class Solve:
    """A puzzle solved by a player."""

    player_id: str
    puzzle: str
    day: int  # since 1970 if it was that day's puzzle, else 0
    game: str
    at: float


class SolveStore:
    """The solved puzzles in one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, solve: Solve) -> None:
        """Store that a puzzle was solved. Idempotent."""
        statement = self._database.insert_new(schema.solves, asdict(solve))

        def write(connection: Connection) -> None:
            connection.execute(statement)

        await self._database.write(write)

    async def puzzle_ids_of(self, player_id: str) -> set[str]:
        """Return the ids of the puzzles that a player has solved."""
        rows = await self._database.rows(select(COLUMNS.puzzle).distinct().where(COLUMNS.player_id == player_id))
        return {row.puzzle for row in rows}

    async def daily_puzzle_days(self, player_id: str) -> list[int]:
        """Return the days on which a player solved the daily puzzle, latest first."""
        statement = select(COLUMNS.day).distinct().where(COLUMNS.player_id == player_id, COLUMNS.day > 0)
        rows = await self._database.rows(statement.order_by(COLUMNS.day.desc()).limit(MAX_DAYS))
        return [row.day for row in rows]
