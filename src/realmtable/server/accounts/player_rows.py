"""Players as database rows: lookup by id or name, and whether a name is free."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Row, Select, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from realmtable.server import display_names
from realmtable.server.accounts.ids import is_id
from realmtable.server.errors import NameTaken
from realmtable.server.storage import schema

BOT_KEY_PREFIX = "bot:"  # of a bot's name key; no person's key contains a colon


@dataclass(frozen=True, slots=True)
class Player:
    """A person or bot that can take a seat; `kind` is "guest", "member" or "bot"."""

    id: str
    name: str
    kind: str
    preferences: str = field(default="", compare=False, repr=False)  # see `preferences`


def player_values(player: Player, name_key: str | None, skeleton: str | None, now: float) -> dict[str, object]:
    """Return the row of a new player."""
    values = {"id": player.id, "name": player.name, "kind": player.kind, "created_at": now}
    return values | {"name_key": name_key, "skeleton": skeleton}


def player_from_row(row: Row[Any]) -> Player:
    """Return the player of a row."""
    return Player(row.id, row.name, row.kind, row.preferences or "")


def name_taken_error(name: str) -> NameTaken:
    """Return the error for a name that is, or looks like, another player's."""
    return NameTaken(f"The name {name} is taken or too similar to another name; choose a different one.")


def select_tokens(player_id: str) -> Select[Any]:
    """Return a query for the player's valid tokens, oldest first."""
    tokens = schema.tokens
    mine = (tokens.c.player_id == player_id) & tokens.c.revoked_at.is_(None)
    return select(tokens).where(mine).order_by(tokens.c.created_at)


async def row_by_id(connection: AsyncConnection, player_id: str) -> Row[Any] | None:
    """Return the row of the player with this id, or None."""
    if not is_id(player_id):
        return None
    return (await connection.execute(select(schema.players).where(schema.players.c.id == player_id))).first()


async def row_by_name(connection: AsyncConnection, name: str) -> Row[Any] | None:
    """Return the row of the member, else the bot, with this name in any spelling.

    Invalid names are looked up too, so that they take the same time.
    """
    key, columns = display_names.key(name), schema.players.c
    query = (
        select(schema.players).where(columns.name_key.in_([key, BOT_KEY_PREFIX + key])).order_by(columns.kind.desc())
    )
    return (await connection.execute(query)).first()


async def require_free_name(connection: AsyncConnection, name: str, player_id: str) -> None:
    """Raise NameTaken if the name is, or looks like, that of another member or a bot."""
    key, skeleton, columns = display_names.key(name), display_names.skeleton(name), schema.players.c
    alike = or_(
        columns.name_key.in_([key, BOT_KEY_PREFIX + key]), columns.skeleton.in_([skeleton, BOT_KEY_PREFIX + skeleton])
    )
    if (await connection.execute(select(columns.id).where(alike, columns.id != player_id).limit(1))).first():
        raise name_taken_error(name)


async def end_access(
    connection: AsyncConnection, player_id: str, tokens_at: float | None, keep: str | None = None
) -> tuple[int, int]:
    """End all sessions and sign-in links of a player, and revoke their tokens as of `tokens_at` (None: keep them).

    `keep` is the hash of a session that goes on. Returns the number of sessions and tokens that ended.
    """
    links, sessions, tokens = schema.sign_in_links, schema.sessions, schema.tokens
    # Links first: a link that is being used right now opens a session, which is then deleted as well. Sessions before
    # tokens: this waits for a session that is creating a token right now.
    await connection.execute(delete(links).where(links.c.player_id == player_id))
    mine = (sessions.c.player_id == player_id) & (sessions.c.token_hash != (keep or ""))
    ended = await connection.execute(delete(sessions).where(mine))
    if tokens_at is None:
        return ended.rowcount, 0
    valid = (tokens.c.player_id == player_id) & tokens.c.revoked_at.is_(None)
    revoked = await connection.execute(update(tokens).where(valid).values(revoked_at=tokens_at))
    return ended.rowcount, revoked.rowcount
