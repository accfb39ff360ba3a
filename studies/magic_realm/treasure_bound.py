"""How many treasures a week of Magic Realm can bring: `python -m studies.magic_realm.treasure_bound --maps 200`.

A hunter who knows where all sites are goes to the best one or two of them, searches all day, and never meets a
monster, a rival or a locked door. Only the distances and the dice of Locate and Loot hold it up. What bots find has to
be compared with this. The sites are dealt as the rules deal them, the characters are those that bots choose. A second
table says what all sites hold together, since everyone at a table takes from the same boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, median, stdev
from typing import Final, cast

import click

from realmtable.engine import registry
from realmtable.games.magic_realm.bots.destinations import LOCATES
from realmtable.games.magic_realm.bots.known_world import DIE, KnownWorld, chance_of
from realmtable.games.magic_realm.bots.search_values import MAX_SEARCHES, expected_finds_after_discovery
from realmtable.games.magic_realm.bots.travel import count_marches, measure_ways
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import Place, place_of
from realmtable.games.magic_realm.view_parts.schema import MagicView
from realmtable.lab.match_statistics import Z
from studies.magic_realm.months import DAYS_PER_WEEK, GAME, play_month

PAGE: Final = Path(__file__).with_name("treasure-bound.md")
WEEKS: Final = 4  # of a month
SEATS: Final = 4
WANTED: Final = 3  # treasures a week that the design asks level 5 for
LOOT_DICE: Final = 2
STACK: Final = 5  # the chits of the Lost City and of the Lost Castle
FAR: Final = 999.0
LETTERS: Final = ("C", "M")  # of the tiles with sounds and sites


def begin_week(map_number: int) -> MagicView:
    """Return what a bot sees on the first morning of a solo week."""
    changes = play_month([5], map_number, days=str(DAYS_PER_WEEK))
    morning = next(change.after for change in changes if change.after.agenda[-1].kind == "write")
    return cast("MagicView", registry.game(GAME).view(morning, 0))


def deal_sites(rng: Random) -> Mapping[str, Place]:
    """Return where the sites lie: five chits in one tile of each letter, and one in each of the others (M4)."""
    catalog = load_catalog()
    chits = [chit for chit in catalog.map_chits if chit.kind in ("sound", "site")]
    rng.shuffle(chits)
    found: dict[str, Place] = {}
    for letter in LETTERS:
        tiles = [tile.id for tile in catalog.tiles if tile.letter == letter]
        stack = rng.choice(tiles)
        for tile in tiles:
            for _ in range(STACK if tile == stack else 1):
                chit = chits.pop()
                if chit.kind == "site":
                    found[chit.name] = place_of(tile, chit.clearing)
    return found


def count_searches(known: KnownWorld, place: Place) -> int:
    """Return how many searches a day has that is spent in a clearing."""
    numbers = load_catalog().numbers
    has_sun = not known.is_cave(place) and not known.never_has_sunlight
    return numbers.basic_phases + known.own["extra"].count("search") + numbers.sunlight_phases * has_sun


def list_finds(known: KnownWorld, name: str, place: Place) -> Sequence[float]:
    """Return how many treasures are found at a site on average, by the number of searches."""
    chance = chance_of(LOCATES, known.dice("locate", place))
    return expected_finds_after_discovery(len(known.box(name)), known.dice("loot", place), chance)


def list_hunts(known: KnownWorld, sites: Mapping[str, Place]) -> Iterator[float]:
    """Yield what hunts at one site or two bring in a week."""
    ways, marches = measure_ways(known, known.starts), count_marches(known)
    for first, place in sites.items():
        rate, finds = count_searches(known, place), list_finds(known, first, place)
        onward = measure_ways(known, [place])
        for searches in range(MAX_SEARCHES + 1):
            left = DAYS_PER_WEEK - ways.get(place, FAR) / marches - searches / rate
            if left < 0:
                break
            yield finds[searches]
            for second in sites.keys() - {first}:
                there = sites[second]
                more = int((left - onward.get(there, FAR) / marches) * count_searches(known, there))
                yield finds[searches] + list_finds(known, second, there)[min(MAX_SEARCHES, max(0, more))]


def measure_week(map_number: int) -> tuple[float, float]:
    """Return the treasures of the best hunt in a week, and of the best hunt of the average site."""
    known = KnownWorld(begin_week(map_number))
    sites = deal_sites(Random(f"sites {map_number}"))
    alone = [max(list_hunts(known, {name: place}), default=0.0) for name, place in sites.items()]
    return max(list_hunts(known, sites), default=0.0), fmean(alone)


# ---- what all hunters share


def list_roll_costs(boxes: Sequence[int]) -> list[float]:
    """Return how many Loot rolls with two dice each piece of some boxes takes on average, the easiest piece first.

    >>> [round(rolls, 2) for rolls in list_roll_costs([7])]
    [1.0, 1.0, 1.44, 2.25, 4.0, 9.0, 36.0]
    """
    left = [number for pieces in boxes for number in range(1, pieces + 1)]
    return sorted(1 / chance_of(range(1, min(number, DIE) + 1), LOOT_DICE) for number in left)


def format_supply(boxes: Sequence[int]) -> str:
    """Format what the sites hold, and what it takes to loot it, as a table."""
    costs, wanted = list_roll_costs(boxes), WANTED * SEATS * WEEKS
    return "\n".join([
        f"| all {len(boxes)} sites together, for everyone at the table | |",
        "|---|---:|",
        f"| treasures in their boxes, without those within others | {sum(boxes)} |",
        f"| treasures that {SEATS} hunters would take in a month at {WANTED} a week | {wanted} |",
        f"| treasures that a Loot roll with two dice never misses | {sum(rolls == 1 for rolls in costs)} |",
        f"| Loot rolls for half of all, always where it is easiest | {sum(costs[: len(costs) // 2]):.0f} |",
        f"| Loot rolls for three quarters | {sum(costs[: len(costs) * 3 // 4]):.0f} |",
        f"| Loot rolls for all | {sum(costs):.0f} |",
    ])  # fmt: skip


# ---- the page


def format_report(weeks: Sequence[tuple[float, float]]) -> str:
    """Format the figures as a table."""
    best = [most for most, _ in weeks]
    error = Z * stdev(best) / len(best) ** 0.5 if len(best) > 1 else float("inf")
    enough = fmean(most >= WANTED for most in best)
    return "\n".join([
        f"| a solo week with all sites known and no monsters, {len(best)} maps | treasures |",
        "|---|---:|",
        f"| the best hunt at one site or two, mean with its 95% interval | {fmean(best):.2f} ± {error:.2f} |",
        f"| the same, median | {median(best):.2f} |",
        f"| a hunt at the average site, mean | {fmean(mean for _, mean in weeks):.2f} |",
        f"| maps whose best hunt brings {WANTED} treasures or more | {enough:.0%} |",
    ])  # fmt: skip


PAGE_TEXT: Final = """\
# How many treasures a week of Magic Realm can bring

A hunter who knows where all sites are goes to the best one or two of them, searches all day, and never
meets a monster, a rival or a locked door. Only the distances and the dice of Locate and Loot hold it up.
The design asks level 5 for three treasures a week. [The bots](bots.md) find fewer than this hunter:
they know no site at first, and share the map with monsters and others. The second table shows that four
hunters could not take three treasures a week each over a month: they would have to empty nearly every box,
and the last pieces of a box hardly ever turn up. Five more treasures lie within others.

Made by `python -m studies.magic_realm.treasure_bound --maps {maps} --write`.

{report}
"""


@click.command(help=__doc__)
@click.option("--maps", default=200, show_default=True, type=click.IntRange(1))
@click.option("--write", is_flag=True, help="Write treasure-bound.md.")
def main(*, maps: int, write: bool) -> None:
    """Measure and print the figures."""
    known = KnownWorld(begin_week(0))
    supply = format_supply([len(known.box(site)) for site in deal_sites(Random(0))])
    report = "\n\n".join([format_report([measure_week(number) for number in range(maps)]), supply])
    click.echo(report)
    if write:
        PAGE.write_text(PAGE_TEXT.format(maps=maps, report=report), encoding="utf-8")


if __name__ == "__main__":
    main()
