"""`make quick` tests what has changed: it finds the changes, and the tests that belong to them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import quick
from tests.quick import CORE, MAX_FILES, MAX_IMPORTERS, ROOT, TESTS_OF_DATA, choose_tests, find_changes, find_imports

FILES = {
    "src/realmtable/kit/bits.py": "",
    "src/realmtable/kit/board.py": "",
    "src/realmtable/games/realm/moves.py": "",
    "src/realmtable/games/realm/RULES.md": "",
    "src/realmtable/web/page.css": "",
    "bench/load.py": "",
    "tests/__init__.py": "",
    "tests/dice.py": "from realmtable.kit import board\n",
    "tests/bench/test_load_report.py": "",
    "tests/kit/test_bits.py": "from realmtable.kit.bits import count_bits\n",
    "tests/kit/test_bits_of_boards.py": "",
    "tests/kit/test_orbits.py": "",
    "tests/lab/test_match.py": "def test_it():\n    from realmtable.kit import bits\n",
    "tests/lab/test_dice.py": "from ..dice import roll\n",
    "tests/realm/test_moves.py": "",
    "tests/realm/test_rules_document.py": "",
    "tests/server/test_moves.py": "",
    "tests/server/site/test_pages.py": "",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        pytest.param(
            "src/realmtable/kit/bits.py",
            ["tests/kit/test_bits.py", "tests/kit/test_bits_of_boards.py", "tests/lab/test_match.py"],
            id="by name and by import",
        ),
        pytest.param("src/realmtable/kit/board.py", ["tests/lab/test_dice.py"], id="through a helper"),
        pytest.param("tests/dice.py", ["tests/lab/test_dice.py"], id="a helper"),
        pytest.param("src/realmtable/games/realm/moves.py", ["tests/realm/test_moves.py"], id="of one game"),
        pytest.param("src/realmtable/games/realm/RULES.md", ["tests/realm/test_rules_document.py"], id="of its data"),
        pytest.param("src/realmtable/web/page.css", ["tests/server/site/test_pages.py"], id="pages"),
        pytest.param("bench/load.py", ["tests/bench/test_load_report.py"], id="a benchmark"),
        pytest.param("tests/server/test_moves.py", ["tests/server/test_moves.py"], id="a test"),
        pytest.param("tests/server/test_removed.py", [*CORE], id="a test that is gone"),
        pytest.param("src/realmtable/kit/gone.py", [*CORE], id="a file that is gone"),
        pytest.param("pyproject.toml", [*CORE], id="without tests"),
    ],
)
def test_tests_belong_to_files(project: Path, changed: str, tests: list[str]) -> None:
    assert choose_tests(project, [changed]) == tests


def test_the_core_is_tested_if_nothing_or_too_much_changed(project: Path) -> None:
    assert choose_tests(project, []) == [*CORE]
    many = [f"tests/kit/test_{number}.py" for number in range(MAX_FILES + 1)]
    for name in many:
        (project / name).touch()
    assert choose_tests(project, many[1:]) == sorted(many[1:])
    assert choose_tests(project, many) == [*CORE]


def test_what_many_import_is_tested_by_its_own_tests(project: Path) -> None:
    for number in range(MAX_IMPORTERS):
        (project / f"tests/lab/test_{number}.py").write_text("import realmtable.kit.bits\n", encoding="utf-8")
    assert choose_tests(project, ["src/realmtable/kit/bits.py"]) == [
        "tests/kit/test_bits.py",
        "tests/kit/test_bits_of_boards.py",
    ]


def test_imports_of_every_form_are_found() -> None:
    text = "import a.b, c\nfrom d import e\nfrom . import f\nfrom .g import h\nfrom ..i.j import k\n"
    found = set(find_imports("tests/kit/test_x.py", text))
    assert {"a.b", "c", "d.e", "tests.kit.f", "tests.kit.g", "tests.kit.g.h", "tests.i.j.k"} <= found


def run_git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - in a folder of this test


def test_changes_are_counted_from_where_the_branch_left_main(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-b", "main")
    for name in ("same", "committed", "staged", "edited", "removed", "on main"):
        (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_text("ignored\n", encoding="utf-8")
    run_git(tmp_path, "add", ".")
    run_git(tmp_path, "commit", "-m", "First")
    run_git(tmp_path, "checkout", "-b", "topic")
    assert find_changes(tmp_path) == []
    (tmp_path / "committed").write_text("new", encoding="utf-8")
    run_git(tmp_path, "commit", "-am", "Second")
    run_git(tmp_path, "checkout", "main")
    (tmp_path / "on main").write_text("new", encoding="utf-8")
    run_git(tmp_path, "commit", "-am", "Third")
    run_git(tmp_path, "checkout", "topic")
    (tmp_path / "staged").write_text("new", encoding="utf-8")
    run_git(tmp_path, "add", "staged")
    (tmp_path / "edited").write_text("new", encoding="utf-8")
    (tmp_path / "removed").unlink()
    (tmp_path / "untracked é").touch()
    (tmp_path / "ignored").touch()
    assert find_changes(tmp_path) == ["committed", "edited", "removed", "staged", "untracked é"]


def test_without_main_uncommitted_changes_count(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-b", "other")
    (tmp_path / "old").touch()
    run_git(tmp_path, "add", ".")
    run_git(tmp_path, "commit", "-m", "First")
    (tmp_path / "old").write_text("new", encoding="utf-8")
    assert find_changes(tmp_path) == ["old"]


def test_without_a_repository_nothing_has_changed(tmp_path: Path) -> None:
    assert find_changes(tmp_path) == []


def test_the_named_tests_exist() -> None:
    for name in {*CORE, *(test for tests in TESTS_OF_DATA.values() for test in tests)}:
        assert (ROOT / name).exists(), name
    for start in TESTS_OF_DATA:
        assert (ROOT / start).exists(), start


@pytest.mark.parametrize(("types", "tests", "calls"), [(0, 0, 2), (0, 1, 2), (1, 0, 1)])
def test_types_come_first_and_any_failure_is_returned(
    monkeypatch: pytest.MonkeyPatch, types: int, tests: int, calls: int
) -> None:
    commands: list[list[str]] = []

    def call(command: list[str], **_: object) -> int:
        commands.append(command)
        return types if "mypy" in command else tests

    monkeypatch.setattr("sys.argv", ["quick", "--jobs", "3", "--", "-x"])
    monkeypatch.setattr(quick, "find_changes", lambda _: ["tests/test_quick.py"])
    monkeypatch.setattr(subprocess, "call", call)
    assert quick.main() == max(types, tests)
    assert len(commands) == calls
    if calls == 2:
        assert {"3", "-x", "tests/test_quick.py"} <= {*commands[1]}
