"""Move by move with the slow twin: the same steps, the same states, under random options; and counts of sequences."""

from __future__ import annotations

import pytest

from realmtable.engine.options import OptionValue
from realmtable.engine.perft import perft
from tests.classic_realm.helpers import GAME, TESTED, options_of, play, start, summary
from tests.classic_realm.twin import WIDTHS, ClassicTwin, ClassicTwinOptions
from tests.twin_checks import TwinChecks, count_sequences, count_twin_sequences


class TestTwin(TwinChecks):
    tested = TESTED
    summary = staticmethod(summary)
    twin = ClassicTwin
    twin_options = ClassicTwinOptions
    widths = WIDTHS


# ---- counts of sequences, agreed by both

PLACED = "Fb2 Fb8 Fe2 Fe8 Fh2 Fh8 Fk2 Fk8 Fb5 Fb11 Fe5 Fe11 Fh5 Fh11 Fk5 Fk11"
OPENING = "Fe5b8 Fk8b8 Fh5b8 Fe8b8"
MIDDLE = OPENING + " Fh2b8 Fb11b8 Fb5b8 Fh11b11 Fb8b11 Fe11b11 Fb8b11 Fh8h11"
PERFT: list[tuple[dict[str, OptionValue], str, list[int]]] = [
    ({}, "", [32, 896, 29638, 838306]),
    ({}, MIDDLE, [18, 108, 2276, 14779]),
    ({"max_plies": 20}, MIDDLE + " Fb8e11 Fk11h8 Fk2k8 Fh11h5 Fe11h11 Fh8h2", [23, 204, 0]),
    ({"free_setup": True}, "", [16, 240, 3360, 43680]),
    ({"free_setup": True}, PLACED, [32, 896, 29638, 838306]),
    ({"double_moves": True}, "", [32, 896, 29638, 838306]),
    ({"double_moves": True}, OPENING + " Fh2b8", [20, 463, 8925, 193751]),
    ({"double_moves": True}, "Fb2k8 Fb8h5 Fe2k11 Fb11k11 Fk2h5", [25, 668, 17393]),  # a rescue by the first move
    (
        {"double_moves": True, "free_setup": True},
        PLACED + " Fk8h5 Fk2b8 Fb11k8 Fe5k2 Fe11b11",
        [35, 1099, 28975, 780546],
    ),
]


def check_perft(options: dict[str, OptionValue], texts: str, depth: int, number: int) -> None:
    state, twin = start(**options), TestTwin.start_twin(options_of(**options))
    for text in texts.split():
        state, twin = play(state, text), twin.play(text)
    assert (count_sequences(state, depth), count_twin_sequences(twin, depth)) == (number, number)


@pytest.mark.parametrize(("options", "texts", "numbers"), PERFT)
def test_short_sequences_are_counted_alike(options: dict[str, OptionValue], texts: str, numbers: list[int]) -> None:
    for depth, number in enumerate(numbers[:2], 1):
        check_perft(options, texts, depth, number)


@pytest.mark.slow
@pytest.mark.parametrize(("options", "texts", "numbers"), PERFT)
def test_longer_sequences_are_counted_alike(options: dict[str, OptionValue], texts: str, numbers: list[int]) -> None:
    for depth, number in enumerate(numbers[2:], 3):
        check_perft(options, texts, depth, number)


def test_the_protocol_counts_the_same() -> None:
    assert [perft(GAME, start(), depth) for depth in range(3)] == [1, *PERFT[0][2][:2]]
