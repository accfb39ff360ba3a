"""Measure the strength of the bots of Realms of Etherium in games with rotating seats.

    python -m bench.etherium_bots --strength --results strength.jsonl          # every match of docs/strength.md
    python -m bench.etherium_bots --bots mcts:nodes=400,greedy --games 200
    python -m bench.etherium_bots --bots level8,greedy,greedy,greedy --games 40 --python   # with the levels' clocks
    python -m bench.etherium_bots --stalls --games 200 --results stalls.jsonl  # does anything happen in their games?

Games run inside compiled code, where the levels with a time limit search a number of nodes instead (`--top-nodes`);
`--python` plays them through Python, with their clocks. The bots move on by one seat from game to game. A win shared by
n players counts 1/n for each. A match of `--strength` stops early if a 99.5% interval excludes the share it is about.
The intervals that are printed are Wilson's 95% intervals. A file of results belongs to one `--preset` and one number of
`--top-nodes`.

`--stalls` lets every bot play against itself, and level 5 against `greedy`. *Idle* is the longest run of activations
that left Realms, Control, Reserves, Supplies, Mages and Etherium as they were; a game with 20 in a row is *stalled*.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Final, NamedTuple

from bench.etherium_batches import (
    GAME,
    GAMES,
    BatchFile,
    Sums,
    batch_seeds,
    play_batches,
    rules,
    start_position,
    time_limit,
)
from bench.fantasy_bots import check_bots, compute_figures, format_table, play_deals, positive_int
from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.games.realms_of_etherium.kernels.layout import ROUND
from realmtable.games.realms_of_etherium.kernels.tally import MOST_IDLE
from realmtable.lab.match_statistics import wilson
from realmtable.search.bot_levels import LEVELS
from realmtable.search.compiled_matches import make_seat_policy, play_games

WON: Final = "won"  # the first bot's shares of the wins
ROUNDS: Final = "rounds"
IDLE: Final = "idle "  # + the longest run of idle activations in a game: the number of such games
STALLED: Final = 20  # idle activations in a row: too many
STOP_Z: Final = NormalDist().inv_cdf(0.9975)  # 99.5%, because the interval is looked at after each batch
TOP_NODES: Final = 8000
SEARCH_BATCH: Final = 1  # rounds of rotated seats per batch, for searches of many nodes
QUICK_BATCH: Final = 8
MANY_NODES: Final = 500
MIN_GAMES: Final = 20  # before a match can stop
NUMBER_WORDS: Final = ("no", "one", "two", "three", "four", "five")


class Matchup(NamedTuple):
    """A match of one bot against others, and the share of the games that it is expected to win at least."""

    bots: tuple[str, ...]  # by seat; the first is measured
    claim: float

    @property
    def name(self) -> str:
        """The name of the match in files."""
        return ",".join(self.bots)


def list_ladder(seats: int) -> list[Matchup]:
    """Return the matches of each level against the one two below, in all other seats."""
    names = [level.name for level in LEVELS]
    return [Matchup((strong, *[weak] * (seats - 1)), 1 / seats) for weak, strong in zip(names, names[2:], strict=False)]


def list_matches() -> list[Matchup]:
    """Return the matches of docs/strength.md."""
    against_greedy = [
        Matchup((name, *["greedy"] * (seats - 1)), claim)
        for seats, claim in ((2, 0.75), (4, 0.45))
        for name in ("mcts:nodes=100", "mcts:nodes=1000", "level6", "level7", "level8")
    ]
    max_n = "mcts:nodes=100"
    paranoid = f"{max_n}:paranoid=1"
    return [
        Matchup(("greedy", "random"), 0.95),
        *against_greedy,
        *list_ladder(2),
        *list_ladder(4),
        *[Matchup((max_n, *[paranoid] * (seats - 1)), 1 / seats) for seats in (2, 3, 4)],
        *[Matchup((paranoid, *[max_n] * (seats - 1)), 1 / seats) for seats in (3, 4)],
    ]


def list_stalls() -> list[Matchup]:
    """Return the matches of each bot against itself, and of level 5 against `greedy`."""
    names = ["greedy", *[level.name for level in LEVELS]]
    return [*[Matchup((name, name), 0.5) for name in names], Matchup(("level5", "greedy"), 0.5)]


def play_batch(match: Matchup, batch: int, *, top_nodes: int, threads: int, preset: str | None) -> dict[str, float]:
    """Play a batch of games, from every seat equally often, and return the sums."""
    seats = len(match.bots)
    policies = [make_seat_policy(bot, rules(), top_nodes) for bot in match.bots]
    repeats = SEARCH_BATCH if max(policy.nodes for policy in policies) > MANY_NODES else QUICK_BATCH
    start = start_position(seats, preset)
    sums = Sums(float, {GAMES: 0.0, WON: 0.0, ROUNDS: 0.0})
    for turn in range(seats):
        seeds = batch_seeds(f"{match.name} {turn}", batch, repeats)
        rotated = [*policies[-turn:], *policies[:-turn]] if turn else policies
        played = play_games(rules(), [start] * repeats, rotated, seeds, threads)
        sums[GAMES] += repeats
        sums[WON] += float(played.shares[:, turn].sum())
        sums[ROUNDS] += float(played.finals[:, ROUND].sum())
        for idle in played.tallies[:, MOST_IDLE].tolist():
            sums[f"{IDLE}{idle}"] += 1
    return sums


def is_decided(match: Matchup, sums: Mapping[str, float]) -> bool:
    """Whether the 99.5% interval of the first bot's wins excludes the share it is expected to win."""
    games = sums.get(GAMES, 0)
    if games < MIN_GAMES:
        return False
    low, high = wilson(sums[WON] / games, games, STOP_Z)
    return not low <= match.claim <= high


