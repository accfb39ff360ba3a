"""Helpers for measuring rates and times, always against a named peer in the same run."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """A row of the table."""

    claim: str
    figure: str
    peer: str
    peer_figure: str
    ratio: str


def measure_rate(work: Callable[[], int], seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return units of work per second over at least `seconds`; `work` does some work and returns how much.

    With `time.process_time` as the clock, rates are per second of processor time, which depends less on other programs.
    """
    work()  # compile and warm up
    done = 0
    start = clock()
    while (passed := clock() - start) < seconds:
        done += work()
    return done / passed


def median_seconds(work: Callable[[], object], runs: int = 7) -> float:
    """Return the median duration of a few runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def run_in_process(code: str, **environment: str) -> Any:  # noqa: ANN401 - whatever the code prints as JSON
    """Run code in a new interpreter with these environment variables, and return the JSON it prints."""
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)  # noqa: S603
    return json.loads(result.stdout)


def format_rate(number: float) -> str:
    """Format a rate with thousands separators, or with decimals if it is small."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.2f}"
