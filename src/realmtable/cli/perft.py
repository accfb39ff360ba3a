"""`realmtable perft`: count the step sequences of a given length."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from realmtable.cli.command_helpers import game_argument, measuring_flags, options_from_flags, start_state
from realmtable.engine import perft as counting
from realmtable.engine import registry

MAX_DEPTH = 12


@click.command("perft")
@game_argument
@click.option("--depth", type=click.IntRange(0, MAX_DEPTH), required=True, help="Number of steps.")
@click.option("--divide", is_flag=True, help="Print a count for each first step.")
@click.option("--position", help="Count from this position instead; it includes its options.")
@measuring_flags
def command(  # noqa: PLR0913 - one argument for each flag
    *,
    game_id: str,
    depth: int,
    divide: bool,
    position: str | None,
    players: int | None,
    as_json: bool,
    pairs: tuple[str, ...],
    preset: str | None,
    options_file: Path | None,
) -> None:
    """Count the step sequences of a given length in GAME. Programs with the same rules get the same number.

    \b
    For example
      realmtable perft realm --depth 6
      realmtable perft realm --depth 3 --divide --option powers=4
    """  # noqa: D301 - Click needs the literal \b
    game = registry.game(game_id)
    state = start_state(game, options_from_flags(game_id, pairs, preset, options_file), position, players)
    start = time.perf_counter()
    parts = counting.divide(game, state, depth) if divide and depth else {}
    total = sum(parts.values()) if parts else counting.perft(game, state, depth)
    seconds = time.perf_counter() - start
    if as_json:
        click.echo(json.dumps({"game": game_id, "depth": depth, "count": total, "divide": parts}))
        return
    for text, number in parts.items():
        click.echo(f"{text:<16}{number:>16,}")
    click.echo(f"{total:,} sequences of {depth} steps, counted in {seconds:.2f} s.")
