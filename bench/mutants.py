"""Make small mistakes in the source and report which of them no test notices: `make mutants`.

Each mutant is tested in a copy of the tree with the tests that run its line, which one run of the folder's tests under
coverage determines. Results are stored in build/mutants, so an interrupted run resumes where it stopped.
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
    "engine or classic_realm or dice_duel or secret_cards"  # games without chance, with dice and with secrets
)
DOCTEST_FILE = "tests/test_doctests.py"
PYTEST_START_S = 4.0  # for pytest to start
BASE_TIMEOUT_S = 60.0  # for pytest to start on a busy machine
TIMEOUT_FACTOR = 4  # tests that take this many times longer count as hanging
RUNNING_GROUPS: set[int] = set()  # process groups to kill when the run is interrupted
QUICK_FILTER = "not slow and not compiled"
PYTEST = (sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider")


@dataclass(frozen=True)
class Folder:
    """A folder to mutate, and its tests."""

    name: str
    source: str
    tests: tuple[str, ...]
    only: str = ""  # for pytest's -k


@dataclass
class Baseline:
    """A folder's passing tests: how long each takes, and which lines it runs."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]] = field(repr=False)  # by file and line

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that run a line, or for a line that runs on import, those that run its file.

        Tests in a file named like the mutated one come first, then the fastest.
        """
        lines = self.lines.get(mutant.path, {})
        candidates = set(lines.get(mutant.line, ())) or {test for tests in lines.values() for test in tests}
        stem = Path(mutant.path).stem
        return sorted(
            candidates & self.seconds.keys(), key=lambda test: (stem not in _file_of(test), self.seconds[test], test)
        )

    def fit_budget(self, tests: Sequence[str], budget_s: float) -> list[str]:
        """Return as many of the tests as fit into a time budget, grouped by file, quick files first."""
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
    """Find a folder by the name of a package or the id of a game."""
    if (ROOT / "src/realmtable/games" / name / "__init__.py").exists():
        places = (f"tests/{name}", "tests/realm_boards", "tests/conformance", DOCTEST_FILE)
        return Folder(name, f"src/realmtable/games/{name}", places, name)
    source, tests = f"src/realmtable/{name}", f"tests/{name}"
    if not (ROOT / source / "__init__.py").exists() or not (ROOT / tests).is_dir():
        raise click.BadParameter(f"There is no package {name} with its own tests; try engine, server or a game's id.")
    if name == "engine":
        return Folder(name, source, (tests, "tests/conformance", DOCTEST_FILE), CONFORMANCE_FILTER)
    return Folder(name, source, (tests, DOCTEST_FILE), name)


def results_path(folder: Folder) -> Path:
    """Return the file with the results of a folder."""
    return NOTES_FOLDER / f"{folder.name}.results.jsonl"


# ---- copies of the tree


@contextmanager
def copy_trees(count: int) -> Iterator[Queue[Path]]:
    """Make copies of the tree; the working tree itself is never changed."""
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
    """Run a command in a copy; return its exit status and output. At the time limit, kill it and its children."""
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
            output, _ = process.communicate(timeout=limit_s)
        except BaseException:
            _kill_group(process.pid)
            raise
        finally:
            RUNNING_GROUPS.discard(process.pid)
    return process.returncode, output


def _kill_group(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


# ---- the tests without mutants


def measure_baseline(folder: Folder, tree: Path, jobs: int) -> Baseline:
    """Run a folder's tests once under coverage, or load the result of an earlier run on the same files."""
    cache = NOTES_FOLDER / f"{folder.name}.baseline.json"
    digest = _digest_of_tree(folder)
    if cache.exists() and (data := json.loads(cache.read_text(encoding="utf-8")))["digest"] == digest:
        return Baseline(data["seconds"], {path: _with_int_keys(lines) for path, lines in data["lines"].items()})
    click.echo(f"Running the tests of {folder.name} once to learn which tests run which lines …", err=True)
    notes, coverage_file = tree / "notes.jsonl", tree / ".coverage"
    (tree / "coverage.ini").write_text(
        f"[run]\nsource = {folder.source}\nrelative_files = true\nconcurrency = thread,greenlet\n", encoding="utf-8"
    )
    command = [*PYTEST, "-n", str(jobs), "--dist", "worksteal", "-m", QUICK_FILTER, "-p", "bench.mutant_pytest_plugin"]
    command += ["--cov", "--cov-config=coverage.ini", "--cov-context=test", "--cov-report="]
    command += [*(["-k", folder.only] if folder.only else []), *folder.tests]
    _, output = _run(command, tree, 3600, {"MUTANT_NOTES": str(notes)})
    seconds, failed = _read_notes(notes)
    if not seconds:
        raise click.ClickException(f"The tests of {folder.name} could not be run:\n{output[-2000:]}")
    for test in sorted(failed):
        click.echo(f"Ignored, because it fails without a mutant: {test}", err=True)
    baseline = Baseline(seconds, _read_coverage(coverage_file))
    NOTES_FOLDER.mkdir(parents=True, exist_ok=True)
    cache.write_text(json.dumps({"digest": digest, "seconds": seconds, "lines": baseline.lines}), encoding="utf-8")
    return baseline


def _digest_of_tree(folder: Folder) -> str:
    digest = hashlib.sha256()
    for place in (folder.source, *folder.tests):
        for path in sorted((ROOT / place).rglob("*.py")) or [ROOT / place]:
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _with_int_keys(lines: dict[str, list[str]]) -> dict[int, list[str]]:
    return {int(line): tests for line, tests in lines.items()}


def _read_notes(notes: Path) -> tuple[dict[str, float], set[str]]:
    """Return how long each test took, and which failed."""
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


