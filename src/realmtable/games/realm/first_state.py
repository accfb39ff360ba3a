"""Make states of Realm: the first state, and states from positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from realmtable.games.realm import layout
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.rules import start_setup
from realmtable.games.realm.rules_record import RULES
from realmtable.kit.array_state import ArrayState
from realmtable.kit.rules import Position

State = ArrayState[RealmOptions]
state_of: Callable[[Position, RealmOptions], State] = partial(ArrayState, RULES)


def first_state(options: RealmOptions) -> State:
    """Return the state before the first step: an empty board."""
    return state_of(empty_position(options), options)


def empty_position(options: RealmOptions) -> Position:
    """Return an empty board with full stocks, before the first step."""
    position = np.zeros(layout.POSITION_SIZE, dtype=np.int64)
    position[layout.R_BASES : layout.KEYS] = layout.rule_numbers(options)
    position[layout.BASES_LEFT : layout.BASES_LEFT + 2] = options.bases
    position[layout.ENFORCERS_LEFT : layout.ENFORCERS_LEFT + 2] = options.enforcers
    for entry in (layout.ORIGIN, layout.TARGET, layout.EVENT_CELL, layout.STREAK_REALM, layout.STREAK_REALM + 1):
        position[entry] = -1
    if options.choose_seat in {"place", "both"}:
        position[layout.PHASE] = layout.CHOOSE_PLACE
        position[layout.SEAT] = 1
    else:
        start_setup(position, 0)
    return position
