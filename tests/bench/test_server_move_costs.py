"""The processor time and the calls of a move, measured in one process."""

from __future__ import annotations

import os
import re
import subprocess
import sys


def test_a_short_run_counts_the_calls_of_moves() -> None:
    command = [sys.executable, "-m", "bench.server_move_costs", "--tables", "2", "--moves", "20", "--calls"]
    environment = {**os.environ, "REALMTABLE_COMPILE": "0"}
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True, env=environment)  # noqa: S603 - our own
    time_line, garbage_line, calls_line, *lines = run.stdout.splitlines()
    assert re.fullmatch(r"\d+ µs per move in the event loop, \d+ µs in all threads", time_line)
    garbage = re.fullmatch(r"(\d+\.\d) objects per move are left to the garbage collector", garbage_line)
    assert garbage is not None
    assert float(garbage[1]) < 2, "requests must not refer to themselves: each left 8 objects"
    found = re.fullmatch(r"(\d+) calls per move", calls_line)
    assert found is not None
    assert 300 < int(found[1]) < 2_000
    per_move = {name: float(times) for times, name in (line.strip().split(" ", 1) for line in lines)}
    assert per_move["built in: len"] > 10
    assert sum(per_move.values()) <= int(found[1]) + 1
