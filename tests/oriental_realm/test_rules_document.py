"""RULES.md and the options know the same clauses; tests/conformance asks whether every clause has a test."""

from __future__ import annotations

from realmtable.games.oriental_realm.threats import MAX_TRIALS
from tests.oriental_realm.helpers import GAME, SHORT
from tests.rules_document_checks import RulesDocumentChecks, read_rules

OPTIONS = {info.name: info for info in GAME.info.options()}


class TestRulesDocument(RulesDocumentChecks):
    game = GAME
    limits = SHORT


def test_v3_the_bound_of_the_search_is_in_the_rules_and_the_help() -> None:
    assert f"at most {MAX_TRIALS:,}" in read_rules(GAME)
    assert "may miss" in OPTIONS["warning"].help


def test_the_default_is_the_standard_game() -> None:
    assert GAME.options() == GAME.options("standard")
