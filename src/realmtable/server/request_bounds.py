"""What a request may cost: each route declares its bounds, and they are checked before anything is read or parsed.

The order: the length of the body, then the budgets of the sender's address and of the player, then the body itself.
`tests/server/http/test_request_bounds.py` checks that every route declares its bounds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

import orjson
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from realmtable.engine.errors import BadInput
from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import AccountServices, account_services, identify, sender_address
from realmtable.server.accounts.rate_limits import STORED, Limits
from realmtable.server.errors import RateLimited, TooLarge, Unavailable
from realmtable.server.fair_queue import Requester
from realmtable.server.logs import find_header

KIB: Final = 1024
SMALL_BODY: Final = 4 * KIB
LARGEST_BODY: Final = 2_000_000  # of a record
BYTES_PER_WEIGHT: Final = 64 * KIB  # what can be received and parsed in a millisecond
PARSED_HERE: Final = 64 * KIB  # bytes; only workers parse longer bodies
EVENT_BYTES: Final = 200  # what a request stores besides its body: a row and its index entries
MAX_PARTS: Final = 1_000
MAX_DIGITS: Final = 12  # of a content length
ESCAPED_NUL: Final = rb"\u0000"
ESCAPED_BACKSLASH: Final = rb"\\"

RunsIn = Literal["event loop", "thread", "worker"]
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
Handler = Callable[[Request], Coroutine[Any, Any, Response]]
BOUNDS: Final = "__request_bounds__"  # the attribute of an endpoint


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a route: its weight, the longest body in bytes, where its work runs, and whether it is stored.

    A weight is the processor time of a usual request in milliseconds, rounded up. A request that costs no more than
    refusing it has none. What weighs more than `MAX_ON_EVENT_LOOP` must not run on the event loop.
    """

    weight: int
    body: int = SMALL_BODY
    runs_in: RunsIn = "event loop"
    stores: bool = False

    def weigh(self, body_bytes: int) -> int:
        """Return the weight of a request with a body of this length."""
        return self.weight and self.weight + body_bytes // BYTES_PER_WEIGHT


MAX_ON_EVENT_LOOP: Final = 10
REFUSAL_S: Final = 0.2


def declare_bounds(
    weight: int, *, body: int = SMALL_BODY, runs_in: RunsIn = "event loop", stores: bool = False
) -> Callable[[Endpoint], Endpoint]:
    """Declare the bounds of an endpoint."""
    bounds = Bounds(weight, body, runs_in, stores)

    def declare(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, BOUNDS, bounds)
        return endpoint

    return declare


def bounds_of(route: APIRoute) -> Bounds:
    """Return the bounds of a route; raise TypeError if it declares none."""
    bounds = getattr(route.endpoint, BOUNDS, None)
    if not isinstance(bounds, Bounds):
        raise TypeError(f"{route.path} declares no bounds; see realmtable.server.request_bounds.")
    return bounds


def list_routes(app: FastAPI) -> list[APIRoute]:
    """Return the routes of the application."""
    return [route for route in app.routes if isinstance(route, APIRoute)]


