"""Sends notifications to push services in the background: a bounded queue, a few at a time, with retries.

Nobody waits for it. A server that stops forgets what it has not sent; the game shows whose turn it is anyway.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Final

import structlog

from realmtable.engine.errors import RealmtableError
from realmtable.server.notifications.push_client import ForbiddenAddress, PushAnswer, PushClient
from realmtable.server.storage.database import Database
from realmtable.server.storage.push_subscriptions import Subscription, SubscriptionStore, load_key
from realmtable.server.task_cancellation import cancel_tasks

WORKERS: Final = 16  # most of the time they wait for an answer
MAX_WAITING: Final = 2_000  # messages, including those that wait for a retry
MAX_WAITING_PER_PLAYER: Final = 30  # a player can name push services that never answer, and must not delay others
RETRY_DELAYS_S: Final = (30.0, 300.0, 1800.0)
MAX_RETRY_AFTER_S: Final = 3600.0
GONE: Final = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
BUSY: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PushMessage:
    """A message to a player's browser. A newer message with the same `topic` replaces it if it was not delivered yet.

    `is_wanted` is asked before every attempt.
    """

    player_id: str
    subscription: Subscription
    payload: bytes = field(repr=False)
    topic: str
    ttl_s: int
    is_wanted: Callable[[], Awaitable[bool]] = field(repr=False)
    attempts: int = 0


class PushSender:
    """Sends the messages of one process, from `start` until `close`.

    `count` is called with "sent", "gone", "failed" or "dropped" for each message.
    """

    def __init__(
        self,
        database: Database,
        contact: str,
        count: Callable[[str], None],
        *,
        allow_loopback: bool = False,
    ) -> None:
        self._database = database
        self._store = SubscriptionStore(database)
        self._contact = contact
        self._count = count
        self._client = PushClient(allow_loopback=allow_loopback)
        self._queue: asyncio.Queue[PushMessage] = asyncio.Queue()
        self._waiting = 0  # messages in the queue, being sent, or waiting for a retry
        self._waiting_of: Counter[str] = Counter()  # the same by player
        self._tasks: list[asyncio.Task[None]] = []
        self._keys: PushKeys | None = None

    def start(self) -> None:
        """Start sending."""
        self._tasks = [asyncio.ensure_future(self._work()) for _ in range(WORKERS)]

    async def close(self) -> None:
        """Stop; messages that were not sent are lost."""
        await cancel_tasks(self._tasks)
        await self._client.close()

    async def keys(self) -> PushKeys:
        """Return the server's key pair."""
        if self._keys is None:
            self._keys = await load_push_keys(self._database)
        return self._keys

    def send(self, message: PushMessage) -> None:
        """Send a message soon; if too many are waiting, in all or for this player, it is dropped."""
        if self._waiting >= MAX_WAITING or self._waiting_of[message.player_id] >= MAX_WAITING_PER_PLAYER:
            self._count("dropped")
            return
        self._waiting += 1
        self._waiting_of[message.player_id] += 1
        self._queue.put_nowait(message)

    async def _work(self) -> None:
        while True:
            message = await self._queue.get()
            try:
                delay_s = await self._try_to_send(message)
            except RealmtableError as error:  # the database does not answer
                log.warning("notification_failed", reason=error.code)
                delay_s = self._retry_delay(message, None)
            except Exception:  # whatever happens, the next message must be sent
                log.exception("notification_failed")
                delay_s = None
            if delay_s is None:
                self._forget(message)
            else:
                again = replace(message, attempts=message.attempts + 1)
                asyncio.get_running_loop().call_later(delay_s, self._queue.put_nowait, again)

    def _forget(self, message: PushMessage) -> None:
        """Count a message as waiting no longer."""
        self._waiting -= 1
        self._waiting_of[message.player_id] -= 1
        if not self._waiting_of[message.player_id]:
            del self._waiting_of[message.player_id]

    async def _try_to_send(self, message: PushMessage) -> float | None:
        """Send a message; return after how many seconds to retry, or None if there is nothing left to do."""
        if not await message.is_wanted():
            return None
        answer = await self._post(message)
        if answer.status in BUSY or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return self._retry_delay(message, answer.retry_after_s)
        if answer.status < HTTPStatus.BAD_REQUEST:
            self._count("sent")
        elif answer.status in GONE:
            self._count("gone")
            await self._store.remove(message.subscription)
        else:
            log.warning("notification_refused", status=answer.status)
            self._count("failed")
        return None

    async def _post(self, message: PushMessage) -> PushAnswer:
        """Return the answer of the push service, or what it would say to a subscription that cannot be used."""
        keys = await self.keys()
        try:
            body, headers = await asyncio.to_thread(
                keys.encrypt, message.subscription, message.payload, self._contact, message.ttl_s
            )
            headers |= {"Topic": message.topic, "Urgency": "normal"}
            return await self._client.post(message.subscription.endpoint, headers, body)
        except (ValueError, ForbiddenAddress):  # the browser's key or the service's address is not valid
            return PushAnswer(HTTPStatus.GONE)
        except OSError:
            return PushAnswer(HTTPStatus.SERVICE_UNAVAILABLE)

    def _retry_delay(self, message: PushMessage, asked_s: float | None) -> float | None:
        if message.attempts >= len(RETRY_DELAYS_S):
            self._count("failed")
            return None
        return max(RETRY_DELAYS_S[message.attempts], min(asked_s or 0.0, MAX_RETRY_AFTER_S))


KEY_NAME: Final = "vapid"


@dataclass(frozen=True, slots=True)
class PushKeys:
    """The server's key pair."""

    public_key: str  # as browsers expect it: base64url of the uncompressed point
    private_pem: str = field(repr=False)
    public_pem: str = field(repr=False)

    def encrypt(
        self, subscription: Subscription, message: bytes, contact: str, ttl_s: int
    ) -> tuple[bytes, dict[str, str]]:
        """Return the body and headers of the request that sends a message; raise ValueError for an invalid key."""
        # Slow to import, and needed by few servers.
        from webpush import WebPush, WebPushSubscription  # noqa: PLC0415 - needed for notifications only

        keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
        target = WebPushSubscription.model_validate({"endpoint": subscription.endpoint, "keys": keys})
        sender = WebPush(self.private_pem.encode(), self.public_pem.encode(), contact, ttl_s)
        made = sender.get(message, target)
        return made.encrypted, {**made.headers}


async def load_push_keys(database: Database) -> PushKeys:
    """Return the server's key pair, created on first use."""
    stored = json.loads(await load_key(database, KEY_NAME, _create_keys))
    return PushKeys(stored["public_key"], stored["private_pem"], stored["public_pem"])


def _create_keys() -> str:
    from webpush.vapid import VAPID  # noqa: PLC0415 - needed for notifications only

    private, public, public_key = VAPID.generate_keys()
    return json.dumps({"public_key": public_key, "private_pem": private.decode(), "public_pem": public.decode()})
