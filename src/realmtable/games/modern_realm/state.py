"""The states of Modern Realm: arrays with the kernels of this game behind them."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.position import (
    AGENT,
    CHOOSE,
    COUNTER,
    DISLODGED_REALM,
    MAX_STEPS,
    ORIGIN,
    PHASE,
    PIECES_EACH,
    POSITION_SIZE,
    R_COUNTER_AGENT,
    RULES,
    SEAT_SHIFT,
    TURN,
    rule_numbers,
)
from realmtable.games.modern_realm.rules import apply_step, legal_steps
from realmtable.kit.array_state import ArrayState, Kernels, Position
from realmtable.kit.realm_board import CENTERS, transform_cell

State = ArrayState[ModernOptions]
HALF_TURN: Final = 2


def _key(position: Position) -> int:
    return hash(position.tobytes())


def _content_size(position: Position) -> int:
    return position.size


KERNELS: Final = Kernels("modern_realm", __name__, legal_steps, apply_step, _key, _content_size, MAX_STEPS)


def state_of(position: Position, options: ModernOptions) -> State:
    """The state of a position; the caller keeps no hand on it."""
    return ArrayState(KERNELS, position, options)


def first_state(options: ModernOptions) -> State:
    """The set-up (D1), before White's first move or, with V1, his choice."""
    return state_of(first_position(options), options)


def empty_position(options: ModernOptions) -> Position:
    """A board without pieces, White to move."""
    position = np.zeros(POSITION_SIZE, dtype=np.int64)
    position[RULES:] = rule_numbers(options)
    position[PHASE] = TURN
    position[[ORIGIN, DISLODGED_REALM]] = -1
    return position


def first_position(options: ModernOptions) -> Position:
    """Every Center taken; without a choice (V1) the Counter-Agents in their places."""
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
