"""The lock file of what checks the scripts of the pages, next to Python's."""

from __future__ import annotations

import json
from pathlib import Path

LOCK = Path(__file__).parents[2] / "package-lock.json"


def test_packages_are_pinned_by_their_content_and_no_registry_is_named() -> None:
    text = LOCK.read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    assert [name for name, package in packages.items() if name and "integrity" not in package] == []
    assert "://" not in text
