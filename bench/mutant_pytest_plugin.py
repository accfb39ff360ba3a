"""A pytest plugin that notes for `bench.mutants` how each test ended and how long it took."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Note the tests of all processes in the one that started them."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Notes(Path(os.environ["MUTANT_NOTES"])))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count what is marked `no_cover` too: it is left out elsewhere to save time, and may well notice a mutant."""
    for node in {node for item in items for node in item.listchain()}:
        node.own_markers[:] = [mark for mark in node.own_markers if mark.name != "no_cover"]


class Notes:
    """Writes a line for every part of a test: its name, how it ended, and the seconds."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the set-up, the test itself or the tearing down."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([report.nodeid, report.outcome, report.duration]) + "\n")
