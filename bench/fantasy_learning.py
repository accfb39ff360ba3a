"""Teach the network of Fantasy Realms by games against itself: `python -m bench.fantasy_learning --minutes 60`.

A generation is many games with the network as it is, then lessons from the records of the latest generations. Every
third one is measured in games against greedy players.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Final, NamedTuple

import click
import numpy as np

from bench.fantasy_selfplay import (
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
    Play,
    Records,
    Weights,
    play_game,
)
from bench.fantasy_teaching import Adam, BadNetwork, Errors, load, new_weights, save, teach
from realmtable.games.fantasy_realms.bots.hand_values import thinker
from realmtable.games.fantasy_realms.bots.network import FEWEST_SEATS, HUNDRED, MOST_LYING
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.card_arrays import numbers
from realmtable.kit.compile import compiling
from realmtable.lab.statistics import wilson

TABLES: Final = (4, 2, 3, 4, 5, 4, 6, 3)  # seats of one game after the other
LIES: Final = 10  # cards in the discard area at which the game ends for more than two (P4)
# Who sits there, first seats first; the seats turn with each game.
ALONE: Final = (LEARNER,) * 6
MIXED: Final = (LEARNER, GREEDY) * 3
FEW_GREEDY: Final = (LEARNER, LEARNER, GREEDY) * 2
COMPANY: Final = (ALONE, ALONE, MIXED, ALONE, ALONE, FEW_GREEDY, ALONE, ALONE)
ROUND: Final = len(TABLES) * len(COMPANY)  # games until every company has sat at every table
NOISES: Final = (1.5, 0.3)  # points, for one round after the other

CHUNK: Final = 16  # games that a process plays before it reports
KEPT: Final = 8  # generations that are learnt from
RATE, LATER_RATE = 1e-3, 5e-4  # of lessons, in the first generations and then
EARLY: Final = 4  # generations
MEASURED_EVERY: Final = 3  # generations
MATCH_TABLE: Final = 4
MATCH_GAMES: Final = 192
MATCH_FIRST: Final = 10**9  # its games have numbers that no lesson's game has


class Task(NamedTuple):
    """Games for one process to play."""

    weights: Weights
    first: int  # the number of the first game
    games: int
    seed: int
    untaught: bool = False  # whether the network does not know yet what a blind draw is worth
    is_match: bool = False  # against greedy players, without exploring


class Result(NamedTuple):
    """How a game ended."""

    players: tuple[int, ...]  # by seat
    scores: tuple[int, ...]  # by seat
    turns: int


class Played(NamedTuple):
    """What games gave."""

    records: Records
    results: list[Result]


class Match(NamedTuple):
    """How a network did against greedy players, two against two."""

    points: float
    greedy_points: float
    share: float  # of the first places; shared ones are divided
    games: int


class Generation(NamedTuple):
    """What one generation came to."""

    number: int
    results: list[Result]
    errors: Errors
    match: Match | None
    seconds: tuple[float, float]  # playing, learning


# ---- playing


def seated(number: int, *, is_match: bool) -> tuple[int, ...]:
    """The players of a game, by seat."""
    seats = MATCH_TABLE if is_match else TABLES[number % len(TABLES)]
    company = MIXED if is_match else COMPANY[(number + number // len(TABLES)) % len(COMPANY)]
    turn = number % seats
    return company[:seats][turn:] + company[:seats][:turn]


def prepared(task: Task, number: int) -> Play:
    """Everything that a game is played with, before the cards are dealt."""
    players, judge = seated(number, is_match=task.is_match), thinker(FantasyOptions())
    game = numbers([0] * ENTRIES)
    game[PLAYERS], game[UNTAUGHT] = len(players), int(task.untaught)
    game[LIMIT] = MOST_LYING if len(players) == FEWEST_SEATS else LIES
    for seat, player in enumerate(players):
        game[PLAYER + seat] = player
    first, second = (np.zeros(len(bias), np.float32) for bias in (task.weights.b1, task.weights.b2))
    seeds = np.random.SeedSequence([task.seed, number]).generate_state(1, np.uint64)
    noise = 0.0 if task.is_match else NOISES[number // ROUND % len(NOISES)]
    return Play(
        judge.tables, judge.room, game, task.weights, (first, first.copy(), second), seeds | np.uint64(1), noise
    )


def played(task: Task) -> Played:
    """Play the games of a task."""
    room, kept, results = np.zeros((MOST_RECORDS, COLUMNS), np.int64), [], []
    for number in range(task.first, task.first + task.games):
        play = prepared(task, number)
        kept.append(room[: play_game(play, room)].copy())
        scores = tuple(int(points) for points in play.game[SCORES : SCORES + play.game[PLAYERS]])
        results.append(Result(seated(number, is_match=task.is_match), scores, int(play.game[TURN])))
    return Played(np.concatenate(kept), results)


def chunks(whole: Task) -> list[Task]:
    """A task in parts."""
    starts = range(0, whole.games, CHUNK)
    return [whole._replace(first=whole.first + start, games=min(CHUNK, whole.games - start)) for start in starts]


def together(whole: Task, pool: Pool | None) -> Played:
    """Play a task, with all processes of a pool if there is one; the games are the same either way."""
    parts = list(map(played, chunks(whole))) if pool is None else pool.map(played, chunks(whole), chunksize=1)
    return Played(np.concatenate([part.records for part in parts]), [one for part in parts for one in part.results])


def crew(workers: int) -> AbstractContextManager[Pool | None]:
    """Processes to play with; None for one worker, who plays in this process. Only this one is told of Ctrl-C."""
    if workers == 1:
        return nullcontext()
    ignoring = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    return multiprocessing.get_context("spawn").Pool(workers, ignoring)


# ---- learning


class School:
    """A network that learns, and what it learns from."""

    def __init__(self, games: int, seed: int, out: Path, start: Path | None = None) -> None:
        """Begin with a new network, or with that of a file; `BadNetwork` if it holds none."""
        self.games, self.seed, self.out = games, seed, out
        self.rng = np.random.default_rng(seed)
        self.weights, knows_draws = load(start) if start else (new_weights(self.rng), False)
        self.untaught = not knows_draws
        self.adam = Adam(self.weights)
        self.kept: deque[Records] = deque(maxlen=KEPT)
        self.done = 0  # generations

    def generation(self, pool: Pool | None) -> Generation:
        """Play, learn, keep the network in its file, and measure it if it is time to."""
        begin = time.monotonic()
        found = together(
            Task(self.weights, self.done * self.games, self.games, self.seed, untaught=self.untaught), pool
        )
        self.kept.append(found.records)
        half = time.monotonic()
        rate = RATE if self.done < EARLY else LATER_RATE
        off = teach(self.weights, self.adam, np.concatenate(self.kept), rate, self.rng)
        save(self.out, self.weights)
        end = time.monotonic()
        self.done, self.untaught = self.done + 1, False
        match = measured(self.weights, self.seed, pool) if self.done % MEASURED_EVERY == 0 else None
        return Generation(self.done, found.results, off, match, (half - begin, end - half))

    def generations(self, pool: Pool | None) -> Iterator[Generation]:
        """One generation after the other."""
        while True:
            yield self.generation(pool)


def measured(weights: Weights, seed: int, pool: Pool | None, games: int = MATCH_GAMES) -> Match:
    """A match against greedy players, always with the same cards."""
    results = together(Task(weights, MATCH_FIRST, games, seed, is_match=True), pool).results
    learners, others = (
        [points for each in results for player, points in zip(each.players, each.scores, strict=True) if player == kind]
        for kind in (LEARNER, GREEDY)
    )
    share = float(np.mean([first_places(result) for result in results]))
    return Match(float(np.mean(learners)), float(np.mean(others)), share, games)


def first_places(result: Result) -> float:
    """The learners' part of the first place."""
    winners = [
        player for player, points in zip(result.players, result.scores, strict=True) if points == max(result.scores)
    ]
    return winners.count(LEARNER) / len(winners)


