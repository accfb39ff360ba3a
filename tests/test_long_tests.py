"""The list of the tests that take longest: it is up to date, and a run can update it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.long_tests import LIST, is_long, read_long_tests, update_list

ROOT = Path(__file__).parents[1]


def find_test(name: str) -> bool:
    """Whether a file has a test of this id; its parameters are not checked."""
    file, _, inner = name.partition("::")
    path = ROOT / file
    outer = inner.partition("[")[0].split("::")[0]  # a function, or a class that may get its tests from another
    return path.is_file() and bool(re.search(rf"\b{outer}\b", path.read_text(encoding="utf-8")))


def test_everything_listed_exists() -> None:
    assert [name for name in read_long_tests() if not find_test(name)] == []


def test_a_test_that_is_gone_is_found() -> None:
    assert find_test("tests/test_long_tests.py::test_everything_listed_exists")
    assert not find_test("tests/engine/test_record.py::test_of_yesterday[1]")
    assert not find_test("tests/test_yesterday.py::test_everything_listed_exists")


def test_the_list_is_sorted_and_short() -> None:
    lines = LIST.read_text(encoding="utf-8").splitlines()
    assert lines == sorted(set(lines))
    assert 100 < len(lines) < 600  # or it would decide nothing, or leave out too much


def test_only_tests_that_ran_are_updated(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("tests/a.py::test_old\ntests/a.py::test_quick_now\n", encoding="utf-8")
    update_list(path, {"tests/a.py::test_quick_now": 0.1, "tests/a.py::test_new": 0.9, "tests/a.py::test_short": 0.2})
    assert read_long_tests(path) == {"tests/a.py::test_old", "tests/a.py::test_new"}


@pytest.mark.parametrize(("folder", "expected"), [("tables", True), ("hidden_information", False)])
def test_tests_of_secrets_may_take_longer(folder: str, expected: bool) -> None:
    assert is_long(f"tests/server/{folder}/test_a.py::test_b", 2.0) == expected


def test_listed_tests_are_marked(request: pytest.FixtureRequest) -> None:
    marked = {item.nodeid for item in request.session.items if item.get_closest_marker("long")}
    assert marked == {item.nodeid for item in request.session.items} & read_long_tests()
