"""Make states of Medieval Realm: the first state, and states from positions."""

from __future__ import annotations

import numpy as np

from realmtable.games.medieval_realm.kernels import RULES
from realmtable.games.medieval_realm.options import MedievalOptions
from realmtable.games.medieval_realm.position import (
    DUKE,
    DUKE_REALMS,
    KEY_COUNT,
    KEYS,
    MAN,
    POSITION_SIZE,
    R_DUKE_SQUARES,
    SEAT_SHIFT,
    rule_numbers,
)
from realmtable.games.medieval_realm.rules import position_key
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board import REALMS
from realmtable.kit.rules import Position

State = ArrayState[MedievalOptions]


def state_of(position: Position, options: MedievalOptions) -> State:
    """Return the state of a position, which must not be modified afterwards."""
    return ArrayState(RULES, position, options)


def first_state(options: MedievalOptions) -> State:
    """Return the set-up (M1, V1)."""
    position = empty_position(options)
    half = REALMS // 2
    dukes = DUKE_REALMS[position[R_DUKE_SQUARES]]
    for realm in range(half):
        kind = DUKE if realm in dukes else MAN
        position[realm] = kind
        position[REALMS - 1 - realm] = kind + (1 << SEAT_SHIFT)
    position[KEYS] = position_key(position)
    position[KEY_COUNT] = 1
    return state_of(position, options)


def empty_position(options: MedievalOptions) -> Position:
    """Return a board without pieces, White to move."""
    position = np.zeros(POSITION_SIZE, dtype=np.int64)
    position[R_DUKE_SQUARES:KEYS] = rule_numbers(options)
    return position
