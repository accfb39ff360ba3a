"""Known devices: a browser that has signed in before is not locked out by strangers who guess at the name.

After a sign-in the browser keeps a mark in a cookie: a random number, signed with a key that only the server can make
(from the account's password hash, so that a new password makes every mark void). The mark lets nobody in. It only has
the browser's attempts counted by themselves instead of together with everybody's, as OWASP's device cookies do.
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

MAX_MARKS: Final = 5  # people who share a browser
MARK = re.compile(r"[\w-]{16}\.[0-9a-f]{64}", re.ASCII)


def new_mark(player_id: str, password_hash: str) -> str:
    """A mark for a browser that has just signed in as that player."""
    number = secrets.token_urlsafe(12)
    return f"{number}.{_signature(number, player_id, password_hash)}"


def marks_of(cookie: str) -> list[str]:
    """The marks in a cookie, those of other accounts and forged ones too."""
    return [mark for mark in cookie[: MAX_MARKS * 100].split("~")[:MAX_MARKS] if MARK.fullmatch(mark)]


def find_valid_mark(cookie: str, player_id: str, password_hash: str) -> str | None:
    """The mark in a cookie that was made for that player and password, or None."""
    for mark in marks_of(cookie):
        number, _, signature = mark.partition(".")
        if hmac.compare_digest(signature, _signature(number, player_id, password_hash)):
            return mark
    return None


def with_mark(cookie: str, mark: str, replaced: str | None) -> str:
    """The cookie with a new mark first, and without the one it replaces."""
    return "~".join([mark, *(other for other in marks_of(cookie) if other != replaced)][:MAX_MARKS])


async def check_attempt(limits: Limits, name: str, address: str, mark: str | None) -> None:
    """Count an attempt to sign in; RateLimited when it is one too many.

    Strangers are counted by address, by name and address, and, so that guessing from many addresses stays bounded, by
    name. A known device has a count of its own and is a stranger only once that is used up.
    """
    if mark is not None:
        with suppress(RateLimited):  # whoever stole the cookie guesses no more than any stranger after that
            await limits.check("sign_in_device", digest(mark))
            return
    key = digest(display_names.key(name))
    await limits.check("sign_in", address)
    await limits.check("sign_in_here", f"{key} {address}")
    await limits.check("sign_in_name", key)


async def find_device_mark(database: Database, name: str, cookie: str) -> str | None:
    """The mark by which a browser is known to the member of that name; None for a stranger."""
    if not cookie:
        return None
    async with database.reading() as connection:
        row = await row_by_name(connection, name)
    if row is None or row.kind != "member" or not row.password_hash:
        return None
    return find_valid_mark(cookie, row.id, row.password_hash)


async def add_device_mark(database: Database, player_id: str, cookie: str) -> str:
    """The cookie of a browser that has just signed in, with a mark for that; empty for a guest."""
    columns = schema.players.c
    rows = await database.rows(select(columns.password_hash).where(columns.id == player_id))
    kept = rows[0].password_hash if rows else None
    if not kept:
        return ""
    return with_mark(cookie, new_mark(player_id, kept), find_valid_mark(cookie, player_id, kept))


def _signature(number: str, player_id: str, password_hash: str) -> str:
    text = f"realmtable device 1 {player_id} {number}"
    return hmac.new(password_hash.encode(), text.encode(), "sha256").hexdigest()
