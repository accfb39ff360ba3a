"""Where the days of the treasure hunters of Magic Realm go: `python -m bench.magic_days --maps 12`.

Every map is played twice, the second time with all sites known from the first morning. The difference shows how much
of the time goes into exploring. The days of the highest level at the table are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any, Final, NamedTuple

import click

from bench.levels_option import join_levels, levels_option
from bench.page_option import write_option
from realmtable.engine import registry
from realmtable.engine.bots import plan_steps
from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.day_rules.search import list_lying_slots, place_to_loot
from realmtable.games.magic_realm.world.belongings import list_goods_at
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import NO_SLOT, OPEN
from realmtable.games.magic_realm.world.knowledge import everyone, let_seats_know_slot, turn_up
from realmtable.games.magic_realm.world.open_slots import decide_chit, site_slot, weigh_chits
from realmtable.games.magic_realm.world.places import is_road
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from realmtable.search.bot_levels import make_bot

GAME: Final = "magic_realm"
LEVELS: Final = (5, 1, 5, 1)
DAYS_PER_WEEK: Final = 7
ACTIVITIES: Final = {"M": "Move", "H": "Hide", "S": "Search", "R": "Rest"}
FEW: Final = 2  # pieces of a box that are hardly ever found
ROWS: Final = (
    "written: Move", "written: Hide", "written: Search", "written: Rest", "written: other", "lost to blocks",
    "days blocked", "nights on roadways", "searches: locate", "searches: peer", "searches: loot",
    "loot of two pieces or fewer", "discoveries", "treasures", "treasures left behind", "deaths",
)  # fmt: skip


class Change(NamedTuple):
    """A step, and the states before and after it."""

    before: World
    after: World
    seat: Seat
    step: Step


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


def play_month(levels: Sequence[int], map_number: int, *, known: bool = False, days: str = "28") -> Iterator[Change]:
    """Yield the steps of a game, with the dice of `bench.magic_bots`."""
    game, chance = registry.game(GAME), Random(f"map {map_number}")
    bots = [make_bot(f"level{level}") for level in levels]
    rngs = [Random(f"{map_number} {seat} {level}") for seat, level in enumerate(levels)]
    state: Any = game.initial(len(levels), game.options(days=days, encounter="1"))
    while acting := game.to_move(state):
        if known and state.agenda[-1].kind == "write":
            state, known = show_all_sites(state, Random(f"sites {map_number}")), False
        seat = acting[0]
        if seat == CHANCE:
            outcomes = game.chance(state)
            steps = chance.choices([o.move for o in outcomes], [o.weight for o in outcomes])
        else:
            steps = plan_steps(bots[seat], game, state, seat, rngs[seat])
        for step in steps:
            before, state = state, game.play(state, seat, step)
            yield Change(before, state, seat, step)


def is_nearly_empty(world: World, seat: Seat, step: Step) -> bool:
    """Whether there is little left where a character loots."""
    return len(list_goods_at(world, place_to_loot(world, seat, step.args[0]))) <= FEW


def list_events(change: Change) -> Iterator[tuple[Seat, str, int]]:
    """Yield what a step means to the characters: the seat, a row of the report, and how often."""
    before, after, seat, step = change
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
    for change in play_month(levels, map_number, known=known, days=days):
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


def format_page(report: str, levels: Sequence[int], command: str) -> str:
    """Format the page of the documentation."""
    table = ", ".join(map(str, levels))
    return "\n".join([
        "# Where the days of the treasure hunters go",
        "",
        f"What bots of level {max(levels)} do in a month of Magic Realm, on average. At the table are bots of the",
        f"levels {table}. A month of a character has 112 phases, a few more with extra phases, fewer",
        "in caves. In the second column, everyone knows all sites from the first morning: the difference is what",
        "exploring costs. Most of the time goes into hiding, travel, and rest from wounds; the boxes of sites are soon",
        "so empty that a roll seldom finds anything, and monsters gather where someone searches.",
        "",
        f"Made by `{command}`.",
        "",
        report,
        "",
    ])  # fmt: skip


@click.command(help=__doc__)
@levels_option(LEVELS, "The levels at the table, one for each seat.")
@click.option("--maps", default=12, show_default=True, type=click.IntRange(1))
@click.option("--first-map", default=0, show_default=True, type=click.IntRange(0))
@click.option("--days", default="28", show_default=True, type=click.Choice(["28", "21", "14", "7"]))
@write_option
def main(*, levels: tuple[int, ...], maps: int, first_map: int, days: str, write: Path | None) -> None:
    """Count, print and write."""
    numbers = range(first_map, first_map + maps)
    usual, informed = (count_hunters(levels, numbers, known=known, days=days) for known in (False, True))
    report = format_report(max(levels), usual, informed, int(days) / DAYS_PER_WEEK)
    click.echo(report)
    if write is not None:
        command = f"python -m bench.magic_days --levels {join_levels(levels)} --maps {maps} --first-map {first_map}"
        command += f" --days {days} --write {write}"
        write.write_text(format_page(report, levels, command), encoding="utf-8")


if __name__ == "__main__":
    main()
