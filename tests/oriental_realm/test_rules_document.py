"""RULES.md and the options know the same clauses; tests/conformance asks whether every clause has a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from realmtable.games import oriental_realm
from realmtable.games.oriental_realm.threats import MAX_TRIALS
from tests.oriental_realm.helpers import GAME

RULES = (Path(oriental_realm.__file__).parent / "RULES.md").read_text(encoding="utf-8")
OPTIONS = {info.name: info for info in GAME.info.options()}


def test_every_option_is_in_the_rules_with_its_clause_bounds_and_default() -> None:
    heads = dict(re.findall(r"^- \*\*(V\d+)\*\* `(\w+)`", RULES, re.MULTILINE))
    assert heads == {info.clause: name for name, info in OPTIONS.items()}
    choices = ", ".join(f"`{choice}`" for choice in OPTIONS["emperor"].choices)
    assert f"`emperor` ({choices}; default `{OPTIONS['emperor'].default}`)" in RULES
    turns = OPTIONS["max_turns"]
    assert f"`max_turns` ({turns.low}–{turns.high}, default {turns.default})" in RULES


def test_v3_the_bound_of_the_search_is_in_the_rules_and_the_help() -> None:
    assert f"at most {MAX_TRIALS:,}" in RULES
    assert "may miss" in OPTIONS["warning"].help


def test_every_preset_is_in_the_rules() -> None:
    text = RULES[RULES.index("Presets:") : RULES.index("- **V1**")]
    assert [name for name in re.findall(r"`(\w+)`", text) if name in GAME.info.presets] == list(GAME.info.presets)


@pytest.mark.parametrize("preset", GAME.info.presets)
def test_every_preset_can_be_played(preset: str) -> None:
    state = GAME.initial(2, GAME.options(preset, max_turns=20))
    assert GAME.playouts(state, [1]).games == 1
    assert GAME.options() == GAME.options("standard")
