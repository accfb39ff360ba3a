"""Measure what each level of Fantasy Realms scores at tables of three, and write a page with the figures.

    python -m studies.fantasy_bots.levels --hands 2000 --write

All three seats are of the same level, and every level plays the same deals. The hands of a game are not independent, so
the 95% intervals are over games. A run that was stopped continues where it ended; `--levels` chooses what to play.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import fmean, quantiles, stdev
from typing import Any, Final

import click

from realmtable.lab.jobs.job_runner import run_in_order
from realmtable.lab.jobs.local_runner import LocalRunner
from realmtable.lab.match_statistics import Z
from realmtable.search.bot_levels import levels
from studies.fantasy_bots.strength import play_game

GAME: Final = "fantasy_realms"
SEATS: Final = 3
RESULTS: Final = Path(__file__).with_name("levels.jsonl")
PAGE: Final = Path(__file__).with_name("levels.md")
TENTHS: Final = 10

Game = dict[str, Any]  # a line of the results: level, deal, points and turns


def play(level: str, seed: int, deal: int) -> Game:
    """Play a deal with three bots of a level."""
    result = play_game(GAME, [level] * SEATS, None, deal, seed)
    return {"level": level, "deal": deal, "points": [int(points) for points in result.points], "turns": result.turns}


def read_games(path: Path) -> list[Game]:
    """Read the games played so far; a line left unfinished by a crash is ignored."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def play_missing_games(path: Path, level: str, games: int, seed: int, workers: int) -> None:
    """Play the deals of a level that have not been played, and append them to the results."""
    done = {game["deal"] for game in read_games(path) if game["level"] == level}
    missing = [deal for deal in range(games) if deal not in done]
    with path.open("a", encoding="utf-8") as file:
        for game in run_in_order(LocalRunner(workers), partial(play, level, seed), missing):
            file.write(json.dumps(game) + "\n")
            file.flush()


def make_page(games: Sequence[Game], command: str) -> str:
    """Return the page with the figures of all levels that have been played."""
    from realmtable.games.fantasy_realms import INFO  # noqa: PLC0415 - the page alone needs it

    rows = []
    for level in levels(INFO):
        own = [game for game in games if game["level"] == level.name]
        if len(own) > 1:
            rows.append(format_row(level.label, own))
    return f"""# What the levels of Fantasy Realms score

Made by `{command}`: tables of three with the standard rules, all three seats of the same level,
every level with the same deals. The 95% intervals are over games, because the hands of a game are not independent.

| level | hands | mean | 95% | one hand in ten is below | one in ten is above | turns of a game |
|---|---:|---:|---:|---:|---:|---:|
{chr(10).join(rows)}

A hand dealt at random is worth 96 on average ([random hands](../fantasy_hands/hands.md#random-hands)); a first-time
player scores roughly 100 to 130. Points at tables of equals are not strength: the strongest end the game when they lead
([the bots](bots.md#how-strong-they-are)).
"""


def format_row(label: str, games: Sequence[Game]) -> str:
    """Return a level's row of the table."""
    points = [points for game in games for points in game["points"]]
    error = Z * stdev([fmean(game["points"]) for game in games]) / len(games) ** 0.5
    deciles = quantiles(points, n=TENTHS)
    turns = fmean(game["turns"] for game in games)
    mean = fmean(points)
    return (
        f"| {label} | {len(points):,} | {mean:.1f} | {mean - error:.1f} to {mean + error:.1f} "
        f"| {deciles[0]:.0f} | {deciles[-1]:.0f} | {turns:.1f} |"
    )


@click.command()
@click.option(
    "--hands", type=click.IntRange(2 * SEATS), default=2000, show_default=True, help="Final scores per level."
)
@click.option("--levels", "numbers", default="1,2,3,4,5,6,7,8", show_default=True, help="The levels to play.")
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, help="Where games are kept.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes.")
@click.option("--seed", type=int, default=7, show_default=True, help="Seed of all chance.")
@click.option("--write", is_flag=True, help="Write the page instead of printing it.")
def main(hands: int, numbers: str, results: Path, workers: int, seed: int, *, write: bool) -> None:
    """Measure what each level scores at tables of three."""
    for number in numbers.split(","):
        play_missing_games(results, f"level{int(number)}", -(-hands // SEATS), seed, workers)
    page = make_page(read_games(results), f"python -m studies.fantasy_bots.levels --hands {hands} --seed {seed}")
    if write:
        PAGE.write_text(page, encoding="utf-8")
    else:
        click.echo(page)


if __name__ == "__main__":
    main()
