"""Rate limits, counted by the `limits` library in memory or in Redis."""

from __future__ import annotations

import ipaddress
import logging
import math
import time
from functools import lru_cache

from limits import RateLimitItem, RateLimitItemPerSecond
from limits.aio.storage import RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError
from starlette.requests import HTTPConnection

from realmtable.engine.extras import require_extra
from realmtable.server.errors import RateLimited, TooLarge

LOG = logging.getLogger(__name__)
HOUR = 3600
NETWORK_BITS = 64  # the IPv6 network of one household or device
SITE_BITS = 48  # of one customer, who can have 65,536 of such networks
SWEEP_S = 60.0
REDIS_RETRY_S = 5.0  # how long to count in memory when Redis does not respond
REDIS_TIMEOUTS = {"socket_timeout": 1.0, "socket_connect_timeout": 1.0}
# The number of requests within a number of seconds. Keys are player ids or, for unknown players, client addresses.
DEFAULTS: dict[str, tuple[int, int]] = {
    "sign_in": (10, 300),
    "sign_in_here": (20, HOUR),  # for one name from one address
    "sign_in_name": (100, HOUR),  # for one name: no single address can use it up
    "claim": (10, HOUR),
    "guest": (60, HOUR),
    "table": (60, HOUR),
    "move": (60, 10),
    "chat": (10, 10),
    "report": (10, HOUR),
    "mute": (60, HOUR),
    "work": (2_000, 10),  # the weights of all requests: see `realmtable.server.request_bounds`
    "address_work": (3_000, 10),  # the same for everyone at one address
    "steps": (30_000, 600),  # replayed steps of records, lines and whole games
    "address_steps": (120_000, 600),  # the same for everyone at one address
    "picture": (60, 60),  # PNG images that are not stored yet
    "address_picture": (200, 60),  # the same for everyone at one address
    "animation": (6, 600),
    "address_animation": (20, 600),
    "record": (30, HOUR),
    "analysis": (30, HOUR),
    "think": (30, 60),
    "hint": (10, 60),
    "token": (20, HOUR),
    "notify": (30, HOUR),  # switching notifications on
    "notified": (60, HOUR),  # notifications to one player
    "stream": (60, 60),
    "address_stored": (30 << 20, 24 * HOUR),  # bytes that everyone at one address stores
}
OF_ONE_PROCESS = ("work", "address_work")  # they protect its event loop, and Redis is not asked at every request
STEPS = ("steps", "address_steps")  # these do not count requests
STORED = "address_stored"  # nor does this
WIDER_FACTOR = 4  # how much more a whole IPv6 site may do than one of its networks


class MemoryWindows:
    """Counts in this process, in windows that start with the first hit."""

    def __init__(self) -> None:
        self.windows: dict[str, tuple[int, float]] = {}  # by key, the count and the end of the window
        self._sweep_at = 0.0

    def hit(self, item: RateLimitItem, key: str, cost: int) -> float | None:
        """Count a hit; return when the window ends if that is too much, else None."""
        now = time.time()
        if now >= self._sweep_at:
            self._sweep_at = now + SWEEP_S
            self.windows = {key: window for key, window in self.windows.items() if window[1] > now}
        count, until = self.windows.get(key, (0, 0.0))
        if until <= now:
            count, until = 0, now + item.get_expiry()
        self.windows[key] = (count + cost, until)
        return until if count + cost > item.amount else None


class RedisLimiter(FixedWindowRateLimiter):
    """Counts in Redis, shared by all processes that use it; raises StorageError if Redis does not respond."""

    def __init__(self, url: str) -> None:
        require_extra("redis")
        from redis.asyncio import ConnectionPool  # noqa: PLC0415 - one process needs no Redis

        # The pool knows the address; the library would reject one without a port.
        self._pool = ConnectionPool.from_url(url, **REDIS_TIMEOUTS)
        super().__init__(
            RedisStorage(
                "async+redis://",
                wrap_exceptions=True,
                implementation="redispy",
                connection_pool=self._pool,  # type: ignore[arg-type] # the library's types leave it out
            )
        )

    async def count(self, item: RateLimitItem, kind: str, key: str, cost: int) -> float | None:
        """Count a hit; return when the window ends if that is too much, else None."""
        if await self.hit(item, kind, key, cost=cost):
            return None
        return (await self.get_window_stats(item, kind, key)).reset_time

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.disconnect()


