"""Tries small mistakes in the source and tells which of them no test notices: `make mutants`.

A mutant is tried in a copy of the tree, with the tests that run its line; one run of all tests of the folder under
coverage tells which these are. Results are kept in build/mutants, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import cache_from_source
from pathlib import Path
from queue import Queue

import click
from coverage import CoverageData

from bench.mutant_results import KILLED, SURVIVED, TIMED_OUT, Result, append_result, read_results, survivor_list, table
from bench.mutators import Mutant, find_mutants, sample_mutants

ROOT = Path(__file__).parents[1]
NOTES_FOLDER = ROOT / "build" / "mutants"
DEFAULT_FOLDERS = ("engine", "server", "classic_realm")
COPIED_PATHS = (
    "src",
    "tests",
    "bench",
    "docs",
    "examples",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
)
CONFORMANCE_FILTER = (
    "engine or classic_realm or dice_duel or secret_cards"  # a game with none, with dice and with secrets
)
DOCTEST_FILE = "tests/test_doctests.py"
PYTEST_START_S = 4.0  # that pytest takes to begin
BASE_TIMEOUT_S = 60.0  # and the longest it may take on a busy machine
TIMEOUT_FACTOR = 4  # how many times longer than usual tests may take before a mutant counts as endless
RUNNING_GROUPS: set[int] = set()  # process groups, to be ended when the run is stopped
QUICK_FILTER = "not slow and not compiled"
PYTEST = (sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider")


@dataclass(frozen=True)
class Folder:
    """What is mutated, and the tests that are asked."""

    name: str
    source: str
    tests: tuple[str, ...]
    only: str = ""  # as pytest's -k reads it


@dataclass
class Baseline:
    """The tests of a folder that pass: how long each takes, and which lines it runs."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]] = field(repr=False)  # by file and line

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that run a line: first those of a file named like the mutated one, and the fastest first.

        For a line that is run on import, those that run its file.
        """
        lines = self.lines.get(mutant.path, {})
        found = set(lines.get(mutant.line, ())) or {test for tests in lines.values() for test in tests}
        stem = Path(mutant.path).stem
        return sorted(
            found & self.seconds.keys(), key=lambda test: (stem not in _file_of(test), self.seconds[test], test)
        )

    def fit_budget(self, tests: Sequence[str], budget_s: float) -> list[str]:
        """As many of the tests as fit into a time, those of one file together, quick files first."""
        chosen: list[str] = []
        spent = 0.0
        for test in tests:
            spent += self.seconds[test]
            if chosen and spent > budget_s:
                break
            chosen.append(test)
        cost = dict.fromkeys(map(_file_of, chosen), 0.0)
        for test in chosen:
            cost[_file_of(test)] += self.seconds[test]
        return sorted(chosen, key=lambda test: (cost[_file_of(test)], _file_of(test)))


def _file_of(test: str) -> str:
    return test.partition("::")[0]


def find_folder(name: str) -> Folder:
    """A part of the package by its name, or a game by its id."""
    if (ROOT / "src/realmtable/games" / name / "__init__.py").exists():
        return Folder(name, f"src/realmtable/games/{name}", (f"tests/{name}", "tests/conformance", DOCTEST_FILE), name)
    source, tests = f"src/realmtable/{name}", f"tests/{name}"
    if not (ROOT / source / "__init__.py").exists() or not (ROOT / tests).is_dir():
        raise click.BadParameter(f"There is no folder {name} with tests of its own; try engine, server or a game's id.")
    if name == "engine":
        return Folder(name, source, (tests, "tests/conformance", DOCTEST_FILE), CONFORMANCE_FILTER)
    return Folder(name, source, (tests, DOCTEST_FILE), name)


def results_path(folder: Folder) -> Path:
    """Where the results of a folder are kept."""
    return NOTES_FOLDER / f"{folder.name}.results.jsonl"


# ---- copies of the tree


@contextmanager
def copy_trees(count: int) -> Iterator[Queue[Path]]:
    """Some copies of the tree; the working tree itself is never changed."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as base:
        queue: Queue[Path] = Queue()
        for number in range(count):
            tree = Path(base) / str(number)
            for name in COPIED_PATHS:
                if (ROOT / name).is_dir():
                    shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "*.nb?"))
                else:
                    shutil.copy(ROOT / name, tree / name)
            queue.put(tree)
        yield queue


def _environment(tree: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}", "REALMTABLE_COMPILE": "0"}


