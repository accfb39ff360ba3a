"""The lock files name everything that is installed, because pip installs nothing else."""

from __future__ import annotations

import re
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = sorted(ROOT.glob("requirements*.lock"))
NEEDS: dict[str, list[str]] = {
    canonicalize_name(found.metadata["Name"]): found.requires or [] for found in distributions()
}


def read_lock(path: Path) -> set[str]:
    """Return the packages that a lock file names."""
    lines = re.findall(r"^[\w.-]+==\S+", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {canonicalize_name(Requirement(line).name) for line in lines}


def find_missing(locked: set[str]) -> set[str]:
    """Return which packages the locked ones need on this machine, extras included, that are not locked."""
    seen: set[tuple[str, str]] = set()
    to_visit = [(name, "") for name in locked & NEEDS.keys()]
    while to_visit:
        name, extra = to_visit.pop()
        seen.add((name, extra))
        for needed in map(Requirement, NEEDS.get(name, [])):
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                found = {(canonicalize_name(needed.name), wanted) for wanted in {"", *needed.extras}}
                to_visit += found - seen
    return {name for name, _ in seen} - locked


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_a_lock_names_all_that_its_packages_need(path: Path) -> None:
    shared = read_lock(ROOT / "requirements.lock") | read_lock(ROOT / "requirements-build.lock")  # installed together
    assert find_missing(read_lock(path) | shared) == set()


def test_a_missing_package_is_noticed() -> None:
    locked = read_lock(ROOT / "requirements-dev.lock") | read_lock(ROOT / "requirements-build.lock")
    assert find_missing(locked - {"greenlet"}) == {"greenlet"}  # greenlet is needed by an extra of SQLAlchemy


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_no_lock_file_names_an_index(path: Path) -> None:
    assert "://" not in path.read_text(encoding="utf-8")
