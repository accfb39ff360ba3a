"""What players have done: the puzzles that they have solved, and the games that they have finished."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import Subquery, select

from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from realmtable.server.storage.table_store import IS_FINISHED

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
        await self._database.execute(self._database.insert_new(schema.solves, asdict(solve)))

    async def puzzle_ids_of(self, player_id: str) -> set[str]:
        """Return the ids of the puzzles that a player has solved."""
        rows = await self._database.rows(select(COLUMNS.puzzle).distinct().where(COLUMNS.player_id == player_id))
        return {row.puzzle for row in rows}

    async def daily_puzzle_days(self, player_id: str) -> list[int]:
        """Return the days on which a player solved the daily puzzle, latest first."""
        statement = select(COLUMNS.day).distinct().where(COLUMNS.player_id == player_id, COLUMNS.day > 0)
        rows = await self._database.rows(statement.order_by(COLUMNS.day.desc()).limit(MAX_DAYS))
        return [row.day for row in rows]


MAX_GAMES: Final = 1000  # the latest ones


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game in which a player had one seat."""

    game: str
    seat: int
    ranking: tuple[int, ...]  # by seat, 1 is best
    reached: tuple[bool, ...]  # by seat, whether it reached its own goal; empty if there are no goals
    players: tuple[str | None, ...]  # ids by seat


async def list_finished_games(
    database: Database, player_id: str, *, listed_only: bool
) -> tuple[list[FinishedGame], bool]:
    """Return a player's latest finished games, newest first, and whether there may be older ones.

    Games in which they played several seats are left out.
    """
    latest = _select_latest(player_id, listed_only=listed_only)
    order = (latest.c.updated_at.desc(), latest.c.id)
    games = await database.rows(select(latest).order_by(*order))
    seats = schema.seats.c
    query = select(seats.table_id, seats.player_id).join_from(schema.seats, latest, seats.table_id == latest.c.id)
    players: dict[str, list[str | None]] = defaultdict(list)
    for row in await database.rows(query.order_by(seats.table_id, seats.seat)):
        players[row.table_id].append(row.player_id)
    found = [
        FinishedGame(
            row.game,
            row.seat,
            tuple(row.result["ranking"]),
            tuple(row.result.get("reached", ())),
            tuple(players[row.id]),
        )
        for row in games
        if row.result is not None and players[row.id].count(player_id) == 1
    ]
    return found, len(games) >= MAX_GAMES


def _select_latest(player_id: str, *, listed_only: bool) -> Subquery:
    tables, seats = schema.tables.c, schema.seats.c
    query = select(tables.id, tables.game, tables.result, tables.updated_at, seats.seat)
    mine = query.join_from(schema.seats, schema.tables, tables.id == seats.table_id)
    over = mine.where(seats.player_id == player_id, IS_FINISHED)
    shown = over.where(tables.listed) if listed_only else over
    return shown.order_by(tables.updated_at.desc(), tables.id).limit(MAX_GAMES).subquery()