def _run(command: Sequence[str], tree: Path, limit_s: float, more: dict[str, str] | None = None) -> tuple[int, str]:
    """How a command ends in a copy, and what it says; with the processes it started it is ended after a while."""
    with subprocess.Popen(  # noqa: S603 - pytest, with names of our tests
        command,
        cwd=tree,
        env=_environment(tree) | (more or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        RUNNING_GROUPS.add(process.pid)
        try:
            told, _ = process.communicate(timeout=limit_s)
        except BaseException:
            _kill_group(process.pid)
            raise
        finally:
            RUNNING_GROUPS.discard(process.pid)
    return process.returncode, told


def _kill_group(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


# ---- the tests as they are


def measure_baseline(folder: Folder, tree: Path, jobs: int) -> Baseline:
    """Run the tests of a folder once under coverage, or read what an earlier run of the same files has noted."""
    kept = NOTES_FOLDER / f"{folder.name}.baseline.json"
    digest = _digest_of_tree(folder)
    if kept.exists() and (noted := json.loads(kept.read_text(encoding="utf-8")))["digest"] == digest:
        return Baseline(noted["seconds"], {path: _with_int_keys(lines) for path, lines in noted["lines"].items()})
    click.echo(f"Running the tests of {folder.name} once, to learn which of them run which line …", err=True)
    notes, data = tree / "notes.jsonl", tree / ".coverage"
    (tree / "coverage.ini").write_text(
        f"[run]\nsource = {folder.source}\nrelative_files = true\nconcurrency = thread,greenlet\n", encoding="utf-8"
    )
    command = [*PYTEST, "-n", str(jobs), "--dist", "worksteal", "-m", QUICK_FILTER, "-p", "bench.mutant_pytest_plugin"]
    command += ["--cov", "--cov-config=coverage.ini", "--cov-context=test", "--cov-report="]
    command += [*(["-k", folder.only] if folder.only else []), *folder.tests]
    _, told = _run(command, tree, 3600, {"MUTANT_NOTES": str(notes)})
    seconds, failed = _read_notes(notes)
    if not seconds:
        raise click.ClickException(f"The tests of {folder.name} could not be run:\n{told[-2000:]}")
    for test in sorted(failed):
        click.echo(f"Left out, because it fails without any mutant: {test}", err=True)
    found = Baseline(seconds, _read_coverage(data))
    NOTES_FOLDER.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"digest": digest, "seconds": seconds, "lines": found.lines}), encoding="utf-8")
    return found


def _digest_of_tree(folder: Folder) -> str:
    digest = hashlib.sha256()
    for place in (folder.source, *folder.tests):
        for path in sorted((ROOT / place).rglob("*.py")) or [ROOT / place]:
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _with_int_keys(lines: dict[str, list[str]]) -> dict[int, list[str]]:
    return {int(line): tests for line, tests in lines.items()}


def _read_notes(notes: Path) -> tuple[dict[str, float], set[str]]:
    """How long each test took, and which have failed."""
    seconds: Counter[str] = Counter()
    failed, skipped = set[str](), set[str]()
    for line in notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []:
        test, outcome, took = json.loads(line)
        seconds[test] += took
        if outcome == "skipped":
            skipped.add(test)
        elif outcome == "failed":
            failed.add(test)
    return {test: took for test, took in seconds.items() if test not in failed | skipped}, failed


def _read_coverage(path: Path) -> dict[str, dict[int, list[str]]]:
    data = CoverageData(str(path))
    data.read()
    return {
        name: {
            line: sorted({context.rpartition("|")[0] for context in contexts if "|" in context})
            for line, contexts in data.contexts_by_lineno(name).items()
        }
        for name in data.measured_files()
    }


# ---- one mutant


def try_mutant(mutant: Mutant, known: Baseline, tree: Path, budget_s: float) -> Result:
    """Put a mutant into a copy, ask the tests that run its line, and take it out again."""
    tests = known.tests_of(mutant)
    chosen = known.fit_budget(tests, budget_s)
    path = tree / mutant.path
    source = path.read_bytes()
    digest = hashlib.sha256(source).hexdigest()[:16]
    if not chosen:
        return Result(mutant, digest, SURVIVED, 0.0, 0, 0)
    begun = time.monotonic()
    listed = tree / "tests.txt"
    listed.write_text("\n".join(chosen), encoding="utf-8")
    limit_s = BASE_TIMEOUT_S + TIMEOUT_FACTOR * sum(known.seconds[test] for test in chosen)
    try:
        _write(path, mutant.apply(source))
        code, told = _run([*PYTEST, "-x", "-p", "no:xdist", "--tb=no", f"@{listed}"], tree, limit_s)
        outcome = KILLED if code else SURVIVED
    except subprocess.TimeoutExpired:
        outcome, told = TIMED_OUT, ""
    finally:
        _write(path, source)
    by = next((line.split()[1] for line in told.splitlines() if line.startswith(("FAILED ", "ERROR "))), "")
    return Result(mutant, digest, outcome, time.monotonic() - begun, len(chosen), len(tests) - len(chosen), by)


