"""What a game counts for statistics: summoned and Controlled Realms, Etherium, new Mages and Exhausted opponents."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from realmtable.games.realms_of_etherium.kernels import layout, tally
from realmtable.kit.rules import Position
from tests.realms_of_etherium.helpers import play_on, read

OTHERS = "reserve=Draw;Shift;Lessen;Accord;Bond;Network"


def count_steps(text: str, *steps: str) -> NDArray[np.int64]:
    position = read(text)
    counts = np.zeros(tally.TALLY_SIZE, dtype=np.int64)
    for step in steps:
        before: Position = position.copy()
        play_on(position, step)
        tally.tally_step(before, position, counts)
    return counts


def by_kind(counts: NDArray[np.int64], first: int, seat: int) -> dict[str, int]:
    """The counts of a seat that are not 0, by the name of the tile."""
    entry = first + seat * layout.KIND_COUNT
    amounts = counts[entry : entry + layout.KIND_COUNT].tolist()
    return {name: amount for name, amount in zip(layout.KIND_NAMES, amounts, strict=True) if amount}


def test_summoned_and_controlled_realms_are_counted_by_seat() -> None:
    counts = count_steps(
        "tiles=Portal@0,0;Quicken@1,0 mages=portal;portal/portal;portal etherium=0.0/5.5 seat=2 phase=act active=1"
        f" {OTHERS}",
        "summon 0,1",
        "take Draw",
        "reveal Channel",
        "control",
    )
    assert by_kind(counts, tally.SUMMONED, 1) == {"Draw": 1}
    assert by_kind(counts, tally.TAKEN, 1) == {"Draw": 1}
    assert by_kind(counts, tally.SUMMONED, 0) == by_kind(counts, tally.TAKEN, 0) == {}


def test_gained_etherium_and_new_mages_are_counted() -> None:
    text = "tiles=Portal@0,0;Channel@1,0;Conjure@0,1 mages=portal;portal/portal etherium=0.3/0.0 phase=act active=1"
    assert count_steps(f"{text} {OTHERS}", "to 1,0")[tally.GAINED_WHITE :][:2].tolist() == [2, 0]
    counts = count_steps(f"{text} {OTHERS}", "to 0,1", "use")
    assert counts[tally.NEW_MAGES :][:2].tolist() == [1, 0]
    assert counts[tally.GAINED_BLACK :][:2].tolist() == [0, 0]  # what was paid is not subtracted


def test_exhausted_opponents_are_counted_and_those_of_the_first_round_apart() -> None:
    tiles = "tiles=Portal@0,0;Paralyze@1,0;Quicken@0,1"
    text = f"{tiles} mages=portal;0,1/portal;portal;0,1 etherium=0.1/0.0 phase=act active=1"
    for round_ in (1, 2):
        counts = count_steps(f"{text} round={round_} {OTHERS}", "to 1,0", "use")
        assert counts[tally.EXHAUSTED_OTHERS :][:2].tolist() == [3, 0]
        assert counts[tally.EXHAUSTED_FIRST :][:2].tolist() == [3 if round_ == 1 else 0, 0]


def test_the_starting_seat_is_remembered() -> None:
    text = f"tiles=Portal@0,0 mages=portal;portal/portal;portal phase=first turn=0 {OTHERS}"
    assert count_steps(text, "first 2")[tally.STARTER] == 1


def test_activations_that_change_nothing_are_counted_in_a_row() -> None:
    text = f"tiles=Portal@0,0;Quicken@1,0;Lessen@0,1 mages=1,0;0,1;portal/1,0;0,1;portal {OTHERS}"
    stay = ("mage 2", "end")  # of the first activation only the end is seen, so it does not count
    for third, idle, most in (
        (("mage 1", "end"), 2, 2),
        (("mage 1", "to 0,1", "to 1,0"), 2, 2),  # there and back
        (("mage 1", "to 0,1", "end"), 0, 1),
    ):
        counts = count_steps(text, *stay, *stay, *third)
        assert (counts[tally.IDLE], counts[tally.MOST_IDLE]) == (idle, most), third
