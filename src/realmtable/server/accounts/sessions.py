"""Who sends a request: the session cookie of a browser, or the personal token of a program."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Protocol, cast

from fastapi import Depends
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.accounts.latest_addresses import LatestAddresses
from realmtable.server.accounts.rate_limits import Limits, client_address
from realmtable.server.accounts.seen_addresses import SeenAddresses
from realmtable.server.errors import BadCredentials, NotAllowed, SignInAgain, Unavailable
from realmtable.server.settings import Settings
from realmtable.server.storage.database import Database
from realmtable.server.storage.store import Store

COOKIE = "realmtable_session"
CSRF_HEADER = "X-CSRF-Token"
DAY_S = 86400
SESSION_STATE = "realmtable_session_change"
DEVICE_COOKIE = "realmtable_device"
DEVICE_STATE = "realmtable_device_change"


class AccountServices(Protocol):
    """What this room finds on `app.state.services`."""

    settings: Settings
    database: Database
    store: Store
    accounts: Accounts
    limits: Limits
    seen_addresses: SeenAddresses
    latest_addresses: LatestAddresses


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks: `session` is the browser's cookie even when it has run out (`player` is None then)."""

    player: Player | None
    session: str | None = field(repr=False)
    via: Literal["cookie", "token"] | None

    @property
    def csrf(self) -> str:
        """What the page must send back in X-CSRF-Token; empty where there is no cookie to protect."""
        return csrf_token(self.session) if self.session else ""


def csrf_token(session_token: str) -> str:
    """The CSRF token that belongs to a session; it tells nothing about the session token."""
    return hmac.new(session_token.encode("utf-8", "replace"), b"realmtable csrf 1", "sha256").hexdigest()


def is_secure(public_url: str) -> bool:
    """Whether browsers come by https."""
    return public_url.startswith("https://")


def cookie_name(public_url: str) -> str:
    """The session cookie's name; under https the prefix makes browsers refuse one set by another host."""
    return f"__Host-{COOKIE}" if is_secure(public_url) else COOKIE


def device_cookie_name(public_url: str) -> str:
    """The name of the cookie that holds the marks of a known device."""
    return f"__Secure-{DEVICE_COOKIE}" if is_secure(public_url) else DEVICE_COOKIE


def device_cookie(connection: HTTPConnection, public_url: str) -> str:
    """The marks that a browser sends; empty where it sends none."""
    return connection.cookies.get(device_cookie_name(public_url)) or ""


def bearer_token(headers: Headers) -> str | None:
    """The token of an `Authorization: Bearer` header; empty if the header has none, None if there is no such header."""
    scheme, _, token = headers.get("authorization", "").strip().partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def session_cookie(connection: HTTPConnection, public_url: str) -> str | None:
    """The session token that a browser sends; ignored where a bearer token is given."""
    if bearer_token(connection.headers) is not None:
        return None
    return connection.cookies.get(cookie_name(public_url)) or None


def account_services(request: HTTPConnection) -> AccountServices:
    """The server's parts that know people."""
    return cast("AccountServices", request.app.state.services)


async def visitor(request: Request) -> Visitor:
    """Dependency: who looks, if anybody is known. A bearer token that is nobody's is refused."""
    found = await _identify(request)
    if found.player is not None:
        await note_address(request, found.player)
    return found


async def _identify(request: Request) -> Visitor:
    services = account_services(request)
    token = bearer_token(request.headers)
    if token is not None:
        player = await services.accounts.player_by_token(token)
        if player is None:
            raise BadCredentials("This token is not known or has been revoked.")
        return Visitor(player, None, "token")
    session = session_cookie(request, services.settings.public_url)
    if session is None:
        return Visitor(None, None, None)
    player = await services.accounts.player_by_session(session)
    if player is not None and await services.accounts.refresh(session):
        open_session(request, session)
    return Visitor(player, session, "cookie" if player is not None else None)


