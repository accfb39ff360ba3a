"""The command line shows a clause without the board examples that follow it in RULES.md."""

from __future__ import annotations

import re

import pytest

from realmtable.cli.terminal_game import clause_text
from realmtable.conformance.complete_checks import require_rules
from realmtable.engine.protocol import AnyGame
from tests.conformance.random_games import GAMES, TOYS, game_id


@pytest.mark.parametrize("game", [game for game in GAMES if game not in TOYS], ids=game_id)
def test_a_clause_ends_where_an_example_begins(game: AnyGame) -> None:
    rules = require_rules(game)
    for clause in re.findall(r"- \*\*([A-Z]\d+)\*\*", rules):
        text = clause_text(rules, clause)
        assert text.startswith(f"- **{clause}**")
        assert "```" not in text
