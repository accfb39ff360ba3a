"""The tests that take longest: `make test` leaves them out, `make full` runs them too.

long_tests.txt lists them. To measure some tests and bring their part of the list up to date, run them with this plugin:

    export REALMTABLE_COMPILE=0
    .venv/bin/python -m pytest -n 0 -p tests.long_tests --update-long-tests -m "not slow" tests/server

Tests that show that nobody receives secrets, and those of imports, are listed only if they take very long.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Final

import pytest

LIST: Final = Path(__file__).with_name("long_tests.txt")
LONG: Final = 0.3  # seconds of processor time
# Limits of their own: tests of secrets, and those of imports, which every change can break.
KEPT: Final = {
    "tests/server/hidden_information/": 3.0,
    "tests/magic_realm/test_view.py": 3.0,
    "tests/test_architecture.py": 10.0,
}
TIMES: Final = pytest.StashKey[dict[str, float]]()


def read_long_tests(path: Path = LIST) -> frozenset[str]:
    """Return the ids of the tests that take longest."""
    return frozenset(path.read_text(encoding="utf-8").splitlines())


def update_list(path: Path, times: Mapping[str, float]) -> None:
    """Bring the list up to date with the times of some tests; others stay as they are."""
    kept = read_long_tests(path) - times.keys()
    lines = sorted(kept | {name for name, seconds in times.items() if is_long(name, seconds)})
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def is_long(name: str, seconds: float) -> bool:
    """Whether a test takes too long for `make test`.

    >>> is_long("tests/engine/test_x.py::test_y", 0.6), is_long("tests/server/hidden_information/test_x.py::y", 1)
    (True, False)
    """
    return seconds > next((limit for start, limit in KEPT.items() if name.startswith(start)), LONG)


def measure_processor_time() -> float:
    """Return the seconds of processor time of this process and of those it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


# ---- the plugin


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--update-long-tests", action="store_true", help="update the list of tests that take longest")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure a test with its fixtures."""
    before = measure_processor_time()
    result = yield
    item.config.stash.setdefault(TIMES, {})[item.nodeid] = measure_processor_time() - before
    return result


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Update the list, if that is asked for."""
    if session.config.getoption("--update-long-tests"):
        times = session.config.stash.setdefault(TIMES, {})
        update_list(LIST, times)
