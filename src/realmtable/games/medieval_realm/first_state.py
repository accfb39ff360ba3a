"""Make states of Medieval Realm: the first state, and states from positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from realmtable.games.medieval_realm import layout
from realmtable.games.medieval_realm.options import MedievalOptions
from realmtable.games.medieval_realm.rules import position_key
from realmtable.games.medieval_realm.rules_record import RULES
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.geometry import REALMS
from realmtable.kit.rules import Position

State = ArrayState[MedievalOptions]
state_of: Callable[[Position, MedievalOptions], State] = partial(ArrayState, RULES)


def first_state(options: MedievalOptions) -> State:
    """Return the set-up (M1, V1)."""
    position = empty_position(options)
    half = REALMS // 2
    dukes = layout.DUKE_REALMS[position[layout.R_DUKE_SQUARES]]
    for realm in range(half):
        kind = layout.DUKE if realm in dukes else layout.MAN
        position[realm] = kind
        position[REALMS - 1 - realm] = kind + (1 << layout.SEAT_SHIFT)
    position[layout.KEYS] = position_key(position)
    position[layout.KEY_COUNT] = 1
    return state_of(position, options)


def empty_position(options: MedievalOptions) -> Position:
    """Return a board without pieces, White to move."""
    position = np.zeros(layout.POSITION_SIZE, dtype=np.int64)
    position[layout.R_DUKE_SQUARES : layout.KEYS] = layout.rule_numbers(options)
    return position