# ---- telling


def mean_points(results: Sequence[Result], seats: int) -> str:
    """What players of a network score where so many of them play each other."""
    scores = [result.scores for result in results if result.players == (LEARNER,) * seats]
    return f"{np.mean(scores):.1f}" if scores else "–"


def line(told: Generation) -> str:
    """A generation in a line."""
    points, others, deck = (HUNDRED * error**0.5 for error in told.errors[:3])
    turns = np.mean([result.turns for result in told.results])
    return (
        f"Generation {told.number}: {len(told.results):,} games; mean points of four {mean_points(told.results, 4)}, "
        f"of two {mean_points(told.results, 2)}; {turns:.1f} turns; off by {points:.1f} points, others {others:.1f}, "
        f"draws {deck:.1f}, range {told.errors.ends:.3f}, cards {told.errors.cards:.3f}; "
        f"played {told.seconds[0]:.0f} s, learnt {told.seconds[1]:.0f} s"
    )


def match_line(match: Match) -> str:
    """A match in a line."""
    low, high = wilson(match.share, match.games)
    return (
        f"  against greedy players: {match.points:.1f} to {match.greedy_points:.1f} points, {100 * match.share:.0f} % "
        f"of the first places [{100 * low:.0f}, {100 * high:.0f}] in {match.games} games, two against two"
    )


def learn(school: School, minutes: float, workers: int) -> None:
    """Teach and tell, until no generation may begin any more."""
    end = time.monotonic() + 60 * minutes
    if compiling():
        click.echo("Compiling, which takes a minute or two the first time …", err=True)
        played(Task(school.weights, 0, 1, school.seed))  # once, before every process would
    with crew(workers) as pool:
        for told in school.generations(pool):
            click.echo(line(told))
            if told.match:
                click.echo(match_line(told.match))
            if time.monotonic() > end:
                break


def opened(games: int, seed: int, out: Path, start: Path | None) -> School:
    """A school, once it is clear that nothing is lost by it."""
    if not out.parent.is_dir() or not os.access(out.parent, os.W_OK):
        raise click.BadParameter(f"{out.parent} is no folder to write to.", param_hint="--out")
    if out.exists() and (start is None or not out.samefile(start)):
        raise click.BadParameter(
            f"{out} is there already; go on from it with --start or name another.", param_hint="--out"
        )
    try:
        return School(games, seed, out, start)
    except BadNetwork as error:
        raise click.BadParameter(str(error), param_hint="--start") from error


@click.command()
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="No generation begins later.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=os.cpu_count() or 1,
    help="Processes that play; one for each processor by default.",
)
@click.option(
    "--games", type=click.IntRange(2, 1_000_000), default=1000, show_default=True, help="Games of a generation."
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Which games, and which network to begin with."
)
@click.option(
    "--start",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A network to go on from; without it one begins anew.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("fantasy-network.npz"),
    show_default=True,
    help="Where the network is kept after each generation.",
)
def main(*, minutes: float, workers: int, games: int, seed: int, start: Path | None, out: Path) -> None:
    """Teach the network of Fantasy Realms by games against itself.

    Ctrl-C ends it; the network of the last generation is kept. The game reads such a file as data/expectations.npz.
    """
    school = opened(games, seed, out, start)
    try:
        learn(school, minutes, workers)
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
    if school.done:
        click.echo(f"{out} holds the network of generation {school.done}.")
    else:
        click.echo("The first generation was not over; nothing was written.")


if __name__ == "__main__":
    main()
