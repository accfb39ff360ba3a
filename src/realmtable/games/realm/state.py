"""Make states of Realm: the first state, and states from positions."""

from __future__ import annotations

import numpy as np

from realmtable.games.realm.kernels import RULES
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.position import (
    BASES_LEFT,
    CHOOSE_PLACE,
    ENFORCERS_LEFT,
    EVENT_CELL,
    KEYS,
    ORIGIN,
    PHASE,
    POSITION_SIZE,
    R_BASES,
    SEAT,
    STREAK_REALM,
    TARGET,
    rule_numbers,
)
from realmtable.games.realm.rules import start_setup
from realmtable.kit.array_state import ArrayState
from realmtable.kit.rules import Position

State = ArrayState[RealmOptions]


def state_of(position: Position, options: RealmOptions) -> State:
    """Return the state of a position, which must not be modified afterwards."""
    return ArrayState(RULES, position, options)


def first_state(options: RealmOptions) -> State:
    """Return the state before the first step: an empty board."""
    return state_of(empty_position(options), options)


def empty_position(options: RealmOptions) -> Position:
    """Return an empty board with full stocks, before the first step."""
    position = np.zeros(POSITION_SIZE, dtype=np.int64)
    position[R_BASES:KEYS] = rule_numbers(options)
    position[BASES_LEFT : BASES_LEFT + 2] = options.bases
    position[ENFORCERS_LEFT : ENFORCERS_LEFT + 2] = options.enforcers
    for entry in (ORIGIN, TARGET, EVENT_CELL, STREAK_REALM, STREAK_REALM + 1):
        position[entry] = -1
    if options.choose_seat in {"place", "both"}:
        position[PHASE] = CHOOSE_PLACE
        position[SEAT] = 1
    else:
        start_setup(position, 0)
    return position
