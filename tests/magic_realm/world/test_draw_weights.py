"""Deciding cards late has the same probabilities as a full shuffle, in any order of looking: with exact fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import NamedTuple

import pytest

from realmtable.games.magic_realm.world.draw_weights import (
    Weights,
    weigh_equally,
    weigh_group_slot,
    weigh_site_slot,
)

Layout = tuple[int, ...]  # what each slot contains
Weigh = Callable[[dict[int, int], int], Weights]  # what has been drawn by slot, the slot looked at
CITY, CASTLE = 100, 200


class Pool(NamedTuple):
    """A small set of slots: all its shuffles, and the product's weights for a look."""

    slots: int
    shuffles: Callable[[], Iterator[Layout]]
    weigh: Weigh


def tiles_pool(caves: int, mountains: int, city: int, castle: int) -> Pool:
    """Slots of cave tiles with the Lost City, of mountain tiles with the Lost Castle, and their two stacks."""
    total = caves - 1 + mountains - 1 + city + castle
    groups = range(caves), range(caves, caves + mountains)

    def shuffles() -> Iterator[Layout]:
        for order, at, on in product(permutations(range(total)), range(caves), range(mountains)):
            chits = list(order)
            cave = chits[: caves - 1]
            mountain = chits[caves - 1 : caves + mountains - 2]
            cave.insert(at, CITY)
            mountain.insert(on, CASTLE)
            yield (*cave, *mountain, *chits[caves + mountains - 2 :])

    def weigh(drawn: dict[int, int], slot: int) -> Weights:
        left = [chit for chit in range(total) if chit not in drawn.values()]
        for group, special in zip(groups, (CITY, CASTLE), strict=True):
            if slot in group:
                still = None if special in drawn.values() else special
                return weigh_group_slot(left, still, sum(other not in drawn for other in group))
        return weigh_equally(left)

    return Pool(caves + mountains + city + castle, shuffles, weigh)


def treasure_pool(sites: int, inside: int, within: int) -> Pool:
    """Large slots of sites and of the cards that have boxes: those boxes are filled before the cards are mixed in."""
    large = range(sites - within + inside)
    cards = range(100, 100 + within)

    def shuffles() -> Iterator[Layout]:
        for boxed in permutations(large, inside):
            others = [card for card in large if card not in boxed]
            for mixed in permutations([*others, *cards]):
                yield (*mixed, *boxed)

    def weigh(drawn: dict[int, int], slot: int) -> Weights:
        left = [card for card in large if card not in drawn.values()]
        if slot >= sites:
            return weigh_equally(left)
        others = [card for card in cards if card not in drawn.values()]
        return weigh_site_slot(left, others, sum(other not in drawn for other in range(sites)))

    return Pool(sites + inside, shuffles, weigh)


def spare_pool(slots: int, cards: int) -> Pool:
    """Slots of one kind of card of which there are more than slots."""

    def weigh(drawn: dict[int, int], _: int) -> Weights:
        return weigh_equally([card for card in range(cards) if card not in drawn.values()])

    return Pool(slots, lambda: permutations(range(cards), slots), weigh)


POOLS = {
    "2 caves 2 mountains 1+1": tiles_pool(2, 2, 1, 1),
    "3 caves 2 mountains": tiles_pool(3, 2, 0, 0),
    "3 caves 1 mountain 1+0": tiles_pool(3, 1, 1, 0),
    "1 cave 1 mountain 2+1": tiles_pool(1, 1, 2, 1),
    "3 sites, 1 within slot, 1 card": treasure_pool(3, 1, 1),
    "3 sites, 1 within slot, 2 cards": treasure_pool(3, 1, 2),
    "4 sites, 1 within slot, 2 cards": treasure_pool(4, 1, 2),
    "2 sites, 2 cards, no large ones": treasure_pool(2, 0, 2),
    "3 slots of 5": spare_pool(3, 5),
}


def count_looks(pool: Pool) -> Counter[tuple[int | None, ...]]:
    """Count the shuffles that agree with each possible set of looks; None stands for a slot not looked at."""
    counts: Counter[tuple[int | None, ...]] = Counter()
    for layout in pool.shuffles():
        counts.update(product(*((content, None) for content in layout)))
    return counts


@pytest.mark.parametrize("name", POOLS)
def test_looks_are_as_likely_as_after_a_full_shuffle(name: str) -> None:
    """After every set of looks, the next look at every other slot has the chances that all shuffles give it.

    The chances of a whole layout are the product of those of its looks, so this holds for every order of looking.
    """
    pool = POOLS[name]
    counts = count_looks(pool)
    for looks, total in counts.items():
        drawn = {slot: content for slot, content in enumerate(looks) if content is not None}
        for slot in {*range(pool.slots)} - {*drawn}:
            weights = pool.weigh(drawn, slot)
            whole = sum(weight for _, weight in weights)
            chances = {content: Fraction(weight, whole) for content, weight in weights}
            found = {content: counts[(*looks[:slot], content, *looks[slot + 1 :])] for content in chances}
            assert chances == {content: Fraction(number, total) for content, number in found.items()}, (looks, slot)
            assert sum(found.values()) == total  # nothing else can be found


def test_weights_are_positive_ascending_whole_numbers() -> None:
    for left, slots in product(range(1, 6), range(1, 6)):
        for weights in (weigh_group_slot(range(left), CITY, slots), weigh_group_slot(range(left), None, slots)):
            assert weights == sorted(weights)
            assert all(weight > 0 for _, weight in weights)


def test_the_last_open_slot_of_a_group_holds_its_special_chit() -> None:
    assert weigh_group_slot([1, 2, 3], CITY, 1) == [(CITY, 3)]
    assert weigh_group_slot([], CITY, 2) == [(CITY, 1)]


def test_single_looks_on_the_real_pools() -> None:
    """18 sounds and sites with the Lost City in five cave tiles; 23 large treasures and 6 cards in 24 slots."""
    weights = dict(weigh_group_slot(range(18), CITY, 5))
    assert Fraction(weights[CITY], sum(weights.values())) == Fraction(1, 5)
    weights = dict(weigh_site_slot(range(23), range(100, 106), 24))
    assert Fraction(weights[100], sum(weights.values())) == Fraction(1, 24)
    assert sum(Fraction(weights[card], sum(weights.values())) for card in range(23)) == Fraction(18, 24)


def test_pools_have_as_many_shuffles_as_they_should() -> None:
    """A twin that lists too few shuffles would prove nothing."""
    assert len([*POOLS["2 caves 2 mountains 1+1"].shuffles()]) == 24 * 4
    assert len([*POOLS["3 slots of 5"].shuffles()]) == 60
    assert len([*combinations(range(5), 3)]) * 6 == 60
