"""Steps per second of Realms of Etherium from Python, compiled and interpreted: `python -m bench.etherium`.

A step is what a table or a plain search does for one: `legal_moves`, or `chance`, and `play` through the game object.
The interpreted run happens in a second process on the same games, so that the ratio does not depend on the machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from random import Random
from typing import Final

import click

from realmtable.engine import registry
from realmtable.engine.protocol import CHANCE
from realmtable.kit.compile import is_compiling

GAME: Final = "realms_of_etherium"
WARM_UP_STEPS: Final = 2_000


def play_random_steps(seats: int, seed: int, limit: int) -> tuple[int, float]:
    """Play random steps, in several games if need be; return their number and the processor time."""
    game, rng = registry.game(GAME), Random(seed)
    state, played = game.initial(seats), 0
    start = time.process_time()
    while played < limit:
        acting = game.to_move(state)
        if not acting:
            state = game.initial(seats)
            continue
        outcomes = game.chance(state) if acting == (CHANCE,) else []
        moves = [outcome.move for outcome in outcomes] or game.legal_moves(state, acting[0])
        state = game.play(state, acting[0], rng.choice(moves))
        played += 1
    return played, time.process_time() - start


def measure_rate(seats: int, limit: int) -> float:
    """Return the steps per second, after a warm-up that compiles and fills caches."""
    play_random_steps(seats, 1, min(limit, WARM_UP_STEPS))
    played, seconds = play_random_steps(seats, 2, limit)
    return played / seconds


def measure_interpreted(seats: int, limit: int) -> float:
    """Return the interpreted rate, measured in another process."""
    command = [sys.executable, "-m", "bench.etherium", "--seats", str(seats), "--steps", str(limit), "--plain"]
    run = subprocess.run(  # noqa: S603 - this module
        command, env={**os.environ, "REALMTABLE_COMPILE": "0"}, capture_output=True, text=True, check=True
    )
    return float(run.stdout)


@click.command(help=__doc__)
@click.option("--seats", default=4, show_default=True, type=click.IntRange(2, 6))
@click.option("--steps", default=50_000, show_default=True, type=click.IntRange(1))
@click.option("--plain", is_flag=True, help="Print only the steps per second of this process.")
def main(seats: int, steps: int, *, plain: bool) -> None:
    """Measure and print the rates."""
    rate = measure_rate(seats, steps)
    if plain:
        click.echo(f"{rate:.0f}")
        return
    interpreted = measure_interpreted(seats, max(1, steps // 20))
    kind = "compiled" if is_compiling() else "not compiled"
    click.echo(
        f"{seats} seats: {rate:,.0f} steps/s {kind}, {interpreted:,.0f} interpreted, {rate / interpreted:.1f} : 1"
    )


if __name__ == "__main__":
    main()