def _write(path: Path, source: bytes) -> None:
    """Write a file, and drop its bytecode: that is told apart by size and second alone."""
    path.write_bytes(source)
    Path(cache_from_source(str(path))).unlink(missing_ok=True)


# ---- a run


@dataclass(frozen=True)
class Plan:
    """What is to be tried in a folder, and what is known already."""

    folder: Folder
    known: Baseline
    done: list[Result]
    due: list[Mutant]


def make_plan(folder: Folder, known: Baseline, count: int, seed: int, *, again: bool) -> Plan:
    """Choose the mutants of a folder; `again` tries those once more that have survived."""
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sorted((ROOT / folder.source).rglob("*.py"))
    }
    digests = {path: hashlib.sha256(source).hexdigest()[:16] for path, source in sources.items()}
    chosen = sample_mutants(
        [mutant for path, source in sources.items() for mutant in find_mutants(path, source)], count, seed
    )
    earlier = read_results(results_path(folder))
    found = {mutant: earlier.get((mutant, digests[mutant.path])) for mutant in chosen}
    done = [result for result in found.values() if result and not (again and result.outcome == SURVIVED)]
    tried = {result.mutant for result in done}
    return Plan(folder, known, done, [mutant for mutant in chosen if mutant not in tried])


def try_all(made: Plan, trees: Queue[Path], jobs: int, budget_s: float) -> Iterator[Result]:
    """Try what is due, some at a time; each result is kept before it is given."""

    def try_one(mutant: Mutant) -> Result:
        tree = trees.get()
        try:
            return try_mutant(mutant, made.known, tree, budget_s)
        finally:
            trees.put(tree)

    with ThreadPoolExecutor(jobs) as pool:
        tasks = [pool.submit(try_one, mutant) for mutant in made.due]
        try:
            for task in as_completed(tasks):
                result = task.result()
                append_result(results_path(made.folder), result)
                yield result
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for group in [*RUNNING_GROUPS]:
                _kill_group(group)
            raise


def estimate_s(made: Plan, budget_s: float) -> float:
    """How long the due mutants take at most, if all survive and none is endless."""
    chosen = (made.known.fit_budget(made.known.tests_of(mutant), budget_s) for mutant in made.due)
    return sum(PYTEST_START_S + sum(made.known.seconds[test] for test in tests) for tests in chosen)


@click.command()
@click.option(
    "--folder",
    "names",
    multiple=True,
    default=DEFAULT_FOLDERS,
    show_default=True,
    help="A part of the package, or a game's id.",
)
@click.option("--count", type=click.IntRange(1), default=60, show_default=True, help="Mutants to try in each folder.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed chooses other mutants.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Mutants to try at a time.")
@click.option(
    "--budget-s",
    type=click.FloatRange(1),
    default=90.0,
    show_default=True,
    help="Tests to ask about one mutant, in seconds that they usually take.",
)
@click.option("--again", is_flag=True, help="Try the survivors of earlier runs once more.")
def main(names: Sequence[str], count: int, seed: int, jobs: int, budget_s: float, *, again: bool) -> None:
    """Try mutants of some folders and tell the share that no test notices; Ctrl-C tells what is known so far."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stopped either way, nothing is left running
    results: list[Result] = []
    folders = [find_folder(name) for name in names]
    try:
        with copy_trees(jobs) as trees:
            for folder in folders:
                tree = trees.get()
                known = measure_baseline(folder, tree, jobs)
                trees.put(tree)
                made = make_plan(folder, known, count, seed, again=again)
                results += made.done
                most = estimate_s(made, budget_s) / jobs / 60
                click.echo(
                    f"{folder.name}: {len(made.due)} to try, {len(made.done)} known; at most {most:.0f} min.", err=True
                )
                for number, result in enumerate(try_all(made, trees, jobs, budget_s), 1):
                    results.append(result)
                    told = f"{result.outcome} in {result.seconds:.0f} s {result.by}"
                    click.echo(f"[{number}/{len(made.due)}] {result.mutant.text}: {told}", err=True)
    except KeyboardInterrupt:
        click.echo("Stopped; the same command goes on from here.", err=True)
    if results:
        click.echo(f"{table(results)}\n\n{survivor_list(results)}")


if __name__ == "__main__":
    main()
