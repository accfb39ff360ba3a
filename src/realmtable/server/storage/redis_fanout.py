"""The fan-out between several processes, through Redis.

Listeners in this process are notified at once. One task sends the messages for others to Redis, all waiting ones as one
message of Redis, and another task receives them. Both reconnect after Redis was unavailable. Listeners receive
`EVERYTHING` after every subscription.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import orjson
import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from realmtable.engine.errors import BadInput
from realmtable.server.storage.fanout import EVERYTHING, Fanout
from realmtable.server.task_cancellation import cancel_tasks

FIRST_PAUSE_S = 0.1
MAX_PAUSE_S = 5.0
TIMEOUT_S = 5.0
# After this long without a message, ping Redis; after as long again, consider the connection lost.
PING_AFTER_S = 10.0
# More unsent messages than this are replaced by one EVERYTHING.
MAX_UNSENT = 10_000
MAX_BATCH = 500  # messages that are sent as one
CLOSE_TIMEOUT_S = 2.0

log = structlog.get_logger(__name__)


class RedisFanout(Fanout):
    """Notifies all processes that use the same Redis database; queues messages while Redis is unavailable.

    Raises BadInput if the URL is invalid.
    """

    def __init__(self, url: str) -> None:
        super().__init__()
        # No retries by the library: it would reconnect silently, and missed messages would go unnoticed.
        try:
            self._redis = Redis.from_url(
                url,
                retry=Retry(NoBackoff(), 0),
                decode_responses=True,
                socket_timeout=TIMEOUT_S,
                socket_connect_timeout=TIMEOUT_S,
            )
        except ValueError:
            # The message does not repeat the URL, which may contain a password.
            raise BadInput(
                "A Redis address must have the form redis://:password@host:port/number, rediss://… or unix://…."
            ) from None
        database = self._redis.connection_pool.connection_kwargs.get("db", 0)
        self._channel = f"realmtable:{database}:messages"  # Redis channels are shared by all its databases
        self._sender_id = secrets.token_hex(8)
        self._unsent: list[tuple[str, str]] = []
        self._has_unsent = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._subscribe_count = 0  # number of successful subscriptions
        self._is_subscribed = False

    @property
    def reaches_others(self) -> bool:
        """Whether Redis responded last time, so that messages are sent and received."""
        return self._is_subscribed

    async def start(self) -> None:
        """Start sending and receiving, without waiting for Redis."""
        self._tasks = [
            asyncio.create_task(_retry_forever("hear", self._receive)),
            asyncio.create_task(_retry_forever("send", self._send)),
        ]

    async def publish(self, channel: str, message: str) -> None:
        """Notify the listeners of this process at once, and other processes soon."""
        self.notify(channel, message)
        self._unsent.append((channel, message))
        if len(self._unsent) > MAX_UNSENT:
            self._unsent = [(EVERYTHING, "")]
        self._has_unsent.set()

    async def close(self) -> None:
        """Send the remaining messages if Redis responds, then disconnect."""
        await cancel_tasks(self._tasks)
        with suppress(RedisError, OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._send_unsent()
        await self._redis.aclose()

    async def _send(self) -> None:
        while True:
            await self._has_unsent.wait()
            await self._send_unsent()

    async def _send_unsent(self) -> None:
        self._has_unsent.clear()
        batch, self._unsent = self._unsent, []
        try:
            while batch:
                data = orjson.dumps(batch[:MAX_BATCH]).decode()
                await self._redis.publish(self._channel, f"{self._sender_id} {data}")
                batch = batch[MAX_BATCH:]
        except (RedisError, OSError, asyncio.CancelledError):
            # Some may have been delivered, but receiving a message twice is harmless.
            self._unsent = [*batch, *self._unsent]
            self._has_unsent.set()
            raise
        except Exception:
            # They would fail again.
            self._unsent = [(EVERYTHING, ""), *self._unsent]
            self._has_unsent.set()
            raise

    async def _receive(self) -> None:
        try:
            async with self._redis.pubsub() as pubsub:
                await pubsub.subscribe(self._channel)
                while True:
                    self._handle_message(await _next_message(pubsub))
        finally:
            self._is_subscribed = False

    def _handle_message(self, message: dict[str, Any]) -> None:
        if message["type"] == "subscribe":
            self._is_subscribed = True
            self._subscribe_count += 1
            if self._subscribe_count > 1:
                log.info("receiving from other processes again")
            self.notify(EVERYTHING, "")  # at the first subscription, too: tables may have been loaded before
        elif message["type"] == "message":
            sender, _, data = str(message["data"]).partition(" ")
            if sender != self._sender_id:
                for channel, text in _read_batch(data):
                    self.notify(channel, text)


def _read_batch(data: str) -> list[tuple[str, str]]:
    """Return the messages that were sent as one; if they cannot be read, something was missed."""
    try:
        batch = [(channel, text) for channel, text in orjson.loads(data)]
    except (ValueError, TypeError):
        batch = []
    if batch and all(isinstance(part, str) for message in batch for part in message):
        return batch
    log.warning("unreadable messages from another process", length=len(data))
    return [(EVERYTHING, "")]


async def _next_message(pubsub: PubSub) -> dict[str, Any]:
    message = await pubsub.get_message(timeout=PING_AFTER_S)
    if message is None:
        await pubsub.ping()
        message = await pubsub.get_message(timeout=PING_AFTER_S)
    if message is None:
        raise ConnectionError("Redis does not respond")
    return dict(message)


async def _retry_forever(doing: str, work: Callable[[], Awaitable[None]]) -> None:
    """Run `work`, and retry with growing pauses when it fails."""
    pause_s = FIRST_PAUSE_S
    loop = asyncio.get_running_loop()
    while True:
        started = loop.time()
        try:
            await work()
        except Exception as error:
            if loop.time() - started > MAX_PAUSE_S:
                pause_s = FIRST_PAUSE_S
            if isinstance(error, (RedisError, OSError)):
                log.warning("Redis is unavailable", doing=doing, error=str(error), again_in_s=pause_s)
            else:
                log.exception("the connection to Redis failed unexpectedly", doing=doing, again_in_s=pause_s)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, MAX_PAUSE_S)
