"""Train the network of Fantasy Realms by self-play: `python -m studies.fantasy_bots.training --minutes 60`.

A generation plays many games with the current network, then trains on the records of the latest generations. Every
third generation is measured in games against greedy players.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click
import numpy as np

from realmtable.games.fantasy_realms.bots.hand_values import hand_values_for
from realmtable.games.fantasy_realms.bots.network import MAX_DISCARDS, MIN_SEATS, POINTS_SCALE
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.card_arrays import to_kernel_array
from realmtable.kit.compile import is_compiling
from realmtable.lab.jobs.job_runner import JobRunner, run_in_order
from realmtable.lab.jobs.local_runner import LocalRunner
from realmtable.lab.match_statistics import wilson
from studies.fantasy_bots.gradients import Adam, BadNetwork, Errors, load, new_weights, save, train
from studies.fantasy_bots.selfplay import (
    COLUMNS,
    ENTRIES,
    GREEDY,
    LEARNER,
    LIMIT,
    MOST_RECORDS,
    PLAYER,
    PLAYERS,
    SCORES,
    TURN,
    UNTAUGHT,
    GameContext,
    Records,
    Weights,
    play_game,
)

SEAT_COUNTS: Final = (4, 2, 3, 4, 5, 4, 6, 3)  # seats of successive games
DISCARD_LIMIT: Final = 10  # the game ends at this many discards, with more than two players (P4)
# The players by seat; the seats rotate with each game.
ALL_LEARNERS: Final = (LEARNER,) * 6
MIXED: Final = (LEARNER, GREEDY) * 3
FEW_GREEDY: Final = (LEARNER, LEARNER, GREEDY) * 2
LINEUPS: Final = (ALL_LEARNERS, ALL_LEARNERS, MIXED, ALL_LEARNERS, ALL_LEARNERS, FEW_GREEDY, ALL_LEARNERS, ALL_LEARNERS)
LINEUP_CYCLE: Final = len(SEAT_COUNTS) * len(LINEUPS)  # games until every line-up has played with every number of seats
NOISES: Final = (1.5, 0.3)  # points, for successive rounds

CHUNK_GAMES: Final = 16  # games that a process plays before it reports
KEPT_GENERATIONS: Final = 8  # generations to train on
RATE, LATER_RATE = 1e-3, 5e-4  # learning rates, in the first generations and later
EARLY_GENERATIONS: Final = 4
MATCH_EVERY: Final = 3  # generations
MATCH_SEATS: Final = 4
MATCH_GAMES: Final = 192
MATCH_FIRST_GAME: Final = 10**9  # match games have numbers that no training game has


class Task(NamedTuple):
    """Games for one process to play."""

    weights: Weights
    first: int  # the number of the first game
    games: int
    seed: int
    untaught: bool = False  # whether the network cannot value a blind draw yet
    is_match: bool = False  # against greedy players, without exploration


class GameResult(NamedTuple):
    """The result of a game."""

    players: tuple[int, ...]  # by seat
    scores: tuple[int, ...]  # by seat
    turns: int


class SelfPlayBatch(NamedTuple):
    """The results and records of some games."""

    records: Records
    results: list[GameResult]


class MatchResult(NamedTuple):
    """A network's result against greedy players, two against two."""

    points: float
    greedy_points: float
    share: float  # of first places; shared ones are divided
    games: int


class Generation(NamedTuple):
    """The result of one generation."""

    number: int
    results: list[GameResult]
    errors: Errors
    match: MatchResult | None
    seconds: tuple[float, float]  # playing, training


# ---- playing


