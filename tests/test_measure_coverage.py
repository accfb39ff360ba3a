"""Coverage is the same with either tool, and anything that no test runs is reported."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import measure_coverage
from tests.measure_coverage import find_missing, find_unmeasured, main

ROOT = Path(__file__).parents[1]
TESTED = "src/realmtable/engine/chance.py"


Report = Callable[[dict[str, Any], list[str]], tuple[int, str]]


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Report:
    """Report on one run, given the files that it has not imported; return the exit code and what is printed."""

    def print_report(run: dict[str, Any], unmeasured: list[str]) -> tuple[int, str]:
        monkeypatch.setattr(measure_coverage, "find_unmeasured", lambda _: unmeasured)
        (path := tmp_path / "run.json").write_text(json.dumps(run), encoding="utf-8")
        return main([path]), capsys.readouterr().out

    return print_report


def describe_run(**files: tuple[list[int], list[int], list[list[int]]]) -> dict[str, Any]:
    """Return a run that has executed and missed lines, and missed branches, of some files."""
    names = ("executed_lines", "missing_lines", "missing_branches")
    return {
        "files": {
            name: {**dict(zip(names, each, strict=True)), "executed_branches": []} for name, each in files.items()
        }
    }


def measure(path: Path, tool: str) -> dict[str, Any]:
    """Return what a few tests cover outside the games."""
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "tests.measure_coverage", "tests/engine/test_chance.py"]
    command += [f"--coverage-file={path}", f"--coverage-tool={tool}", "--coverage-omit=src/realmtable/games/*"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own tests
    assert run.returncode == 0, run.stdout + run.stderr
    files: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["files"]
    return files


def list_branches(name: str, found: dict[str, Any]) -> set[tuple[int, int]]:
    """Return the branches of conditions and loops over something that were not taken.

    The end of a function is 0, or negative for coverage.py. For `match` and `while True` the tools count differently.
    """
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    kinds = ("if ", "elif ", "for ")
    return {
        (start, max(end, 0)) for start, end in found["missing_branches"] if lines[start - 1].lstrip().startswith(kinds)
    }


def test_only_what_no_run_covers_is_missing() -> None:
    one = describe_run(a=([1], [2, 3], [[1, 2], [1, 3]]), b=([], [1], []), c=([1], [], []))
    two = describe_run(a=([2], [1, 3], [[1, 3]]), b=([1], [], []), c=([1], [], []))
    assert find_missing([one, two]) == {"a": ({3}, {(1, 3)})}


def test_a_file_that_no_run_has_imported_is_found(tmp_path: Path) -> None:
    for name in ("engine/a.py", "games/b/c.py", "server/d.py"):
        (path := tmp_path / "src/realmtable" / name).parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    runs = [describe_run(**{"src/realmtable/engine/a.py": ([], [], [])}), describe_run()]
    assert find_unmeasured(runs, tmp_path) == ["src/realmtable/games/b/c.py"]


@pytest.mark.parametrize(
    ("found", "unmeasured", "code", "message"),
    [
        (([1, 2], [], []), [], 0, "2 lines and 0 branches of 1 files: all are run."),
        (([1], [3, 2], [[1, 3]]), [], 1, "a: never run: 2, 3, 1->3"),
        (([1, 2], [], []), ["b"], 1, "b: never imported\n2 lines and 0 branches of 1 files: some are never run."),
    ],
)
def test_the_report_fails_if_anything_is_missing(
    found: tuple[list[int], list[int], list[list[int]]], unmeasured: list[str], code: int, message: str, report: Report
) -> None:
    answer, text = report(describe_run(a=found), unmeasured)
    assert answer == code
    assert message in text


def test_both_tools_find_the_same_lines_and_branches(tmp_path: Path) -> None:
    pytest.importorskip("slipcover")
    fast, traced = (measure(tmp_path / f"{tool}.json", tool) for tool in ("slipcover", "coverage"))
    assert fast.keys() <= traced.keys()  # coverage.py lists what is not imported too
    assert not [name for name in traced if "/games/" in name]
    for files in (fast, traced):
        assert len(files[TESTED]["executed_branches"]) > 0
        assert len(files[TESTED]["executed_lines"]) > 0
    for name in (each for each in fast if "/engine/" in each):
        assert list_branches(name, fast[name]) == list_branches(name, traced[name]), name
        # SlipCover counts all lines of a statement, coverage.py only the first.
        assert {*traced[name]["missing_lines"]} <= {*fast[name]["missing_lines"]}, name