def format_rows(file: BatchFile, matches: Sequence[Matchup]) -> str:
    """Format the results so far as a table."""
    lines = ["| bot | against | games | won | 95% | par | Rounds |", "|---|---|---:|---:|---|---:|---:|"]
    for match in matches:
        sums = file.sums(match.name)
        if games := sums[GAMES]:
            low, high = wilson(sums[WON] / games, games)
            lines.append(
                f"| `{match.bots[0]}` | {describe_others(match)} | {games:,.0f} | {sums[WON] / games:.1%} "
                f"| {100 * low:.1f} to {high:.1%} | {1 / len(match.bots):.0%} | {sums[ROUNDS] / games:.1f} |"
            )
    return "\n".join(lines)


def format_stalls(file: BatchFile, matches: Sequence[Matchup]) -> str:
    """Format the longest runs of idle activations as a table."""
    lines = ["| bot | against | games | idle | stalled | won | 95% | Rounds |"]
    lines.append("|---|---|---:|---:|---:|---:|---|---:|")
    for match in matches:
        sums = file.sums(match.name)
        if games := sums[GAMES]:
            runs = {int(key.removeprefix(IDLE)): number for key, number in sums.items() if key.startswith(IDLE)}
            stalled = sum(number for idle, number in runs.items() if idle >= STALLED)
            low, high = wilson(sums[WON] / games, games)
            lines.append(
                f"| `{match.bots[0]}` | {describe_others(match)} | {games:,.0f} | {max(runs)} | {stalled:,.0f} "
                f"| {sums[WON] / games:.1%} | {100 * low:.1f} to {high:.1%} | {sums[ROUNDS] / games:.1f} |"
            )
    return "\n".join(lines)


def describe_others(match: Matchup) -> str:
    """Return the other bots of a match: ``three `greedy` ``, or their names."""
    others = match.bots[1:]
    if len(others) == 1 or len(set(others)) > 1:
        return ", ".join(f"`{other}`" for other in others)
    return f"{NUMBER_WORDS[len(others)]} `{others[0]}`"


def measure(matches: Sequence[Matchup], arguments: argparse.Namespace) -> str:
    """Play matches inside compiled code and return the table."""
    by_name = {match.name: match for match in matches}
    for match in matches:
        for bot in match.bots:
            make_seat_policy(bot, rules(), arguments.top_nodes)  # refuses what cannot play

    def play(name: str, batch: int) -> dict[str, float]:
        return play_batch(
            by_name[name], batch, top_nodes=arguments.top_nodes, threads=arguments.workers, preset=arguments.preset
        )

    def is_clear(name: str, sums: Sums) -> bool:
        return arguments.strength and is_decided(by_name[name], sums)

    preset = arguments.preset or registry.game(GAME).info.default_preset
    file = BatchFile(arguments.results, {"preset": preset, "top_nodes": arguments.top_nodes})
    goals = dict.fromkeys(by_name, arguments.games)
    play_batches(file, goals, play, is_decided=is_clear, seconds=arguments.seconds)
    return (format_stalls if arguments.stalls else format_rows)(file, matches)


def measure_in_python(bots: list[str], arguments: argparse.Namespace) -> str:
    """Play a match through Python, with the clocks of the bots, and return the table."""
    arguments.bots = bots
    starts = play_deals(arguments, GAME)
    return format_table([compute_figures(starts, name) for name in dict.fromkeys(bots)], starts)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.etherium_bots", description=__doc__.split("\n")[0])
    parser.add_argument("--bots", default="level8,greedy,greedy,greedy", help="bots by seat, 2 to 6")
    parser.add_argument("--strength", action="store_true", help="play all matches of docs/strength.md instead")
    parser.add_argument("--stalls", action="store_true", help="find the longest runs of idle activations")
    parser.add_argument(
        "--ladder",
        type=int,
        choices=range(2, 7),
        metavar="SEATS",
        help="play each level against the one two below",
    )
    parser.add_argument("--games", type=positive_int, default=40, help="games per match, rounded up (40)")
    parser.add_argument("--preset", help="of the rule options (standard)")
    parser.add_argument("--workers", type=positive_int, default=1, help="threads, or processes with --python (1)")
    parser.add_argument("--seed", type=int, default=7, help="seed of all chance with --python (7)")
    parser.add_argument("--python", action="store_true", help="play through Python, with the bots' clocks")
    parser.add_argument("--top-nodes", type=positive_int, default=TOP_NODES, help="nodes of level 8 (8000)")
    parser.add_argument("--results", type=Path, help="file to keep the games in, and to continue from")
    parser.add_argument("--seconds", type=time_limit, help="stop after this time")
    arguments = parser.parse_args(argv)
    matches = list_matches() if arguments.strength else [Matchup(tuple(arguments.bots.split(",")), 1.0)]
    if arguments.ladder:
        matches = list_ladder(arguments.ladder)
    if arguments.stalls:
        matches = list_stalls()
    try:
        for match in matches:
            check_bots(match.bots, arguments.preset, GAME)
        if arguments.python:
            print(*[measure_in_python(list(match.bots), arguments) for match in matches], sep="\n\n")
        else:
            print(measure(matches, arguments))
    except RealmtableError as error:
        parser.exit(2, f"{error}\n")


if __name__ == "__main__":
    main()
