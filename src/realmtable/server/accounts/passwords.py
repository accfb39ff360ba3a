"""Passwords: Argon2 in threads, a few at a time, and the same work whether there is anything to compare with."""

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
MAX_CONCURRENT = 2  # each takes a core and tens of megabytes for a while
MAX_WAITING = 40


class Passwords:
    """Hashes and checks passwords without holding up the event loop."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._dummy = _make_dummy_hash(self._hasher)
        self._slots = asyncio.Semaphore(MAX_CONCURRENT)
        self._queued = 0

    @staticmethod
    def check(password: str) -> None:
        """BadInput if a password is too short or too long to be chosen."""
        if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
            raise BadInput(f"A password has {MIN_LENGTH} to {MAX_LENGTH} characters.")

    async def hash(self, password: str) -> str:
        """The Argon2 hash, with its parameters and salt."""
        return await self._run(_normalize(password), None)

    async def verify(self, kept: str | None, password: str) -> bool:
        """Whether the password made that hash; with no hash the same work is done and the answer is no."""
        fits = await self._run(_normalize(password), kept or self._dummy) != ""
        return fits and kept is not None

    async def rehash_if_outdated(self, kept: str | None, password: str) -> str | None:
        """A new hash where the kept one was made with older parameters."""
        if kept is None or not self._hasher.check_needs_rehash(kept):
            return None
        return await self.hash(password)

    async def _run(self, password: str, kept: str | None) -> str:
        if self._queued >= MAX_WAITING:
            raise RateLimited("Many people are signing in at the moment; try again in a few seconds.", 5)
        self._queued += 1
        try:
            async with self._slots:
                return await asyncio.to_thread(self._hash_or_verify, password, kept)
        finally:
            self._queued -= 1

    def _hash_or_verify(self, password: str, kept: str | None) -> str:
        """The hash of the password, or of a kept one: itself if the password fits, else empty."""
        if kept is None:
            return self._hasher.hash(password)
        try:
            self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return ""
        return kept


def _make_dummy_hash(hasher: PasswordHasher) -> str:
    """A hash that no password makes, compared with when nobody has the name, so that the answer takes as long."""
    salt, made = (
        base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v=19$m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}${salt}${made}"


def _normalize(password: str) -> str:
    """One spelling of the same signs, whichever keyboard they come from."""
    return unicodedata.normalize("NFKC", password[:MAX_LENGTH])
