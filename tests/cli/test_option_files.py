"""Rule options whose value comes from a file, as in ``--option manifest=mine.toml``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from realmtable.cli import lab
from realmtable.cli.command_helpers import options_from_flags
from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.options import option


@dataclass(frozen=True)
class SoupOptions:
    """Options with a text that can come from a file."""

    recipe: str = option("leek", "What is in it.", source="cook", clause="S1", from_file=lambda text: text.strip())
    motto: str = option("eat", "What is said.", source="cook", clause="S2")


@pytest.fixture(autouse=True)
def soup(monkeypatch: pytest.MonkeyPatch) -> None:
    info = replace(registry.info("realm"), options_type=SoupOptions, presets={})
    monkeypatch.setattr(registry, "info", lambda _: info)
    Path("mine.toml").write_text(" kale:1\n", encoding="utf-8")
    Path("options.toml").write_text('recipe = "mine.toml"\n', encoding="utf-8")


@pytest.mark.parametrize(("pair", "recipe"), [("recipe=mine.toml", "kale:1"), ("recipe=leek:2", "leek:2")])
def test_a_text_option_can_name_a_file(pair: str, recipe: str) -> None:
    assert options_from_flags("soup", (pair, "motto=mine.toml"), None, None) == SoupOptions(recipe, "mine.toml")


def test_an_options_file_can_name_another_file() -> None:
    assert options_from_flags("soup", (), None, Path("options.toml")) == SoupOptions("kale:1")


def test_a_missing_file_is_refused() -> None:
    with pytest.raises(BadInput, match=r"other\.toml cannot be read"):
        options_from_flags("soup", ("recipe=other.toml",), None, None)


def test_experiments_compare_files() -> None:
    factors = lab._read_factors("soup", ("recipe=leek,mine.toml",))
    assert factors == [("recipe", ("leek", "mine.toml"), ("leek", "kale:1"))]
