"""RULES.md and the options know the same clauses; tests/conformance asks whether every clause has a test."""

from __future__ import annotations

from tests.realm.helpers import GAME
from tests.rules_document_checks import RulesDocumentChecks


class TestRulesDocument(RulesDocumentChecks):
    game = GAME
    writes_choice = False


def test_the_presets_of_the_two_books_are_the_default() -> None:
    assert GAME.options("nestor") == GAME.options("magazine") == GAME.options()
    original = GAME.options("original")
    assert (original.bases, original.tie_break, original.power_sacrifice) == (13, "enforcers+captures", True)
    assert (original.rearrange_limit, original.agree_end) == (False, False)
