"""The key pair by which push services recognise this server (VAPID), and encrypting and signing messages with it.

The private key is created on first use and lives in the database: all processes sign with the same key, and a restored
backup can still reach the browsers that had subscribed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Final

from realmtable.server.storage.database import Database
from realmtable.server.storage.push_subscriptions import Subscription
from realmtable.server.storage.server_keys import load_key

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
        from webpush import WebPush, WebPushSubscription  # noqa: PLC0415

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
    from webpush.vapid import VAPID  # noqa: PLC0415 - as above

    private, public, public_key = VAPID.generate_keys()
    return json.dumps({"public_key": public_key, "private_pem": private.decode(), "public_pem": public.decode()})
