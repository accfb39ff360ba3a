"""A player's finished games, for the statistics of their profile."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Subquery, select

from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

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
    over = mine.where(seats.player_id == player_id, tables.status == "over")
    shown = over.where(tables.listed) if listed_only else over
    return shown.order_by(tables.updated_at.desc(), tables.id).limit(MAX_GAMES).subquery()
