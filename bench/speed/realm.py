"""Measure Realm's speed: compiled, interpreted, the slow twin, threads, and calls from Python."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from typing import Any

import realmtable
from bench.measure import (
    Row,
    compare,
    find_command,
    measure_interpreted_playouts,
    measure_rate,
    median_seconds,
    run_in_process,
)
from realmtable.search.playout_speed import measure_playouts
from tests.realm.twin import Twin, TwinOptions

FIRST_PLAYOUT = """
import json, time
start = time.perf_counter()
import realmtable
game = realmtable.game("realm")
game.playouts(game.initial(), [1])
print(json.dumps(time.perf_counter() - start))
"""


def rows(seconds: float) -> list[Row]:
    """Measure every claim about Realm."""
    game = realmtable.game("realm")
    one = measure_playouts(game, game.initial(), seconds=seconds).as_dict()["steps_per_s"]
    two = measure_playouts(game, game.initial(), seconds=seconds, threads=2).as_dict()["steps_per_s"]
    interpreted = measure_interpreted_playouts("realm", seconds)["steps_per_s"]
    twin = measure_rate(play_twin_game, seconds)
    through_python = measure_rate(make_protocol_replay(game), seconds)
    return [
        compare("random playouts, compiled, 1 thread (steps/s)", one, "the same code interpreted", interpreted),
        compare("random playouts, compiled, 1 thread (steps/s)", one, "the independent slow twin", twin),
        compare("random playouts, compiled, 2 threads (steps/s)", two, "1 thread", one),
        compare("`play` + `legal_moves` from Python (steps/s)", through_python, "the independent slow twin", twin),
        *start_up_rows(),
    ]


def start_up_rows() -> list[Row]:
    """Measure how long commands and the first compiled game take to start."""
    command = find_command()
    listing = median_seconds(lambda: subprocess.run([command, "games"], capture_output=True, check=True))  # noqa: S603
    bare = median_seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    with tempfile.TemporaryDirectory() as folder:
        cold = run_in_process(FIRST_PLAYOUT, NUMBA_CACHE_DIR=folder)
        warm = run_in_process(FIRST_PLAYOUT, NUMBA_CACHE_DIR=folder)
    return [
        compare("cold start of `realmtable games` (s)", listing, "the bare interpreter", bare),
        compare("first compiled game, cache on disk (s)", warm, "compiling everything first", cold),
    ]


def play_twin_game() -> int:
    """Play a random game with the slow twin and return its number of steps."""
    rng = random.Random(1)
    twin = Twin.initial(TwinOptions(max_turns=60))
    steps = 0
    while choices := [step for step in twin.steps() if step not in {"offer", "accept"}]:
        twin = twin.play(rng.choice(choices))
        steps += 1
    return steps


def make_protocol_replay(game: Any) -> Any:  # noqa: ANN401 - a game and a closure over it
    """Return a function that replays a random game through the protocol, listing the legal steps before each step."""
    rng = random.Random(1)
    state, script = game.initial(), []
    while acting := game.to_move(state):
        move = rng.choice(game.legal_moves(state, acting[0]))
        script.append((acting[0], move))
        state = game.play(state, acting[0], move)

    def play() -> int:
        state = game.initial()
        for seat, move in script:
            game.legal_moves(state, seat)
            state = game.play(state, seat, move)
        return len(script)

    return play
