"""Ids of players and other things, and the hash of a secret."""

from __future__ import annotations

import hashlib
import secrets

MAX_LENGTH = 32  # of an id
MAX_SECRET_LENGTH = 100


def new_id() -> str:
    """Return a new id of 26 characters, which is longer than any name, so that the two cannot be confused."""
    return secrets.token_hex(13)


def is_id(text: str) -> bool:
    """Whether a text can be an id; others need not be looked up, and PostgreSQL cannot look up some of them.

    >>> is_id("0f3a"), is_id("bot-1"), is_id("a b"), is_id("")
    (True, True, False, False)
    """
    return 0 < len(text) <= MAX_LENGTH and text.isascii() and text.replace("-", "a").replace("_", "a").isalnum()


def digest(secret: str) -> str:
    """Return the SHA-256 hash of a random secret, which is what is stored."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
