"""Identifies the sender of a request, by the session cookie of a browser or the personal token of a program."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Protocol, cast

from fastapi import Depends
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.types import Message, Scope

from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.accounts.addresses import LatestAddresses, SharedAddresses
from realmtable.server.accounts.rate_limits import Limits, client_address
from realmtable.server.errors import BadCredentials, NotAllowed, SignInAgain, Unavailable
from realmtable.server.logs import find_header
from realmtable.server.settings import Settings
from realmtable.server.storage.database import Database
from realmtable.server.storage.table_store import TableStore

COOKIE = "realmtable_session"
CSRF_HEADER = "X-CSRF-Token"
DAY_S = 86400
SESSION_STATE = "realmtable_session_change"
SENDER = "realmtable.sender"


class AccountServices(Protocol):
    """The services that accounts need from `app.state.services`."""

    settings: Settings
    database: Database
    store: TableStore
    accounts: Accounts
    limits: Limits
    shared_addresses: SharedAddresses
    latest_addresses: LatestAddresses


@dataclass(frozen=True, slots=True)
class Visitor:
    """The sender of a request; `session` is their cookie even if it has expired (`player` is None then)."""

    player: Player | None
    session: str | None = field(repr=False)
    via: Literal["cookie", "token"] | None

    @property
    def csrf(self) -> str:
        """The token that a page must send in X-CSRF-Token; empty without a session cookie."""
        return csrf_token(self.session) if self.session else ""


def csrf_token(session_token: str) -> str:
    """Return the CSRF token of a session, which does not reveal the session token."""
    return hmac.digest(session_token.encode("utf-8", "replace"), b"realmtable csrf 1", "sha256").hex()


def is_secure(public_url: str) -> bool:
    """Whether the server is reached by HTTPS."""
    return public_url.startswith("https://")


def cookie_name(public_url: str) -> str:
    """Return the name of the session cookie; the HTTPS prefix makes browsers reject cookies of other hosts."""
    return f"__Host-{COOKIE}" if is_secure(public_url) else COOKIE


def bearer_token(scope: Scope) -> str | None:
    """Return the token of an `Authorization: Bearer` header (possibly empty), or None without such a header."""
    given = find_header(scope, b"authorization")
    if given is None:
        return None
    scheme, _, token = given.strip().partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def session_cookie(connection: HTTPConnection, public_url: str) -> str | None:
    """Return the session token that a browser sends; a bearer token takes precedence."""
    if bearer_token(connection.scope) is not None:
        return None
    return connection.cookies.get(cookie_name(public_url)) or None


def account_services(request: HTTPConnection) -> AccountServices:
    """Return the services that deal with accounts."""
    return cast("AccountServices", request.app.state.services)


def sender_address(request: HTTPConnection) -> str:
    """Return the key of the address that a request comes from."""
    return client_address(request, trust_proxy=account_services(request).settings.trust_proxy)


async def visitor(request: HTTPConnection) -> Visitor:
    """Dependency: the sender of a request, if known. An unknown bearer token is refused."""
    sender = await identify(request)
    if sender.player is not None:
        await note_address(request, sender.player)
    return sender


async def identify(request: HTTPConnection) -> Visitor:
    """Return the sender of a request, which is noted in its scope. An unknown bearer token is refused."""
    if SENDER not in request.scope:
        request.scope[SENDER] = await _find_sender(request)
    sender: Visitor = request.scope[SENDER]
    return sender


async def _find_sender(request: HTTPConnection) -> Visitor:
    services = account_services(request)
    token = bearer_token(request.scope)
    if token is not None:
        player = await services.accounts.player_by_token(token)
        if player is None:
            raise BadCredentials("This token is unknown or has been revoked.")
        return Visitor(player, None, "token")
    session = session_cookie(request, services.settings.public_url)
    if session is None:
        return Visitor(None, None, None)
    player, is_extended = await services.accounts.use_session(session)
    if is_extended:
        open_session(request, session)
    return Visitor(player, session, "cookie" if player is not None else None)


async def is_admitted(request: HTTPConnection, sender: Visitor) -> bool:
    """Whether the request's cookie or token still belongs to the same player as before."""
    try:
        now = await _find_sender(request)
        if now.player is not None:
            await note_address(request, now.player)
    except (BadCredentials, Unavailable):
        return False
    return now.player is not None and sender.player is not None and now.player.id == sender.player.id


async def player(request: Request, sender: Annotated[Visitor, Depends(visitor)]) -> Player:
    """Dependency: the acting player; an unknown sender becomes a guest and gets a cookie."""
    if sender.player is not None:
        return sender.player
    services = account_services(request)
    if services.settings.limits_addresses:
        await services.limits.check("guest", sender_address(request))
    guest, token = await services.accounts.create_guest()
    open_session(request, token)
    await note_address(request, guest)
    return guest


async def note_address(request: HTTPConnection, player: Player) -> None:
    """Remember a player's address, which fair queues and the fair-play checks need."""
    services, address = account_services(request), sender_address(request)
    services.latest_addresses.note(player.id, address)
    await services.shared_addresses.note(address, player.id)


async def browser_player(request: Request, sender: Annotated[Visitor, Depends(visitor)]) -> Player:
    """Dependency: the acting player, identified by a session; tokens can play but not change the account.

    A sender with an expired session expects to be its player, so this does not silently create a guest.
    """
    if sender.via == "token":
        raise NotAllowed("A token cannot change the account; sign in with a browser.")
    if sender.player is None and sender.session is not None:
        close_session(request)
        raise SignInAgain("You have been signed out: sign in again, or retry to continue as a new guest.")
    return await player(request, sender)


AnyVisitor = Annotated[Visitor, Depends(visitor)]
ActingPlayer = Annotated[Player, Depends(player)]
BrowserPlayer = Annotated[Player, Depends(browser_player)]


def open_session(request: HTTPConnection, token: str) -> None:
    """Set the session cookie in the response to this request, even if it is an error."""
    setattr(request.state, SESSION_STATE, token)


def close_session(request: HTTPConnection) -> None:
    """Delete the session cookie in the response to this request."""
    setattr(request.state, SESSION_STATE, "")


class SessionCookie:
    """Sets or deletes the cookie that a request's handler asked for, also in error responses.

    The CSRF token of a new session is sent in a header, so that the page can continue without a reload.
    """

    def __init__(self, public_url: str, session_days: int = 365) -> None:
        self._name, self._secure = cookie_name(public_url), is_secure(public_url)
        self._max_age = session_days * DAY_S

    def add_to(self, start: Message, state: Mapping[str, Any]) -> None:
        """Add the cookie to the start message of a response to a request with this state."""
        token = state.get(SESSION_STATE)
        if token is None:
            return
        headers = MutableHeaders(scope=start)
        headers.append("Set-Cookie", self._cookie(token))
        headers["Cache-Control"] = "no-store"
        if token:
            headers[CSRF_HEADER] = csrf_token(token)

    def _cookie(self, token: str) -> str:
        parts = [f"{self._name}={token}", f"Max-Age={self._max_age if token else 0}", "Path=/", "HttpOnly"]
        return "; ".join([*parts, "SameSite=Lax", *(["Secure"] if self._secure else [])])