class Limits:
    """The rate limits of one server, shared by all its processes if there is Redis.

    `factor` scales the limits; 0 disables them. While Redis does not respond, each process counts by itself.
    """

    def __init__(self, redis_url: str | None = None, factor: float = 1.0) -> None:
        self._items = {kind: _limit_item(*default, factor) for kind, default in DEFAULTS.items()} if factor else {}
        self._memory = MemoryWindows()
        self._shared = RedisLimiter(redis_url) if redis_url else None
        self._away_until = 0.0

    async def check(self, kind: str, key: str, cost: int = 1) -> None:
        """Count a request of a kind for a key; raise RateLimited if it exceeds the limit.

        What costs more than the whole limit can never be allowed: raise TooLarge. The network of an IPv6 address also
        counts towards its site, whose limit is higher.
        """
        if kind not in DEFAULTS:
            raise KeyError(kind)
        item = self._items.get(kind)
        if item is None:
            return
        if cost > item.amount and kind in STEPS:
            raise TooLarge(f"This has about {cost:,} steps to replay; the limit is {_format_bound(kind, item)}.")
        await self._count(item, kind, key, min(cost, item.amount))
        if site := site_of(key):
            await self._count(_widen(item), kind, site, min(cost, item.amount))

    async def _count(self, item: RateLimitItem, kind: str, key: str, cost: int) -> None:
        until = await self._count_hit(item, kind, key, cost)
        if until is not None:
            wait_s = max(1, math.ceil(until - time.time()))
            if kind == STORED:
                limit = f"{item.amount / (1 << 20):g} MiB per day"
                text = f"Your network has reached its limit of {limit}; try again in {_format_wait(wait_s)}."
                raise RateLimited(text, wait_s)
            bound = _format_bound(kind, item, cost)
            raise RateLimited(f"Too many requests; the limit is {bound}. Try again in {_format_wait(wait_s)}.", wait_s)

    async def _count_hit(self, item: RateLimitItem, kind: str, key: str, cost: int) -> float | None:
        """Count a hit; return when the window ends if that is too much, else None."""
        if self._shared is not None and kind not in OF_ONE_PROCESS and time.time() >= self._away_until:
            try:
                return await self._shared.count(item, kind, key, cost)
            except (StorageError, OSError):
                self._away_until = time.time() + REDIS_RETRY_S
                LOG.warning("Redis does not count the rate limits; this process counts for itself.")
        return self._memory.hit(item, f"{kind} {key}", cost)

    async def close(self) -> None:
        """Close the connections to Redis."""
        if self._shared is not None:
            await self._shared.close()


def client_address(connection: HTTPConnection, *, trust_proxy: bool) -> str:
    """Return a key for the origin of a request: an IPv4 address, or the /64 network of an IPv6 address.

    Behind a trusted proxy, this is the last entry of X-Forwarded-For, which the proxy itself has added.
    """
    peer = (connection.scope.get("client") or ("",))[0]
    forwarded = connection.headers.getlist("x-forwarded-for") if trust_proxy else []
    last = ",".join(forwarded).rpartition(",")[2].strip() if forwarded else ""
    return (last and _network(last)) or _network(peer) or "unknown"


@lru_cache(maxsize=10_000)  # parsing takes longer than most of a request
def _network(text: str) -> str:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    mapped = address.ipv4_mapped
    return str(mapped) if mapped else str(ipaddress.ip_network((address, NETWORK_BITS), strict=False))


@lru_cache(maxsize=10_000)
def site_of(key: str) -> str:
    """Return the key of the IPv6 site (/48) of a key that ends with a network; empty for other keys.

    >>> site_of("2001:db8:7:5::/64"), site_of("Ada 2001:db8:7:5::/64"), site_of("192.0.2.1")
    ('2001:db8:7::/48', 'Ada 2001:db8:7::/48', '')
    """
    before, space, network = key.rpartition(" ")
    if not network.endswith(f"::/{NETWORK_BITS}"):
        return ""
    try:
        return f"{before}{space}{ipaddress.IPv6Network(network).supernet(new_prefix=SITE_BITS)}"
    except ValueError:  # a name that looks like one
        return ""


def _widen(item: RateLimitItem) -> RateLimitItem:
    return RateLimitItemPerSecond(WIDER_FACTOR * item.amount, item.get_expiry(), namespace=item.namespace)


def _format_bound(kind: str, item: RateLimitItem, cost: int = 1) -> str:
    """Describe a limit: how many requests like one of this cost, or how many steps, in how much time."""
    if kind in STEPS:
        return f"{item.amount:,} steps in {_format_wait(item.get_expiry())}"
    return f"{max(1, item.amount // cost):,} of this kind in {_format_wait(item.get_expiry())}"


def _limit_item(amount: int, seconds: int, factor: float) -> RateLimitItem:
    return RateLimitItemPerSecond(max(1, round(amount * factor)), seconds, namespace="realmtable")


def _format_wait(seconds: int) -> str:
    if seconds < 2 * 60:
        return "a second" if seconds == 1 else f"{seconds} seconds"
    return f"{math.ceil(seconds / 60)} minutes" if seconds <= 2 * HOUR else f"{math.ceil(seconds / HOUR)} hours"
