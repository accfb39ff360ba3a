"""RULES.md and the options know the same clauses; tests/conformance asks whether every clause has a test."""

from __future__ import annotations

import dataclasses

import pytest

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionValue
from realmtable.games.modern_realm.options import ModernOptions
from tests.modern_realm.helpers import GAME, SHORT
from tests.rules_document_checks import RulesDocumentChecks


class TestRulesDocument(RulesDocumentChecks):
    game = GAME
    writes_off = True
    limits = SHORT


def test_what_the_presets_change() -> None:
    assert GAME.options("standard") == GAME.options() == ModernOptions()
    assert GAME.options("open_choice") == dataclasses.replace(ModernOptions(), counter_agent="choose")
    assert GAME.options("light_headquarters") == dataclasses.replace(ModernOptions(), hq_counts=False)
    assert GAME.options("closed_origin") == dataclasses.replace(ModernOptions(), origin_closed=True)
    assert GAME.options("capture_on_entry") == dataclasses.replace(ModernOptions(), capture_on_entry=True)


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ({"counter_agent": "b8"}, "counter_agent"),
        ({"counter_agent": "a1"}, "counter_agent"),
        ({"counter_agent": 5}, "counter_agent"),
        ({"hq_counts": 3}, "hq_counts"),
        ({"max_turns": 19}, "max_turns"),
        ({"max_turns": 1001}, "max_turns"),
        ({"max_turns": "many"}, "max_turns"),
        ({"bases": 13}, "bases"),
    ],
)
def test_options_out_of_bounds_are_refused_by_name(values: dict[str, OptionValue], word: str) -> None:
    with pytest.raises(BadOptions, match=word):
        GAME.options(None, **values)


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(BadOptions, match="nestor"):
        GAME.options("nestor")


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_the_game_is_for_two(seats: int) -> None:
    with pytest.raises(BadOptions, match="for 2 players"):
        GAME.initial(seats)
