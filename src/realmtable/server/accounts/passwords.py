"""Passwords: Argon2 in a few threads, with the same work whether or not the account exists."""

from __future__ import annotations

import asyncio
import base64
import secrets
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from realmtable.engine.errors import BadInput
from realmtable.server.errors import RateLimited

MIN_LENGTH, MAX_LENGTH = 8, 128
MAX_CONCURRENT = 2  # each takes a core and tens of megabytes
MAX_WAITING = 40


class Passwords:
    """Hashes and verifies passwords without blocking the event loop."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._dummy = _make_dummy_hash(self._hasher)
        self._slots = asyncio.Semaphore(MAX_CONCURRENT)
        self._queued = 0

    @staticmethod
    def check(password: str) -> None:
        """Raise BadInput if a new password is too short or too long."""
        if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
            raise BadInput(f"A password must have {MIN_LENGTH} to {MAX_LENGTH} characters.")

    async def hash(self, password: str) -> str:
        """Return the Argon2 hash, with its parameters and salt."""
        return await self._run(_normalize(password), None)

    async def verify(self, stored_hash: str | None, password: str) -> bool:
        """Whether the password matches the hash; without a hash, do the same work and return False."""
        matches = await self._run(_normalize(password), stored_hash or self._dummy) != ""
        return matches and stored_hash is not None

    async def rehash_if_outdated(self, stored_hash: str | None, password: str) -> str | None:
        """Return a new hash if the stored one was made with outdated parameters."""
        if stored_hash is None or not self._hasher.check_needs_rehash(stored_hash):
            return None
        return await self.hash(password)

    async def _run(self, password: str, stored_hash: str | None) -> str:
        if self._queued >= MAX_WAITING:
            raise RateLimited("Many people are signing in at the moment; try again in a few seconds.", 5)
        self._queued += 1
        try:
            async with self._slots:
                return await asyncio.to_thread(self._hash_or_verify, password, stored_hash)
        finally:
            self._queued -= 1

    def _hash_or_verify(self, password: str, stored_hash: str | None) -> str:
        """Return the hash of a password; with a stored hash, return that if the password matches, else ""."""
        if stored_hash is None:
            return self._hasher.hash(password)
        try:
            self._hasher.verify(stored_hash, password)
        except (VerificationError, InvalidHashError):
            return ""
        return stored_hash


def _make_dummy_hash(hasher: PasswordHasher) -> str:
    """Return a hash that matches no password, to verify against unknown names in the same time."""
    salt, digest = (
        base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v=19$m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}${salt}${digest}"


def _normalize(password: str) -> str:
    """Normalise Unicode, so that a password is the same on every keyboard."""
    return unicodedata.normalize("NFKC", password[:MAX_LENGTH])
