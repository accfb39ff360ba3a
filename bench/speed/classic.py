"""Measure Classic Realm's speed against a hand-written C program with 16-bit masks and the same rules."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import realmtable
from bench.measure import Row, compare, format_rate, measure_interpreted_playouts
from realmtable.search.playout_speed import measure_playouts

SOURCE = Path(__file__).with_name("classic_realm.c")


def rows(seconds: float) -> list[Row]:
    """Measure random games per second: compiled kernels against C and against the same code interpreted."""
    game = realmtable.game("classic_realm")
    ours = measure_playouts(game, game.initial(), seconds=seconds).as_dict()
    interpreted = measure_interpreted_playouts("classic_realm", seconds)
    claim = "random playouts, compiled, 1 thread (games/s)"
    rate = ours["playouts_per_s"]
    found = [compare(claim, rate, "the same code interpreted", interpreted["playouts_per_s"])]
    in_c = measure_c(seconds)
    if in_c is None:
        return [*found, Row(claim, format_rate(rate), "C (no compiler here)", "–", "–")]
    return [
        *found,
        compare(claim, rate, "C with 16-bit masks, -O3", in_c["playouts_per_s"]),
        compare("steps per game", ours["steps_per_game"], "C", in_c["steps_per_game"]),
    ]


def measure_c(seconds: float) -> dict[str, Any] | None:
    """Compile and run the C program; return None if there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "classic_realm")
        subprocess.run([compiler, "-O3", "-o", program, str(SOURCE)], check=True)  # noqa: S603 - our own source
        result = subprocess.run([program, str(seconds)], capture_output=True, text=True, check=True)  # noqa: S603
    figures: dict[str, Any] = json.loads(result.stdout)
    return figures
