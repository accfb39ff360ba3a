"""The states of Medieval Realm: arrays with the kernels of this game behind them."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.medieval_realm.legal import legal_steps
from realmtable.games.medieval_realm.options import MedievalOptions
from realmtable.games.medieval_realm.position import (
    DUKE,
    DUKE_REALMS,
    KEY_COUNT,
    KEYS,
    MAN,
    MAX_STEPS,
    POSITION_SIZE,
    R_DUKE_SQUARES,
    SEAT_SHIFT,
    rule_numbers,
)
from realmtable.games.medieval_realm.rules import apply_step, position_key, state_key
from realmtable.kit.array_state import ArrayState, Kernels, Position
from realmtable.kit.realm_board import REALMS

State = ArrayState[MedievalOptions]


def _content_size(position: Position) -> int:
    """Keys beyond the count mean nothing."""
    return KEYS + position.item(KEY_COUNT)


KERNELS: Final = Kernels("medieval_realm", __name__, legal_steps, apply_step, state_key, _content_size, MAX_STEPS)


def state_of(position: Position, options: MedievalOptions) -> State:
    """The state of a position; the caller keeps no hand on it."""
    return ArrayState(KERNELS, position, options)


def first_state(options: MedievalOptions) -> State:
    """The set-up (M1, V1)."""
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
    """A board without pieces, White to move."""
    position = np.zeros(POSITION_SIZE, dtype=np.int64)
    position[R_DUKE_SQUARES:KEYS] = rule_numbers(options)
    return position
