"""Shared set-up: Hypothesis profiles, and kernels that are compiled once, not by every test process."""

from __future__ import annotations

import fcntl
import gc
import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from realmtable.engine import registry
from realmtable.engine.protocol import player_seats
from realmtable.kit.compile import is_compiling
from realmtable.search.playout_speed import play_out

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


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without searching for garbage.

    What is imported and collected stays: searching it would take a fifth of the time now, a tenth later.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(20_000, 20, 20)  # by default, searching for garbage takes a tenth of the time


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Where several processes test compiled rules, each compiles other games first and waits for the rest.

    Machine code is cached on disk, where later processes find it.
    """
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
    game = registry.game(game_id)
    state = game.initial(game.info.seats[0])
    play_out(game, state, [1])
    for _ in range(STEPS):
        if not (acting := player_seats(game.to_move(state))):
            break
        state = game.play(state, acting[0], game.legal_moves(state, acting[0])[-1])
    game.draw(game.view(state, None))
