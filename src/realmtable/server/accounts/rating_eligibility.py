"""Who may play rated games: members whose account is not brand new, since anyone can create new accounts."""

from __future__ import annotations

import math

from sqlalchemy import func, select

from realmtable.server.accounts.accounts import Player
from realmtable.server.errors import NotAllowed
from realmtable.server.settings import Settings
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

HOUR_S = 3600.0
MIN_TURN = 6  # that a finished game must have reached


async def check_may_play_rated(database: Database, settings: Settings, player: Player, now: float) -> None:
    """Raise NotAllowed for guests, and for accounts that are too new or have played too few games."""
    if player.kind != "member":
        raise NotAllowed(
            "Rated games are for members only: choose a name and password on your account page, or play unrated."
        )
    players = schema.players.c
    rows = await database.rows(select(players.created_at).where(players.id == player.id))
    wait_h = settings.rated_age_hours - (now - rows[0].created_at) / HOUR_S if rows else settings.rated_age_hours
    if wait_h > 0:
        hours = math.ceil(wait_h)
        when = "an hour" if hours == 1 else f"{hours} hours"
        raise NotAllowed(f"Your account is new: you can play rated games in {when}, and unrated games now.")
    missing = settings.rated_games - await count_finished_games(database, player.id, settings.rated_games)
    if missing > 0:
        games = "one more unrated game" if missing == 1 else f"{missing} more unrated games"
        raise NotAllowed(f"Your account is new: finish {games} to play rated ones.")


async def count_finished_games(database: Database, player_id: str, at_most: int) -> int:
    """Return how many games of some length a player has finished, counting up to `at_most`."""
    seats, tables = schema.seats.c, schema.tables.c
    mine = select(seats.table_id).where(seats.player_id == player_id).distinct()
    finished = select(tables.id).where(tables.id.in_(mine), tables.status == "over", tables.turn >= MIN_TURN)
    rows = await database.rows(select(func.count()).select_from(finished.limit(at_most).subquery()))
    return int(rows[0][0])
