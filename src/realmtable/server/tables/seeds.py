"""The seeds of tables: a shuffle nobody can foresee needs one that nobody can guess."""

from __future__ import annotations

import secrets


def draw_seed() -> str:
    """Draw a seed of 128 bits."""
    return secrets.token_hex(16)
