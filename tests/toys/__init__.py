"""Tiny games that implement the protocol and what Realm lacks: dice, hidden hands, simultaneous choices, reactions."""

from __future__ import annotations

import pytest

from realmtable.engine import registry
from realmtable.engine.protocol import AnyGame


def add_games(patch: pytest.MonkeyPatch, *games: AnyGame) -> None:
    """Register games for one test, as `registry.add` does for the whole process."""
    for game in games:
        patch.setitem(registry.ADDED, game.info.id, game)
