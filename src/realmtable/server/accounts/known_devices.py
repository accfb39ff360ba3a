"""Known devices: a browser that has signed in before is not locked out when strangers guess passwords for its account.

After a sign-in, the browser gets a mark in a cookie: a random number, signed with the account's password hash, so that
a new password invalidates all marks. A mark does not grant access. It only means that the browser's attempts are
counted separately from those of others, like OWASP's device cookies.
"""

from __future__ import annotations

import hmac
import re
import secrets
from contextlib import suppress
from typing import Final

from sqlalchemy import select

from realmtable.server import display_names
from realmtable.server.accounts.ids import digest
from realmtable.server.accounts.player_rows import row_by_name
from realmtable.server.accounts.rate_limits import Limits
from realmtable.server.errors import RateLimited
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

MAX_MARKS: Final = 5  # accounts per browser
MARK = re.compile(r"[\w-]{16}\.[0-9a-f]{64}", re.ASCII)


def new_mark(player_id: str, password_hash: str) -> str:
    """Return a mark for a browser that has just signed in as this player."""
    number = secrets.token_urlsafe(12)
    return f"{number}.{_signature(number, player_id, password_hash)}"


def marks_of(cookie: str) -> list[str]:
    """Return the marks in a cookie, which may belong to other accounts or be forged."""
    return [mark for mark in cookie[: MAX_MARKS * 100].split("~")[:MAX_MARKS] if MARK.fullmatch(mark)]


def find_valid_mark(cookie: str, player_id: str, password_hash: str) -> str | None:
    """Return the mark in a cookie that was made for this player and password, or None."""
    for mark in marks_of(cookie):
        number, _, signature = mark.partition(".")
        if hmac.compare_digest(signature, _signature(number, player_id, password_hash)):
            return mark
    return None


def with_mark(cookie: str, mark: str, replaced: str | None) -> str:
    """Return the cookie with a new mark first, and without the one it replaces."""
    return "~".join([mark, *(other for other in marks_of(cookie) if other != replaced)][:MAX_MARKS])


async def check_attempt(limits: Limits, name: str, address: str, mark: str | None) -> None:
    """Count an attempt to sign in; raise RateLimited if there were too many.

    Attempts are counted by address, by name and address and, to limit guessing from many addresses, by name. A known
    device has a separate limit, and is counted like any other only after that is used up.
    """
    if mark is not None:
        with suppress(RateLimited):  # then a stolen cookie gives no more attempts than anyone else has
            await limits.check("sign_in_device", digest(mark))
            return
    key = digest(display_names.key(name))
    await limits.check("sign_in", address)
    await limits.check("sign_in_here", f"{key} {address}")
    await limits.check("sign_in_name", key)


async def find_device_mark(database: Database, name: str, cookie: str) -> str | None:
    """Return the mark that makes a browser a known device of the member with this name, or None."""
    if not cookie:
        return None
    async with database.reading() as connection:
        row = await row_by_name(connection, name)
    if row is None or row.kind != "member" or not row.password_hash:
        return None
    return find_valid_mark(cookie, row.id, row.password_hash)


async def add_device_mark(database: Database, player_id: str, cookie: str) -> str:
    """Return the cookie of a browser that has just signed in, with a new mark; empty for a guest."""
    columns = schema.players.c
    rows = await database.rows(select(columns.password_hash).where(columns.id == player_id))
    stored_hash = rows[0].password_hash if rows else None
    if not stored_hash:
        return ""
    return with_mark(cookie, new_mark(player_id, stored_hash), find_valid_mark(cookie, player_id, stored_hash))


def _signature(number: str, player_id: str, password_hash: str) -> str:
    text = f"realmtable device 1 {player_id} {number}"
    return hmac.new(password_hash.encode(), text.encode(), "sha256").hexdigest()
