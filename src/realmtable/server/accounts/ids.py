"""Ids of people and things, and how a secret is kept."""

from __future__ import annotations

import hashlib
import secrets

MAX_LENGTH = 32


def new_id() -> str:
    """A new id: 26 signs, longer than a name may be, so that neither passes for the other."""
    return secrets.token_hex(13)


def is_id(text: str) -> bool:
    """Whether a text can be an id at all; a database need not (and PostgreSQL sometimes cannot) be asked for others.

    >>> is_id("0f3a"), is_id("bot-1"), is_id("a b"), is_id("")
    (True, True, False, False)
    """
    return 0 < len(text) <= MAX_LENGTH and text.isascii() and text.replace("-", "a").replace("_", "a").isalnum()


def digest(secret: str) -> str:
    """What is kept of a random secret: its SHA-256."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
