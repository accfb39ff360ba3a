"""What the evaluation knows of groups, rooms and pins is what the rules say."""

from __future__ import annotations

import numpy as np
import pytest

from realmtable.games.oriental_realm.first_state import State
from realmtable.games.oriental_realm.groups import empty_neighbours, groups_of, piece_cells
from realmtable.games.oriental_realm.moves import is_pinned
from realmtable.games.oriental_realm.surround_distance import (
    EMPTY_COUNT,
    FILLABLE,
    PIECE_CELLS,
    PIECE_COUNT,
    PIECES_EACH,
    PINNED,
    SUMMARY_SIZE,
    group_of,
    max_filled_cells,
    summarise_board,
    survey_group,
)
from tests.oriental_realm.helpers import random_game


def states(seed: int) -> list[State]:
    return [state for state, step in random_game(seed, max_turns=30) if step is not None][::4]


@pytest.mark.parametrize("seed", range(4))
def test_groups_rooms_and_pins_are_those_of_the_rules(seed: int) -> None:
    for state in states(seed):
        notes = np.empty(SUMMARY_SIZE, dtype=np.int64)
        summarise_board(state.position, notes)
        for seat in range(2):
            men = [int(notes[PIECE_CELLS + seat * PIECES_EACH + man]) for man in range(int(notes[PIECE_COUNT + seat]))]
            assert men == piece_cells(state.position, seat)
            pinned = [cell for man, cell in enumerate(men) if notes[PINNED + seat] >> man & 1]
            assert pinned == [cell for cell in men if is_pinned(state.position, cell)]
            for group in groups_of(state.position, seat):
                bits = group_of(notes, seat, men.index(group[0]))
                assert tuple(cell for man, cell in enumerate(men) if bits >> man & 1) == group
                survey_group(state.position, notes, seat, bits)
                assert notes[EMPTY_COUNT] == len(empty_neighbours(state.position, group))


@pytest.mark.parametrize(
    ("fills", "most"),
    [([], 0), ([0], 0), ([0b1], 1), ([0b1, 0b1], 1), ([0b1, 0b11], 2), ([0b11, 0b11, 0b11], 2), ([0b111, 0b1, 0b1], 2)],
)
def test_each_piece_fills_one_space(fills: list[int], most: int) -> None:
    notes = np.zeros(SUMMARY_SIZE, dtype=np.int64)
    notes[FILLABLE : FILLABLE + len(fills)] = fills
    assert max_filled_cells(notes, (1 << len(fills)) - 1, len(fills)) == most
