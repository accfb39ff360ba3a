"""The option `manifest=FILE`: on the command line a file is read and checked; a mistake gets one sentence (V15)."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

import realmtable
from realmtable.cli.command_helpers import options_from_flags
from realmtable.engine.errors import BadInput, BadOptions

GAME = realmtable.game("realms_of_etherium")
STANDARD = (
    resources.files("realmtable.games.realms_of_etherium").joinpath("data/tiles.toml").read_text(encoding="utf-8")
)  # fmt: skip
ACCORD = (
    'id = "accord"\nname = "Accord"\nclass = "victory"\ncolour = "yellow"\ncopies = 1\nuse = "0/0"\ncontrol = "2/2"'
)


def write_file(folder: Path, before: str, after: str) -> str:
    """Write the standard manifest with one change; return the option that names the file."""
    assert STANDARD.count(before) == 1
    path = folder / "mine.toml"
    path.write_text(STANDARD.replace(before, after), encoding="utf-8")
    return f"manifest={path}"


def test_v15_a_manifest_comes_from_a_file_and_is_kept_as_its_changes(tmp_path: Path) -> None:
    pair = write_file(tmp_path, ACCORD, ACCORD.replace("2/2", "1/3"))
    options = options_from_flags("realms_of_etherium", (pair,), None, None)
    assert options.manifest == "accord.control:1/3"
    state = GAME.initial(3, options)
    assert "options=manifest=accord.control:1/3" in GAME.encode(state)
    assert GAME.decode(GAME.encode(state)) == state


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('name = "Accord"', 'name = "Accord', "not valid TOML"),
        ('id = "accord"', 'id = "acord"', "differs"),
        ('name = "Accord"', 'name = "Akkord"', "must stay Accord"),
        (ACCORD, ACCORD.replace("2/2", "two"), "control"),
        (ACCORD, ACCORD.replace("yellow", "pink"), "colour"),
        (ACCORD, ACCORD.replace("copies = 1", "copies = -1"), "copies"),
    ],
)
def test_v15_a_mistake_in_a_file_gets_one_sentence(tmp_path: Path, before: str, after: str, words: str) -> None:
    with pytest.raises(BadOptions, match=words) as refused:
        options_from_flags("realms_of_etherium", (write_file(tmp_path, before, after),), None, None)
    assert str(refused.value).endswith(".")


def test_v15_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        options_from_flags("realms_of_etherium", (f"manifest={tmp_path / 'none.toml'}",), None, None)


def test_v15_elsewhere_no_file_is_read(tmp_path: Path) -> None:
    path = write_file(tmp_path, ACCORD, ACCORD.replace("2/2", "1/3")).removeprefix("manifest=")
    with pytest.raises(BadOptions, match="only be named on the command line"):
        GAME.options(None, manifest=path)
