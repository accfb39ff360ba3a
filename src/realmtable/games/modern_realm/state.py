"""Make states of Modern Realm: the first state, and states from positions."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.modern_realm.kernels import RULES
from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.position import (
    AGENT,
    CHOOSE,
    COUNTER,
    DISLODGED_REALM,
    ORIGIN,
    PHASE,
    PIECES_EACH,
    POSITION_SIZE,
    R_COUNTER_AGENT,
    SEAT_SHIFT,
    TURN,
    rule_numbers,
)
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board import CENTERS, transform_cell
from realmtable.kit.rules import Position

State = ArrayState[ModernOptions]
HALF_TURN: Final = 2


def state_of(position: Position, options: ModernOptions) -> State:
    """Return the state of a position, which must not be modified afterwards."""
    return ArrayState(RULES, position, options)


def first_state(options: ModernOptions) -> State:
    """Return the set-up (D1), before White's first move or, with V1, White's choice."""
    return state_of(first_position(options), options)


def empty_position(options: ModernOptions) -> Position:
    """Return a board without pieces, White to move."""
    position = np.zeros(POSITION_SIZE, dtype=np.int64)
    position[R_COUNTER_AGENT:] = rule_numbers(options)
    position[PHASE] = TURN
    position[[ORIGIN, DISLODGED_REALM]] = -1
    return position


def first_position(options: ModernOptions) -> Position:
    """Return the set-up: a piece on every Center; the Counter-Agents too, unless players choose them (V1)."""
    position = empty_position(options)
    for number, center in enumerate(CENTERS):
        position[center] = AGENT + (number // PIECES_EACH << SEAT_SHIFT)
    white = position.item(R_COUNTER_AGENT)
    if white < 0:
        position[PHASE] = CHOOSE
    else:
        position[white] = COUNTER
        position[transform_cell(white, HALF_TURN)] = COUNTER + (1 << SEAT_SHIFT)
    return position
