"""The lock files: pip installs from them whatever is released later."""

from __future__ import annotations

import re
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = sorted(ROOT.glob("requirements*.lock"))


def read_lock(path: Path) -> dict[str, set[str]]:
    """Return the extras of each package in a lock file."""
    lines = re.findall(r"^[\w.-]+(?:\[.*?\])?==\S+", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {canonicalize_name(pinned.name): pinned.extras for pinned in map(Requirement, lines)}


def find_needed_extras(locked: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return which extras the locked packages need of each other, as far as they are installed here."""
    needed: dict[str, set[str]] = {}
    for found in distributions():
        name = canonicalize_name(found.metadata["Name"])
        for text in found.requires or []:
            wanted = Requirement(text)
            extras = ["", *locked.get(name, ())]
            applies = wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in extras)
            if name in locked and applies:
                needed.setdefault(canonicalize_name(wanted.name), set()).update(wanted.extras)
    return needed


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_packages_are_locked_with_their_extras(path: Path) -> None:
    """For an extra of a package that is locked without it, pip looks at newer versions, which have no hashes."""
    locked = read_lock(path)
    needed = find_needed_extras(locked)
    assert {name: extras - locked[name] for name, extras in needed.items() if extras - locked.get(name, set())} == {}


def test_missing_extras_would_be_noticed() -> None:
    locked = read_lock(ROOT / "requirements-dev.lock")
    assert "toml" in find_needed_extras(locked)["coverage"]
    assert locked["coverage"] == {"toml"}


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_no_lock_file_names_an_index(path: Path) -> None:
    assert "://" not in path.read_text(encoding="utf-8")
