"""Ratings per game, by the Plackett-Luce model of the openskill library, which supports any number of seats and ties.

A rating is an estimate and is shown with its error bar: 1500 ± 667 for a new player.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

from openskill.models import PlackettLuce
from sqlalchemy import ColumnElement, Row, ScalarSelect, Update, and_, case, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from realmtable.server.accounts.accounts import Player
from realmtable.server.errors import NotAllowed
from realmtable.server.settings import Settings
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from realmtable.server.storage.table_store import IS_FINISHED

MODEL = PlackettLuce()
MIDDLE, SCALE = 1500, 40  # shown for the model's mean, and for one of its points
PROVISIONAL_PLUS_MINUS = 400  # with a wider error bar a rating is provisional; it takes about twenty games
MIN_OPPONENTS = 3  # with established ratings, to be listed among the leaders
MAX_GAMES_A_DAY = 3  # of two players that count, by days of UTC
MAX_UNCOUNTED = 1000
MAX_HISTORY = 400  # latest rated games in a player's graph

KNOWN_SIGMA = (PROVISIONAL_PLUS_MINUS + 0.5) / (2 * SCALE)  # shown as PROVISIONAL_PLUS_MINUS, rounded

DAY_S = 86400.0

Pair = frozenset[str]  # the ids of two players
DisplayRating = dict[str, Any]  # value, plus_minus (two standard deviations), provisional, games


def display_rating(mu: float, sigma: float, games: int) -> DisplayRating:
    """Return a rating as shown to people.

    >>> display_rating(25.0, 25 / 3, 0)
    {'value': 1500, 'plus_minus': 667, 'provisional': True, 'games': 0}
    """
    plus_minus = round(2 * SCALE * sigma)
    return {
        "value": round(MIDDLE + SCALE * (mu - MODEL.mu)),
        "plus_minus": plus_minus,
        "provisional": plus_minus > PROVISIONAL_PLUS_MINUS,
        "games": games,
    }


async def rate(
    database: Database, table_id: str, game: str, ranking: Sequence[int], player_ids: Sequence[str], now: float
) -> dict[str, Any] | None:
    """Rate the result of a table, given each seat's rank (1 is best, equal ranks are ties) and player.

    Returns {player id: {"before": rating, "after": rating}}. Idempotent: a second call returns the first result.
    Returns nothing for a table with fewer than two players, or with one player on several seats. Returns None and
    stores nothing if enough games of two of the players have counted today.
    """
    if len(ranking) != len(player_ids):
        raise ValueError("each seat needs a rank and a player")
    if len(set(player_ids)) != len(player_ids) or len(player_ids) < 2:  # noqa: PLR2004 - a comparison needs two
        return {}
    async with database.writing() as connection:
        await _lock_pairs(database, connection, player_ids)
        if (stored := await _load_changes(connection, table_id)) is not None:
            return stored
        if (await connection.execute(select(1).where(_are_exhausted(player_ids, now)))).first() is not None:
            return None
        await connection.execute(_count_game(player_ids, now))
        mark = {"table_id": table_id, "at": now, "changes": {}}
        await connection.execute(insert(schema.rated_tables), [mark])
        rows = await _lock_ratings(database, connection, game, player_ids, now)
        changes = await _update_ratings(connection, [rows[player_id] for player_id in player_ids], ranking, now)
        met = [
            {"player_id": one, "game": game, "opponent_id": other} for one, other in permutations(sorted(player_ids), 2)
        ]
        await connection.execute(database.insert_new(schema.rated_opponents, met))
        mine = schema.rated_tables.c.table_id == table_id
        await connection.execute(update(schema.rated_tables).where(mine).values(changes=changes))
        await connection.execute(insert(schema.rating_history), _history_rows(changes, game, now))
    return changes


def _history_rows(changes: dict[str, Any], game: str, now: float) -> list[dict[str, Any]]:
    return [
        {
            "player_id": player_id,
            "game": game,
            "number": change["after"]["games"],
            "value": change["after"]["value"],
            "plus_minus": change["after"]["plus_minus"],
            "at": now,
        }
        for player_id, change in changes.items()
    ]


async def exhausted_pairs(database: Database, player_ids: Collection[str], now: float) -> set[Pair]:
    """Return the pairs among these players of whom no further game counts today."""
    pairs = schema.rated_pairs.c
    rows = await database.rows(select(pairs.player_id, pairs.opponent_id).where(_are_exhausted(player_ids, now)))
    return {frozenset(row) for row in rows}


def _are_among(player_ids: Collection[str]) -> ColumnElement[bool]:
    pairs = schema.rated_pairs.c
    return and_(pairs.player_id.in_(player_ids), pairs.opponent_id.in_(player_ids))


def _are_exhausted(player_ids: Collection[str], now: float) -> ColumnElement[bool]:
    pairs = schema.rated_pairs.c
    return and_(_are_among(player_ids), pairs.day >= int(now // DAY_S), pairs.games >= MAX_GAMES_A_DAY)


def _count_game(player_ids: Collection[str], now: float) -> Update:
    """Return the statement that adds a game to the day's count of each pair among these players."""
    pairs, day = schema.rated_pairs.c, int(now // DAY_S)
    is_current = pairs.day >= day  # another process's clock may be a moment ahead at midnight
    values = {"day": case((is_current, pairs.day), else_=day), "games": case((is_current, pairs.games + 1), else_=1)}
    return update(schema.rated_pairs).where(_are_among(player_ids)).values(values)


async def _lock_pairs(database: Database, connection: AsyncConnection, player_ids: Collection[str]) -> None:
    """Lock the pairs among these players, creating missing ones, so that games that end at once are counted in turn.

    Always in the same order, so that such games cannot deadlock.
    """
    pairs = schema.rated_pairs
    found = combinations(sorted(player_ids), 2)
    new_rows = [{"player_id": one, "opponent_id": other, "day": 0, "games": 0} for one, other in found]
    await connection.execute(database.insert_new(pairs, new_rows))
    query = select(pairs.c.day).where(_are_among(player_ids)).order_by(pairs.c.player_id, pairs.c.opponent_id)
    await connection.execute(query.with_for_update())


async def mark_not_counted(database: Database, table_id: str, now: float) -> None:
    """Store that a rated table does not count, so that it is not checked again."""
    async with database.writing() as connection:
        mark = {"table_id": table_id, "at": now, "changes": {}}
        await connection.execute(database.insert_new(schema.rated_tables, [mark]))


async def ratings_of(database: Database, player_ids: Sequence[str], game: str) -> dict[str, DisplayRating]:
    """Return the ratings of these players in a game; unrated players are left out."""
    columns = schema.ratings.c
    query = select(schema.ratings).where(columns.game == game, columns.player_id.in_(player_ids), columns.games > 0)
    return {row.player_id: display_rating(row.mu, row.sigma, row.games) for row in await database.rows(query)}


async def ratings_by_game(database: Database, player_id: str) -> dict[str, DisplayRating]:
    """Return a player's ratings by game."""
    columns = schema.ratings.c
    query = select(schema.ratings).where(columns.player_id == player_id, columns.games > 0).order_by(columns.game)
    return {row.game: display_rating(row.mu, row.sigma, row.games) for row in await database.rows(query)}


class RatingPoint(NamedTuple):
    """A rating after a rated game."""

    at: float
    value: int
    plus_minus: int


async def rating_history(database: Database, player_id: str, game: str) -> list[RatingPoint]:
    """Return a player's ratings after their latest rated games, oldest first."""
    columns = schema.rating_history.c
    query = select(columns.at, columns.value, columns.plus_minus)
    mine = query.where(columns.player_id == player_id, columns.game == game)
    rows = await database.rows(mine.order_by(columns.number.desc()).limit(MAX_HISTORY))
    return [RatingPoint(*row) for row in reversed(rows)]


async def leaders(database: Database, game: str, limit: int = 50) -> list[tuple[str, DisplayRating]]:
    """Return the strongest members and bots of a game, by the lower end of their error bar.

    Only established ratings are listed, and only of players who have met several others with established ratings:
    winning against throwaway accounts is not enough.
    """
    columns = schema.ratings.c
    named = schema.ratings.join(schema.players, schema.players.c.id == columns.player_id)
    query = select(schema.ratings).select_from(named).where(columns.game == game, schema.players.c.kind != "guest")
    known = query.where(columns.sigma <= KNOWN_SIGMA, _count_known_opponents() >= MIN_OPPONENTS)
    low_end = columns.mu - 2 * columns.sigma
    strongest = known.order_by(low_end.desc(), columns.player_id).limit(limit)
    rows = await database.rows(strongest)
    return [(row.player_id, display_rating(row.mu, row.sigma, row.games)) for row in rows]


def _count_known_opponents() -> ScalarSelect[int]:
    """Return a query for the number of a player's opponents with established ratings."""
    rated, met, theirs = schema.ratings.c, schema.rated_opponents.c, schema.ratings.alias("theirs")
    same = (theirs.c.player_id == met.opponent_id) & (theirs.c.game == met.game) & (theirs.c.sigma <= KNOWN_SIGMA)
    count = select(func.count()).select_from(schema.rated_opponents.join(theirs, same))
    mine = (met.player_id == rated.player_id) & (met.game == rated.game)
    return count.where(mine).correlate(schema.ratings).scalar_subquery()


async def list_uncounted_tables(database: Database) -> list[str]:
    """Return finished rated tables that were not rated because the server stopped, latest first."""
    columns = schema.tables.c
    counted = select(schema.rated_tables.c.table_id).where(schema.rated_tables.c.table_id == columns.id)
    query = select(columns.id).where(columns.status == "over", columns.setup["rated"].as_boolean(), ~counted.exists())
    latest = await database.rows(query.order_by(columns.updated_at.desc()).limit(MAX_UNCOUNTED))
    return [row.id for row in latest]


async def _load_changes(connection: AsyncConnection, table_id: str) -> dict[str, Any] | None:
    rated = schema.rated_tables.c
    changes: dict[str, Any] | None = await connection.scalar(select(rated.changes).where(rated.table_id == table_id))
    return changes


async def _lock_ratings(
    database: Database, connection: AsyncConnection, game: str, player_ids: Sequence[str], now: float
) -> dict[str, Row[Any]]:
    """Lock and return the players' ratings in the order of their ids, creating missing ones."""
    initial = {"game": game, "mu": MODEL.mu, "sigma": MODEL.sigma, "games": 0, "updated_at": now}
    new_rows = [{"player_id": player_id} | initial for player_id in sorted(player_ids)]
    await connection.execute(database.insert_new(schema.ratings, new_rows))
    columns = schema.ratings.c
    query = select(schema.ratings).where(columns.game == game, columns.player_id.in_(player_ids))
    rows = await connection.execute(query.order_by(columns.player_id).with_for_update())
    return {row.player_id: row for row in rows}


async def _update_ratings(
    connection: AsyncConnection, rows: Sequence[Row[Any]], ranking: Sequence[int], now: float
) -> dict[str, Any]:
    """Update the ratings after a game; return the changes."""
    teams = [[MODEL.rating(mu=row.mu, sigma=row.sigma)] for row in rows]
    changes = {}
    for row, (after,) in zip(rows, MODEL.rate(teams, ranks=[float(rank) for rank in ranking]), strict=True):
        columns = schema.ratings.c
        mine = (columns.player_id == row.player_id) & (columns.game == row.game)
        values = {"mu": after.mu, "sigma": after.sigma, "games": row.games + 1, "updated_at": now}
        await connection.execute(update(schema.ratings).where(mine).values(values))
        before = display_rating(row.mu, row.sigma, row.games)
        changes[row.player_id] = {"before": before, "after": display_rating(after.mu, after.sigma, row.games + 1)}
    return changes


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
    finished = select(tables.id).where(tables.id.in_(mine), IS_FINISHED, tables.turn >= MIN_TURN)
    rows = await database.rows(select(func.count()).select_from(finished.limit(at_most).subquery()))
    return int(rows[0][0])
