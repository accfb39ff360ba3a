"""RULES.md and the options know the same clauses; tests/conformance asks whether every clause has a test."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

import realmtable
from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionInfo, OptionValue
from realmtable.games.modern_realm.options import ModernOptions
from tests.modern_realm.helpers import GAME

RULES = (Path(realmtable.__file__).parent / "games" / "modern_realm" / "RULES.md").read_text(encoding="utf-8")
OPTIONS = {info.name: info for info in GAME.info.options()}


def lines_of_options() -> dict[str, tuple[str, str]]:
    """Of every option named at the head of a clause V: the clause and what stands in parentheses behind its name."""
    found = re.findall(r"^- \*\*(V\d+)\*\* `(\w+)` \(([^)]*)\):", RULES.replace("\n  ", " "), re.MULTILINE)
    return {name: (clause, facts) for clause, name, facts in found}


def facts_of(info: OptionInfo) -> str:
    """How RULES.md writes the bounds and default of an option."""
    if info.type == "choice":
        return ", ".join(f"`{choice}`" for choice in info.choices) + f"; default `{info.default}`"
    if info.type == "switch":
        return "default on" if info.default else "default off"
    return f"{info.low}–{info.high}, default {info.default}"


def test_every_option_is_in_the_rules_with_its_bounds_and_default() -> None:
    assert lines_of_options() == {name: (info.clause, facts_of(info)) for name, info in OPTIONS.items()}


def test_every_preset_is_in_the_rules() -> None:
    text = RULES[RULES.index("Presets:") : RULES.index("- **V1**")]
    assert [name for name in re.findall(r"`(\w+)`", text) if name in GAME.info.presets] == list(GAME.info.presets)


@pytest.mark.no_cover
@pytest.mark.parametrize("preset", GAME.info.presets)
def test_every_preset_can_be_played(preset: str) -> None:
    options = GAME.options(preset, max_turns=20)
    state = GAME.initial(2, options)
    assert GAME.options_of(state) == options
    assert GAME.playouts(state, [1]).games == 1


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
