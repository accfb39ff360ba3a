"""A run of mutants over a small project: which are noticed, which survive, and resuming an interrupted run."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from bench import mutants
from bench.mutant_results import KILLED, SURVIVED, TIMED_OUT, Result, append_result, read_results, survivor_list, table
from bench.mutators import Mutant

SOURCE = """
    def is_small(number):
        return number < 3

    def double(number):
        return number * 2
"""
TESTS = """
    import pytest
    from realmtable.engine.sums import double, is_small

    def test_small():
        assert is_small(1)
        assert not is_small(30)

    def test_double():
        double(4)

    def test_that_fails():
        assert False

    def test_that_is_skipped():
        pytest.skip("no need")
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Replace our tree by a similar one with a single module and its tests."""
    for name in mutants.COPIED_PATHS:
        place = tmp_path / name
        if place.suffix:
            place.write_text("", encoding="utf-8")
        else:
            place.mkdir()
    files = {
        "src/realmtable/__init__.py": "",
        "src/realmtable/engine/__init__.py": "",
        "src/realmtable/engine/sums.py": SOURCE,
        "tests/engine/test_sums.py": TESTS,
        "tests/conformance/test_nothing.py": "",
        "tests/test_doctests.py": "",
        "bench/__init__.py": "",
        "bench/mutant_pytest_plugin.py": Path(mutants.__file__)
        .with_name("mutant_pytest_plugin.py")
        .read_text(encoding="utf-8"),
        "pyproject.toml": '[tool.pytest.ini_options]\nmarkers = ["slow", "compiled"]\n'
        'addopts = "-p no:anyio -p no:hypothesispytest -p no:schemathesis"\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(dedent(text), encoding="utf-8")
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setattr(mutants, "NOTES_FOLDER", tmp_path / "build/mutants")
    return tmp_path


def run(*arguments: str) -> str:
    done = CliRunner().invoke(mutants.main, ["--folder", "engine", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def read_all(project: Path) -> dict[str, Result]:
    results = read_results(project / "build/mutants/engine.results.jsonl").values()
    return {result.mutant.text.partition(":")[2]: result for result in results}


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[Mutant]:
    """Run no tests, so that every mutant survives; return the mutants tried."""
    tried: list[Mutant] = []

    def attempt(mutant: Mutant, _: mutants.Baseline, tree: Path, __: float) -> Result:
        tried.append(mutant)
        digest = hashlib.sha256((tree / mutant.path).read_bytes()).hexdigest()[:16]
        return Result(mutant, digest, SURVIVED, 1.0, 1, 0)

    monkeypatch.setattr(mutants, "measure_baseline", lambda *_: mutants.Baseline({}, {}))
    monkeypatch.setattr(mutants, "try_mutant", attempt)
    return tried


@pytest.mark.slow
def test_a_run_lists_killed_and_surviving_mutants_and_resumes(project: Path) -> None:
    path = project / "src/realmtable/engine/sums.py"
    before = path.read_bytes()
    first = run("--count", "2")
    assert "Ignored, because it fails without a mutant: tests/engine/test_sums.py::test_that_fails" in first
    assert "skipped" not in first
    assert "engine: 2 to test, 0 known" in first
    output = run("--count", "50", "--jobs", "2")
    assert "engine: 4 to test, 2 known" in output
    assert "Running the tests" not in output  # the coverage of the first run is reused
    results = read_all(project)
    killed = results["3 return number < 3 → return None"]
    assert (killed.outcome, killed.by, killed.tests) == (KILLED, "tests/engine/test_sums.py::test_small", 1)
    assert results["6 return number * 2 → return None"].outcome == SURVIVED
    assert "sums.py:6 return number * 2 → return None  (1 tests)" in output
    assert path.read_bytes() == before


def test_what_is_known_is_not_tried_again_unless_asked_for(project: Path, attempts: list[Mutant]) -> None:
    output = run("--count", "50")
    assert len(attempts) == 6
    assert run("--count", "50").partition("| folder")[2] == output.partition("| folder")[2]
    assert len(attempts) == 6
    known = read_all(project)["3 return number < 3 → return None"]
    append_result(project / "build/mutants/engine.results.jsonl", replace(known, outcome=KILLED))
    assert "engine: 5 to test, 1 known" in run("--count", "50", "--again")
    assert len(attempts) == 11


@pytest.mark.usefixtures("attempts")
def test_changed_sources_are_tried_again(project: Path) -> None:
    run("--count", "2")
    path = project / "src/realmtable/engine/sums.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n# another version\n", encoding="utf-8")
    assert "engine: 2 to test, 0 known" in run("--count", "2")


def test_a_mutant_without_end_is_stopped_and_taken_out(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "BASE_TIMEOUT_S", 1.0)
    loop = "import time\n\ndef test_it():\n    time.sleep(60)\n"
    (project / "tests/engine/test_sums.py").write_text(loop, encoding="utf-8")
    path = project / "src/realmtable/engine/sums.py"
    before = path.read_bytes()
    mutant = Mutant("src/realmtable/engine/sums.py", 3, 0, 1, "a", "b")
    known = mutants.Baseline(
        {"tests/engine/test_sums.py::test_it": 0.0}, {mutant.path: {3: ["tests/engine/test_sums.py::test_it"]}}
    )
    found = mutants.try_mutant(mutant, known, project, 10)
    assert (found.outcome, path.read_bytes()) == (TIMED_OUT, before)
    assert not mutants.RUNNING_GROUPS


def test_a_mutant_that_no_test_runs_survives(project: Path) -> None:
    mutant = Mutant("src/realmtable/engine/sums.py", 3, 0, 1, "a", "b")
    found = mutants.try_mutant(mutant, mutants.Baseline({}, {}), project, 10)
    assert (found.outcome, found.tests) == (SURVIVED, 0)


def test_a_folder_is_a_part_of_the_package_or_a_game() -> None:
    assert mutants.find_folder("server").tests == ("tests/server", "tests/test_doctests.py")
    game = mutants.find_folder("classic_realm")
    assert (game.source, game.only) == ("src/realmtable/games/classic_realm", "classic_realm")
    done = CliRunner().invoke(mutants.main, ["--folder", "chess"])
    assert done.exit_code == 2
    assert "There is no package chess with its own tests; try engine, server or a game's id." in done.output


@pytest.mark.slow
def test_tests_that_cannot_run_are_reported(project: Path) -> None:
    (project / "tests/engine/test_sums.py").write_text("import nowhere\n", encoding="utf-8")
    done = CliRunner().invoke(mutants.main, ["--folder", "engine"])
    assert done.exit_code == 1
    assert "The tests of engine could not be run" in done.output
    assert "nowhere" in done.output


def test_a_budget_takes_the_fastest_tests_and_keeps_files_together() -> None:
    seconds = {"b.py::1": 0.1, "a.py::1": 0.2, "b.py::2": 0.3, "a.py::2": 5.0}
    known = mutants.Baseline(seconds, {"m.py": {3: ["a.py::2", "b.py::1"], 4: ["a.py::1", "b.py::2", "gone.py::1"]}})
    mutant = Mutant("m.py", 3, 0, 1, "a", "b")
    assert known.tests_of(mutant) == ["b.py::1", "a.py::2"]
    on_import = Mutant("m.py", 1, 0, 1, "a", "b")
    assert known.tests_of(on_import) == ["b.py::1", "a.py::1", "b.py::2", "a.py::2"]
    assert known.tests_of(Mutant("n.py", 1, 0, 1, "a", "b")) == []
    named = mutants.Baseline(seconds, {"src/a.py": {3: ["a.py::2", "b.py::1", "a.py::1"]}})
    assert named.tests_of(Mutant("src/a.py", 3, 0, 1, "a", "b")) == ["a.py::1", "a.py::2", "b.py::1"]
    assert known.fit_budget(known.tests_of(on_import), 1.0) == ["a.py::1", "b.py::1", "b.py::2"]
    assert known.fit_budget(["a.py::2"], 1.0) == ["a.py::2"]  # at least one


@pytest.mark.slow
def test_a_stopped_run_reports_its_results_and_leaves_no_process(project: Path) -> None:
    code = f"""
        from pathlib import Path
        from bench import mutants
        mutants.ROOT, mutants.NOTES_FOLDER = Path({str(project)!r}), Path({str(project)!r}, "notes")
        mutants.main(["--folder", "engine", "--count", "50"])
    """
    with subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-c", dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("[1/"):
                break
        process.send_signal(signal.SIGTERM)
        output, more = process.communicate(timeout=60)
    assert "Interrupted; the same command continues from here." in more
    assert "| engine | " in output
    assert process.returncode == 0
    notes = project / "notes/engine.results.jsonl"
    size = len(notes.read_text(encoding="utf-8").splitlines())
    time.sleep(1)
    assert len(notes.read_text(encoding="utf-8").splitlines()) == size < 6


# ---- results


def make_result(path: str, outcome: str, line: int = 1, tests: int = 3, left_out: int = 0) -> Result:
    return Result(Mutant(path, line, line, line + 1, "a", "b"), "d", outcome, 1.0, tests, left_out, "")


def test_the_table_is_by_folder() -> None:
    results = [
        make_result("src/realmtable/server/api/a.py", KILLED),
        make_result("src/realmtable/server/api/a.py", SURVIVED, 2),
        make_result("src/realmtable/server/b.py", TIMED_OUT),
    ]
    lines = table(results).splitlines()[2:]
    assert [line.split(" | ")[:5] for line in lines] == [
        ["| server", "1", "0", "1", "0"],
        ["| server/api", "2", "1", "0", "1"],
        ["| all", "3", "1", "1", "1"],
    ]
    assert lines[1].endswith("| 50% (9%–91%) |")
    assert len(table(results[:2]).splitlines()) == 3


def test_survivors_are_listed_with_the_tests_that_were_asked() -> None:
    results = [
        make_result("b.py", SURVIVED, 7, left_out=2),
        make_result("a.py", KILLED),
        make_result("a.py", SURVIVED, 5, tests=0),
    ]
    assert survivor_list(results).splitlines() == [
        "a.py:5 a → b  (no test runs it)",
        "b.py:7 a → b  (3 tests, 2 skipped)",
    ]


def test_the_later_result_of_a_mutant_counts(tmp_path: Path) -> None:
    path = tmp_path / "new/results.jsonl"
    assert read_results(path) == {}
    append_result(path, make_result("a.py", SURVIVED))
    append_result(path, make_result("a.py", KILLED))
    assert [found.outcome for found in read_results(path).values()] == [KILLED]
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[0])["mutant"]["path"] == "a.py"
