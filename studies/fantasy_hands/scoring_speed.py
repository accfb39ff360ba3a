"""Measure how fast hands of Fantasy Realms are scored: `python -m studies.fantasy_hands.scoring_speed`.

Compares the game's search for the best combination of choices with the same kernels trying every choice, and with the
same code interpreted, on the same random hands; all must agree on every hand.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final

import click

from bench.measure import Row, compare, format_rows, run_in_process
from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.scoring.best_choices import WORST, best_totals, clearable_places, place_with_power
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    CHANGES_SUIT,
    COPIES_GAME,
    COPIES_HAND,
    NO_NAME,
    POWER_OF,
    SUIT_OF,
    SUITS_TAKEN,
    IntArray,
    card_arrays,
    to_kernel_array,
)
from realmtable.games.fantasy_realms.scoring.total import compute_total
from realmtable.games.fantasy_realms.scoring.workspace import (
    NAME,
    SUIT,
    Hand,
    HandPlace,
    lay_out_hand,
    new_workspace,
    set_identity,
)
from realmtable.kit.compile import kernel

SIZE: Final = 7
SUITS_GIVEN: Final = 10  # by the Book; never Wild
INTERPRETED: Final = """
import json
from studies.fantasy_hands.scoring_speed import random_hands, score_pruned, time_scorer
print(json.dumps(time_scorer(score_pruned, random_hands({number}, {seed}), 0)))
"""

Scorer = Callable[[IntArray], list[int]]  # from concatenated hands to their totals


def random_hands(number: int, seed: int) -> IntArray:
    """Draw random hands of seven, concatenated."""
    rng = random.Random(seed)
    return to_kernel_array(card for _ in range(number) for card in rng.sample(range(len(CARDS)), SIZE))


# ---- trying every choice


@kernel
def brute_totals(tables: IntArray, hands: Hand, size: int, workspace: IntArray, out: IntArray) -> None:
    """Write the worth of many hands of one size, by trying every choice."""
    for number in range(len(out)):
        out[number] = brute_total(tables, hands[number * size : (number + 1) * size], workspace)


@kernel
def brute_total(tables: IntArray, hand: Hand, workspace: IntArray) -> int:
    """Return the best total over the cards that Doppelgänger may copy."""
    double, best = place_with_power(tables, hand, COPIES_HAND), WORST
    for model in range(-1, len(hand) if double >= 0 else 0):
        if model < 0 or model != double:
            lay_out_hand(tables, workspace, hand, double if model >= 0 else -1, model)
            best = max(best, best_over_copies(tables, hand, workspace))
    return best


@kernel
def best_over_copies(tables: IntArray, hand: Hand, workspace: IntArray) -> int:
    """Return the best total over all pairs of cards that Mirage and Shapeshifter may become."""
    first, second = next_copier(tables, hand, 0), -1
    if first >= 0:
        second = next_copier(tables, hand, first + 1)
    best = WORST
    for one in range(-1, NO_NAME if first >= 0 else 0):
        if not set_copy(tables, hand, workspace, first, one):
            continue
        for two in range(-1, NO_NAME if second >= 0 else 0):
            if set_copy(tables, hand, workspace, second, two):
                best = max(best, best_over_suits(tables, hand, workspace))
    return best


@kernel
def next_copier(tables: IntArray, hand: Hand, start: HandPlace) -> HandPlace:
    """Return the next place of a card that may become any card of some suits, or -1."""
    for place in range(start, len(hand)):
        if tables[POWER_OF + hand[place]] == COPIES_GAME:
            return place
    return -1


@kernel
def set_copy(tables: IntArray, hand: Hand, workspace: IntArray, place: HandPlace, name: int) -> bool:
    """Let the card at a place, if any, become another card, or itself for -1; return False if it may not."""
    if place < 0:
        return True
    card = name if name >= 0 else hand[place]
    if name >= 0 and not tables[SUITS_TAKEN + hand[place]] >> tables[SUIT_OF + card] & 1:
        return False
    set_identity(tables, workspace, place, card, tables[SUIT_OF + card])
    return True


@kernel
def best_over_suits(tables: IntArray, hand: Hand, workspace: IntArray) -> int:
    """Return the best total over the cards and suits of the Book."""
    book, best = place_with_power(tables, hand, CHANGES_SUIT), best_over_island(tables, len(hand), workspace)
    if book >= 0:
        for place in range(len(hand)):
            if place != book:
                best = max(best, best_over_suits_of_card(tables, len(hand), workspace, place))
    return best


@kernel
def best_over_suits_of_card(tables: IntArray, size: int, workspace: IntArray, place: HandPlace) -> int:
    """Return the best total over the suits that the card at a place may get."""
    name, before, best = workspace[NAME + place], workspace[SUIT + place], WORST
    for suit in range(SUITS_GIVEN):
        set_identity(tables, workspace, place, name, suit)
        best = max(best, best_over_island(tables, size, workspace))
    set_identity(tables, workspace, place, name, before)
    return best


@kernel
def best_over_island(tables: IntArray, size: int, workspace: IntArray) -> int:
    """Return the best total over the cards that Island may clear."""
    best, may = compute_total(tables, workspace, size, -1), clearable_places(workspace)
    for place in range(size):
        if may >> place & 1:
            best = max(best, compute_total(tables, workspace, size, place))
    return best


# ---- measuring


def score_pruned(hands: IntArray) -> list[int]:
    """Return the totals that the game computes."""
    out = to_kernel_array([0] * (len(hands) // SIZE))
    best_totals(card_arrays(), hands, SIZE, new_workspace(), out)
    return [int(total) for total in out]


def score_brute_force(hands: IntArray) -> list[int]:
    """Return the totals computed by trying every choice."""
    out = to_kernel_array([0] * (len(hands) // SIZE))
    brute_totals(card_arrays(), hands, SIZE, new_workspace(), out)
    return [int(total) for total in out]


def time_scorer(scorer: Scorer, hands: IntArray, seconds: float) -> tuple[float, list[int]]:
    """Return hands per second of processor time, over at least `seconds`, and the totals."""
    scorer(hands[: 2 * SIZE])  # compile before the clock starts
    done, start = 0, time.process_time()
    while True:
        totals = scorer(hands)
        done += len(totals)
        passed = time.process_time() - start
        if passed >= seconds:
            return done / passed, totals


def disagreements(hands: IntArray, *columns: list[int]) -> list[str]:
    """Describe the hands whose totals differ."""
    differences = []
    for number, totals in enumerate(zip(*columns, strict=True)):
        if len(set(totals)) > 1:
            names = ", ".join(CARDS[card].name for card in hands[number * SIZE : (number + 1) * SIZE])
            differences.append(f"{names}: {' and '.join(map(str, totals))}")
    return differences


def rows(seconds: float, number: int = 2000, seed: int = 1) -> list[Row]:
    """Compare the scorer's speed with trying every choice, and with itself interpreted."""
    hands = random_hands(number, seed)
    quick, totals = time_scorer(score_pruned, hands, seconds)
    slow, every = time_scorer(score_brute_force, hands, seconds)
    plain, interpreted = run_in_process(INTERPRETED.format(number=number, seed=seed), REALMTABLE_COMPILE="0")
    if wrong := disagreements(hands, totals, every, interpreted):
        raise click.ClickException("The scorers disagree. " + "; ".join(wrong[:3]))
    claim = f"best totals of {number:,} random hands, compiled, 1 thread (hands/s of processor time)"
    return [
        compare(claim, quick, "trying every choice with the same kernels", slow),
        compare(claim, quick, "the same code interpreted", plain),
    ]


@click.command()
@click.option("--seconds", type=click.FloatRange(0.2, 600), default=4.0, show_default=True, help="Seconds per rate.")
@click.option("--hands", type=click.IntRange(10, 1_000_000), default=2000, show_default=True, help="Random hands.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the random hands.")
def main(seconds: float, hands: int, seed: int) -> None:
    """Measure how fast hands of Fantasy Realms are scored, and check that all methods agree."""
    click.echo(f"Scoring {hands:,} hands in three ways …", err=True)
    click.echo(format_rows(rows(seconds, hands, seed)))
    click.echo("All agree on every hand.")


if __name__ == "__main__":
    main()
