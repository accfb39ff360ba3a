"""`realmtable bench`: measure speed on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from realmtable.cli.command_helpers import game_argument, measuring_flags, options_from_flags, start_state
from realmtable.engine import registry


@click.group("bench")
def command() -> None:
    """Measure speed on this machine. `make bench` measures the figures that the project publishes."""


@command.command("playouts")
@game_argument
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=5.0, show_default=True, help="Duration.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="Number of threads.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
@measuring_flags
def playouts(  # noqa: PLR0913 - one argument for each flag
    *,
    game_id: str,
    seconds: float,
    threads: int,
    seed: int,
    players: int | None,
    as_json: bool,
    pairs: tuple[str, ...],
    preset: str | None,
    options_file: Path | None,
) -> None:
    """Play random games of GAME and print games and steps per second, length, branching and outcomes."""
    from realmtable.search.playout_speed import measure_playouts  # noqa: PLC0415 - keeps --help fast

    game = registry.game(game_id)
    state = start_state(game, options_from_flags(game_id, pairs, preset, options_file), None, players)
    with click.progressbar(length=1000, label="Playing", show_pos=False, hidden=as_json) as bar:
        figures = measure_playouts(
            game,
            state,
            seconds=seconds,
            threads=threads,
            seed=seed,
            on_progress=lambda share: bar.update(int(share * 1000) - bar.pos),
        ).as_dict()
        bar.update(1000 - bar.pos)
    click.echo(json.dumps({"game": game_id, **figures}) if as_json else _format_figures(figures))


def _format_figures(figures: dict[str, Any]) -> str:
    outcomes = figures["outcomes"]
    games = figures["games"]
    lines = [
        f"{figures['playouts_per_s']:,.0f} games/s, {figures['steps_per_s']:,} steps/s, {figures['threads']} threads",
        f"{figures['steps_per_game']} steps and {figures['turns_per_game']} turns per game",
        f"{figures['branching']} choices per step",
    ]
    for name, counts in outcomes.items():
        shares = ", ".join(f"{key} {count / games:.1%}" for key, count in counts.items())
        lines.append(f"{name}: {shares}  ({games:,} games)")
    return "\n".join(lines)
