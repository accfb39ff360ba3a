"""Measure the strength of bots in games for several players with rotating seats.

    python -m studies.fantasy_bots.strength --bots level8,greedy,greedy,greedy --games 1000
    python -m studies.fantasy_bots.strength --bots level8,level8,level8,level8     # points in self-play
    python -m studies.fantasy_bots.strength --bots level8,random                   # the two-player game
    python -m studies.fantasy_bots.strength --game realms_of_etherium --bots level8,greedy --games 40

Every deal is played once per seat, with the bots moved on by one seat each time, so that neither the cards nor the
first turn favour a bot. A win shared by n players counts 1/n for each. The intervals are 95% intervals: over deals for
points, and Wilson's for wins, with a deal counted as one game.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

import click

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.engine.match import Match
from realmtable.engine.protocol import player_seats
from realmtable.lab.jobs.job_runner import run_in_order
from realmtable.lab.jobs.local_runner import LocalRunner
from realmtable.lab.match_statistics import Z, wilson
from realmtable.search.bot_levels import make_bot

PROGRESS_EVERY_S: Final = 10.0


class GameResult(NamedTuple):
    """A game: the bots, points and shares of the win by seat, and the number of turns."""

    bots: tuple[str, ...]
    points: tuple[float, ...]
    wins: tuple[float, ...]
    turns: int


class Figures(NamedTuple):
    """A bot's figures with their margins of error."""

    bot: str
    seats: int
    points: float
    points_error: float
    wins: float  # share of games won, per seat
    wins_low: float
    wins_high: float
    par: float  # the share that equal players would win


def play_game(game_id: str, names: Sequence[str], preset: str | None, deal: int, seed: int) -> GameResult:
    """Play one game of a deal; the same deal gives the same cards in the same order."""
    game, bots = registry.game(game_id), [make_bot(name) for name in names]
    match = Match.start(game, game.initial(len(names), game.options(preset)), seed=f"{seed} {deal}")
    rngs = [Random(f"{seed} {deal} {seat} {name}") for seat, name in enumerate(names)]
    while acting := player_seats(game.to_move(match.state)):
        seat = acting[0] if len(acting) == 1 else rngs[0].choice(acting)
        match = match.play(seat, bots[seat].choose(game, match.state, seat, rngs[seat]))
    outcome = match.outcome()
    assert outcome is not None  # noqa: S101 - no seat is to act
    first = [rank == 1 for rank in outcome.ranking]
    wins = tuple(won / sum(first) for won in first)
    return GameResult(tuple(names), tuple(outcome.scores or ()), wins, game.turn(match.state).number)


def play_deal(game_id: str, names: Sequence[str], preset: str | None, seed: int, deal: int) -> list[GameResult]:
    """Play all games of a deal."""
    return [play_game(game_id, [*names[turn:], *names[:turn]], preset, deal, seed) for turn in range(len(names))]


def compute_figures(deals: Sequence[Sequence[GameResult]], name: str) -> Figures:
    """Compute a bot's figures over some deals."""
    seats = deals[0][0].bots.count(name)
    points = [fmean(values) for values in _by_deal(deals, name, "points")]
    wins = [fmean(values) for values in _by_deal(deals, name, "wins")]
    error = Z * stdev(points) / len(points) ** 0.5 if len(points) > 1 else float("inf")
    low, high = wilson(fmean(wins), len(wins))
    return Figures(name, seats, fmean(points), error, fmean(wins), low, high, 1 / len(deals[0][0].bots))


def _by_deal(deals: Sequence[Sequence[GameResult]], name: str, what: str) -> Iterator[list[float]]:
    for games in deals:
        yield [
            value for game in games for value, bot in zip(getattr(game, what), game.bots, strict=True) if bot == name
        ]


def play_deals(
    game_id: str, names: Sequence[str], preset: str | None, games: int, seed: int, workers: int
) -> list[list[GameResult]]:
    """Play all deals, with progress on standard error."""
    count = max(1, round(games / len(names)))
    deals, last_report = [], time.monotonic()
    play = partial(play_deal, game_id, names, preset, seed)
    for number, played in enumerate(run_in_order(LocalRunner(workers), play, range(count))):
        deals.append(played)
        if time.monotonic() - last_report > PROGRESS_EVERY_S:
            last_report = time.monotonic()
            click.echo(f"{number + 1} of {count} deals", err=True)
    return deals


def format_table(rows: Sequence[Figures], deals: Sequence[Sequence[GameResult]]) -> str:
    """Format the figures as a table."""
    turns = fmean(game.turns for games in deals for game in games)
    lines = ["| bot | seats | points | wins | 95% | par |", "|---|---:|---:|---:|---|---:|"]
    lines += [
        f"| `{row.bot}` | {row.seats} | {row.points:.1f} ± {row.points_error:.1f} | {row.wins:.1%} "
        f"| {row.wins_low:.1%} to {row.wins_high:.1%} | {row.par:.1%} |"
        for row in rows
    ]
    games = sum(map(len, deals))
    return "\n".join([*lines, "", f"{games} games ({len(deals)} deals), {turns:.1f} turns each."])


@click.command()
@click.option("--game", "game_id", default="fantasy_realms", show_default=True, help="A game for several players.")
@click.option("--bots", default="level8,greedy,greedy,greedy", show_default=True, help="Bots by seat.")
@click.option("--games", type=click.IntRange(1), default=200, show_default=True, help="Rounded to whole deals.")
@click.option("--preset", help="Of the rule options; by default the game's own.")
@click.option("--workers", type=click.IntRange(1, 256), default=2, show_default=True, help="Processes.")
@click.option("--seed", type=int, default=7, show_default=True, help="Seed of all chance.")
def main(game_id: str, bots: str, games: int, preset: str | None, workers: int, seed: int) -> None:
    """Measure the strength of bots in games for several players with rotating seats."""
    names = bots.split(",")
    try:
        for name in names:
            make_bot(name)
        game = registry.game(game_id)
        game.initial(len(names), game.options(preset))
    except RealmtableError as error:
        raise click.UsageError(str(error)) from None
    deals = play_deals(game_id, names, preset, games, seed, workers)
    click.echo(format_table([compute_figures(deals, name) for name in dict.fromkeys(names)], deals))


if __name__ == "__main__":
    main()
