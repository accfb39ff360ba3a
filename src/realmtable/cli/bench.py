"""`realmtable bench`: how fast is it here?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from realmtable.cli.shared import game_argument, measuring_flags, options_from_flags, start_state
from realmtable.engine import registry


@click.group("bench")
def command() -> None:
    """Measure speed on this machine. The claims of the project are measured by `make bench`."""


@command.command("playouts")
@game_argument
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=5.0, show_default=True, help="How long.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="How many at once.")
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same games.")
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
    """Play random games of GAME to their end: games and steps per second, length, branching and how they end."""
    from realmtable.search.playouts import measure_playouts  # noqa: PLC0415 - the help text need not wait for it

    game = registry.game(game_id)
    state = start_state(game, options_from_flags(game_id, pairs, preset, options_file), None, players)
    if as_json:
        figures = measure_playouts(game, state, seconds=seconds, threads=threads, seed=seed).as_dict()
        click.echo(json.dumps({"game": game_id, **figures}))
        return
    with click.progressbar(length=1000, label="Playing", show_pos=False) as bar:
        figures = measure_playouts(
            game,
            state,
            seconds=seconds,
            threads=threads,
            seed=seed,
            tell=lambda share: bar.update(int(share * 1000) - bar.pos),
        ).as_dict()
        bar.update(1000 - bar.pos)
    click.echo(_format_figures(figures))


def _format_figures(figures: dict[str, Any]) -> str:
    outcomes = figures["outcomes"]
    games = figures["games"]
    lines = [
        f"{figures['playouts_per_s']:,.0f} games/s, {figures['steps_per_s']:,} steps/s, {figures['threads']} threads",
        f"{figures['steps_per_game']} steps and {figures['turns_per_game']} turns a game",
        f"{figures['branching']} choices a step",
    ]
    for name, counts in outcomes.items():
        shares = ", ".join(f"{key} {count / games:.1%}" for key, count in counts.items())
        lines.append(f"{name}: {shares}  ({games:,} games)")
    return "\n".join(lines)
