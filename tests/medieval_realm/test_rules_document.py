"""RULES.md and the options know the same clauses; tests/conformance asks whether every clause has a test."""

from __future__ import annotations

import re

import pytest

from realmtable.engine.options import OptionInfo
from tests.medieval_realm.helpers import FOLDER, GAME

RULES = (FOLDER / "RULES.md").read_text(encoding="utf-8")
OPTIONS = {info.name: info for info in GAME.info.options()}


def facts_of(info: OptionInfo) -> str:
    """How RULES.md writes the bounds and default of an option."""
    if info.type == "choice":
        return ", ".join(f"`{choice}`" for choice in info.choices) + f"; default `{info.default}`"
    if info.type == "switch":
        return "default on" if info.default else "default off"
    return f"{info.low}–{info.high}, default {info.default}"


def test_every_option_is_in_the_rules_with_its_bounds_and_default() -> None:
    text = " ".join(RULES.split())
    for name, info in OPTIONS.items():
        assert f"**{info.clause}** `{name}` ({facts_of(info)})" in text


def test_every_preset_is_in_the_rules() -> None:
    text = RULES[RULES.index("Presets:") : RULES.index("- **V1**")]
    assert re.findall(r"`(\w+)`", text) == list(GAME.info.presets)


@pytest.mark.parametrize("preset", GAME.info.presets)
def test_every_preset_can_be_played(preset: str) -> None:
    options = GAME.options(preset)
    assert GAME.options_of(GAME.initial(2, options)) == options
    assert options.duke_squares == ("back_middle" if preset == "standard" else preset)
