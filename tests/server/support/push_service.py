"""A push service on this machine, and a browser that subscribes to it and decrypts what it receives."""

from __future__ import annotations

import asyncio
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any, Self

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.server.support.live_server import WAIT_S


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass
class PushBrowser:
    """The keys of a subscription, as a browser holds them."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = b"sixteen bytes!!!"

    def subscription(self, endpoint: str) -> dict[str, Any]:
        """The subscription, as `PushManager.subscribe` returns it."""
        keys = {"p256dh": encode(point_of(self.key.public_key())), "auth": encode(self.auth)}
        return {"endpoint": endpoint, "keys": keys}

    def decrypt(self, body: bytes) -> bytes:
        """Decrypt one record of aes128gcm (RFC 8188) with the keys of RFC 8291."""
        salt, length = body[:16], body[20]
        sender, ciphertext = body[21 : 21 + length], body[21 + length :]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        mixed = derive(self.auth, shared, b"WebPush: info\0" + point_of(self.key.public_key()) + sender, 32)
        key, nonce = (
            derive(salt, mixed, b"Content-Encoding: %s\0" % n, m) for n, m in ((b"aes128gcm", 16), (b"nonce", 12))
        )
        padded = AESGCM(key).decrypt(nonce, ciphertext, None).rstrip(b"\0")
        assert padded.endswith(b"\x02")
        return padded[:-1]


def check_signature(authorization: str, public_key: str) -> dict[str, Any]:
    """Return the claims of a VAPID header (RFC 8292) that is signed with this key."""
    scheme, _, rest = authorization.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", public_key)
    head, claims, signature = parts["t"].split(".")
    numbers = [int.from_bytes(decode(signature)[start : start + 32]) for start in (0, 32)]
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(public_key))
    point.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    found: dict[str, Any] = json.loads(decode(claims))
    return found


@dataclass(frozen=True)
class PushRequest:
    """A request that the service received."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """An HTTP server that keeps every request, and answers with `answers` first and then with 201."""

    def __init__(self, *answers: str) -> None:
        self.answers = [*answers]
        self.requests: list[PushRequest] = []
        self._arrived = asyncio.Condition()
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def wait_for(self, count: int) -> list[PushRequest]:
        """Wait until this many requests have arrived."""
        async with asyncio.timeout(WAIT_S), self._arrived:
            await self._arrived.wait_for(lambda: len(self.requests) >= count)
        return self.requests

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await reader.readline()).decode()
        headers = {}
        while pair := (await reader.readline()).decode().strip():
            name, _, value = pair.partition(":")
            headers[name.lower()] = value.strip()
        body = await reader.readexactly(int(headers["content-length"]))
        status = self.answers.pop(0) if self.answers else "201 Created"
        writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        async with self._arrived:
            self.requests.append(PushRequest(line.split()[1], headers, body))
            self._arrived.notify_all()
        await writer.drain()
        writer.close()
