"""The score at the end of the game (Q7, Q8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.game_numbers import Victory
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.day_rules.carry import list_dropped_at_the_end
from realmtable.games.magic_realm.day_rules.curses import ASHES, DISGUST, is_cursed
from realmtable.games.magic_realm.world.entities import GOALS
from realmtable.games.magic_realm.world.world import World


class Tally(NamedTuple):
    """What counts for a character, the points it assigned, or the factors, by kind of point."""

    treasures: int = 0  # great ones
    spells: int = 0
    fame: int | Fraction = 0
    notoriety: int | Fraction = 0
    gold: int = 0


class ScoreRow(NamedTuple):
    """How one kind of point adds to the total."""

    kind: str  # a field of Tally
    owned: int | float
    needed: int
    basic: int
    bonus: int


def score_tally(owned: Tally, points: Tally, worth: int) -> list[ScoreRow]:
    """Return the score of each kind of point; `worth` is that of the gear at the start (Q8)."""
    return [*_score_rows(owned, points, worth)]


def plain_number(points: int | Fraction) -> int | float:
    """Return points as a plain number; fractions (K1) with two decimals."""
    whole = Fraction(points)
    return whole.numerator if whole.denominator == 1 else round(float(whole), 2)


def total_of(rows: list[ScoreRow]) -> int:
    """Return the total score; at 0 or more the goal is reached."""
    return sum(row.basic + row.bonus for row in rows)


def score_seat(world: World, seat: Seat) -> list[ScoreRow]:
    """Return the score of a living character."""
    return score_tally(tally_seat(world, seat), *_find_goals(world, seat))


def find_needed_goals(world: World, seat: Seat) -> dict[str, int]:
    """Return how much a character must have on the last day of what it has assigned points to."""
    points, worth = _find_goals(world, seat)
    needed = find_needed(points, worth)._asdict()
    return {kind: int(needed[kind]) for kind, assigned in points._asdict().items() if assigned}


def _find_goals(world: World, seat: Seat) -> tuple[Tally, int]:
    """Return the points that a character has assigned, and what it is worth."""
    hero = world.heroes[seat]
    points = Tally(**Counter(GOALS[goal] for goal in hero.points or ()))
    return points, load_catalog().characters[hero.character].worth


def list_totals(world: World) -> list[int]:
    """Return the total of each seat; the dead have a fixed one (Q8)."""
    dead = load_catalog().numbers.victory.dead
    return [dead if hero.dead else total_of(score_seat(world, seat)) for seat, hero in enumerate(world.heroes)]


def tally_seat(world: World, seat: Seat) -> Tally:
    """Return what counts for a character; what it cannot carry does not (Q7)."""
    catalog, hero, dropped = load_catalog(), world.heroes[seat], {*list_dropped_at_the_end(world, seat)}
    kept = [catalog.goods[number] for number in hero.pack if number not in dropped]
    return Tally(
        treasures=sum(isinstance(goods, Treasure) and goods.is_great for goods in kept),
        fame=(-1 if is_cursed(world, seat, DISGUST) else hero.fame) + sum(goods.fame for goods in kept),
        notoriety=hero.notoriety + sum(goods.notoriety for goods in kept),
        gold=-1 if is_cursed(world, seat, ASHES) else hero.gold,
    )


def find_needed(points: Tally, worth: int) -> Tally:
    """Return how much of everything a character with these points must have on the last day."""
    factors = _factors(load_catalog().numbers.victory)
    needed = Tally(*(int(assigned * factor) for assigned, factor in zip(points, factors, strict=True)))
    return needed._replace(gold=needed.gold + worth)


def _score_rows(owned: Tally, points: Tally, worth: int) -> Iterator[ScoreRow]:
    victory = load_catalog().numbers.victory
    rows = zip(Tally._fields, _factors(victory), owned, points, find_needed(points, worth), strict=True)
    for kind, factor, has, assigned, needed in rows:
        beyond = has - needed
        basic = int((beyond * victory.negatives_count if beyond < 0 else beyond) // factor)
        yield ScoreRow(kind, plain_number(has), int(needed), basic, basic * int(assigned))


def _factors(victory: Victory) -> Tally:
    return Tally(victory.great_treasures, victory.spells, victory.fame, victory.notoriety, victory.gold)
