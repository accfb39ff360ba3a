"""Measure the bots of Magic Realm in whole months: `python -m studies.magic_realm.bots --games 200 --levels 5,1`.

The levels are seated in turn, and every map is played once for each way to seat them, so that neither the map nor the
seat favours a level. Intervals are 95% intervals over maps: Wilson's for shares, the normal one for means. With
`--write` the figures go to a page beside this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any, Final, NamedTuple

import click

from bench.measure import describe_machine
from realmtable.engine import registry
from realmtable.lab.jobs.job_runner import run_in_order
from realmtable.lab.jobs.local_runner import LocalRunner
from realmtable.lab.match_statistics import Z, wilson
from studies.magic_realm.deaths import Death, find_deaths, format_deaths
from studies.magic_realm.months import DAYS_PER_WEEK, GAME, play_month
from studies.magic_realm.options import join_levels, levels_option, require_seats

PAGE: Final = Path(__file__).with_name("bots.md")
COMBAT_PAGE: Final = Path(__file__).with_name("combat-bots.md")
FOUND: Final = "found"  # the question what to do with a find
FIGHTING: Final = "In combat they make the play with the best exact chances, and run from what they cannot beat."
KEEPING: Final = ("activate", "keep")
WEEKLY_TARGETS: Final = {3: 2.0, 5: 3.0}  # treasures a week in the median month, by level
MAX_DEATHS: Final = 0.8
MAX_DECISION_S: Final = 0.5
BETTER_PLACED: Final = {("1", 5, 1): 0.95, ("2", 5, 2): 0.75}  # of the pairings of two levels, by encounter


class HeroMonth(NamedTuple):
    """How one seat fared in a game."""

    level: int
    map: int
    treasures: int
    deaths: tuple[Death, ...]
    score: float
    rank: int
    reached: bool
    decisions_s: tuple[float, ...]


class Figures(NamedTuple):
    """What a level achieved."""

    level: int
    months: int
    weekly: float  # treasures a week in the median month
    weekly_mean: float
    weekly_error: float
    deaths: float
    deaths_error: float
    score: float
    score_error: float
    reached: float
    decision_s: float


def play_game(levels: Sequence[int], map_number: int, days: str, encounter: str = "1") -> list[HeroMonth]:
    """Play one game with a level in each seat."""
    treasures = [0] * len(levels)
    times: list[list[float]] = [[] for _ in levels]
    deaths: list[Death] = []
    state: Any = None
    for before, state, seat, step, decision_s in play_month(levels, map_number, days=days, encounter=encounter):
        deaths += find_deaths(before, state, seat, step)
        if decision_s is not None:
            times[seat].append(decision_s)
        if before.agenda[-1].kind == FOUND and step.verb in KEEPING:
            treasures[seat] += 1
    outcome = registry.game(GAME).outcome(state)
    assert outcome is not None  # noqa: S101 - no seat is to act
    return [
        HeroMonth(
            level,
            map_number,
            treasures[seat],
            tuple(death for death in deaths if death.seat == seat),
            outcome.scores[seat],
            outcome.ranking[seat],
            outcome.reached[seat],
            tuple(times[seat]),
        )
        for seat, level in enumerate(levels)
    ]


def list_seatings(levels: Sequence[int], seats: int) -> list[tuple[int, ...]]:
    """Return the ways to seat the levels in turn, each once.

    >>> list_seatings((5, 1), 4)
    [(5, 1, 5, 1), (1, 5, 1, 5)]
    """
    row = [levels[seat % len(levels)] for seat in range(seats)]
    return [*dict.fromkeys(tuple(row[turn:] + row[:turn]) for turn in range(seats))]


def play_map(levels: Sequence[int], seats: int, days: str, encounter: str, map_number: int) -> list[list[HeroMonth]]:
    """Play a map with every seating."""
    return [play_game(seating, map_number, days, encounter) for seating in list_seatings(levels, seats)]


def mean_with_error(values: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """Return the mean of values of maps and half its 95% interval, with a map counted as one value."""
    maps = sorted({number for number, _ in values})
    means = [fmean(value for number, value in values if number == one) for one in maps]
    return fmean(means), Z * stdev(means) / len(means) ** 0.5 if len(means) > 1 else float("inf")


def compute_figures(level: int, months: Sequence[HeroMonth], weeks: float) -> Figures:
    """Compute the figures of a level."""
    own = [month for month in months if month.level == level]
    weekly = mean_with_error([(month.map, month.treasures / weeks) for month in own])
    deaths = mean_with_error([(month.map, len(month.deaths)) for month in own])
    score = mean_with_error([(month.map, month.score) for month in own])
    return Figures(
        level,
        len(own),
        median(month.treasures / weeks for month in own),
        *weekly,
        *deaths,
        *score,
        fmean(month.reached for month in own),
        median(seconds for month in own for seconds in month.decisions_s),
    )


def list_pairings(games: Sequence[Sequence[HeroMonth]], strong: int, weak: int) -> Iterator[tuple[int, float]]:
    """Yield for each pair of two levels in a game its map, and whether the first is better placed; half for equals."""
    for game in games:
        for one in (month for month in game if month.level == strong):
            for other in (month for month in game if month.level == weak):
                yield one.map, 0.5 if one.rank == other.rank else float(one.rank < other.rank)


def judge_level(row: Figures) -> list[str]:
    """Return how a level compares with what the design asks for, as items of a list; level 1 is only for comparison."""
    found = []
    if row.level in WEEKLY_TARGETS:
        found.append(
            ("treasures a week", f"at least {WEEKLY_TARGETS[row.level]:g}", row.weekly >= WEEKLY_TARGETS[row.level])
        )
    if row.level > 1:
        found.append(("deaths a month", f"at most {MAX_DEATHS:g}", row.deaths <= MAX_DEATHS))
        found.append(("a decision", f"at most {MAX_DECISION_S:g} s", row.decision_s <= MAX_DECISION_S))
    return [
        f"- Level {row.level}, {what}: {limit} wanted, {'met' if met else 'not met'}." for what, limit, met in found
    ]


def judge_pairing(encounter: str, strong: int, weak: int, share: float) -> list[str]:
    """Return how the pairings of two levels compare with what the design asks for."""
    wanted = BETTER_PLACED.get((encounter, strong, weak))
    if wanted is None:
        return []
    verdict = "met" if share >= wanted else "not met"
    return [f"- Level {strong} better placed than level {weak}: {wanted:.0%} wanted, {verdict}."]


def format_report(
    games: Sequence[Sequence[HeroMonth]], levels: Sequence[int], weeks: float, encounter: str = "1"
) -> str:
    """Format the figures as tables."""
    months = [month for game in games for month in game]
    lines = [
        "| level | months | treasures a week, median | mean | deaths a month | score | goal reached | decision |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    judgements = []
    for level in dict.fromkeys(levels):
        row = compute_figures(level, months, weeks)
        judgements += judge_level(row)
        lines.append(
            f"| {row.level} | {row.months} | {row.weekly:.2f} | {row.weekly_mean:.2f} ± {row.weekly_error:.2f} "
            f"| {row.deaths:.2f} ± {row.deaths_error:.2f} | {row.score:.1f} ± {row.score_error:.1f} "
            f"| {row.reached:.0%} | {row.decision_s * 1000:.0f} ms |"
        )
    pairs = [(strong, weak) for strong in dict.fromkeys(levels) for weak in dict.fromkeys(levels) if strong > weak]
    for strong, weak in pairs:
        found = [*list_pairings(games, strong, weak)]
        share = mean_with_error(found)[0]
        low, high = wilson(share, len({number for number, _ in found}))
        lines += [
            "",
            f"Level {strong} is better placed than level {weak} in {share:.1%} of pairings ({low:.1%} to {high:.1%}).",
        ]
        judgements += judge_pairing(encounter, strong, weak, share)
    lines += ["", "What the design asks for:", "", *judgements]
    for level in dict.fromkeys(levels) if encounter != "1" else ():
        own = [month for month in months if month.level == level]
        lines += ["", f"## Deaths at level {level}", ""]
        lines += format_deaths([death for month in own for death in month.deaths], len(own))
    return "\n".join(lines)


INTRODUCTION: Final = """\
# {title}

