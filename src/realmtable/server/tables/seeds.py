"""The seeds of tables. They must be unguessable, or players could predict shuffles and dice."""

from __future__ import annotations

import secrets


def draw_seed() -> str:
    """Draw a seed of 128 bits."""
    return secrets.token_hex(16)
