"""The states of Oriental Realm: arrays with the kernels of this game behind them."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.oriental_realm.legal import legal_steps
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.position import (
    CHOOSE,
    EMPEROR,
    KEY_COUNT,
    KEYS,
    MANDARIN,
    MAX_STEPS,
    PHASE,
    PLACE,
    POSITION_SIZE,
    R_EMPEROR,
    RULES,
    SEAT_SHIFT,
    TURN_REALM,
    WINNER,
    rule_numbers,
)
from realmtable.games.oriental_realm.rules import apply_step, start_play, state_key
from realmtable.kit.array_state import ArrayState, Kernels, Position
from realmtable.kit.realm_board import CENTERS, transform_cell

State = ArrayState[OrientalOptions]
HOMES: Final = CENTERS[:8], CENTERS[8:]  # O1: the Centers of the eight Realms nearest to each seat
HALF_TURN: Final = 2


def _content_size(position: Position) -> int:
    """Keys beyond the count mean nothing."""
    return KEYS + position.item(KEY_COUNT)


KERNELS: Final = Kernels("oriental_realm", __name__, legal_steps, apply_step, state_key, _content_size, MAX_STEPS)


def state_of(position: Position, options: OrientalOptions) -> State:
    """The state of a position; the caller keeps no hand on it."""
    return ArrayState(KERNELS, position, options)


def empty_position(options: OrientalOptions) -> Position:
    """An empty board in the phase its options begin with."""
    position = np.zeros(POSITION_SIZE, dtype=np.int64)
    position[RULES:KEYS] = rule_numbers(options)
    position[PHASE] = PLACE if options.free_setup else CHOOSE
    position[[TURN_REALM, WINNER]] = -1
    return position


def first_state(options: OrientalOptions) -> State:
    """The board before the first step (O1, V1, V2)."""
    position = empty_position(options)
    if not options.free_setup:
        for seat, home in enumerate(HOMES):
            position[list(home)] = MANDARIN + (seat << SEAT_SHIFT)
        throne = int(position[R_EMPEROR])
        if throne >= 0:
            position[throne] = EMPEROR
            position[transform_cell(throne, HALF_TURN)] = EMPEROR + (1 << SEAT_SHIFT)
            start_play(position)
    return state_of(position, options)
