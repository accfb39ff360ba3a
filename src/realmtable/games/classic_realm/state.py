"""The states of Classic Realm: arrays with the kernels of this game behind them."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.games.classic_realm.position import (
    DOUBLE_MOVE_HOLDER,
    INITIAL_OWED_TURNS,
    KEY_COUNT,
    KEY_FILTER,
    KEYS,
    MAX_STEPS,
    NOBODY,
    OWED_TURNS,
    PHASE,
    PLACE,
    POSITION_SIZE,
    RESCUED_REALM,
    RULES,
    TURN,
    rule_numbers,
)
from realmtable.games.classic_realm.rules import apply_step, land_on_pad, legal_steps, remember_position, state_key
from realmtable.kit.array_state import ArrayState, Kernels, Position
from realmtable.kit.realm_board import REALMS

State = ArrayState[ClassicOptions]


def _content_size(position: Position) -> int:
    """Keys beyond the count mean nothing."""
    return KEYS + position.item(KEY_COUNT)


KERNELS: Final = Kernels("classic_realm", __name__, legal_steps, apply_step, state_key, _content_size, MAX_STEPS)


def state_of(position: Position, options: ClassicOptions) -> State:
    """The state of a position; the caller keeps no hand on it."""
    return ArrayState(KERNELS, position, options)


def first_state(options: ClassicOptions) -> State:
    """The pond before the first step: sixteen frogs on their pads, or none where they are placed (C1, V1)."""
    position = empty_position(options)
    if not options.free_setup:
        for realm in range(REALMS):
            land_on_pad(position, realm * 2 // REALMS, realm)
        position[PHASE] = TURN
        remember_position(position)
    return state_of(position, options)


def empty_position(options: ClassicOptions) -> Position:
    """A pond without frogs."""
    position = np.zeros(POSITION_SIZE, dtype=np.int64)
    position[RULES:KEY_FILTER] = rule_numbers(options)
    position[PHASE] = PLACE
    position[DOUBLE_MOVE_HOLDER] = NOBODY
    position[RESCUED_REALM] = NOBODY
    if options.double_moves:  # V2: who moves second
        position[DOUBLE_MOVE_HOLDER] = 0 if options.free_setup else 1
        position[OWED_TURNS] = INITIAL_OWED_TURNS
    return position
