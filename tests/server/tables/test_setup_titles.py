"""The line under a table's title names presets and options in words: no player reads an identifier there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionInfo, OptionValue, as_pairs, make_options
from realmtable.engine.protocol import GameInfo
from realmtable.server.site.setup_choices import presets
from realmtable.server.tables.setup import Setup

GAMES = [info.id for info in registry.infos()]
IDENTIFIER = re.compile(r"[=_+]\S|\w_|[a-z]{2,}\d|\b[a-z]+_[a-z]|\b(max|min|num|hq)\b")

SENTENCES = re.compile(r"([A-Z0-9][^.:()`=]{15,}\.\s?)+")  # no "Displace by: owner."
MAX_SUMMARY = 150  # characters on a card


def describe(info: GameInfo, preset: str | None, **values: OptionValue) -> str:
    options: Any = make_options(info.options_type, info.presets, preset, values)
    return Setup(info.id, info.seats[0], tuple(as_pairs(options)), preset).describe()


def list_values(option: OptionInfo) -> Iterator[OptionValue]:
    """Yield values of an option that are not its default."""
    match option.type:
        case "switch":
            yield not option.default
        case "choice":
            yield from (choice for choice in option.choices if choice != option.default)
        case "number" if option.low is not None:
            yield option.low + (option.low == option.default)
        case _:
            yield "generate.copies:3;accord.control:1/3"


@pytest.mark.parametrize("game", GAMES)
def test_a_table_names_its_preset_in_words(game: str) -> None:
    info = registry.info(game)
    for preset in info.presets:
        line = describe(info, preset)
        assert line == ("" if preset == info.default_preset else info.preset_title(preset))
        assert not IDENTIFIER.search(info.preset_title(preset)), preset
    assert {*info.presentation.preset_titles} <= {*info.presets}
    assert len({info.preset_title(preset) for preset in info.presets}) == len(info.presets)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_names_its_options_in_words(game: str) -> None:
    info, described = registry.info(game), 0
    for preset in info.presets:
        for option in info.options():
            for value in {*list_values(option)} - {info.presets[preset].get(option.name)}:
                try:
                    line = describe(info, preset, **{option.name: value})
                except BadOptions:  # it contradicts the preset
                    continue
                described += 1
                assert f"{option.title}: {option.describe_value(value)}" in line
                assert not IDENTIFIER.search(line), line
    assert described >= len(info.presets)


@pytest.mark.parametrize("game", GAMES)
def test_the_set_up_page_describes_presets_in_words(game: str) -> None:
    for preset in presets(game):
        changes = [change.rpartition(":")[2] for change in preset.changes]
        assert not any(IDENTIFIER.search(text) for text in changes), changes


@pytest.mark.parametrize("game", GAMES)
def test_the_set_up_page_says_in_sentences_what_is_special_about_a_preset(game: str) -> None:
    for preset in presets(game):
        assert SENTENCES.fullmatch(preset.summary), preset.summary
        assert len(preset.summary) <= MAX_SUMMARY


def test_a_note_on_a_preset_is_the_one_in_the_list_of_presets() -> None:
    found = next(preset for preset in presets("realms_of_etherium") if preset.name == "player_powers")
    assert found.summary.startswith("Each player chooses a colour and has its power; ")  # the rules mention it before


def test_magic_realm_says_what_its_presets_and_options_are() -> None:
    info = registry.info("magic_realm")
    assert describe(info, "encounter1") == "treasure hunt"
    line = describe(info, "first_game", map="stock3", days="14", restart=False)
    assert line == "first game, days: 14, map: ready-made map 3, a new life after death: off"
    assert describe(info, None, encounter="1") == "combat: no"


def test_a_table_whose_preset_has_changed_since_names_what_differs() -> None:
    powers = Setup("realms_of_etherium", 2, ("player_powers=on",), "player_powers")
    assert powers.describe() == "player powers, no Paralyze in Round 1: off, players choose their colours: off"
    earlier = Setup("realms_of_etherium", 2, ("one_gain_power=on", "lone_connected=off"), "literal")
    assert earlier.describe() == "one reaction to a gain: on, a single Realm counts as connected: off"


def test_a_long_text_is_not_repeated() -> None:
    info = registry.info("realms_of_etherium")
    assert describe(info, None, manifest="generate.copies:3") == "tiles: changed"
