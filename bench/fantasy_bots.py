"""How strong are the bots of Fantasy Realms? Games of several players, the seats dealt out in turn.

    python -m bench.fantasy_bots --bots level8,greedy,greedy,greedy --games 1000
    python -m bench.fantasy_bots --bots level8,level8,level8,level8 --games 200    # points in self-play
    python -m bench.fantasy_bots --bots level8,random --games 1000                 # the game for two

Every deal is played as often as there are seats, each time turned by one, so that neither cards nor the first turn
favour a bot. A win shared by n players counts 1/n for each. The intervals are for 95 %: over deals for points, and
Wilson's for wins, a deal counted as one game.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.engine.match import Match
from realmtable.engine.protocol import player_seats
from realmtable.lab.statistics import Z, wilson
from realmtable.search.bots import make_bot

GAME: Final = "fantasy_realms"
PROGRESS_EVERY_S: Final = 10.0


class GameResult(NamedTuple):
    """One game: by seat who played, with how many points, and the share of the win; and the turns it took."""

    bots: tuple[str, ...]
    points: tuple[float, ...]
    wins: tuple[float, ...]
    turns: int


class Figures(NamedTuple):
    """What a bot made of its games, each with how far the truth may be away."""

    bot: str
    seats: int
    points: float
    points_error: float
    wins: float  # of the games in which a seat played, the part it won
    wins_low: float
    wins_high: float
    par: float  # what equal players would win


def play_game(names: Sequence[str], preset: str | None, deal: int, seed: int) -> GameResult:
    """One game of a deal; the same deal gives the same cards in the same order."""
    game, bots = registry.game(GAME), [make_bot(name) for name in names]
    match = Match.start(game, game.initial(len(names), game.options(preset)), seed=f"{seed} {deal}")
    rngs = [Random(f"{seed} {deal} {seat} {name}") for seat, name in enumerate(names)]
    while acting := player_seats(game.to_move(match.state)):
        seat = acting[0] if len(acting) == 1 else rngs[0].choice(acting)
        match = match.play(seat, bots[seat].choose(game, match.state, seat, rngs[seat]))
    outcome = match.outcome()
    assert outcome is not None  # noqa: S101 - nobody is to act
    first = [rank == 1 for rank in outcome.ranking]
    wins = tuple(won / sum(first) for won in first)
    return GameResult(tuple(names), tuple(outcome.scores or ()), wins, game.turn(match.state).number)


def play_deal(names: Sequence[str], preset: str | None, seed: int, deal: int) -> list[GameResult]:
    """All games of a deal."""
    return [play_game([*names[turn:], *names[:turn]], preset, deal, seed) for turn in range(len(names))]


def compute_figures(deals: Sequence[Sequence[GameResult]], name: str) -> Figures:
    """What a bot made of some deals."""
    seats = deals[0][0].bots.count(name)
    points = [fmean(values) for values in _by_deal(deals, name, "points")]
    wins = [fmean(values) for values in _by_deal(deals, name, "wins")]
    error = Z * stdev(points) / len(points) ** 0.5 if len(points) > 1 else float("inf")
    low, high = wilson(fmean(wins), len(wins))
    return Figures(name, seats, fmean(points), error, fmean(wins), low, high, 1 / len(deals[0][0].bots))


def _by_deal(deals: Sequence[Sequence[GameResult]], name: str, what: str) -> Iterator[list[float]]:
    for games in deals:
        yield [
            value for game in games for value, who in zip(getattr(game, what), game.bots, strict=True) if who == name
        ]


def check_bots(names: Sequence[str], preset: str | None) -> None:
    """Refuse bots that do not exist, and too many or too few of them."""
    for name in names:
        make_bot(name)
    game = registry.game(GAME)
    game.initial(len(names), game.options(preset))


def play_deals(arguments: argparse.Namespace) -> list[list[GameResult]]:
    """All deals, with progress on standard error."""
    names, preset, seed = arguments.bots, arguments.preset, arguments.seed
    count = max(1, round(arguments.games / len(names)))
    deals, told = [], time.monotonic()
    with ProcessPoolExecutor(arguments.workers) as pool:
        games_of = partial(play_deal, names, preset, seed)
        for number, games in enumerate(pool.map(games_of, range(count))):
            deals.append(games)
            if time.monotonic() - told > PROGRESS_EVERY_S:
                told = time.monotonic()
                print(f"{number + 1} of {count} deals", file=sys.stderr, flush=True)
    return deals


def format_table(rows: Sequence[Figures], deals: Sequence[Sequence[GameResult]]) -> str:
    """The figures as a table."""
    turns = fmean(game.turns for games in deals for game in games)
    lines = ["| bot | seats | points | wins | 95 % | par |", "|---|---:|---:|---:|---|---:|"]
    lines += [
        f"| `{row.bot}` | {row.seats} | {row.points:.1f} ± {row.points_error:.1f} | {row.wins:.1%} "
        f"| {row.wins_low:.1%} to {row.wins_high:.1%} | {row.par:.1%} |"
        for row in rows
    ]
    games = sum(map(len, deals))
    return "\n".join([*lines, "", f"{games} games ({len(deals)} deals), {turns:.1f} turns each."])


def _positive_int(text: str) -> int:
    """A number from 1 on, as argparse asks for it."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text[:20]} is not a number from 1 on")
    return int(text)


def main(given: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench.fantasy_bots", description=__doc__.split("\n")[0])
    parser.add_argument("--bots", default="level8,greedy,greedy,greedy", help="by seat, 2 to 6 of them (7 in chaos)")
    parser.add_argument("--games", type=_positive_int, default=200, help="about so many, a multiple of the seats (200)")
    parser.add_argument("--preset", help="standard, two_player or chaos (by the number of seats)")
    parser.add_argument("--workers", type=_positive_int, default=2, help="processes (2)")
    parser.add_argument("--seed", type=int, default=7, help="of all chance (7)")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    arguments = parser.parse_args(given)
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
