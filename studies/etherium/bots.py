"""Measure the strength of the bots of Realms of Etherium in games with rotating seats.

    python -m studies.etherium.bots --strength --results strength.jsonl        # every match of docs/study/strength.md
    python -m studies.etherium.bots --bots mcts:nodes=400,greedy --games 200
    python -m studies.etherium.bots --stalls --games 200                       # does anything happen in their games?

Games run inside compiled code, where the levels with a time limit search a number of nodes instead (`--top-nodes`);
`studies.fantasy_bots.strength` plays them with their clocks. The bots move on by one seat from game to game. A win
shared by n players counts 1/n for each. A match of `--strength` stops early if a 99.5% interval excludes the share it
is about. The intervals that are printed are Wilson's 95% intervals.

`--stalls` lets every bot play against itself, and level 5 against `greedy`. *Idle* is the longest run of activations
that left Realms, Control, Reserves, Supplies, Mages and Etherium as they were; a game with 20 in a row is *stalled*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Final, NamedTuple

import click

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.games.realms_of_etherium.kernels.layout import ROUND
from realmtable.games.realms_of_etherium.kernels.tally import MOST_IDLE
from realmtable.lab.match_statistics import wilson
from realmtable.search.bot_levels import LEVELS
from realmtable.search.compiled_matches import make_seat_policy, play_games
from studies.etherium.batches import GAME, GAMES, BatchFile, Sums, batch_seeds, play_batches, rules, start_position

WON: Final = "won"  # the first bot's shares of the wins
ROUNDS: Final = "rounds"
IDLE: Final = "idle "  # + the longest run of idle activations in a game: the number of such games
STALLED: Final = 20  # idle activations in a row: too many
STOP_Z: Final = NormalDist().inv_cdf(0.9975)  # 99.5%, because the interval is looked at after each batch
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
    """Return the matches of docs/study/strength.md."""
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
        sums = file.sums[match.name]
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
        sums = file.sums[match.name]
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


@click.command()
@click.option("--bots", default="level8,greedy,greedy,greedy", show_default=True, help="Bots by seat, 2 to 6.")
@click.option("--strength", is_flag=True, help="Play all matches of docs/study/strength.md instead.")
@click.option("--stalls", is_flag=True, help="Find the longest runs of idle activations instead.")
@click.option("--games", type=click.IntRange(1), default=40, show_default=True, help="Games per match, rounded up.")
@click.option("--preset", help="Of the rule options; by default the game's own.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
@click.option("--top-nodes", type=click.IntRange(1), default=8000, show_default=True, help="Nodes of level 8.")
@click.option("--results", type=click.Path(dir_okay=False, path_type=Path), help="File of the games, to continue from.")
@click.option("--seconds", type=click.FloatRange(0), help="Stop after this time.")
def main(  # noqa: PLR0913 - one for each option
    *,
    bots: str,
    strength: bool,
    stalls: bool,
    games: int,
    preset: str | None,
    threads: int,
    top_nodes: int,
    results: Path | None,
    seconds: float | None,
) -> None:
    """Play matches inside compiled code and print their table."""
    matches = list_matches() if strength else list_stalls() if stalls else [Matchup(tuple(bots.split(",")), 1.0)]
    by_name = {match.name: match for match in matches}

    def play(name: str, batch: int) -> dict[str, float]:
        return play_batch(by_name[name], batch, top_nodes=top_nodes, threads=threads, preset=preset)

    def is_clear(name: str, sums: Sums) -> bool:
        return strength and is_decided(by_name[name], sums)

    try:
        for match in matches:
            start_position(len(match.bots), preset)
            for bot in match.bots:
                make_seat_policy(bot, rules(), top_nodes)
    except RealmtableError as error:
        raise click.UsageError(str(error)) from None
    chosen = preset or registry.game(GAME).info.default_preset
    file = BatchFile(results, f"preset={chosen}, top_nodes={top_nodes}")
    play_batches(file, dict.fromkeys(by_name, games), play, is_decided=is_clear, seconds=seconds)
    click.echo((format_stalls if stalls else format_rows)(file, matches))


if __name__ == "__main__":
    main()
