"""The options of Realms of Etherium agree with RULES.md, and contradictions are refused."""

from __future__ import annotations

import re

import pytest

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionInfo, as_pairs, convert_file, list_options, make_options, parse_pairs
from realmtable.games.realms_of_etherium.options import PRESETS, EtheriumOptions
from tests.clause_checks import clauses_of
from tests.realms_of_etherium.helpers import RULES
from tests.realms_of_etherium.test_manifest import edit_tile


def facts_of(info: OptionInfo) -> str:
    """How RULES.md writes the bounds and default of an option."""
    if info.type == "choice":
        return ", ".join(f"`{choice}`" for choice in info.choices) + f"; default `{info.default}`"
    if info.type == "switch":
        return f"default {'on' if info.default else 'off'}"
    if info.type == "text":
        return f"text, default `{info.default}`"
    return f"{info.low}–{info.high}, default {info.default}"


def test_every_option_is_in_the_rules_with_its_clause_bounds_and_default() -> None:
    text = RULES.replace("\n  ", " ")
    found = re.findall(r"^- \*\*(V\d+)\*\* `(\w+)` \(([^)]*)\):", text, re.MULTILINE)
    assert found == [(info.clause, info.name, facts_of(info)) for info in list_options(EtheriumOptions)]


def test_every_preset_is_in_the_rules_and_can_be_made() -> None:
    named = re.findall(r"`(\w+)` \(", RULES[RULES.index("Presets:") : RULES.index("- **V1**")])
    assert named == [*PRESETS]
    for preset, values in PRESETS.items():
        options = make_options(EtheriumOptions, PRESETS, preset, {})
        assert all(getattr(options, name) == value for name, value in values.items())
        assert make_options(EtheriumOptions, {}, None, parse_pairs(EtheriumOptions, as_pairs(options))) == options


def test_the_clauses_that_the_rules_mention_exist() -> None:
    assert {*re.findall(r"\b([A-Z]\d{1,2})\b", RULES)} <= {*clauses_of(RULES)}


def test_v12_the_guard_needs_player_powers() -> None:
    with pytest.raises(BadOptions, match="paralyze_guard belongs to player_powers"):
        EtheriumOptions(paralyze_guard=True)
    with pytest.raises(BadOptions, match="leave reactions at all"):
        EtheriumOptions(one_gain_power=True, reactions="first")
    assert EtheriumOptions(player_powers=True, paralyze_guard=True).paralyze_guard


def test_v13_points_follow_the_number_of_players() -> None:
    assert [EtheriumOptions().points_to_win(seats) for seats in range(2, 7)] == [12, 10, 8, 6, 4]
    assert [EtheriumOptions(points=7).points_to_win(seats) for seats in (2, 6)] == [7, 7]
    assert EtheriumOptions(manifest="game.points:9/9/8/8/7").points_to_win(6) == 7


@pytest.mark.parametrize("values", [{"points": 31}, {"max_rounds": 201}, {"alteration": "blue"}, {"manifest": "a b"}])
def test_values_out_of_bounds_are_refused(values: dict[str, int | str]) -> None:
    with pytest.raises(BadOptions, match="must be"):
        make_options(EtheriumOptions, PRESETS, None, values)


def test_v15_the_manifest_is_part_of_the_options() -> None:
    options = EtheriumOptions(manifest="accord.points:3;generate.copies:3")
    assert options.manifest == "generate.copies:3;accord.points:3"
    assert options == EtheriumOptions(manifest="generate.copies:3;quicken.copies:2;accord.points:3")
    assert options.tiles().tile("generate").copies == 3
    with pytest.raises(BadOptions, match='no tile "jester"'):
        EtheriumOptions(manifest="jester.copies:1")


def test_v15_a_file_can_be_the_manifest() -> None:
    text = edit_tile("generate", "copies = 2", "copies = 4")
    assert convert_file(EtheriumOptions, "manifest", text) == "generate.copies:4"
