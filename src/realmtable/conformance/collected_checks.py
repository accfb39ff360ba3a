"""What pytest collects for `realmtable check-game`; `run_checks` gives it the game and its checks."""

from __future__ import annotations

from realmtable.conformance.checks import Check
from realmtable.engine.protocol import AnyGame


def test_check(game: AnyGame, check: Check) -> None:
    """Run one check of a game."""
    check.run(game)
