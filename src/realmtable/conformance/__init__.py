"""The checks of games: what `realmtable.engine.protocol` promises, on random games with random options.

`checks_for` returns those that a game must pass: its tier decides, and what it offers beyond it. A package with a game
has them all in one test::

    @pytest.mark.parametrize("check", checks_for(GAME), ids=str)
    def test_conformance(check: Check) -> None:
        check.run(GAME)

The checks need the packages of the extra `check`: call `require_extra("check")` before this is imported, where they may
be missing.
"""

import pytest

# A failed check shows the compared values, as a failed test does.
pytest.register_assert_rewrite(
    *(
        f"{__name__}.{module}"
        for module in (
            "complete_checks",
            "number_checks",
            "picture_checks",
            "rule_checks",
            "text_checks",
            "view_checks",
            "whole_game_checks",
        )
    )
)

from realmtable.conformance.checks import Check, checks_for  # noqa: E402 - their assertions are rewritten first

__all__ = ["Check", "checks_for"]
