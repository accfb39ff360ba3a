"""Sends requests to push services, whose addresses come from browsers and could name any host.

Only https to public addresses is allowed. The address is checked when it is given and again when it is connected to:
a host name that resolves to a private address, or begins to do so later, is refused.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

import certifi
import httpcore

from realmtable.engine.errors import BadInput

TIMEOUT_S: Final = 10.0
MAX_CONNECTIONS: Final = 16
MAX_LOOKUPS: Final = 8  # at once; a browser can name a host whose name server never answers
IDLE_S: Final = 30.0
HTTPS_PORT: Final = 443
PUBLIC_IPV6: Final = ipaddress.IPv6Network("2000::/3")
BAD_ENDPOINT: Final = "The address of the push service must be a public https address."

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class ForbiddenAddress(OSError):
    """A push service is at an address that is not public."""


class PushAnswer(NamedTuple):
    """The answer of a push service."""

    status: int
    retry_after_s: float | None = None


def check_endpoint(url: str, *, allow_loopback: bool = False) -> None:
    """Raise BadInput unless a URL can be the address of a push service; `allow_loopback` is for tests."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadInput(BAD_ENDPOINT) from None
    plain = url.isascii() and url.isprintable() and " " not in url and parts.username is None and not parts.fragment
    if not plain or not parts.hostname:
        raise BadInput(BAD_ENDPOINT)
    if allow_loopback and _is_loopback(parts):
        return
    address = _parse_address(parts.hostname)
    if parts.scheme != "https" or port not in {None, HTTPS_PORT} or (address is not None and not is_public(address)):
        raise BadInput(BAD_ENDPOINT)
    if address is None and "." not in parts.hostname.strip("."):
        raise BadInput(BAD_ENDPOINT)


def is_public(address: Address) -> bool:
    """Whether an address is on the public internet; IPv6 addresses that wrap an IPv4 address do not count.

    >>> is_public(ipaddress.ip_address("93.184.215.14")), is_public(ipaddress.ip_address("192.168.0.1"))
    (True, False)
    """
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not address.is_multicast
    wraps = address.ipv4_mapped or address.sixtofour or address.teredo
    return wraps is None and address.is_global and address in PUBLIC_IPV6


class PushClient:
    """Connections to push services. `allow_loopback` also admits this machine, for tests."""

    def __init__(self, *, allow_loopback: bool = False) -> None:
        self._backend = PublicBackend(allow_loopback=allow_loopback)
        self._pool: httpcore.AsyncConnectionPool | None = None  # opened for the first request
        self._opening = asyncio.Lock()

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> PushAnswer:
        """Send a request; raise OSError if there is no answer in time. Redirects are not followed."""
        pool = await self._open_pool()
        given = {"Host": urlsplit(url).netloc, "Content-Length": str(len(body)), **headers}
        encoded = [(name.encode(), value.encode()) for name, value in given.items()]
        try:
            async with (
                asyncio.timeout(TIMEOUT_S),
                pool.stream("POST", url, headers=encoded, content=body) as answer,
            ):
                # The body is not read: it says nothing that we need, and could be endless.
                return PushAnswer(answer.status, _retry_after(answer.headers))
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
            raise OSError(type(error).__name__) from error

    async def _open_pool(self) -> httpcore.AsyncConnectionPool:
        async with self._opening:  # requests that come meanwhile use the same pool
            if self._pool is None:
                # Reading the certificates takes a while.
                context = await asyncio.to_thread(ssl.create_default_context, cafile=certifi.where())
                self._pool = httpcore.AsyncConnectionPool(
                    context, max_connections=MAX_CONNECTIONS, keepalive_expiry=IDLE_S, network_backend=self._backend
                )
            return self._pool

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            await self._pool.aclose()
        self._backend.close()


class PublicBackend(httpcore.AsyncNetworkBackend):
    """Connects only to public addresses. The name is resolved here, so that it cannot change after the check.

    Lookups have their own threads: slow ones would otherwise take all those that the rest of the server uses.
    """

    def __init__(self, *, allow_loopback: bool = False) -> None:
        self._backend = httpcore.AnyIOBackend()
        self._allow_loopback = allow_loopback
        self._threads = ThreadPoolExecutor(MAX_LOOKUPS, "push-lookup")  # started when needed

    def close(self) -> None:
        """Forget the lookups that have not started."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of a host that answers; refuse hosts with an address that is not public."""
        addresses = await resolve(self._threads, host, port)
        if not all(is_public(each) or (self._allow_loopback and each.is_loopback) for each in addresses):
            raise ForbiddenAddress("A push service has an address that is not public.")
        for address in addresses[:-1]:
            try:
                return await self._backend.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except httpcore.ConnectError:
                continue
        return await self._backend.connect_tcp(str(addresses[-1]), port, timeout, local_address, socket_options)

    async def sleep(self, seconds: float) -> None:
        """Wait, as the library asks between retries."""
        await asyncio.sleep(seconds)


async def resolve(threads: Executor, host: str, port: int) -> list[Address]:
    """Return the addresses of a host; raise OSError if there are none."""
    lookup = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(threads, lookup)
    return [*dict.fromkeys(ipaddress.ip_address(entry[4][0]) for entry in found)]


def _is_loopback(parts: SplitResult) -> bool:
    address = _parse_address(parts.hostname or "")
    return parts.scheme in {"http", "https"} and address is not None and address.is_loopback


def _parse_address(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _retry_after(headers: Iterable[tuple[bytes, bytes]]) -> float | None:
    given = next((value for name, value in headers if name.lower() == b"retry-after"), b"")
    return float(given[:6]) if given.isdigit() else None