def lineup(number: int, *, is_match: bool) -> tuple[int, ...]:
    """Return the players of a game by seat."""
    seats = MATCH_SEATS if is_match else SEAT_COUNTS[number % len(SEAT_COUNTS)]
    company = MIXED if is_match else LINEUPS[(number + number // len(SEAT_COUNTS)) % len(LINEUPS)]
    turn = number % seats
    return company[:seats][turn:] + company[:seats][:turn]


def prepare_game(task: Task, number: int) -> GameContext:
    """Prepare a game up to the deal."""
    players, judge = lineup(number, is_match=task.is_match), hand_values_for(FantasyOptions())
    game = to_kernel_array([0] * ENTRIES)
    game[PLAYERS], game[UNTAUGHT] = len(players), int(task.untaught)
    game[LIMIT] = MAX_DISCARDS if len(players) == MIN_SEATS else DISCARD_LIMIT
    for seat, player in enumerate(players):
        game[PLAYER + seat] = player
    first, second = (np.zeros(len(bias), np.float32) for bias in (task.weights.b1, task.weights.b2))
    seeds = np.random.SeedSequence([task.seed, number]).generate_state(1, np.uint64)
    noise = 0.0 if task.is_match else NOISES[number // LINEUP_CYCLE % len(NOISES)]
    return GameContext(
        judge.tables, judge.workspace, game, task.weights, (first, first.copy(), second), seeds | np.uint64(1), noise
    )


def play_task(task: Task) -> SelfPlayBatch:
    """Play the games of a task."""
    room, kept, results = np.zeros((MOST_RECORDS, COLUMNS), np.int64), [], []
    for number in range(task.first, task.first + task.games):
        play = prepare_game(task, number)
        kept.append(room[: play_game(play, room)].copy())
        scores = tuple(int(points) for points in play.game[SCORES : SCORES + play.game[PLAYERS]])
        results.append(GameResult(lineup(number, is_match=task.is_match), scores, int(play.game[TURN])))
    return SelfPlayBatch(np.concatenate(kept), results)


def split_task(whole: Task) -> list[Task]:
    """Split a task into parts."""
    starts = range(0, whole.games, CHUNK_GAMES)
    return [whole._replace(first=whole.first + start, games=min(CHUNK_GAMES, whole.games - start)) for start in starts]


def play_all(whole: Task, runner: JobRunner) -> SelfPlayBatch:
    """Play a task in parts; the games are the same whatever runs them."""
    parts = [*run_in_order(runner, play_task, split_task(whole))]
    return SelfPlayBatch(
        np.concatenate([part.records for part in parts]), [one for part in parts for one in part.results]
    )


# ---- training


class Trainer:
    """A network in training, and its training data."""

    def __init__(self, games: int, seed: int, out: Path, start: Path | None = None) -> None:
        """Start with a new network, or with one from a file; raise `BadNetwork` if the file is invalid."""
        self.games, self.seed, self.out = games, seed, out
        self.rng = np.random.default_rng(seed)
        self.weights, knows_draws = load(start) if start else (new_weights(self.rng), False)
        self.untaught = not knows_draws
        self.adam = Adam(self.weights)
        self.recent_records: deque[Records] = deque(maxlen=KEPT_GENERATIONS)
        self.generations_done = 0

    def run_generation(self, runner: JobRunner) -> Generation:
        """Play, train, save the network, and measure it if that is due."""
        begin = time.monotonic()
        found = play_all(
            Task(self.weights, self.generations_done * self.games, self.games, self.seed, untaught=self.untaught),
            runner,
        )
        self.recent_records.append(found.records)
        half = time.monotonic()
        rate = RATE if self.generations_done < EARLY_GENERATIONS else LATER_RATE
        off = train(self.weights, self.adam, np.concatenate(self.recent_records), rate, self.rng)
        save(self.out, self.weights)
        end = time.monotonic()
        self.generations_done, self.untaught = self.generations_done + 1, False
        match = play_match(self.weights, self.seed, runner) if self.generations_done % MATCH_EVERY == 0 else None
        return Generation(self.generations_done, found.results, off, match, (half - begin, end - half))

    def run_generations(self, runner: JobRunner) -> Iterator[Generation]:
        """Run generations without end."""
        while True:
            yield self.run_generation(runner)


def play_match(weights: Weights, seed: int, runner: JobRunner, games: int = MATCH_GAMES) -> MatchResult:
    """Play a match against greedy players, always with the same cards."""
    results = play_all(Task(weights, MATCH_FIRST_GAME, games, seed, is_match=True), runner).results
    learners, others = (
        [points for each in results for player, points in zip(each.players, each.scores, strict=True) if player == kind]
        for kind in (LEARNER, GREEDY)
    )
    share = float(np.mean([first_place_share(result) for result in results]))
    return MatchResult(float(np.mean(learners)), float(np.mean(others)), share, games)


def first_place_share(result: GameResult) -> float:
    """Return the learners' share of the first place."""
    winners = [
        player for player, points in zip(result.players, result.scores, strict=True) if points == max(result.scores)
    ]
    return winners.count(LEARNER) / len(winners)


# ---- reporting


def mean_points(results: Sequence[GameResult], seats: int) -> str:
    """Format the network's mean score in self-play with `seats` seats."""
    scores = [result.scores for result in results if result.players == (LEARNER,) * seats]
    return f"{np.mean(scores):.1f}" if scores else "–"


def format_generation(generation: Generation) -> str:
    """Format a generation as a line."""
    points, others, deck = (POINTS_SCALE * error**0.5 for error in generation.errors[:3])
    results = generation.results
    turns = np.mean([result.turns for result in results])
    return (
        f"Generation {generation.number}: {len(results):,} games; mean points of four {mean_points(results, 4)}, "
        f"of two {mean_points(results, 2)}; {turns:.1f} turns; off by {points:.1f} points, others {others:.1f}, "
        f"draws {deck:.1f}, range {generation.errors.ends:.3f}, cards {generation.errors.cards:.3f}; "
        f"played {generation.seconds[0]:.0f} s, trained {generation.seconds[1]:.0f} s"
    )


def format_match(match: MatchResult) -> str:
    """Format a match as a line."""
    low, high = wilson(match.share, match.games)
    return (
        f"  against greedy players: {match.points:.1f} to {match.greedy_points:.1f} points, {100 * match.share:.0f}% "
        f"of the first places [{100 * low:.0f}, {100 * high:.0f}] in {match.games} games, two against two"
    )


def run_training(trainer: Trainer, minutes: float, workers: int) -> None:
    """Train and report until the time is up."""
    end = time.monotonic() + 60 * minutes
    if is_compiling():
        click.echo("Compiling, which takes a minute or two the first time …", err=True)
        play_task(Task(trainer.weights, 0, 1, trainer.seed))  # compile once, before every process would
    for generation in trainer.run_generations(LocalRunner(workers)):
        click.echo(format_generation(generation))
        if generation.match:
            click.echo(format_match(generation.match))
        if time.monotonic() > end:
            break


def open_trainer(games: int, seed: int, out: Path, start: Path | None) -> Trainer:
    """Create a trainer, after checking that no file would be lost."""
    if not out.parent.is_dir() or not os.access(out.parent, os.W_OK):
        raise click.BadParameter(f"{out.parent} is not a writable folder.", param_hint="--out")
    if out.exists() and (start is None or not out.samefile(start)):
        raise click.BadParameter(
            f"{out} already exists; continue from it with --start, or name another file.", param_hint="--out"
        )
    try:
        return Trainer(games, seed, out, start)
    except BadNetwork as error:
        raise click.BadParameter(str(error), param_hint="--start") from error


@click.command()
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="Start no new generation after this time.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=os.cpu_count() or 1,
    help="Processes that play; by default one per processor.",
)
@click.option(
    "--games", type=click.IntRange(2, 1_000_000), default=1000, show_default=True, help="Games per generation."
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the games and of a new network."
)
@click.option(
    "--start",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Network to continue from; without it, start with a new one.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("fantasy-network.npz"),
    show_default=True,
    help="File to save the network to after each generation.",
)
def main(*, minutes: float, workers: int, games: int, seed: int, start: Path | None, out: Path) -> None:
    """Train the network of Fantasy Realms by self-play.

    Ctrl-C stops it and keeps the network of the last generation. The game reads such a file as data/expectations.npz.
    """
    trainer = open_trainer(games, seed, out, start)
    try:
        run_training(trainer, minutes, workers)
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
    if trainer.generations_done:
        click.echo(f"{out} contains the network of generation {trainer.generations_done}.")
    else:
        click.echo("The first generation was not finished; nothing was written.")


if __name__ == "__main__":
    main()