async def is_admitted(request: Request, who: Visitor) -> bool:
    """Whether the request's cookie or token still belongs to the player that it belonged to at its beginning."""
    try:
        now = await visitor(request)
    except (BadCredentials, Unavailable):
        return False
    return now.player is not None and who.player is not None and now.player.id == who.player.id


async def player(request: Request, who: Annotated[Visitor, Depends(visitor)]) -> Player:
    """Dependency: who acts; somebody new becomes a guest and gets a cookie."""
    if who.player is not None:
        return who.player
    services = account_services(request)
    await services.limits.check("guest", client_address(request, trust_proxy=services.settings.trust_proxy))
    guest, token = await services.accounts.create_guest()
    open_session(request, token)
    await note_address(request, guest)
    return guest


async def note_address(request: HTTPConnection, player: Player) -> None:
    """Remember where a player is: queues are shared out by address, and the engine is silent to all at one address."""
    services = account_services(request)
    address = client_address(request, trust_proxy=services.settings.trust_proxy)
    services.latest_addresses.note(player.id, address)
    await services.seen_addresses.note(address, player.id)


async def browser_player(request: Request, who: Annotated[Visitor, Depends(visitor)]) -> Player:
    """Dependency: who acts, by session only: a program's token plays, but does not touch the account.

    Whoever comes with a session that has ended believes to be the player it was, so no guest is made unasked.
    """
    if who.via == "token":
        raise NotAllowed("A token cannot change the account; sign in with a browser.")
    if who.player is None and who.session is not None:
        close_session(request)
        raise SignInAgain("You have been signed out here: sign in again, or repeat this to go on as a new guest.")
    return await player(request, who)


AnyVisitor = Annotated[Visitor, Depends(visitor)]
ActingPlayer = Annotated[Player, Depends(player)]
BrowserPlayer = Annotated[Player, Depends(browser_player)]


def open_session(request: HTTPConnection, token: str) -> None:
    """Have the answer to this request set the session cookie, whatever the answer turns out to be."""
    setattr(request.state, SESSION_STATE, token)


def close_session(request: HTTPConnection) -> None:
    """Have the answer to this request delete the session cookie."""
    setattr(request.state, SESSION_STATE, "")


def set_device_cookie(request: HTTPConnection, marks: str) -> None:
    """Have the answer to this request set the cookie of a known device; none for a guest."""
    if marks:
        setattr(request.state, DEVICE_STATE, marks)


class SessionCookie:
    """Middleware: sets or deletes the cookie as the request's handling asked for, error answers included.

    A new session's CSRF token goes with it in a header, so that the page can go on without being loaded again.
    """

    def __init__(self, app: ASGIApp, public_url: str, session_days: int = 365) -> None:
        self.app = app
        self._name, self._secure = cookie_name(public_url), is_secure(public_url)
        self._device_name = device_cookie_name(public_url)
        self._max_age = session_days * DAY_S

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI asks."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        state: dict[str, Any] = scope.setdefault("state", {})

        async def with_cookie(message: Message) -> None:
            token = state.get(SESSION_STATE)
            if message["type"] == "http.response.start" and token is not None:
                headers = MutableHeaders(scope=message)
                headers.append("Set-Cookie", self._cookie(token))
                headers["Cache-Control"] = "no-store"
                if token:
                    headers[CSRF_HEADER] = csrf_token(token)
                if marks := state.get(DEVICE_STATE):
                    headers.append("Set-Cookie", self._device_cookie(marks))
            await send(message)

        await self.app(scope, receive, with_cookie)

    def _device_cookie(self, marks: str) -> str:
        parts = [f"{self._device_name}={marks}", f"Max-Age={self._max_age}", "Path=/api", "HttpOnly"]
        return "; ".join([*parts, "SameSite=Strict", *(["Secure"] if self._secure else [])])

    def _cookie(self, token: str) -> str:
        parts = [f"{self._name}={token}", f"Max-Age={self._max_age if token else 0}", "Path=/", "HttpOnly"]
        return "; ".join([*parts, "SameSite=Lax", *(["Secure"] if self._secure else [])])