The bots plan each day from their view: they hide, go where treasures may be, search and rest. A plan is
worth what it finds and where it ends, less the monsters that may come. A place is worth what searches
there should yield beyond what the same days bring elsewhere. Levels 2 to 5 are this bot, with a random step
in 45%, 20%, 4% and none of their decisions; level 1 plays at random. There are no higher levels. Levels 4
and 5 choose their goals by what they can expect to reach; levels 2 and 3 hope for more.
{fighting}
Made by `{command}` on {machine}.
Intervals are 95% intervals over maps; the time of a decision is the median.
The bots were tuned on the maps 0 to 14, 100 to 109, 200 to 223, 300 to 559, 2000 to 2024 and 3000 to 3039.

{report}
"""


def format_page(report: str, command: str, encounter: str) -> str:
    """Format the page."""
    return INTRODUCTION.format(
        title="Bots of Magic Realm" if encounter == "1" else "Bots of Magic Realm in games with combat",
        fighting="" if encounter == "1" else f"\n{FIGHTING}\n",
        command=command,
        machine=describe_machine(),
        report=report,
    )


@click.command(help=__doc__)
@click.option("--games", default=200, show_default=True, type=click.IntRange(1), help="Approximate number of games.")
@click.option("--seats", default=4, show_default=True, type=click.IntRange(1, 8))
@levels_option((5, 1), "Levels, seated in turn.")
@click.option("--days", default="28", show_default=True, type=click.Choice(["28", "21", "14", "7"]))
@click.option(
    "--first-map", default=0, show_default=True, type=click.IntRange(0), help="Number of the first map, the seed."
)
@click.option("--encounter", default="1", show_default=True, type=click.Choice(["1", "2"]), help="2 is with combat.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 64), help="Processes.")
@click.option("--write", is_flag=True, help="Write bots.md, or combat-bots.md.")
def main(  # noqa: PLR0913 - one argument for each option
    *,
    games: int,
    seats: int,
    levels: tuple[int, ...],
    days: str,
    first_map: int,
    encounter: str,
    workers: int,
    write: bool,
) -> None:
    """Play and print the figures."""
    require_seats(levels, seats)
    maps = max(1, round(games / len(list_seatings(levels, seats))))
    play = partial(play_map, levels, seats, days, encounter)
    found = run_in_order(LocalRunner(workers), play, range(first_map, first_map + maps))
    played = [game for games_of_map in found for game in games_of_map]
    report = format_report(played, levels, int(days) / DAYS_PER_WEEK, encounter)
    click.echo(report)
    if write:
        command = f"python -m studies.magic_realm.bots --games {games} --seats {seats} --levels {join_levels(levels)}"
        command += f" --days {days} --first-map {first_map} --encounter {encounter} --write"
        page = PAGE if encounter == "1" else COMBAT_PAGE
        page.write_text(format_page(report, command, encounter), encoding="utf-8")


if __name__ == "__main__":
    main()
