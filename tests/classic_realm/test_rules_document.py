"""RULES.md and the options know the same clauses; tests/conformance asks whether every clause has a test."""

from __future__ import annotations

from types import MappingProxyType

from tests.classic_realm.helpers import GAME
from tests.rules_document_checks import RulesDocumentChecks


class TestRulesDocument(RulesDocumentChecks):
    game = GAME
    limits = MappingProxyType({"max_plies": 20})


def test_the_default_is_the_standard_game() -> None:
    assert GAME.options("standard") == GAME.options()
    assert GAME.options("tournament") == GAME.options(free_setup=True, double_moves=True)
