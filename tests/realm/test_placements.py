"""Possible set-ups: the magazine's sixteen ways to place three Bases, and their numbers."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import cast

import pytest

from realmtable.games.realm.first_state import State
from realmtable.games.realm.layout import BASE, SEAT_SHIFT
from realmtable.kit.realm_board.geometry import CENTERS, Realm, Symmetry, realm_of, transform_cell
from tests.realm.helpers import legal, phase_of, seat_of, start

Bases = frozenset[Realm]
Placement = tuple[Bases, Bases]  # White's and Black's Realms
SYMMETRIES = [cast("Symmetry", number) for number in range(8)]
IMAGES = [[realm_of(transform_cell(center, symmetry)) for center in CENTERS] for symmetry in SYMMETRIES]


class Level:
    """Every way the Bases can stand after some placements, with the number of sequences that lead there."""

    def __init__(self, sequences: dict[Placement, int], states: dict[Placement, State], options: set[int]) -> None:
        self.sequences = sequences
        self.states = states
        self.options = options  # how many steps were legal before


def bases(state: State) -> Placement:
    """Where the Bases stand."""
    white, black = (
        frozenset(realm_of(cell) for cell in CENTERS if state.position[cell] == BASE + (seat << SEAT_SHIFT))
        for seat in range(2)
    )
    return white, black


@cache
def levels() -> list[Level]:
    """The six placements of Bases, from the game's own lists of legal steps."""
    first = start()
    found = [Level({bases(first): 1}, {bases(first): first}, set())]
    for _ in range(6):
        sequences: Counter[Placement] = Counter()
        states: dict[Placement, State] = {}
        options: set[int] = set()
        for key, state in found[-1].states.items():
            codes = state.legal_codes()
            options.add(len(codes))
            for code in codes:
                after = state.after(code)
                place = bases(after)
                sequences[place] += found[-1].sequences[key]
                states.setdefault(place, after)
        found.append(Level(sequences, states, options))
    return found


def transform_bases(placed: Bases, symmetry: Symmetry) -> Bases:
    return frozenset(IMAGES[symmetry][realm] for realm in placed)


def class_of(placement: tuple[Bases, ...], swap: bool = False) -> tuple[tuple[int, ...], ...]:
    """The same for all placements that a symmetry, or a swap of colours, takes into one another."""
    ways = [placement, placement[::-1]] if swap else [placement]
    return min(
        tuple(tuple(sorted(transform_bases(part, symmetry))) for part in way) for way in ways for symmetry in SYMMETRIES
    )


def finals() -> list[Placement]:
    return list(levels()[6].sequences)


@pytest.mark.long
def test_r2_sixteen_distinct_ways_to_place_three_bases() -> None:
    alone = {white for white, _ in finals()}
    assert len(alone) == 96
    assert {black for _, black in finals()} == alone
    orbits = Counter(class_of((placed,)) for placed in alone)
    assert len(orbits) == 16
    assert Counter(orbits.values()) == {4: 8, 8: 8}


@pytest.mark.long
def test_r2_joint_placements() -> None:
    assert len(finals()) == 5088
    assert set(Counter(white for white, _ in finals()).values()) == {53}
    assert len({class_of(placement) for placement in finals()}) == 666
    assert len({class_of(placement, swap=True) for placement in finals()}) == 353


@pytest.mark.long
def test_r2_up_to_sixteen_ways_of_the_other() -> None:
    others: dict[tuple[tuple[int, ...], ...], set[object]] = {}
    for white, black in finals():
        others.setdefault(class_of((white,)), set()).add(class_of((black,)))
    assert Counter(len(ways) for ways in others.values()) == {16: 12, 15: 4}


def test_r2_no_player_is_ever_stuck() -> None:
    assert [level.options for level in levels()[1:]] == [{16}, {15}, {8, 9}, {7, 8, 9}, {2, 3, 4}, {2, 3, 4}]


def test_r2_the_number_of_sequences() -> None:
    assert sum(levels()[6].sequences.values()) == 183_168


def test_r3_the_powers_follow() -> None:
    for state in list(levels()[6].states.values())[::50]:
        assert (phase_of(state), seat_of(state), len(legal(state))) == ("powers", 0, 24)