class BoundedRoute(APIRoute):
    """A route that reads a request only if it is within the route's bounds: `APIRouter(route_class=BoundedRoute)`."""

    def __init__(self, path: str, endpoint: Endpoint, **facts: Any) -> None:  # noqa: ANN401 - FastAPI's signature
        self._beginning = path.partition("{")[0]
        super().__init__(path, endpoint, **facts)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether a request is for this route. Most are not, which the beginning of their path shows at once."""
        if not scope["path"].startswith(self._beginning):
            return Match.NONE, {}
        return super().matches(scope)

    def get_route_handler(self) -> Handler:
        """Return the function that answers a request."""
        answer, bounds, reads_json = super().get_route_handler(), bounds_of(self), self.body_field is not None

        async def answer_within_bounds(request: Request) -> Response:
            length = declared_length(request)
            check_length(length or 0, bounds)
            size = bounds.body if length is None else length
            await charge_weight(request, bounds.weigh(size), (size + EVENT_BYTES) * bounds.stores)
            if length == 0:
                return await answer(request)
            if reads_json and not says_json(request):
                raise BadInput("Send the body as JSON, with the header Content-Type: application/json.")
            content = await read_body(request, bounds)
            value = await parse_body(request, content) if reads_json else None
            return await answer(AdmittedRequest(request, content, value))

        return answer_within_bounds


class AdmittedRequest(Request):
    """A request whose body was read within its bounds, and parsed if it is JSON."""

    def __init__(self, request: Request, content: bytes, value: Any) -> None:  # noqa: ANN401 - any JSON
        super().__init__(request.scope, request.receive)
        self._content, self._value = content, value

    async def body(self) -> bytes:
        """Return the body."""
        return self._content

    async def json(self) -> Any:  # noqa: ANN401 - any JSON
        """Return the value of the body."""
        return self._value


def declared_length(request: Request) -> int | None:
    """Return the length of the body as its header says; None if it has a body but does not say how long it is."""
    length = find_header(request.scope, b"content-length")
    if length is None:
        return 0 if find_header(request.scope, b"transfer-encoding") is None else None
    is_number = length.isascii() and length.isdecimal() and len(length) <= MAX_DIGITS
    return int(length) if is_number else None


def check_length(length: int, bounds: Bounds) -> None:
    """Raise TooLarge if a body is longer than a route accepts."""
    if length > bounds.body:
        raise TooLarge(f"The body is too large; the limit is {bounds.body:,} bytes.")


async def charge_weight(connection: HTTPConnection, weight: int, stored_bytes: int = 0) -> None:
    """Charge a request to the budgets of its address and its player; raise RateLimited if one is used up.

    The refusal takes a while, so that a client that asks again at once keeps the server less busy.
    """
    if not weight:
        return
    limits = account_services(connection).limits
    try:
        await _charge_address(limits, sender_address(connection), weight, stored_bytes)
        with suppress(Unavailable):  # whatever needs the database refuses the request itself
            sender = await identify(connection)
            if sender.player is not None:
                await limits.check("work", sender.player.id, weight)
    except RateLimited:
        await asyncio.sleep(REFUSAL_S)
        raise


async def charge_message(
    services: AccountServices, address: str, player: Player | None, weight: int, length: int
) -> None:
    """Do the same for a message on an open socket."""
    try:
        await _charge_address(services.limits, address, weight, length + EVENT_BYTES)
        if player is not None:
            await services.limits.check("work", player.id, weight)
    except RateLimited:
        await asyncio.sleep(REFUSAL_S)
        raise


async def _charge_address(limits: Limits, address: str, weight: int, stored_bytes: int) -> None:
    await limits.check("address_work", address, weight)
    if stored_bytes:
        await limits.check(STORED, address, stored_bytes)


async def read_body(request: Request, bounds: Bounds) -> bytes:
    """Return the body; raise TooLarge if more arrives than the route accepts."""
    parts, size, more = [], 0, True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        check_length(size, bounds)
        more = message.get("more_body", False)
    return b"".join(parts)


def says_json(request: Request) -> bool:
    """Whether a request says that its body is JSON."""
    return "json" in (find_header(request.scope, b"content-type") or "").lower()


async def parse_body(request: Request, content: bytes) -> Any:  # noqa: ANN401 - any JSON
    """Return the value of a body; a long one is parsed by a worker."""
    if len(content) <= PARSED_HERE:
        return parse_json(content) if content else None
    return await request.app.state.services.replay_pool.run(Requester(sender_address(request)), 1, parse_json, content)


def parse_json(content: bytes) -> Any:  # noqa: ANN401 - any JSON
    """Return the value of a JSON text; raise BadInput if it is invalid or contains text that no database can store.

    JSON allows escaped lone surrogates and NUL characters, which UTF-8 and PostgreSQL do not. A value of many parts is
    refused as well, because each part that is wrong takes time.
    """
    if ESCAPED_NUL in content and ESCAPED_NUL in content.replace(ESCAPED_BACKSLASH, b""):
        raise BadInput("Text must not contain the NUL character.")
    try:
        value = orjson.loads(content)  # refuses lone surrogates
    except orjson.JSONDecodeError:
        raise BadInput("The body is not valid JSON in UTF-8.") from None
    if has_more_parts(value, MAX_PARTS):
        raise TooLarge(f"The body has too many values; the limit is {MAX_PARTS:,}.")
    return value


def has_more_parts(value: Any, limit: int) -> bool:  # noqa: ANN401 - any JSON
    """Whether the lists and objects of a value have more than `limit` values in all."""
    found, containers = 0, [value]
    while containers:
        each = containers.pop()
        if isinstance(each, dict | list):
            found += len(each)
            if found > limit:
                return True
            containers += each.values() if isinstance(each, dict) else each
    return False
