"""Shared set-up: Hypothesis profiles, and kernels that are compiled once, not by every test process.

Nothing of ours is imported at the top: coverage begins after this file was read, and would miss those lines.
"""

from __future__ import annotations

import fcntl
import gc
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import integers, lists, text

from tests.long_tests import read_long_tests

TRACER = pytest.StashKey[Any]()
STEPS = 60  # enough for a game to meet every kernel that costs time

# By default the same examples every time, whatever an earlier run has left and however busy the machine is;
# `make slow` looks for new ones.
settings.register_profile(
    "same",
    deadline=None,
    max_examples=50,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("new", deadline=None, max_examples=250, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")


# A process that a test starts would import the main program again: pytest, for longer than most of them run.
sys.modules["__main__"].__spec__ = None
vars(sys.modules["__main__"]).pop("__file__", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that take longest. What coverage does not count (`no_cover`) comes last.

    What that leaves in caches would be run nowhere else.
    """
    long_tests = read_long_tests()
    for item in items:
        if item.nodeid in long_tests:
            item.add_marker("long")
    items.sort(key=lambda item: item.get_closest_marker("no_cover") is not None)


# ---- coverage is counted in test modules, fixtures and tests alone: tracing pytest itself would double its time


@contextmanager
def trace_with(tracer: Any) -> Iterator[None]:  # noqa: ANN401 - whatever `sys.gettrace` returns
    """Trace this thread with `tracer`, or not at all if it is None, and then as before."""
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        yield
    finally:
        sys.settrace(before)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Keep the tracer that counts coverage, if there is one, and collect without it.

    What is imported and collected stays: searching it for garbage would take a fifth of the time now, a tenth later.
    """
    session.config.stash[TRACER] = sys.gettrace()
    gc.disable()
    try:
        with trace_with(None):
            result = yield
            if session.config.stash[TRACER] is not None:
                _draw_examples()
            return result
    finally:
        gc.freeze()
        gc.enable()


def _draw_examples() -> None:
    """Draw examples once untraced: before the first ones Hypothesis parses our sources, to draw their constants too.

    It also lists all characters of Unicode. Inside the first test that draws something both would be traced, which
    takes six times as long.
    """

    @settings(max_examples=5, phases=[Phase.generate])
    @given(lists(integers(), min_size=100), text(max_size=20))
    def draw(numbers: list[int], _: str) -> None:
        assert numbers

    draw()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, object, object]:
    """Import a test module traced: it imports what it tests."""
    if isinstance(collector, pytest.Module):
        with trace_with(collector.config.stash[TRACER]):
            try:
                _ = collector.obj
            except Exception:  # noqa: BLE001 - reported when the module is imported again
                _forget_module(collector.path)
    return (yield)


def _forget_module(path: Path) -> None:
    """Drop a module that was not imported to its end: the next import would find it and report nothing."""
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) == str(path):
            del sys.modules[name]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Trace nothing of pytest's own work."""
    item.config.stash[TRACER] = tracer = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        if sys.gettrace() is None:  # else pytest-cov has installed another, after a test marked `no_cover`
            sys.settrace(tracer)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_fixture_setup(request: pytest.FixtureRequest) -> Generator[None, object, object]:
    """Trace fixtures."""
    with trace_with(request.config.stash[TRACER]):
        return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Trace tests, but those marked `no_cover`: in a process of xdist, pytest-cov stops one of two tracers."""
    marked = item.get_closest_marker("no_cover") is not None
    with trace_with(None if marked else item.config.stash[TRACER]):
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Where several processes test compiled rules, each compiles other games first and waits for the rest.

    Machine code is cached on disk, where later processes find it.
    """
    from realmtable.engine import registry  # noqa: PLC0415 - see above
    from realmtable.kit.compile import is_compiling  # noqa: PLC0415 - see above

    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if not worker or not is_compiling():
        return
    shared = tmp_path_factory.getbasetemp().parent  # by all processes of this run
    order = -1 if int(worker.removeprefix("gw")) % 2 else 1
    games = [info.id for info in registry.infos()[::order]]
    busy = [game_id for game_id in games if not _try_compile(shared, game_id)]
    for game_id in busy:
        with _lock_path(shared, game_id).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)


def _lock_path(shared: Path, game_id: str) -> Path:
    return shared / f"{game_id}.lock"


def _try_compile(shared: Path, game_id: str) -> bool:
    """Compile a game's kernels, or find them on disk; False where another process is at it."""
    with _lock_path(shared, game_id).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        _load_kernels(game_id)
        return True


def _load_kernels(game_id: str) -> None:
    from realmtable.engine import registry  # noqa: PLC0415 - see above
    from realmtable.engine.protocol import player_seats  # noqa: PLC0415 - see above
    from realmtable.search.random_games import play_out  # noqa: PLC0415 - see above

    game = registry.game(game_id)
    state = game.initial(game.info.seats[0])
    play_out(game, state, [1])
    for _ in range(STEPS):
        if not (acting := player_seats(game.to_move(state))):
            break
        state = game.play(state, acting[0], game.legal_moves(state, acting[0])[-1])
    game.draw(game.view(state, None))