# ---- a mutant


def try_mutant(mutant: Mutant, known: Baseline, tree: Path, budget_s: float) -> Result:
    """Apply a mutant to a copy, run the tests of its line, and revert it."""
    tests = known.tests_of(mutant)
    chosen = known.fit_budget(tests, budget_s)
    path = tree / mutant.path
    source = path.read_bytes()
    digest = hashlib.sha256(source).hexdigest()[:16]
    if not chosen:
        return Result(mutant, digest, SURVIVED, 0.0, 0, 0)
    start = time.monotonic()
    test_list = tree / "tests.txt"
    test_list.write_text("\n".join(chosen), encoding="utf-8")
    limit_s = BASE_TIMEOUT_S + TIMEOUT_FACTOR * sum(known.seconds[test] for test in chosen)
    try:
        _write(path, mutant.apply(source))
        code, output = _run([*PYTEST, "-x", "-p", "no:xdist", "--tb=no", f"@{test_list}"], tree, limit_s)
        outcome = KILLED if code else SURVIVED
    except subprocess.TimeoutExpired:
        outcome, output = TIMED_OUT, ""
    finally:
        _write(path, source)
    by = next((line.split()[1] for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))), "")
    return Result(mutant, digest, outcome, time.monotonic() - start, len(chosen), len(tests) - len(chosen), by)


def _write(path: Path, source: bytes) -> None:
    """Write a file and delete its bytecode, which Python validates only by size and modification second."""
    path.write_bytes(source)
    Path(cache_from_source(str(path))).unlink(missing_ok=True)


# ---- a run


@dataclass(frozen=True)
class Plan:
    """The mutants to test in a folder, and the results so far."""

    folder: Folder
    known: Baseline
    done: list[Result]
    due: list[Mutant]


def make_plan(folder: Folder, known: Baseline, count: int, seed: int, *, again: bool) -> Plan:
    """Choose the mutants of a folder; `again` retries those that survived."""
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sorted((ROOT / folder.source).rglob("*.py"))
    }
    digests = {path: hashlib.sha256(source).hexdigest()[:16] for path, source in sources.items()}
    chosen = sample_mutants(
        [mutant for path, source in sources.items() for mutant in find_mutants(path, source)], count, seed
    )
    earlier = read_results(results_path(folder))
    known_results = {mutant: earlier.get((mutant, digests[mutant.path])) for mutant in chosen}
    done = [result for result in known_results.values() if result and not (again and result.outcome == SURVIVED)]
    tried = {result.mutant for result in done}
    return Plan(folder, known, done, [mutant for mutant in chosen if mutant not in tried])


def try_all(plan: Plan, trees: Queue[Path], jobs: int, budget_s: float) -> Iterator[Result]:
    """Test the due mutants, `jobs` at a time; each result is stored before it is yielded."""

    def try_one(mutant: Mutant) -> Result:
        tree = trees.get()
        try:
            return try_mutant(mutant, plan.known, tree, budget_s)
        finally:
            trees.put(tree)

    with ThreadPoolExecutor(jobs) as pool:
        tasks = [pool.submit(try_one, mutant) for mutant in plan.due]
        try:
            for task in as_completed(tasks):
                result = task.result()
                append_result(results_path(plan.folder), result)
                yield result
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for group in [*RUNNING_GROUPS]:
                _kill_group(group)
            raise


def estimate_s(plan: Plan, budget_s: float) -> float:
    """Estimate the longest time for the due mutants, if all survive and none hangs."""
    chosen = (plan.known.fit_budget(plan.known.tests_of(mutant), budget_s) for mutant in plan.due)
    return sum(PYTEST_START_S + sum(plan.known.seconds[test] for test in tests) for tests in chosen)


@click.command()
@click.option(
    "--folder",
    "names",
    multiple=True,
    default=DEFAULT_FOLDERS,
    show_default=True,
    help="A package, or a game's id.",
)
@click.option("--count", type=click.IntRange(1), default=60, show_default=True, help="Mutants per folder.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed chooses other mutants.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Mutants to test at a time.")
@click.option(
    "--budget-s",
    type=click.FloatRange(1),
    default=90.0,
    show_default=True,
    help="Time budget of the tests for one mutant, by their usual durations.",
)
@click.option("--again", is_flag=True, help="Retry the survivors of earlier runs.")
def main(names: Sequence[str], count: int, seed: int, jobs: int, budget_s: float, *, again: bool) -> None:
    """Test mutants of some folders and report the share that no test notices; Ctrl-C reports the results so far."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # however it is interrupted, nothing keeps running
    results: list[Result] = []
    folders = [find_folder(name) for name in names]
    try:
        with copy_trees(jobs) as trees:
            for folder in folders:
                tree = trees.get()
                known = measure_baseline(folder, tree, jobs)
                trees.put(tree)
                plan = make_plan(folder, known, count, seed, again=again)
                results += plan.done
                most = estimate_s(plan, budget_s) / jobs / 60
                click.echo(
                    f"{folder.name}: {len(plan.due)} to test, {len(plan.done)} known; at most {most:.0f} min.", err=True
                )
                for number, result in enumerate(try_all(plan, trees, jobs, budget_s), 1):
                    results.append(result)
                    summary = f"{result.outcome} in {result.seconds:.0f} s {result.by}"
                    click.echo(f"[{number}/{len(plan.due)}] {result.mutant.text}: {summary}", err=True)
    except KeyboardInterrupt:
        click.echo("Interrupted; the same command continues from here.", err=True)
    if results:
        click.echo(f"{table(results)}\n\n{survivor_list(results)}")


if __name__ == "__main__":
    main()
