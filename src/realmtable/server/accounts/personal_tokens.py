"""Personal tokens, with which a player's programs use the API. The database stores only their hashes."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from realmtable.server.accounts.ids import MAX_SECRET_LENGTH, digest, is_id, new_id
from realmtable.server.errors import NotAllowed, NotFound, TooLarge
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from realmtable.server.ttl_cache import TtlCache

NOTE_USE_EVERY_S = 3600.0  # how often the use of a token is stored at most
MAX_LABEL_LENGTH = 60
MAX_TOKENS = 20
NO_TOKEN = "You have no token with this id."  # noqa: S105 - a sentence


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A personal token as its owner sees it, without the secret."""

    id: str
    label: str
    created_at: float
    used_at: float | None


class PersonalTokens:
    """The tokens of all players; `owners` caches the player's id of a token by its hash."""

    def __init__(self, database: Database, owners: TtlCache[str, str]) -> None:
        self._database = database
        self.owners = owners

    @staticmethod
    async def create(connection: AsyncConnection, player_id: str, label: str, now: float) -> tuple[str, str]:
        """Create a token; return its id and the secret, which is not shown again."""
        if len(label) > MAX_LABEL_LENGTH:
            raise TooLarge(f"A label can have at most {MAX_LABEL_LENGTH} characters.")
        if len((await connection.execute(_select_valid(player_id))).all()) >= MAX_TOKENS:
            raise NotAllowed(f"You can have at most {MAX_TOKENS} tokens; revoke one first.")
        token_id, secret = new_id(), f"rt_{secrets.token_urlsafe(32)}"
        row = {"id": token_id, "player_id": player_id, "label": label, "token_hash": digest(secret)}
        await connection.execute(insert(schema.tokens).values(row | {"created_at": now}))
        return token_id, secret

    async def list_valid(self, player_id: str) -> list[TokenRow]:
        """Return the player's valid tokens, oldest first."""
        async with self._database.reading() as connection:
            rows = await connection.execute(_select_valid(player_id))
        return [TokenRow(row.id, row.label, row.created_at, row.used_at) for row in rows]

    @staticmethod
    async def revoke(connection: AsyncConnection, player_id: str, token_id: str, now: float) -> None:
        """Revoke one of the player's tokens."""
        tokens = schema.tokens
        mine = (tokens.c.id == token_id) & (tokens.c.player_id == player_id) & tokens.c.revoked_at.is_(None)
        if not is_id(token_id):
            raise NotFound(NO_TOKEN)
        if (await connection.execute(update(tokens).where(mine).values(revoked_at=now))).rowcount != 1:
            raise NotFound(NO_TOKEN)

    async def owner_id(self, token: str, now: float) -> str | None:
        """Return the id of the player with this token, or None if it is unknown or revoked."""
        if len(token) > MAX_SECRET_LENGTH:
            return None
        token_hash = digest(token)
        return self.owners.get(token_hash) or await self._read_owner(token_hash, now)

    async def _read_owner(self, token_hash: str, now: float) -> str | None:
        tokens, epoch = schema.tokens, self.owners.epoch
        valid = (tokens.c.token_hash == token_hash) & tokens.c.revoked_at.is_(None)
        rows = await self._database.rows(select(tokens).where(valid))
        if not rows:
            return None
        row = rows[0]
        self.owners.put(token_hash, row.player_id, epoch)
        if row.used_at is None or now - row.used_at > NOTE_USE_EVERY_S:
            async with self._database.writing() as connection:
                await connection.execute(update(tokens).where(valid).values(used_at=now))
        return str(row.player_id)


def _select_valid(player_id: str) -> Select[Any]:
    """Return a query for the player's valid tokens, oldest first."""
    tokens = schema.tokens
    mine = (tokens.c.player_id == player_id) & tokens.c.revoked_at.is_(None)
    return select(tokens).where(mine).order_by(tokens.c.created_at)
