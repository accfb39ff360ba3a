"""Make states of Oriental Realm: the first state, and states from positions."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.oriental_realm.kernels import RULES
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.position import (
    CHOOSE,
    EMPEROR,
    KEYS,
    MANDARIN,
    PHASE,
    PLACE,
    POSITION_SIZE,
    R_EMPEROR,
    R_FREE_SETUP,
    SEAT_SHIFT,
    TURN_REALM,
    WINNER,
    rule_numbers,
)
from realmtable.games.oriental_realm.rules import start_play
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board import CENTERS, transform_cell
from realmtable.kit.rules import Position

State = ArrayState[OrientalOptions]
HOMES: Final = CENTERS[:8], CENTERS[8:]  # O1: the Centers of the eight Realms nearest to each seat
HALF_TURN: Final = 2


def state_of(position: Position, options: OrientalOptions) -> State:
    """Return the state of a position, which must not be modified afterwards."""
    return ArrayState(RULES, position, options)


def empty_position(options: OrientalOptions) -> Position:
    """Return an empty board in the first phase that the options prescribe."""
    position = np.zeros(POSITION_SIZE, dtype=np.int64)
    position[R_FREE_SETUP:KEYS] = rule_numbers(options)
    position[PHASE] = PLACE if options.free_setup else CHOOSE
    position[[TURN_REALM, WINNER]] = -1
    return position


def first_state(options: OrientalOptions) -> State:
    """Return the state before the first step (O1, V1, V2)."""
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
