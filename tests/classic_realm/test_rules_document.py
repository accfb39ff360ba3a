"""RULES.md and the options know the same clauses; tests/conformance asks whether every clause has a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import realmtable
from realmtable.engine.options import OptionInfo
from tests.classic_realm.helpers import GAME

RULES = (Path(realmtable.__file__).parent / "games" / "classic_realm" / "RULES.md").read_text(encoding="utf-8")
CLAUSES = re.findall(r"^- \*\*([BCTVS]\d+)\*\*", RULES, re.MULTILINE)
OPTIONS = {info.name: info for info in GAME.info.options()}


def facts_of(info: OptionInfo) -> str:
    """How RULES.md writes the bounds and default of an option."""
    return "" if info.type == "switch" else f"{info.low}–{info.high}, default {info.default}"


def test_every_option_is_in_the_rules_with_its_bounds_and_default() -> None:
    found = re.findall(r"^- \*\*(V\d+)\*\* `(\w+)`(?: \(([^)]*)\))?:", RULES, re.MULTILINE)
    assert {name: (clause, facts) for clause, name, facts in found} == {
        name: (info.clause, facts_of(info)) for name, info in OPTIONS.items()
    }


def test_every_preset_is_in_the_rules() -> None:
    text = RULES[RULES.index("Presets:") : RULES.index("- **V1**")]
    assert re.findall(r"`(\w+)`", text) == list(GAME.info.presets)


@pytest.mark.parametrize("preset", GAME.info.presets)
def test_every_preset_can_be_played(preset: str) -> None:
    state = GAME.initial(2, GAME.options(preset, max_plies=20))
    assert GAME.playouts(state, [1]).games == 1


def test_the_default_is_the_standard_game() -> None:
    assert GAME.options("standard") == GAME.options()
    assert GAME.options("tournament") == GAME.options(free_setup=True, double_moves=True)
