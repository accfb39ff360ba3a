"""Who people are: guests, members and bots, their sessions, sign-in links and personal tokens.

Secrets leave this module once, when they are made; the database keeps their SHA-256 (passwords: Argon2) and memory
holds who they belong to for a few seconds only.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from argon2 import PasswordHasher
from sqlalchemy import Row, Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from realmtable.server.errors import BadCredentials, NameTaken, NotAllowed, NotFound, TooLarge
from realmtable.server.people import names
from realmtable.server.people.ids import digest, is_id, new_id
from realmtable.server.people.passwords import Passwords
from realmtable.server.people.recent import Recent
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

DAY_S = 86400.0
REFRESH_S = 7 * DAY_S  # a session is prolonged at most this often
USED_S = 3600.0  # and the last use of a token noted at most this often
CACHE_S = 600.0
CACHED = 20_000
LONGEST_SECRET = 100
LONGEST_LABEL = 60
MOST_TOKENS = 20
BOT = "bot:"  # begins the name key of a bot; no person's key holds a colon

NO_SIGN_IN = "Name and password do not fit together."
NO_LINK = "This sign-in link has been used or is too old; ask for a new one."


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who can take a seat; `kind` is "guest", "member" or "bot"."""

    id: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A personal token as its owner sees it: never the secret."""

    id: str
    label: str
    created_at: float
    used_at: float | None


@dataclass(frozen=True, slots=True)
class _Session:
    player_id: str
    created_at: float
    expires_at: float
    token_hash: str = field(repr=False)


class Accounts:
    """Everything about people that is kept.

    `announce` is awaited with a player's id after something of theirs was changed or taken away, so that other server
    processes can `forget` them; without it they believe their memory for `CACHE_S` seconds more.
    """

    def __init__(
        self,
        database: Database,
        now: Callable[[], float] = time.time,
        *,
        session_days: int = 365,
        hasher: PasswordHasher | None = None,
        announce: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        self.announce = announce
        self._database, self._now = database, now
        self._session_s = session_days * DAY_S
        self._passwords = Passwords(hasher)
        self._players: Recent[str, Player] = Recent(CACHED, CACHE_S)
        self._sessions: Recent[str, _Session] = Recent(CACHED, CACHE_S)
        self._tokens: Recent[str, str] = Recent(CACHED, CACHE_S)

    # Players

    async def guest(self) -> tuple[Player, str]:
        """A new guest under a friendly name, and its session token."""
        async with self._database.writing() as connection:
            name = names.friendly()
            while await _owner(connection, name) is not None:
                name = names.friendly()
            player = Player(new_id(), name, "guest")
            await connection.execute(insert(schema.players).values(_row(player, None, self._now())))
            return player, await self._new_session(connection, player.id)

    async def player(self, player_id: str) -> Player | None:
        """The player with that id."""
        return (await self.players([player_id])).get(player_id)

    async def players(self, ids: Iterable[str]) -> dict[str, Player]:
        """The players with these ids; ids that nobody has are left out."""
        wanted = set(ids)
        found = {player_id: known for player_id in wanted if (known := self._players.get(player_id)) is not None}
        missing = [player_id for player_id in wanted - found.keys() if is_id(player_id)]
        if missing:
            epoch = self._players.epoch
            for row in await self._database.rows(select(schema.players).where(schema.players.c.id.in_(missing))):
                found[row.id] = _player(row)
                self._players.put(row.id, found[row.id], epoch)
        return found

    async def bot_player(self, name: str) -> Player:
        """The player that a bot is, made on first need: bots have ratings like anybody."""
        player = Player(f"bot-{digest(name)[:22]}", name[:40], "bot")
        # A second key for a bot whose name looks like another bot's.
        for key in (names.key(name), digest(name)[:40]):
            if await self.player(player.id) is None:
                with suppress(IntegrityError):  # the key is taken, or another process was faster
                    async with self._database.writing() as connection:
                        await connection.execute(insert(schema.players).values(_row(player, BOT + key, self._now())))
        return player

    async def rename(self, player: Player, name: str) -> Player:
        """Give a guest or member another name; nobody takes one that looks like a member's or a bot's."""
        kept = names.cleaned(name)
        key = names.key(kept) if player.kind == "member" else None
        renamed = Player(player.id, kept, player.kind)
        # Of that kind still: a guest who has just become a member elsewhere must not lose the key.
        await self._change(renamed, {"name": kept, "name_key": key}, {player.kind})
        await self._tell(player.id)
        return renamed

    async def claim(self, player: Player, name: str, password: str) -> tuple[Player, str]:
        """Make the name theirs: a guest becomes a member under the same id; a member gets a new name and password.

        Every session and sign-in link there was ends; the token returned is the only way in beside the password.
        """
        kept = names.cleaned(name)
        Passwords.check(password)
        values = {"name": kept, "name_key": names.key(kept), "kind": "member"}
        async with self._database.reading() as connection:
            await _require_free(connection, kept, player.id)  # before the costly hash; decided by the database below
        values["password_hash"] = await self._passwords.hash(password)
        member = Player(player.id, kept, "member")
        token = await self._change(member, values, {"guest", "member"}, renew=True)
        await self._tell(player.id)
        return member, token

    async def _change(
        self, player: Player, values: Mapping[str, str | None], kinds: set[str], *, renew: bool = False
    ) -> str:
        """Write the row of a player of these kinds; to renew, end all sessions and links, and return a new session."""
        try:
            async with self._database.writing() as connection:
                await _require_free(connection, player.name, player.id)
                mine = (schema.players.c.id == player.id) & schema.players.c.kind.in_(kinds - {"bot"})
                if (await connection.execute(update(schema.players).where(mine).values(values))).rowcount != 1:
                    raise NotAllowed("This has been changed elsewhere meanwhile; load the page again.")
                if not renew:
                    return ""
                # Links first: one that is being used at this moment opens a session, which is then found here.
                for table in (schema.sign_in_links, schema.sessions):
                    await connection.execute(delete(table).where(table.c.player_id == player.id))
                return await self._new_session(connection, player.id)
        except IntegrityError as error:
            raise _taken(player.name) from error

    # Sessions

    async def sign_in(self, name: str, password: str) -> tuple[Player, str]:
        """The member of that name and password, and a new session token; BadCredentials does not say what was wrong."""
        async with self._database.reading() as connection:
            row = await _owner(connection, name)
        kept = row.password_hash if row is not None and row.kind == "member" else None
        if not await self._passwords.verify(kept, password) or row is None:
            raise BadCredentials(NO_SIGN_IN)
        fresh = await self._passwords.rehashed(kept, password)
        mine = (schema.players.c.id == row.id) & (schema.players.c.password_hash == kept)
        async with self._database.writing() as connection:
            # A password that was changed while we compared is no password any more.
            if (await connection.execute(select(schema.players.c.id).where(mine).with_for_update())).first() is None:
                raise BadCredentials(NO_SIGN_IN)
            if fresh is not None:
                await connection.execute(update(schema.players).where(mine).values(password_hash=fresh))
            return _player(row), await self._new_session(connection, row.id)

    async def by_session(self, token: str) -> Player | None:
        """Who holds that session token; None if nobody does any more."""
        session = await self._session(token)
        return None if session is None else await self.player(session.player_id)

    async def is_fresh(self, token: str, minutes: int = 15) -> bool:
        """Whether that session was opened (by password or link) within so many minutes."""
        session = await self._session(token)
        return session is not None and self._now() - session.created_at <= 60 * minutes

    async def refresh(self, token: str) -> bool:
        """Prolong a session whose last prolonging is some days ago; True if it was prolonged."""
        session = await self._session(token)
        until = self._now() + self._session_s
        if session is None or until - session.expires_at < min(REFRESH_S, self._session_s / 2):
            return False
        mine = schema.sessions.c.token_hash == session.token_hash
        async with self._database.writing() as connection:
            await connection.execute(update(schema.sessions).where(mine).values(expires_at=until))
        self._sessions.forget(session.token_hash)
        return True

    async def sign_out(self, token: str) -> None:
        """End one session at once."""
        token_hash = digest(token)
        session = await self._session(token)
        async with self._database.writing() as connection:
            await connection.execute(delete(schema.sessions).where(schema.sessions.c.token_hash == token_hash))
        self._sessions.forget(token_hash)
        if session is not None:
            await self._tell(session.player_id)

    async def _session(self, token: str) -> _Session | None:
        if len(token) > LONGEST_SECRET:
            return None
        token_hash = digest(token)
        session = self._sessions.get(token_hash)
        if session is None:
            epoch = self._sessions.epoch
            query = select(schema.sessions).where(schema.sessions.c.token_hash == token_hash)
            rows = await self._database.rows(query)
            if not rows:
                return None
            row = rows[0]
            session = _Session(row.player_id, row.created_at, row.expires_at, token_hash)
            self._sessions.put(token_hash, session, epoch)
        return session if session.expires_at > self._now() else None

    async def _new_session(self, connection: AsyncConnection, player_id: str) -> str:
        token, now = secrets.token_urlsafe(32), self._now()
        row = {"token_hash": digest(token), "player_id": player_id}
        moments = {"created_at": now, "expires_at": now + self._session_s}
        await connection.execute(insert(schema.sessions).values(row | moments))
        return token

    # Sign-in links

    async def make_link(self, who: str, minutes: int = 15) -> str:
        """A one-time sign-in token for the person with that id, or the member with that name."""
        token, now = secrets.token_urlsafe(32), self._now()
        async with self._database.writing() as connection:
            row = await _by_id(connection, who) or await _owner(connection, who)
            if row is None or row.kind == "bot":
                raise NotFound("There is no person with that name or id.")
            values = {"token_hash": digest(token), "player_id": row.id}
            moments = {"created_at": now, "expires_at": now + 60 * minutes}
            await connection.execute(insert(schema.sign_in_links).values(values | moments))
        return token

    async def use_link(self, token: str) -> tuple[Player, str]:
        """Sign in by a link, which is used up by it."""
        links, now = schema.sign_in_links, self._now()
        unused = (links.c.token_hash == digest(token)) & links.c.used_at.is_(None) & (links.c.expires_at > now)
        async with self._database.writing() as connection:
            query = update(links).where(unused).values(used_at=now).returning(links.c.player_id)
            player_id = (await connection.execute(query)).scalar_one_or_none()
            row = None if player_id is None else await _by_id(connection, player_id)
            if row is None:
                raise BadCredentials(NO_LINK)
            return _player(row), await self._new_session(connection, row.id)

    # Personal tokens

    async def make_token(self, player: Player, label: str) -> tuple[str, str]:
        """A new personal token: its id, and the secret that is shown this once."""
        if len(label) > LONGEST_LABEL:
            raise TooLarge(f"A label has at most {LONGEST_LABEL} characters.")
        token_id, secret = new_id(), f"rt_{secrets.token_urlsafe(32)}"
        async with self._database.writing() as connection:
            if len((await connection.execute(_tokens_of(player.id))).all()) >= MOST_TOKENS:
                raise NotAllowed(f"Nobody has more than {MOST_TOKENS} tokens; revoke one first.")
            row = {"id": token_id, "player_id": player.id, "label": label, "token_hash": digest(secret)}
            await connection.execute(insert(schema.tokens).values(row | {"created_at": self._now()}))
        return token_id, secret

    async def tokens(self, player: Player) -> list[TokenRow]:
        """The player's tokens that are not revoked, oldest first."""
        async with self._database.reading() as connection:
            rows = await connection.execute(_tokens_of(player.id))
        return [TokenRow(row.id, row.label, row.created_at, row.used_at) for row in rows]

    async def revoke(self, player: Player, token_id: str) -> None:
        """Take one of the player's own tokens back, at once and for good."""
        tokens = schema.tokens
        mine = (tokens.c.id == token_id) & (tokens.c.player_id == player.id) & tokens.c.revoked_at.is_(None)
        async with self._database.writing() as connection:
            query = update(tokens).where(mine).values(revoked_at=self._now()).returning(tokens.c.token_hash)
            token_hash = (await connection.execute(query)).scalar_one_or_none() if is_id(token_id) else None
        if token_hash is None:
            raise NotFound("You have no token with that id.")
        self._tokens.forget(token_hash)
        await self._tell(player.id)

    async def by_token(self, token: str) -> Player | None:
        """Whose personal token that is; None if it is nobody's or revoked."""
        if len(token) > LONGEST_SECRET:
            return None
        token_hash = digest(token)
        player_id = self._tokens.get(token_hash) or await self._read_token(token_hash)
        return None if player_id is None else await self.player(player_id)

    async def _read_token(self, token_hash: str) -> str | None:
        tokens, epoch, now = schema.tokens, self._tokens.epoch, self._now()
        valid = (tokens.c.token_hash == token_hash) & tokens.c.revoked_at.is_(None)
        rows = await self._database.rows(select(tokens).where(valid))
        if not rows:
            return None
        row = rows[0]
        self._tokens.put(token_hash, row.player_id, epoch)
        if row.used_at is None or now - row.used_at > USED_S:
            async with self._database.writing() as connection:
                await connection.execute(update(tokens).where(valid).values(used_at=now))
        return str(row.player_id)

    # Housekeeping

    def forget(self, player_id: str | None) -> None:
        """Ask the database again about a player (None: about everybody), because another process changed something."""
        self._players.forget_where(lambda player: player_id in {None, player.id})
        self._sessions.forget_where(lambda session: player_id in {None, session.player_id})
        self._tokens.forget_where(lambda owner: player_id in {None, owner})

    async def sweep(self) -> None:
        """Delete sessions and links whose time has passed."""
        async with self._database.writing() as connection:
            for table in (schema.sessions, schema.sign_in_links):
                await connection.execute(delete(table).where(table.c.expires_at <= self._now()))

    async def _tell(self, player_id: str) -> None:
        self.forget(player_id)
        if self.announce is not None:
            await self.announce(player_id)


