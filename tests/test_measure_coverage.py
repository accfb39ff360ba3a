"""Coverage is the same with either tool, and anything that no test runs is reported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.measure_coverage import find_missing, main

ROOT = Path(__file__).parents[1]
TESTED = "src/realmtable/engine/chance.py"


def describe_run(**files: tuple[list[int], list[int], list[list[int]]]) -> dict[str, Any]:
    """Return a run that has executed and missed lines, and missed branches, of some files."""
    names = ("executed_lines", "missing_lines", "missing_branches")
    return {
        "files": {
            name: {**dict(zip(names, each, strict=True)), "executed_branches": []} for name, each in files.items()
        }
    }


def measure(path: Path, tool: str) -> dict[str, Any]:
    """Return what a few tests cover."""
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "tests.measure_coverage", "tests/engine/test_chance.py"]
    command += [f"--coverage-file={path}", f"--coverage-tool={tool}"]
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


@pytest.mark.parametrize(
    ("files", "code", "message"),
    [
        ({"a": ([1, 2], [], [])}, 0, "2 lines and 0 branches of 1 files: all are run."),
        ({"a": ([1], [3, 2], [[1, 3]])}, 1, "a: never run: 2, 3, 1->3"),
        ({}, 1, "0 lines"),
    ],
)
def test_the_report_fails_if_anything_is_missing(
    files: dict[str, Any], code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path := tmp_path / "run.json").write_text(json.dumps(describe_run(**files)), encoding="utf-8")
    assert main([path]) == code
    assert message in capsys.readouterr().out


def test_both_tools_find_the_same_lines_and_branches(tmp_path: Path) -> None:
    pytest.importorskip("slipcover")
    fast, traced = (measure(tmp_path / f"{tool}.json", tool) for tool in ("slipcover", "coverage"))
    assert fast.keys() == traced.keys()
    for files in (fast, traced):
        assert len(files[TESTED]["executed_branches"]) > 0
        assert len(files[TESTED]["executed_lines"]) > 0
    for name in (each for each in fast if "/engine/" in each):
        assert list_branches(name, fast[name]) == list_branches(name, traced[name]), name
        # SlipCover counts all lines of a statement, coverage.py only the first.
        assert {*traced[name]["missing_lines"]} <= {*fast[name]["missing_lines"]}, name
