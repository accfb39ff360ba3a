"""Accounts of guests, members and bots, with their sessions, sign-in links and personal tokens.

A secret leaves this module only once, when it is created. The database stores its SHA-256 hash (passwords: Argon2), and
memory caches only its owner, for a few minutes.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from argon2 import PasswordHasher
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from realmtable.server import display_names
from realmtable.server.accounts.account_watch import note_change
from realmtable.server.accounts.ids import MAX_SECRET_LENGTH, digest, is_id, new_id
from realmtable.server.accounts.passwords import Passwords
from realmtable.server.accounts.personal_tokens import PersonalTokens, TokenRow
from realmtable.server.accounts.player_rows import (
    BOT_KEY_PREFIX,
    Player,
    end_access,
    name_taken_error,
    player_from_row,
    player_values,
    require_free_name,
    row_by_id,
    row_by_name,
)
from realmtable.server.accounts.preferences import (
    PreferenceChanges,
    Preferences,
    read_preferences,
    write_preferences,
)
from realmtable.server.errors import BadCredentials, NotAllowed, NotFound, SignInAgain
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from realmtable.server.storage.push_subscriptions import move_subscription
from realmtable.server.ttl_cache import TtlCache

DAY_S = 86400.0
REFRESH_S = 7 * DAY_S  # how often a session is extended at most
CACHE_S = 600.0
CACHE_SIZE = 20_000
FRESH_S = 15 * 60.0  # how long after signing in a member can change the account

__all__ = ["Accounts", "Player", "TokenRow"]

NO_SIGN_IN = "Wrong name or password."
NO_LINK = "This sign-in link has expired or was already used; request a new one."
WRONG_PASSWORD = "That is not your current password."  # noqa: S105 - a sentence
NOT_FRESH = "Please sign in again with your password or a sign-in link to do this."


@dataclass(frozen=True, slots=True)
class _Session:
    player_id: str
    created_at: float
    expires_at: float
    resets_password: bool
    token_hash: str = field(repr=False)


class Accounts:
    """The stored accounts.

    `announce` is awaited with a player's id and the change number after an account has changed, so that other server
    processes `forget` it at once; processes that miss this find the number in the database (see `account_watch`).

    Methods with a `session` make their change only if the session still exists and, for a member, is fresh: a browser
    that was left open or has just signed out cannot change the account.
    """

    def __init__(
        self,
        database: Database,
        now: Callable[[], float] = time.time,
        *,
        session_days: int = 365,
        hasher: PasswordHasher | None = None,
        announce: Callable[[str, int], Awaitable[None]] | None = None,
    ) -> None:
        self.announce = announce
        self._database, self._now = database, now
        self._session_s = session_days * DAY_S
        self._passwords = Passwords(hasher)
        self._players: TtlCache[str, Player] = TtlCache(CACHE_SIZE, CACHE_S)
        self._sessions: TtlCache[str, _Session] = TtlCache(CACHE_SIZE, CACHE_S)
        self._tokens = PersonalTokens(database, TtlCache(CACHE_SIZE, CACHE_S))

    # Players

    async def create_guest(self) -> tuple[Player, str]:
        """Create a guest with a random name; return the guest and a session token."""
        async with self._database.writing() as connection:
            name = display_names.random_name()
            while await row_by_name(connection, name) is not None:
                name = display_names.random_name()
            player = Player(new_id(), name, "guest")
            await connection.execute(insert(schema.players).values(player_values(player, None, None, self._now())))
            return player, await self._create_session(connection, player.id)

    async def player(self, player_id: str) -> Player | None:
        """Return the player with this id, or None."""
        return self._players.get(player_id) or (await self.players([player_id])).get(player_id)

    async def find_player(self, id_or_name: str) -> Player | None:
        """Return the player with this id, or the member or bot with this name."""
        found = await self.player(id_or_name)
        if found is not None or len(id_or_name) > 4 * display_names.MAX_LENGTH:
            return found
        async with self._database.reading() as connection:
            row = await row_by_name(connection, id_or_name)
        return None if row is None else player_from_row(row)

    async def players(self, ids: Iterable[str]) -> dict[str, Player]:
        """Return the players with these ids; unknown ids are left out."""
        wanted = set(ids)
        players = {player_id: cached for player_id in wanted if (cached := self._players.get(player_id)) is not None}
        if len(players) == len(wanted):
            return players
        missing = [player_id for player_id in wanted - players.keys() if is_id(player_id)]
        if missing:
            epoch = self._players.epoch
            for row in await self._database.rows(select(schema.players).where(schema.players.c.id.in_(missing))):
                players[row.id] = player_from_row(row)
                self._players.put(row.id, players[row.id], epoch)
        return players

    async def bot_player(self, name: str) -> Player:
        """Return the player of a bot, creating it on first use; bots have ratings like people."""
        player = Player(f"bot-{digest(name)[:22]}", name[:40], "bot")
        # The second key is for a bot whose name looks like another bot's.
        for key, skeleton in (
            (display_names.key(name), BOT_KEY_PREFIX + display_names.skeleton(name)),
            (digest(name)[:40], None),
        ):
            if await self.player(player.id) is None:
                row = player_values(player, BOT_KEY_PREFIX + key, skeleton, self._now())
                with suppress(IntegrityError):  # the key is taken, or another process was first
                    async with self._database.writing() as connection:
                        await connection.execute(insert(schema.players).values(row))
        return player

    async def rename(self, player: Player, name: str, session: str | None = None) -> Player:
        """Rename a guest or member; a name that looks like that of another member or a bot is refused."""
        clean = display_names.clean_name(name)
        values = _name_values(clean) if player.kind == "member" else {"name": clean}
        async with self._change_account(player, session) as connection:
            await self._write_player(connection, player, values)
        return Player(player.id, clean, player.kind)

    async def claim(
        self,
        player: Player,
        name: str,
        password: str,
        session: str | None = None,
        *,
        current_password: str = "",
        revoke_tokens: bool = False,
    ) -> tuple[Player, str]:
        """Set a name and password: a guest becomes a member with the same id, a member changes both.

        A member needs the current password, or a session that `may_reset_password`. Ends all sessions and sign-in
        links, and optionally all personal tokens; returns the player and a new session token.
        """
        clean = display_names.clean_name(name)
        Passwords.check(password)
        # A name that was given before another look-alike rule can be kept.
        keeps_name = player.kind == "member" and clean == player.name
        values: dict[str, str | None] = {"kind": "member", **({} if keeps_name else _name_values(clean))}
        resets = session is not None and await self.may_reset_password(session)
        must_know = player.kind == "member" and not resets
        async with self._database.reading() as connection:  # before the slow hash; checked again below
            await self._check_session(connection, player, session, knows_password=must_know)
            if not keeps_name:
                await require_free_name(connection, clean, player.id)
            row = await row_by_id(connection, player.id)
        old_hash = None if row is None else row.password_hash
        if must_know and not await self._passwords.verify(old_hash, current_password):
            raise BadCredentials(WRONG_PASSWORD)
        values["password_hash"] = await self._passwords.hash(password)
        async with self._change_account(player, session, knows_password=must_know) as connection:
            token = await self._create_session(connection, player.id)
            if session is not None:
                await move_subscription(connection, digest(session), digest(token))
            # Before writing the player's row, since a transaction that has locked a session may need that row.
            await end_access(connection, player.id, self._now() if revoke_tokens else None, keep=digest(token))
            await self._write_player(connection, player, values, old_hash)
        return Player(player.id, clean, "member"), token

    async def change_preferences(self, player: Player, changes: PreferenceChanges) -> Preferences:
        """Change some of a player's preferences and return all of them."""
        columns = schema.players.c
        mine = columns.id == player.id
        async with self._change_account(player, None) as connection:
            stored = (await connection.execute(select(columns.preferences).where(mine))).scalar_one_or_none()
            preferences = changes.apply(read_preferences(stored or ""))
            values = {"preferences": write_preferences(preferences)}
            await connection.execute(update(schema.players).where(mine).values(values))
        return preferences

    @asynccontextmanager
    async def _change_account(
        self, player: Player, session: str | None, *, knows_password: bool = False
    ) -> AsyncIterator[AsyncConnection]:
        """Open a transaction that changes an account; announce the change after the commit."""
        async with self._database.writing() as connection:
            number = await note_change(connection, player.id)
            await self._check_session(connection, player, session, knows_password=knows_password)
            yield connection
        await self._announce_change(player.id, number)

    @staticmethod
    async def _write_player(
        connection: AsyncConnection, player: Player, values: Mapping[str, str | None], old_hash: str | None = None
    ) -> None:
        """Update the row of a person whose kind and, for a new password, old hash are unchanged; the name must be free.

        So a guest who has just become a member elsewhere keeps the password, and of two new passwords one counts.
        """
        name, columns = values.get("name"), schema.players.c
        if name is not None:
            await require_free_name(connection, name, player.id)
        mine = (columns.id == player.id) & (columns.kind == player.kind) & (columns.kind != "bot")
        if old_hash is not None:
            mine &= columns.password_hash == old_hash
        try:
            written = await connection.execute(update(schema.players).where(mine).values(values))
        except IntegrityError as error:
            raise name_taken_error(str(name)) from error
        if written.rowcount != 1:
            raise NotAllowed("This account was changed elsewhere; reload the page.")

    # Sessions

    async def sign_in(self, name: str, password: str) -> tuple[Player, str]:
        """Return the member and a new session token; BadCredentials does not tell which of the two was wrong."""
        async with self._database.reading() as connection:
            row = await row_by_name(connection, name)
        stored_hash = row.password_hash if row is not None and row.kind == "member" else None
        if not await self._passwords.verify(stored_hash, password) or row is None:
            raise BadCredentials(NO_SIGN_IN)
        new_hash = await self._passwords.rehash_if_outdated(stored_hash, password)
        mine = (schema.players.c.id == row.id) & (schema.players.c.password_hash == stored_hash)
        async with self._database.writing() as connection:
            # The password may have been changed since it was verified.
            if (await connection.execute(select(schema.players.c.id).where(mine).with_for_update())).first() is None:
                raise BadCredentials(NO_SIGN_IN)
            if new_hash is not None:
                await connection.execute(update(schema.players).where(mine).values(password_hash=new_hash))
            return player_from_row(row), await self._create_session(connection, row.id)

    async def player_by_session(self, token: str) -> Player | None:
        """Return the player with this session token, or None if it is not valid."""
        session = await self._find_session(token)
        return None if session is None else await self.player(session.player_id)

    async def use_session(self, token: str) -> tuple[Player | None, bool]:
        """Return the player with this session token, or None, and whether the session was extended."""
        session = await self._find_session(token)
        player = None if session is None else await self.player(session.player_id)
        if session is None or player is None:
            return None, False
        return player, await self._extend(session)

    async def is_fresh(self, token: str) -> bool:
        """Whether this session was opened recently, by password or link."""
        session = await self._find_session(token)
        return session is not None and self._now() - session.created_at <= FRESH_S

    async def may_reset_password(self, token: str) -> bool:
        """Whether this session can set a password without the old one: an administrator's link opened it recently."""
        session = await self._find_session(token)
        return session is not None and session.resets_password and await self.is_fresh(token)

    async def _check_session(
        self, connection: AsyncConnection, player: Player, token: str | None, *, knows_password: bool = False
    ) -> None:
        """Raise SignInAgain unless the session is the player's and, for a member, fresh; None skips the check.

        It need not be fresh if the member gives the password with the change. The row is locked, so that ending the
        session waits for the changes made by it.
        """
        if token is None:
            return
        columns, now = schema.sessions.c, self._now()
        valid = (columns.token_hash == digest(token)) & (columns.player_id == player.id) & (columns.expires_at > now)
        query = select(columns.created_at).where(valid).with_for_update(read=True)
        opened_at = (await connection.execute(query)).scalar_one_or_none()
        # A browser left open must not let others take over a member's account; a guest has no password to ask for.
        must_be_fresh = player.kind == "member" and not knows_password
        if opened_at is None or (must_be_fresh and now - opened_at > FRESH_S):
            raise SignInAgain(NOT_FRESH)

    async def _extend(self, session: _Session) -> bool:
        """Extend a session unless that was done within the last days; return whether it was extended."""
        if self._now() < session.expires_at - self._session_s + min(REFRESH_S, self._session_s / 2):
            return False
        until = self._now() + self._session_s
        mine = schema.sessions.c.token_hash == session.token_hash
        async with self._database.writing() as connection:
            await connection.execute(update(schema.sessions).where(mine).values(expires_at=until))
        self._sessions.forget(session.token_hash)
        return True

    async def sign_out(self, token: str, successor: str | None = None) -> None:
        """End a session at once; if `successor` replaces it for the same player, the browser is still notified."""
        session = await self._find_session(token)
        if session is None:
            return
        async with self._database.writing() as connection:
            number = await note_change(connection, session.player_id)
            if successor is not None:
                await move_subscription(connection, session.token_hash, digest(successor))
            await connection.execute(delete(schema.sessions).where(schema.sessions.c.token_hash == session.token_hash))
        await self._announce_change(session.player_id, number)

    async def _find_session(self, token: str) -> _Session | None:
        if len(token) > MAX_SECRET_LENGTH:
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
            session = _Session(row.player_id, row.created_at, row.expires_at, row.resets_password, token_hash)
            self._sessions.put(token_hash, session, epoch)
        return session if session.expires_at > self._now() else None

    async def _create_session(
        self, connection: AsyncConnection, player_id: str, *, resets_password: bool = False
    ) -> str:
        token, now = secrets.token_urlsafe(32), self._now()
        row = {"token_hash": digest(token), "player_id": player_id, "resets_password": resets_password}
        moments = {"created_at": now, "expires_at": now + self._session_s}
        await connection.execute(insert(schema.sessions).values(row | moments))
        return token

    # Sign-in links

    async def make_link(
        self, id_or_name: str, minutes: int = 15, session: str | None = None, *, resets_password: bool = False
    ) -> str:
        """Create a one-time sign-in token for the person with this id, or the member with this name.

        If it `resets_password`, the session that it opens can set a password without the old one for some minutes.
        """
        token, now = secrets.token_urlsafe(32), self._now()
        async with self._database.writing() as connection:
            row = await row_by_id(connection, id_or_name) or await row_by_name(connection, id_or_name)
            if row is None or row.kind == "bot":
                raise NotFound("No player has this name or id.")
            await self._check_session(connection, player_from_row(row), session)
            values = {"token_hash": digest(token), "player_id": row.id, "resets_password": resets_password}
            moments = {"created_at": now, "expires_at": now + 60 * minutes}
            await connection.execute(insert(schema.sign_in_links).values(values | moments))
        return token

    async def use_link(self, token: str) -> tuple[Player, str]:
        """Sign in by a link, which can be used only once."""
        links, now = schema.sign_in_links, self._now()
        unused = (links.c.token_hash == digest(token)) & links.c.used_at.is_(None) & (links.c.expires_at > now)
        async with self._database.writing() as connection:
            query = (
                update(links).where(unused).values(used_at=now).returning(links.c.player_id, links.c.resets_password)
            )
            link = (await connection.execute(query)).one_or_none()
            row = None if link is None else await row_by_id(connection, link.player_id)
            if link is None or row is None:
                raise BadCredentials(NO_LINK)
            token = await self._create_session(connection, row.id, resets_password=link.resets_password)
            return player_from_row(row), token

    # Personal tokens

    async def make_token(self, player: Player, label: str, session: str | None = None) -> tuple[str, str]:
        """Create a personal token; return its id and the secret, which is not shown again."""
        async with self._database.writing() as connection:
            await self._check_session(connection, player, session)
            return await self._tokens.create(connection, player.id, label, self._now())

    async def list_tokens(self, player: Player) -> list[TokenRow]:
        """Return the player's valid tokens, oldest first."""
        return await self._tokens.list_valid(player.id)

    async def revoke_token(self, player: Player, token_id: str) -> None:
        """Revoke one of the player's tokens."""
        async with self._change_account(player, None) as connection:
            await self._tokens.revoke(connection, player.id, token_id, self._now())

    async def player_by_token(self, token: str) -> Player | None:
        """Return the player with this personal token, or None if it is unknown or revoked."""
        player_id = await self._tokens.owner_id(token, self._now())
        return None if player_id is None else await self.player(player_id)

    # Housekeeping

    def forget(self, player_id: str | None) -> None:
        """Drop a player (None: all players) from the caches, because another process has changed the account."""
        self._players.forget_where(lambda player: player_id in {None, player.id})
        self._sessions.forget_where(lambda session: player_id in {None, session.player_id})
        self._tokens.owners.forget_where(lambda owner: player_id in {None, owner})

    async def sweep(self) -> None:
        """Delete expired sessions and links."""
        async with self._database.writing() as connection:
            for table in (schema.sessions, schema.sign_in_links):
                await connection.execute(delete(table).where(table.c.expires_at <= self._now()))

    async def _announce_change(self, player_id: str, number: int) -> None:
        self.forget(player_id)
        if self.announce is not None:
            await self.announce(player_id, number)


def _name_values(name: str) -> dict[str, str | None]:
    """Return the columns of a member's name."""
    return {"name": name, "name_key": display_names.key(name), "skeleton": display_names.skeleton(name)}
