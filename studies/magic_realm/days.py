"""Where the days of the treasure hunters of Magic Realm go: `python -m studies.magic_realm.days --maps 12`.

Every map is played twice, the second time with all sites known from the first morning. The difference shows how much
of the time goes into exploring. The days of the highest level at the table are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Final

import click

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.day_rules.search import list_lying_slots, place_to_loot
from realmtable.games.magic_realm.world.belongings import list_goods_at
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import NO_SLOT, OPEN
from realmtable.games.magic_realm.world.knowledge import everyone, let_seats_know_slot, turn_up
from realmtable.games.magic_realm.world.open_slots import decide_chit, site_slot, weigh_chits
from realmtable.games.magic_realm.world.places import is_road
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from studies.magic_realm.months import DAYS_PER_WEEK, Change, play_month
from studies.magic_realm.options import join_levels, levels_option

PAGE: Final = Path(__file__).with_name("days.md")
LEVELS: Final = (5, 1, 5, 1)
ACTIVITIES: Final = {"M": "Move", "H": "Hide", "S": "Search", "R": "Rest"}
FEW: Final = 2  # pieces of a box that are hardly ever found
ROWS: Final = (
    "written: Move", "written: Hide", "written: Search", "written: Rest", "written: other", "lost to blocks",
    "days blocked", "nights on roadways", "searches: locate", "searches: peer", "searches: loot",
    "loot of two pieces or fewer", "discoveries", "treasures", "treasures left behind", "deaths",
)  # fmt: skip


def show_all_sites(world: World, rng: Random) -> World:
    """Return a world in which everyone knows all sounds and sites; the Lost City and the Lost Castle are laid out."""
    shown = world.fork()
    tiles = [tile for tile in range(len(world.tiles)) if world.slots[site_slot(tile)].chit != NO_SLOT]
    for _ in range(2):  # the chits of the two stacks lie in their tiles only after the first time
        for slot in [slot for tile in tiles for slot in list_lying_slots(shown, tile)[1:]]:
            if shown.slots[slot].chit == OPEN:
                chits, weights = zip(*weigh_chits(shown, slot), strict=True)
                decide_chit(shown, slot, rng.choices(chits, weights)[0])
            let_seats_know_slot(shown, slot, everyone(shown))
            if shown.slots[slot].chit in catalog_lookups().red_chits:
                turn_up(shown, slot)
    return shown.seal()


def is_nearly_empty(world: World, seat: Seat, step: Step) -> bool:
    """Whether there is little left where a character loots."""
    return len(list_goods_at(world, place_to_loot(world, seat, step.args[0]))) <= FEW


def list_events(change: Change) -> Iterator[tuple[Seat, str, int]]:
    """Yield what a step means to the characters: the seat, a row of the report, and how often."""
    before, after, seat, step, _ = change
    kind = before.agenda[-1].kind
    if kind == "write" and step.verb == "done":
        for entry in before.heroes[seat].plan:
            yield seat, f"written: {ACTIVITIES.get(entry.verb, 'other')}", 1
    if kind == "search":
        yield seat, f"searches: {step.verb}", 1
        yield seat, "loot of two pieces or fewer", int(step.verb == "loot" and is_nearly_empty(before, seat, step))
    if kind == "found":
        yield seat, "treasures left behind" if step.verb == "leave" else "treasures", 1
    for number, (old, new) in enumerate(zip(before.heroes, after.heroes, strict=True)):
        if new.blocked and not old.blocked:
            yield number, "days blocked", 1
            yield number, "lost to blocks", len(new.plan) - new.phase
        yield number, "discoveries", (new.discoveries & ~old.discoveries).bit_count()
        yield number, "deaths", int(new.dead and not old.dead)
        yield number, "nights on roadways", int(after.day > before.day and is_road(new.place))


def count_month(levels: Sequence[int], map_number: int, *, known: bool = False, days: str = "28") -> list[Counter[str]]:
    """Return what each seat did in a month."""
    counts: list[Counter[str]] = [Counter() for _ in levels]
    reveal = partial(show_all_sites, rng=Random(f"sites {map_number}")) if known else None
    for change in play_month(levels, map_number, days=days, reveal=reveal):
        for seat, row, number in list_events(change):
            counts[seat][row] += number
    return counts


def count_hunters(levels: Sequence[int], maps: Iterable[int], *, known: bool, days: str) -> list[Counter[str]]:
    """Return what each bot of the highest level did in a month on each map."""
    found = []
    for number in maps:
        counts = count_month(levels, number, known=known, days=days)
        found += [count for level, count in zip(levels, counts, strict=True) if level == max(levels)]
    return found


def format_report(level: int, usual: Sequence[Counter[str]], informed: Sequence[Counter[str]], weeks: float) -> str:
    """Format the averages as a table, and the treasures a week in the median month."""
    lines = [f"| level {level}, mean of {len(usual)} months | per month | all sites known |", "|---|---:|---:|"]
    for row in ROWS:
        means = [fmean(month[row] for month in months) for months in (usual, informed)]
        lines.append(f"| {row} | {means[0]:.1f} | {means[1]:.1f} |")
    medians = [median(month["treasures"] for month in months) / weeks for months in (usual, informed)]
    lines.append(f"| treasures a week in the median month | {medians[0]:.2f} | {medians[1]:.2f} |")
    return "\n".join(lines)


PAGE_TEXT: Final = """\
# Where the days of the treasure hunters go

What bots of level {level} do in a month of Magic Realm, on average. At the table are bots of the
levels {levels}. A month of a character has 112 phases, a few more with extra phases, fewer
in caves. In the second column, everyone knows all sites from the first morning: the difference is what
exploring costs. Most of the time goes into hiding, travel, and rest from wounds; the boxes of sites are soon
so empty that a roll seldom finds anything, and monsters gather where someone searches.

Made by `{command}`.

{report}
"""


@click.command(help=__doc__)
@levels_option(LEVELS, "The levels at the table, one for each seat.")
@click.option("--maps", default=12, show_default=True, type=click.IntRange(1))
@click.option("--first-map", default=0, show_default=True, type=click.IntRange(0))
@click.option("--days", default="28", show_default=True, type=click.Choice(["28", "21", "14", "7"]))
@click.option("--write", is_flag=True, help="Write days.md.")
def main(*, levels: tuple[int, ...], maps: int, first_map: int, days: str, write: bool) -> None:
    """Count, print and write."""
    numbers = range(first_map, first_map + maps)
    usual, informed = (count_hunters(levels, numbers, known=known, days=days) for known in (False, True))
    report = format_report(max(levels), usual, informed, int(days) / DAYS_PER_WEEK)
    click.echo(report)
    if write:
        command = f"python -m studies.magic_realm.days --levels {join_levels(levels)} --maps {maps}"
        command += f" --first-map {first_map} --days {days} --write"
        seated = ", ".join(map(str, levels))
        text = PAGE_TEXT.format(level=max(levels), levels=seated, command=command, report=report)
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
