"""How fast hands of Fantasy Realms are scored: `python -m bench.fantasy_scoring`.

The joint best choices as the game finds them, beside the same kernel asked for every choice there is, and beside the
same code interpreted; all over the same random hands, and all must agree on every one of them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final

import click

from bench.measure import Row, in_process, shown
from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.scoring.best_choices import WORST, best_totals, clearable, place_of
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    CHANGES_SUIT,
    COPIES_GAME,
    COPIES_HAND,
    NOBODY,
    POWER_OF,
    SUIT_OF,
    TAKEN_BY,
    Numbers,
    numbers,
    tables,
)
from realmtable.games.fantasy_realms.scoring.total import total_of
from realmtable.games.fantasy_realms.scoring.workspace import NAME, SUIT, Hand, Place, identify, lay_out, new_desk
from realmtable.kit.compile import kernel

SIZE: Final = 7
SUITS_GIVEN: Final = 10  # by the Book; Wild is none of them
INTERPRETED: Final = """
import json
from bench.fantasy_scoring import pruned, random_hands, timed
print(json.dumps(timed(pruned, random_hands({number}, {seed}), 0)))
"""

Scorer = Callable[[Numbers], list[int]]  # hands, one behind the other, to their totals


def random_hands(number: int, seed: int) -> Numbers:
    """Random hands of seven, one behind the other."""
    rng = random.Random(seed)
    return numbers(card for _ in range(number) for card in rng.sample(range(len(CARDS)), SIZE))


# ---- every choice there is


@kernel
def brute_totals(tables: Numbers, hands: Hand, size: int, desk: Numbers, out: Numbers) -> None:
    """The worth of many hands of a size, each by trying every choice."""
    for number in range(len(out)):
        out[number] = brute_total(tables, hands[number * size : (number + 1) * size], desk)


@kernel
def brute_total(tables: Numbers, hand: Hand, desk: Numbers) -> int:
    """The best over whom Doppelgänger becomes."""
    double, best = place_of(tables, hand, COPIES_HAND), WORST
    for model in range(-1, len(hand) if double >= 0 else 0):
        if model < 0 or model != double:
            lay_out(tables, desk, hand, double if model >= 0 else -1, model)
            best = max(best, over_copies(tables, hand, desk))
    return best


@kernel
def over_copies(tables: Numbers, hand: Hand, desk: Numbers) -> int:
    """The best over all pairs of cards that Mirage and Shapeshifter become."""
    first, second = copier_from(tables, hand, 0), -1
    if first >= 0:
        second = copier_from(tables, hand, first + 1)
    best = WORST
    for one in range(-1, NOBODY if first >= 0 else 0):
        if not become(tables, hand, desk, first, one):
            continue
        for two in range(-1, NOBODY if second >= 0 else 0):
            if become(tables, hand, desk, second, two):
                best = max(best, over_suits(tables, hand, desk))
    return best


@kernel
def copier_from(tables: Numbers, hand: Hand, start: Place) -> Place:
    """The next place of a card that may become any of some suits, or -1."""
    for place in range(start, len(hand)):
        if tables[POWER_OF + hand[place]] == COPIES_GAME:
            return place
    return -1


@kernel
def become(tables: Numbers, hand: Hand, desk: Numbers, place: Place, name: int) -> bool:
    """Let the card at a place, if any, become another, or itself for -1; False where it may not."""
    if place < 0:
        return True
    card = name if name >= 0 else hand[place]
    if name >= 0 and not tables[TAKEN_BY + hand[place]] >> tables[SUIT_OF + card] & 1:
        return False
    identify(tables, desk, place, card, tables[SUIT_OF + card])
    return True


@kernel
def over_suits(tables: Numbers, hand: Hand, desk: Numbers) -> int:
    """The best over the cards and suits of the Book."""
    book, best = place_of(tables, hand, CHANGES_SUIT), over_island(tables, len(hand), desk)
    if book >= 0:
        for place in range(len(hand)):
            if place != book:
                best = max(best, over_suits_of(tables, len(hand), desk, place))
    return best


@kernel
def over_suits_of(tables: Numbers, size: int, desk: Numbers, place: Place) -> int:
    """The best over the suits that the card at a place is given."""
    name, before, best = desk[NAME + place], desk[SUIT + place], WORST
    for suit in range(SUITS_GIVEN):
        identify(tables, desk, place, name, suit)
        best = max(best, over_island(tables, size, desk))
    identify(tables, desk, place, name, before)
    return best


@kernel
def over_island(tables: Numbers, size: int, desk: Numbers) -> int:
    """The best over the cards that Island clears."""
    best, may = total_of(tables, desk, size, -1), clearable(desk)
    for place in range(size):
        if may >> place & 1:
            best = max(best, total_of(tables, desk, size, place))
    return best


# ---- measured


def pruned(hands: Numbers) -> list[int]:
    """The totals as the game finds them."""
    out = numbers([0] * (len(hands) // SIZE))
    best_totals(tables(), hands, SIZE, new_desk(), out)
    return [int(total) for total in out]


def brute(hands: Numbers) -> list[int]:
    """The totals by every choice there is."""
    out = numbers([0] * (len(hands) // SIZE))
    brute_totals(tables(), hands, SIZE, new_desk(), out)
    return [int(total) for total in out]


def timed(scorer: Scorer, hands: Numbers, seconds: float) -> tuple[float, list[int]]:
    """Hands a second of processor time, over at least so many seconds, and the totals."""
    scorer(hands[: 2 * SIZE])  # compile before the clock starts
    done, start = 0, time.process_time()
    while True:
        totals = scorer(hands)
        done += len(totals)
        passed = time.process_time() - start
        if passed >= seconds:
            return done / passed, totals


def disagreements(hands: Numbers, *columns: list[int]) -> list[str]:
    """What is wrong with totals of the same hands, in words."""
    found = []
    for number, totals in enumerate(zip(*columns, strict=True)):
        if len(set(totals)) > 1:
            names = ", ".join(CARDS[card].name for card in hands[number * SIZE : (number + 1) * SIZE])
            found.append(f"{names}: {' and '.join(map(str, totals))}")
    return found


def rows(seconds: float, number: int = 2000, seed: int = 1) -> list[Row]:
    """The speed of the scorer beside every choice tried, and beside itself interpreted."""
    hands = random_hands(number, seed)
    quick, totals = timed(pruned, hands, seconds)
    slow, every = timed(brute, hands, seconds)
    plain, interpreted = in_process(INTERPRETED.format(number=number, seed=seed), REALMTABLE_COMPILE="0")
    if wrong := disagreements(hands, totals, every, interpreted):
        raise click.ClickException("The scorers disagree. " + "; ".join(wrong[:3]))
    claim = f"best totals of {number:,} random hands, compiled, 1 thread (hands/s of processor time)"
    return [
        Row(claim, shown(quick), "every choice tried, the same kernel", shown(slow), f"{quick / slow:,.1f} ×"),
        Row(claim, shown(quick), "the same code interpreted", shown(plain), f"{quick / plain:,.0f} ×"),
    ]


@click.command()
@click.option("--seconds", type=click.FloatRange(0.2, 600), default=4.0, show_default=True, help="Time for each rate.")
@click.option("--hands", type=click.IntRange(10, 1_000_000), default=2000, show_default=True, help="Random hands.")
@click.option("--seed", type=int, default=1, show_default=True, help="Which random hands.")
def main(seconds: float, hands: int, seed: int) -> None:
    """Measure how fast hands of Fantasy Realms are scored, and check that all ways agree."""
    click.echo(f"Scoring {hands:,} hands in three ways …", err=True)
    for row in rows(seconds, hands, seed):
        click.echo(f"{row.claim}: {row.figure} ({row.ratio} of {row.peer}, {row.peer_figure})")
    click.echo("All agree on every hand.")


if __name__ == "__main__":
    main()
