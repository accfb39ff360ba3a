"""The states of Oriental Realm: arrays with the kernels of this game behind them."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.oriental_realm.legal import legal_steps
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.position import (
    CHOOSE,
    EMPEROR,
    KEYS,
    MANDARIN,
    MAX_STEPS,
    PHASE,
    PLACE,
    POSITION_SIZE,
    R_EMPEROR,
    REALM,
    RULES,
    SEEN,
    SIDE_BIT,
    WINNER,
    rule_numbers,
)
from realmtable.games.oriental_realm.rules import apply_step, begin, state_key
from realmtable.kit.array_state import ArrayState, Kernels, Position
from realmtable.kit.realm_board import CENTERS, turned

State = ArrayState[OrientalOptions]
HOMES: Final = CENTERS[:8], CENTERS[8:]  # O1: the Centers of the eight Realms nearest to each seat
HALF_TURN: Final = 2


def _used(position: Position) -> int:
    """Keys beyond the count mean nothing."""
    return KEYS + position.item(SEEN)


KERNELS: Final = Kernels("oriental_realm", __name__, legal_steps, apply_step, state_key, _used, MAX_STEPS)


def state_of(position: Position, options: OrientalOptions) -> State:
    """The state of a position; the caller keeps no hand on it."""
    return ArrayState(KERNELS, position, options)


def empty_position(options: OrientalOptions) -> Position:
    """An empty board in the phase its options begin with."""
    position = np.zeros(POSITION_SIZE, dtype=np.int64)
    position[RULES:KEYS] = rule_numbers(options)
    position[PHASE] = PLACE if options.free_setup else CHOOSE
    position[[REALM, WINNER]] = -1
    return position


def first_state(options: OrientalOptions) -> State:
    """The board before the first step (O1, V1, V2)."""
    position = empty_position(options)
    if not options.free_setup:
        for seat, home in enumerate(HOMES):
            position[list(home)] = MANDARIN + (seat << SIDE_BIT)
        throne = int(position[R_EMPEROR])
        if throne >= 0:
            position[throne] = EMPEROR
            position[turned(throne, HALF_TURN)] = EMPEROR + (1 << SIDE_BIT)
            begin(position)
    return state_of(position, options)
