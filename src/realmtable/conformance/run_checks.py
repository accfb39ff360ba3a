"""Runs the checks of a game through pytest, inside this process and without its output."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final, NamedTuple
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings

from realmtable.conformance import collected_checks
from realmtable.conformance.checks import checks_for
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, Tier

PROFILE: Final = "realmtable_check_game"
# The same examples each time, whatever the folder of the caller configures.
ARGUMENTS: Final = ("--noconftest", "-c", os.devnull, "-p", "no:cacheprovider", "-p", "no:terminal")
settings.register_profile(
    PROFILE, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)


class Result(NamedTuple):
    """The result of a check; the report says why it failed."""

    name: str
    passed: bool
    report: str


class _GamePlugin:
    """Gives the collected test its game and checks, and gathers and passes on the results."""

    def __init__(self, game: AnyGame, tier: Tier, on_result: Callable[[Result], None]) -> None:
        self.game = game
        self.checks = checks_for(game, tier)
        self.on_result = on_result
        self.results: list[Result] = []

    def pytest_configure(self, config: pytest.Config) -> None:
        self.capture = config.pluginmanager.getplugin("capturemanager")

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        cases = [(self.game, check) for check in self.checks]
        metafunc.parametrize(("game", "check"), cases, ids=map(str, self.checks))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.failed:
            name = self.checks[len(self.results)].name
            self.results.append(Result(name, report.passed, report.longreprtext))
            with self.capture.global_and_fixture_disabled():  # what a game prints is not shown
                self.on_result(self.results[-1])


def run_checks(game: AnyGame, tier: Tier, on_result: Callable[[Result], None] = lambda _: None) -> list[Result]:
    """Return the result of every check that a game of a tier must pass; `on_result` receives each at once.

    Raises BadInput, which names the check, if the user interrupts it.
    """
    plugin = _GamePlugin(game, tier, on_result)
    settings.load_profile(PROFILE)  # for the rest of this process
    with mock.patch.dict(os.environ, {"PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}):
        code = pytest.main([*ARGUMENTS, str(collected_checks.__file__)], plugins=[plugin])
    if code == pytest.ExitCode.INTERRUPTED:  # by the user, perhaps because a game never ends
        name = plugin.checks[len(plugin.results)].name.replace("_", " ")
        raise BadInput(f"Interrupted in the check: {name}.")
    if len(plugin.results) != len(plugin.checks):
        raise RuntimeError(f"pytest ran {len(plugin.results)} of {len(plugin.checks)} checks and ended with {code!r}.")
    return plugin.results
