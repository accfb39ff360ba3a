"""The options of Magic Realm agree with RULES.md."""

from __future__ import annotations

import re

import pytest

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionInfo, as_pairs, list_options, make_options, parse_pairs
from realmtable.games.magic_realm import INFO
from realmtable.games.magic_realm.flow.handlers import first_state
from realmtable.games.magic_realm.options import PRESETS, MagicOptions
from realmtable.games.magic_realm.view import view
from tests.magic_realm.helpers.flow_helpers import MACHINE, position
from tests.magic_realm.helpers.rules_text import RULES, clause_texts, marks_of

DOCUMENTS = {"rulebook": "R", "summary": "S"}


def facts_of(info: OptionInfo) -> str:
    """How RULES.md writes the choices and default of an option."""
    if info.type == "choice":
        return ", ".join(f"`{choice}`" for choice in info.choices) + f"; default `{info.default}`"
    return f"default {'on' if info.default else 'off'}"


def test_every_option_is_in_the_rules_with_its_clause_choices_and_default() -> None:
    found = re.findall(r"^- \*\*(V\d+)\*\* `(\w+)` \(([^)]*)\):", RULES.replace("\n  ", " "), re.MULTILINE)
    assert found == [(info.clause, info.name, facts_of(info)) for info in list_options(MagicOptions)]


def test_the_source_of_an_option_is_one_that_its_clause_names() -> None:
    clauses = clause_texts()
    for info in list_options(MagicOptions):
        if info.source == "ours":
            assert "Ours" in clauses[info.clause], info.name
            continue
        document, _, sections = info.source.partition(" ")
        assert f"{DOCUMENTS[document]} {sections}" in marks_of(clauses[info.clause]), info.name


def test_the_first_choice_is_the_default() -> None:
    assert all(info.default == info.choices[0] for info in list_options(MagicOptions) if info.choices)


def test_every_preset_is_in_the_rules_and_can_be_made() -> None:
    named = re.findall(r"`(\w+)` \(", RULES[RULES.index("Presets:") : RULES.index("- **V1**")])
    assert named == [*PRESETS]
    for preset, values in PRESETS.items():
        options = make_options(MagicOptions, PRESETS, preset, {})
        assert all(getattr(options, name) == value for name, value in values.items())
        assert make_options(MagicOptions, {}, None, parse_pairs(MagicOptions, as_pairs(options))) == options
    assert make_options(MagicOptions, PRESETS, INFO.default_preset, {}) == MagicOptions()


@pytest.mark.parametrize(("days", "points"), [("7", 2), ("14", 3), ("21", 4), ("28", 5)])
def test_v1_m10_a_longer_game_asks_for_more_points(days: str, points: int) -> None:
    options = MagicOptions(days=days)
    assert (options.last_day, options.points_to_assign) == (int(days), points)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_v2_a_ready_made_map_is_laid_at_once_and_the_others_tile_by_tile(number: int) -> None:
    ready = first_state(2, MagicOptions(map=f"stock{number}"))
    assert MACHINE.label(ready) != "tile"
    assert MACHINE.label(first_state(2, MagicOptions(map="dealt"))) == "tile"
    by_players = first_state(2, MagicOptions(map="players"))
    assert MACHINE.label(by_players) == "hand"


def test_v7_gold_is_known_to_its_player_unless_the_option_says_otherwise() -> None:
    for secret, shown in (("on", None), ("off", 77)):
        world = position("2.gold=77", heroes="Elf;Dwarf", options=f"map=stock1,secret_gold={secret}")
        assert view(world, MACHINE, 0)["players"][1]["gold"] == shown
        assert view(world, MACHINE, 1)["players"][1]["gold"] == 77


def test_v8_the_default_is_the_fullest_game_and_a_first_game_is_suggested_to_newcomers() -> None:
    assert [MagicOptions(encounter=encounter).has_combat for encounter in ("1", "2")] == [False, True]
    assert MagicOptions().has_combat
    assert (INFO.default_preset, INFO.suggested_preset) == ("encounter2", "first_game")


def test_v4_b5_one_row_prowls_unless_the_option_says_otherwise() -> None:
    rows = {
        choice: [MagicOptions(two_rows=choice).rows_per_day(seats) for seats in (1, 2, 8)]
        for choice in ("never", "solo", "always")
    }
    assert rows == {"never": [1, 1, 1], "solo": [2, 1, 1], "always": [2, 2, 2]}
    assert [MagicOptions().rows_per_day(seats) for seats in (1, 2, 8)] == [1, 1, 1]


@pytest.mark.parametrize(
    "values",
    [{"days": "8"}, {"days": 28}, {"map": "stock4"}, {"two_rows": True}, {"follow": "never"}, {"restart": "maybe"}],
)
def test_values_that_an_option_does_not_have_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(BadOptions, match="must be"):
        make_options(MagicOptions, PRESETS, None, values)


@pytest.mark.parametrize("name", ["drinks", "dwellings", "valleys", "serious_wounds"])
def test_options_of_later_parts_are_not_offered(name: str) -> None:
    with pytest.raises(BadOptions, match=f"no option {name}"):
        make_options(MagicOptions, PRESETS, None, {name: "on"})
