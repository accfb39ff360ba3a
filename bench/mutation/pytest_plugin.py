"""A pytest plugin that records each test's outcome and duration for `bench.mutation`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Record the tests of all workers in the controlling process."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Notes(Path(os.environ["MUTANT_NOTES"])))


class Notes:
    """Writes a line for every phase of a test: its name, outcome and duration."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the set-up, the test itself or the teardown."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([report.nodeid, report.outcome, report.duration]) + "\n")
