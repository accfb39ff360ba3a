"""RULES.md and the options know the same clauses; tests/conformance asks whether every clause has a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import realmtable
from realmtable.engine.options import OptionInfo
from tests.realm.helpers import GAME

RULES = (Path(realmtable.__file__).parent / "games" / "realm" / "RULES.md").read_text(encoding="utf-8")
OPTIONS = {info.name: info for info in GAME.info.options()}


def lines_of_options() -> dict[str, tuple[str, str]]:
    """Of every option named at the head of a clause V: the clause and what stands in parentheses behind its name."""
    found = {}
    for clause, text in re.findall(r"^- \*\*(V\d+)\*\* ([^:]*):", RULES, re.MULTILINE):
        for name, facts in re.findall(r"`(\w+)`(?: \(([^)]*)\))?(?: and|$)", text):
            found[name] = (clause, facts)
    return found


def facts_of(info: OptionInfo) -> str:
    """How RULES.md writes the bounds and default of an option."""
    if info.type == "choice":
        return ", ".join(f"`{choice}`" for choice in info.choices)
    if info.type == "switch":
        return "default on" if info.default else ""
    assert info.low is not None
    assert info.high is not None
    joint = " or " if info.high - info.low == 1 else "–"
    return f"{info.low}{joint}{info.high}, default {info.default}"


def test_every_option_is_in_the_rules_with_its_bounds_and_default() -> None:
    assert lines_of_options() == {name: (info.clause, facts_of(info)) for name, info in OPTIONS.items()}


def test_the_first_choice_is_the_default() -> None:
    assert [info.name for info in OPTIONS.values() if info.choices and info.default != info.choices[0]] == []


def test_every_preset_is_in_the_rules() -> None:
    text = RULES[RULES.index("Presets:") : RULES.index("- **V1**")]
    named = [name for name in re.findall(r"`(\w+)`", text) if name in GAME.info.presets]
    assert list(dict.fromkeys(named)) == list(GAME.info.presets)


@pytest.mark.no_cover
@pytest.mark.parametrize("preset", GAME.info.presets)
def test_every_preset_can_be_played(preset: str) -> None:
    options = GAME.options(preset)
    state = GAME.initial(2, options)
    assert GAME.options_of(state) == options
    assert GAME.playouts(state, [1]).games == 1


def test_the_presets_of_the_two_books_are_the_default() -> None:
    assert GAME.options("nestor") == GAME.options("magazine") == GAME.options()
    original = GAME.options("original")
    assert (original.bases, original.tie_break, original.power_sacrifice) == (13, "enforcers+captures", True)
    assert (original.rearrange_limit, original.agree_end) == (False, False)
