"""Make states of Modern Realm: the first state, and states from positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from realmtable.games.modern_realm import layout
from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.rules_record import RULES
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.geometry import CENTERS, transform_cell
from realmtable.kit.rules import Position

State = ArrayState[ModernOptions]
state_of: Callable[[Position, ModernOptions], State] = partial(ArrayState, RULES)
HALF_TURN: Final = 2


def first_state(options: ModernOptions) -> State:
    """Return the set-up (D1), before White's first move or, with V1, White's choice."""
    return state_of(first_position(options), options)


def empty_position(options: ModernOptions) -> Position:
    """Return a board without pieces, White to move."""
    position = np.zeros(layout.POSITION_SIZE, dtype=np.int64)
    position[layout.R_COUNTER_AGENT :] = layout.rule_numbers(options)
    position[layout.PHASE] = layout.TURN
    position[[layout.ORIGIN, layout.DISLODGED_REALM]] = -1
    return position


def first_position(options: ModernOptions) -> Position:
    """Return the set-up: a piece on every Center; the Counter-Agents too, unless players choose them (V1)."""
    position = empty_position(options)
    for number, center in enumerate(CENTERS):
        position[center] = layout.AGENT + (number // layout.PIECES_EACH << layout.SEAT_SHIFT)
    white = position.item(layout.R_COUNTER_AGENT)
    if white < 0:
        position[layout.PHASE] = layout.CHOOSE
    else:
        position[white] = layout.COUNTER
        position[transform_cell(white, HALF_TURN)] = layout.COUNTER + (1 << layout.SEAT_SHIFT)
    return position
