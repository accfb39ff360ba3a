"""Measures which lines and branches of engine, kit and games the tests run.

As a plugin of pytest it writes what a run has covered; as a program it joins such files and fails if anything is left:

    export REALMTABLE_COMPILE=0
    .venv/bin/python -m pytest -n 0 -p tests.measure_coverage --coverage-file=some.json tests/engine
    .venv/bin/python -m tests.measure_coverage some.json other.json

SlipCover removes what it has inserted into a line once the line has run often, so tests take a fifth longer. Where it
is not installed, because there is no wheel and no compiler, coverage.py measures with a tracer, which takes far longer.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import pytest

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = [f"src/realmtable/{folder}" for folder in ("engine", "kit", "games")]
LEFT_OUT: Final = [
    "if TYPE_CHECKING:",
    "@overload",
    r"^\s*\.\.\.$",  # the body of a protocol's member, alone on its line
]
# How often a line runs before SlipCover removes what it has inserted into this line and all others that have run. With
# its default of 50 it does so 200 times in the tests of Magic Realm, a seventh of their time; with this, 15 times.
MANY_RUNS: Final = 5000


class Tool(Protocol):
    """Measures from the moment it is made."""

    def __init__(self, omit: Sequence[str]) -> None:
        """Leave out the files that match any of some patterns."""

    def finish(self) -> Any:  # noqa: ANN401 - JSON
        """Return what has run, in the format that `coverage json` writes."""


class UsesSlipcover:
    """Instruments modules when they are imported."""

    def __init__(self, omit: Sequence[str]) -> None:
        from slipcover import FileMatcher, ImportManager, Slipcover  # noqa: PLC0415 - not on every machine
        from slipcover.importer import SlipcoverLoader  # noqa: PLC0415 - as above

        matcher = FileMatcher(sources=SOURCES, omit=omit)
        # Given the sources, it would instrument all files that are not imported too; the report looks for those.
        self._slipcover = slipcover = Slipcover(branch=True, exclude_also=LEFT_OUT, d_miss_threshold=MANY_RUNS)
        ImportManager(slipcover, matcher).__enter__()
        find_spec = importlib.util.spec_from_file_location

        def find_instrumented_spec(name: str, location: Any = None, **options: Any) -> ModuleSpec | None:  # noqa: ANN401
            """Instrument what is loaded from its file: kernels, once per game. SlipCover's wrapper breaks packages."""
            spec = find_spec(name, location, **options)
            if spec is not None and isinstance(spec.loader, SourceFileLoader) and matcher.matches(spec.origin):
                spec.loader = SlipcoverLoader(slipcover, spec.loader, str(spec.origin))
            return spec

        importlib.util.spec_from_file_location = find_instrumented_spec

    def finish(self) -> Any:  # noqa: ANN401 - JSON
        """Return what has run."""
        return self._slipcover.get_coverage()


class UsesCoverage:
    """Traces everything that runs."""

    def __init__(self, omit: Sequence[str]) -> None:
        from coverage import Coverage  # noqa: PLC0415 - not needed where SlipCover is installed

        self._coverage = Coverage(data_file=None, branch=True, source=SOURCES, omit=omit, config_file=False)
        for pattern in LEFT_OUT:
            self._coverage.exclude(pattern)
        self._coverage.start()

    def finish(self) -> Any:  # noqa: ANN401 - JSON
        """Return what has run."""
        self._coverage.stop()
        with tempfile.NamedTemporaryFile() as file:
            self._coverage.json_report(outfile=file.name)
            return json.load(file)


TOOLS: Final[Mapping[str, type[Tool]]] = {"slipcover": UsesSlipcover, "coverage": UsesCoverage}


# ---- the plugin


RUNNING: Final = pytest.StashKey[Tool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    parser.addoption("--coverage-file", type=Path, metavar="FILE", help="measure coverage and write it to this file")
    parser.addoption(
        "--coverage-omit", action="append", default=[], metavar="PATTERN", help="do not measure these files"
    )
    parser.addoption("--coverage-tool", choices=TOOLS, help="slipcover if it is installed, unless you choose another")


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Begin before anything of ours is imported."""
    options = early_config.known_args_namespace
    if options.coverage_file is not None:
        is_installed = importlib.util.find_spec("slipcover") is not None
        tool = TOOLS[options.coverage_tool or ("slipcover" if is_installed else "coverage")]
        early_config.stash[RUNNING] = tool(options.coverage_omit)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write what has run."""
    if (tool := config.stash.get(RUNNING, None)) is not None:
        config.getoption("--coverage-file").write_text(json.dumps(tool.finish()), encoding="utf-8")


# ---- the report


class UncoveredCode(NamedTuple):
    """What no test of a file runs."""

    lines: set[int]
    branches: set[tuple[int, int]]


def find_missing(runs: Iterable[Mapping[str, Any]]) -> dict[str, UncoveredCode]:
    """Return what is missing in every run, by file; files without anything missing are left out."""
    missing: dict[str, UncoveredCode] = {}
    for run in runs:
        for name, found in run["files"].items():
            lines, branches = set(found["missing_lines"]), {(start, end) for start, end in found["missing_branches"]}
            before = missing.setdefault(name, UncoveredCode(lines, branches))
            missing[name] = UncoveredCode(before.lines & lines, before.branches & branches)
    return {name: each for name, each in missing.items() if each.lines or each.branches}


def find_unmeasured(runs: Iterable[Mapping[str, Any]], root: Path = ROOT) -> list[str]:
    """Return the source files that no run has imported."""
    sources = {path.relative_to(root).as_posix() for folder in SOURCES for path in (root / folder).rglob("*.py")}
    return sorted(sources.difference(*(run["files"] for run in runs)))


def main(paths: list[Path]) -> int:
    """Print what is missing in all files together; return the exit code."""
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    missing, unmeasured = find_missing(runs), find_unmeasured(runs)
    for name in unmeasured:
        print(f"{name}: never imported")  # noqa: T201 - its output
    for name, each in sorted(missing.items()):
        places = [*map(str, sorted(each.lines)), *(f"{start}->{end}" for start, end in sorted(each.branches))]
        print(f"{name}: never run: {', '.join(places)}")  # noqa: T201 - its output
    files = {name: found for run in runs for name, found in run["files"].items()}
    lines, branches = (
        sum(len(found[f"executed_{kind}"]) + len(found[f"missing_{kind}"]) for found in files.values())
        for kind in ("lines", "branches")
    )
    is_complete = not (missing or unmeasured)
    share = "all are run" if is_complete else "some are never run"
    print(f"{lines:,} lines and {branches:,} branches of {len(files)} files: {share}.")  # noqa: T201 - its output
    return 0 if is_complete else 1


if __name__ == "__main__":
    sys.exit(main([Path(argument) for argument in sys.argv[1:]]))
