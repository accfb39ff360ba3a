"""How fast Magic Realm runs, interpreted, against the limits of its design: `python -m bench.speed.magic`.

The states are those of a month of bots on a ready-made map. A hero-day is one day of one character, from birdsong to
midnight. Times are medians of processor time, so that other work on the machine hardly matters.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple

import click

from bench.measure import describe_machine
from realmtable.engine import registry
from realmtable.engine.bots import Bot, plan_steps
from realmtable.engine.protocol import CHANCE, HasLayers
from realmtable.search.baselines import RandomBot
from realmtable.search.bot_levels import make_bot

GAME: Final = "magic_realm"
SEATS: Final = 4
MS: Final = 1_000.0
US: Final = 1_000_000.0
PAGE: Final = Path(__file__).parents[2] / "docs" / "host" / "magic-speed.md"


class Figure(NamedTuple):
    """A measured figure and its limit."""

    name: str
    value: float
    unit: str
    limit: float
    at_least: bool = False  # whether the limit is a lower one

    @property
    def is_met(self) -> bool:
        """Whether the figure is within its limit."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit


class Moment(NamedTuple):
    """A state of a game, the seat that acts, and its step."""

    state: Any
    seat: int
    step: Any


def play_days(bots: Sequence[Bot], seed: int, days: int) -> Iterator[Moment]:
    """Yield the moments of a game on a ready-made map up to the end of a day."""
    game, rng = registry.game(GAME), Random(seed)
    state = game.initial(len(bots), game.options(map="stock1"))
    while (acting := game.to_move(state)) and game.turn(state).number <= days:
        if acting == (CHANCE,):
            outcomes = game.chance(state)
            steps = [rng.choices([o.move for o in outcomes], [o.weight for o in outcomes])[0]]
        else:
            steps = plan_steps(bots[acting[0]], game, state, acting[0], rng)
        for step in steps:
            yield Moment(state, acting[0], step)
            state = game.play(state, acting[0], step)


def measure_days(bot: Bot, days: int, seed: int = 1) -> float:
    """Return the hero-days per second of a game in which every seat has the same bot."""
    start = time.process_time()
    for _ in play_days([bot] * SEATS, seed, days):
        pass
    return SEATS * days / (time.process_time() - start)


def measure_median(work: Callable[[Moment], object], moments: Sequence[Moment]) -> float:
    """Return the median time of some work over moments, in seconds."""
    times = []
    for moment in moments:
        start = time.process_time()
        work(moment)
        times.append(time.process_time() - start)
    return median(times)


def pick_moments(moments: Sequence[Moment], count: int) -> list[Moment]:
    """Return moments from all over a game, in which a player acts."""
    acting = [moment for moment in moments if moment.seat >= 0]
    return acting[:: max(1, len(acting) // count)][:count]


def measure(days: int, samples: int) -> list[Figure]:
    """Measure everything."""
    game = registry.game(GAME)
    bot = make_bot("level5")
    start = time.process_time()
    moments = [*play_days([bot] * SEATS, 1, days)]
    seconds = time.process_time() - start
    chosen = pick_moments(moments, samples)
    texts = {id(moment): game.encode(moment.state) for moment in chosen}
    views = {id(moment): game.view(moment.state, moment.seat) for moment in chosen}
    assert isinstance(game, HasLayers)  # noqa: S101 - the map is a layer of its own
    layer_s = measure_median(lambda at: game.layers(views[id(at)]), chosen[-1:])  # later calls find it in a cache

    def median_of(work: Callable[[Moment], object], scale: float) -> float:
        return scale * measure_median(work, chosen)

    return [
        Figure("play", median_of(lambda at: game.play(at.state, at.seat, at.step), US), "µs", 200),
        Figure("legal_moves", median_of(lambda at: game.legal_moves(at.state, at.seat), US), "µs", 150),
        Figure("view", median_of(lambda at: game.view(at.state, at.seat), MS), "ms", 2),
        Figure("encode", median_of(lambda at: game.encode(at.state), MS), "ms", 2),
        Figure("decode", median_of(lambda at: game.decode(texts[id(at)]), MS), "ms", 5),
        Figure("moving picture", median_of(lambda at: game.draw(views[id(at)]), MS), "ms", 10),
        Figure("map layer, first time", MS * layer_s, "ms", 40),
        Figure("random hero-days", measure_days(RandomBot(), days), "/s", 60, at_least=True),
        Figure("bot hero-days", SEATS * days / seconds, "/s", 15, at_least=True),
        Figure("month of four bots", seconds * 28 / days, "s", 60),
    ]


def format_table(figures: Sequence[Figure]) -> str:
    """Format the figures as a table."""
    lines = ["| measurement | figure | limit | met |", "|---|---:|---:|---|"]
    for row in figures:
        limit = f"{'≥' if row.at_least else '≤'} {row.limit:g} {row.unit}"
        lines.append(f"| {row.name} | {row.value:.3g} {row.unit} | {limit} | {'yes' if row.is_met else 'no'} |")
    return "\n".join(lines)


INTRODUCTION: Final = """\
# How fast Magic Realm runs

The rules run interpreted. The states are those of a month of bots on a ready-made map; a hero-day is one
day of one character, from birdsong to midnight. Times are processor time; the limits are those of the
design.

Made by `python -m bench.speed.magic --write` on {machine}.
"""


@click.command(help=__doc__)
@click.option("--days", default=28, show_default=True, type=click.IntRange(1, 28), help="Days of the bots' game.")
@click.option("--samples", default=300, show_default=True, type=click.IntRange(1), help="States that are measured.")
@click.option("--write", is_flag=True, help="Write docs/host/magic-speed.md.")
def main(*, days: int, samples: int, write: bool) -> None:
    """Measure and print the table."""
    table = format_table(measure(days, samples))
    click.echo(table)
    if write:
        PAGE.write_text(f"{INTRODUCTION.format(machine=describe_machine())}\n{table}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
