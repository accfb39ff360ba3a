"""Make states of Classic Realm: the first state, and states from positions."""

from __future__ import annotations

import numpy as np

from realmtable.games.classic_realm.kernels import RULES
from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.games.classic_realm.position import (
    DOUBLE_MOVE_HOLDER,
    INITIAL_OWED_TURNS,
    KEY_FILTER,
    NOBODY,
    OWED_TURNS,
    PHASE,
    PLACE,
    POSITION_SIZE,
    R_FREE_SETUP,
    RESCUED_REALM,
    TURN,
    rule_numbers,
)
from realmtable.games.classic_realm.rules import land_on_pad, remember_position
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board import REALMS
from realmtable.kit.rules import Position

State = ArrayState[ClassicOptions]


def state_of(position: Position, options: ClassicOptions) -> State:
    """Return the state of a position, which must not be modified afterwards."""
    return ArrayState(RULES, position, options)


def first_state(options: ClassicOptions) -> State:
    """Return the state before the first step: sixteen frogs on their pads (C1), or none if players place them (V1)."""
    position = empty_position(options)
    if not options.free_setup:
        for realm in range(REALMS):
            land_on_pad(position, realm * 2 // REALMS, realm)
        position[PHASE] = TURN
        remember_position(position)
    return state_of(position, options)


def empty_position(options: ClassicOptions) -> Position:
    """Return a pond without frogs."""
    position = np.zeros(POSITION_SIZE, dtype=np.int64)
    position[R_FREE_SETUP:KEY_FILTER] = rule_numbers(options)
    position[PHASE] = PLACE
    position[DOUBLE_MOVE_HOLDER] = NOBODY
    position[RESCUED_REALM] = NOBODY
    if options.double_moves:  # V2: the seat that moves second
        position[DOUBLE_MOVE_HOLDER] = 0 if options.free_setup else 1
        position[OWED_TURNS] = INITIAL_OWED_TURNS
    return position
