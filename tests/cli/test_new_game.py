"""`new-game` writes a package with a small game, which passes the checks; tests/packaging installs such a package."""

from __future__ import annotations

from pathlib import Path

import pytest

from realmtable.cli.skeleton.my_game import GAME, MyGame
from realmtable.conformance import Check, checks_for
from realmtable.engine.errors import BadPosition, IllegalMove
from realmtable.engine.protocol import AnyGame
from tests.cli.command_line import expect_refusal, run_cli

WRITTEN: AnyGame = GAME  # has all members of the protocol


@pytest.mark.parametrize("check", checks_for(WRITTEN), ids=str)
def test_the_game_passes_the_checks(check: Check) -> None:
    check.run(WRITTEN)


def test_the_game_refuses_marked_cells_and_impossible_grids() -> None:
    state = MyGame().play(GAME.initial(), 0, "b2")
    with pytest.raises(IllegalMove, match=r"b2 is already marked\. \(R1\)"):
        GAME.play(state, 1, "b2")
    for grid in ("", "." * 8, "OX......O", "X?......."):
        with pytest.raises(BadPosition):
            GAME.decode(f'{{"grid":"{grid}"}}')


def test_a_package_is_written_under_the_name(folder: Path) -> None:
    done = run_cli("new-game", "three_in_a_row")
    assert (done.code, done.err) == (0, "")
    files = {path.name: path.read_text(encoding="utf-8") for path in (folder / "three_in_a_row").iterdir()}
    assert files.keys() == {"pyproject.toml", "README.md", "three_in_a_row.py", "test_three_in_a_row.py"}
    for text in files.values():
        assert not {"my_game", "my-game", "My Game", "MyGame"} & {*text.split('"')}
        assert "my_game" not in text
    assert 'three_in_a_row = "three_in_a_row"' in files["pyproject.toml"]
    assert 'name = "three-in-a-row"' in files["pyproject.toml"]
    assert 'title="Three In A Row"' in files["three_in_a_row.py"]
    assert "class ThreeInARow(SmallGame[State])" in files["three_in_a_row.py"]
    assert len(files["three_in_a_row.py"].splitlines()) < 120


def test_an_existing_folder_is_left_alone(folder: Path) -> None:
    (folder / "three_in_a_row").mkdir()
    assert "already exists" in expect_refusal("new-game", "three_in_a_row")
    assert run_cli("new-game", "three_in_a_row", "--folder", "elsewhere/row").code == 0
    assert (folder / "elsewhere" / "row" / "three_in_a_row.py").is_file()
    assert not [*(folder / "three_in_a_row").iterdir()]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Three", "small letters"),
        ("3row", "small letters"),
        ("three-in-a-row", "small letters"),
        ("../row", "small letters"),
        ("row_", "between them"),
        ("class", "cannot import"),
        ("x" * 41, "small letters"),
        ("realm", "already a game 'realm'"),
        ("json", "already a module 'json'"),
    ],
)
def test_a_name_that_a_game_cannot_have_is_refused(folder: Path, name: str, reason: str) -> None:
    assert reason in expect_refusal("new-game", name)
    assert not [*folder.iterdir()]


def test_an_unknown_game_cannot_be_checked() -> None:
    assert "There is no game 'chess'" in expect_refusal("check-game", "chess")