def _row(player: Player, name_key: str | None, now: float) -> dict[str, object]:
    return {"id": player.id, "name": player.name, "kind": player.kind, "name_key": name_key, "created_at": now}


def _player(row: Row[Any]) -> Player:
    return Player(row.id, row.name, row.kind)


def _taken(name: str) -> NameTaken:
    return NameTaken(f"Somebody is called {name} or very much alike; choose another name.")


def _tokens_of(player_id: str) -> Select[Any]:
    tokens = schema.tokens
    mine = (tokens.c.player_id == player_id) & tokens.c.revoked_at.is_(None)
    return select(tokens).where(mine).order_by(tokens.c.created_at)


async def _by_id(connection: AsyncConnection, player_id: str) -> Row[Any] | None:
    if not is_id(player_id):
        return None
    return (await connection.execute(select(schema.players).where(schema.players.c.id == player_id))).first()


async def _owner(connection: AsyncConnection, name: str) -> Row[Any] | None:
    """The member, else the bot, that has this name or one like it. An impossible name costs the same look."""
    key, columns = names.key(name), schema.players.c
    query = select(schema.players).where(columns.name_key.in_([key, BOT + key])).order_by(columns.kind.desc())
    return (await connection.execute(query)).first()


async def _require_free(connection: AsyncConnection, name: str, player_id: str) -> None:
    row = await _owner(connection, name)
    if row is not None and row.id != player_id:
        raise _taken(name)
