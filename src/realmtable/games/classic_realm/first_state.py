"""Make states of Classic Realm: the first state, and states from positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from realmtable.games.classic_realm import layout
from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.games.classic_realm.rules import land_on_pad, remember_position
from realmtable.games.classic_realm.rules_record import RULES
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.geometry import REALMS
from realmtable.kit.rules import Position

State = ArrayState[ClassicOptions]
state_of: Callable[[Position, ClassicOptions], State] = partial(ArrayState, RULES)


def first_state(options: ClassicOptions) -> State:
    """Return the state before the first step: sixteen frogs on their pads (C1), or none if players place them (V1)."""
    position = empty_position(options)
    if not options.free_setup:
        for realm in range(REALMS):
            land_on_pad(position, realm * 2 // REALMS, realm)
        position[layout.PHASE] = layout.TURN
        remember_position(position)
    return state_of(position, options)


def empty_position(options: ClassicOptions) -> Position:
    """Return a pond without frogs."""
    position = np.zeros(layout.POSITION_SIZE, dtype=np.int64)
    position[layout.R_FREE_SETUP : layout.KEY_FILTER] = layout.rule_numbers(options)
    position[layout.PHASE] = layout.PLACE
    position[layout.DOUBLE_MOVE_HOLDER] = layout.NOBODY
    position[layout.RESCUED_REALM] = layout.NOBODY
    if options.double_moves:  # V2: the seat that moves second
        position[layout.DOUBLE_MOVE_HOLDER] = 0 if options.free_setup else 1
        position[layout.OWED_TURNS] = layout.INITIAL_OWED_TURNS
    return position
