"""Measure the strength of the bots of Fantasy Realms in multiplayer games with rotating seats.

    python -m bench.fantasy_bots --bots level8,greedy,greedy,greedy --games 1000
    python -m bench.fantasy_bots --bots level8,level8,level8,level8 --games 200    # points in self-play
    python -m bench.fantasy_bots --bots level8,random --games 1000                 # the two-player game

Every deal is played once per seat, with the bots moved on by one seat each time, so that neither the cards nor the
first turn favour a bot. A win shared by n players counts 1/n for each. The intervals are 95% intervals: over deals for
points, and Wilson's for wins, with a deal counted as one game.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.engine.match import Match
from realmtable.engine.protocol import player_seats
from realmtable.lab.jobs.job_runner import run_in_order
from realmtable.lab.jobs.local_runner import LocalRunner
from realmtable.lab.match_statistics import Z, wilson
from realmtable.search.bot_levels import make_bot

GAME: Final = "fantasy_realms"
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


def play_game(names: Sequence[str], preset: str | None, deal: int, seed: int, game_id: str = GAME) -> GameResult:
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


def play_deal(names: Sequence[str], preset: str | None, seed: int, deal: int, game_id: str = GAME) -> list[GameResult]:
    """Play all games of a deal."""
    return [play_game([*names[turn:], *names[:turn]], preset, deal, seed, game_id) for turn in range(len(names))]


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


def check_bots(names: Sequence[str], preset: str | None, game_id: str = GAME) -> None:
    """Refuse unknown bots, and too many or too few of them."""
    for name in names:
        make_bot(name)
    game = registry.game(game_id)
    game.initial(len(names), game.options(preset))


def play_deals(arguments: argparse.Namespace, game_id: str = GAME) -> list[list[GameResult]]:
    """Play all deals, with progress on standard error."""
    names, preset, seed = arguments.bots, arguments.preset, arguments.seed
    count = max(1, round(arguments.games / len(names)))
    deals, last_report = [], time.monotonic()
    games_of = partial(play_deal, names, preset, seed, game_id=game_id)
    for number, games in enumerate(run_in_order(LocalRunner(arguments.workers), games_of, range(count))):
        deals.append(games)
        if time.monotonic() - last_report > PROGRESS_EVERY_S:
            last_report = time.monotonic()
            print(f"{number + 1} of {count} deals", file=sys.stderr, flush=True)
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


def positive_int(text: str) -> int:
    """Parse a positive number for argparse."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text[:20]} is not a positive number")
    return int(text)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.fantasy_bots", description=__doc__.split("\n")[0])
    parser.add_argument(
        "--bots", default="level8,greedy,greedy,greedy", help="bots by seat, 2 to 6 (7 with the preset chaos)"
    )
    parser.add_argument(
        "--games",
        type=positive_int,
        default=200,
        help="approximate number of games, rounded to a multiple of the seats (200)",
    )
    parser.add_argument("--preset", help="standard, two_player or chaos (default: by the number of seats)")
    parser.add_argument("--workers", type=positive_int, default=2, help="processes (2)")
    parser.add_argument("--seed", type=int, default=7, help="seed of all chance (7)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args(argv)
    arguments.bots = arguments.bots.split(",")
    try:
        check_bots(arguments.bots, arguments.preset)
    except RealmtableError as error:
        parser.exit(2, f"{error}\n")
    deals = play_deals(arguments)
    rows = [compute_figures(deals, name) for name in dict.fromkeys(arguments.bots)]
    print(json.dumps([row._asdict() for row in rows]) if arguments.json else format_table(rows, deals))


if __name__ == "__main__":
    main()
