"""RULES.md and the options know the same clauses; tests/conformance asks whether every clause has a test."""

from __future__ import annotations

import pytest

from tests.medieval_realm.helpers import GAME
from tests.rules_document_checks import RulesDocumentChecks


class TestRulesDocument(RulesDocumentChecks):
    game = GAME


@pytest.mark.parametrize("preset", GAME.info.presets)
def test_a_preset_says_where_the_dukes_begin(preset: str) -> None:
    assert GAME.options(preset).duke_squares == ("back_middle" if preset == "standard" else preset)
