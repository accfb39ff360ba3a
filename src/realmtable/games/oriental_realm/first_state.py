"""Make states of Oriental Realm: the first state, and states from positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from realmtable.games.oriental_realm import layout
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.rules import start_play
from realmtable.games.oriental_realm.rules_record import RULES
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.geometry import CENTERS, transform_cell
from realmtable.kit.rules import Position

State = ArrayState[OrientalOptions]
state_of: Callable[[Position, OrientalOptions], State] = partial(ArrayState, RULES)
HOMES: Final = CENTERS[:8], CENTERS[8:]  # O1: the Centers of the eight Realms nearest to each seat
HALF_TURN: Final = 2


def empty_position(options: OrientalOptions) -> Position:
    """Return an empty board in the first phase that the options prescribe."""
    position = np.zeros(layout.POSITION_SIZE, dtype=np.int64)
    position[layout.R_FREE_SETUP : layout.KEYS] = layout.rule_numbers(options)
    position[layout.PHASE] = layout.PLACE if options.free_setup else layout.CHOOSE
    position[[layout.TURN_REALM, layout.WINNER]] = -1
    return position


def first_state(options: OrientalOptions) -> State:
    """Return the state before the first step (O1, V1, V2)."""
    position = empty_position(options)
    if not options.free_setup:
        for seat, home in enumerate(HOMES):
            position[list(home)] = layout.MANDARIN + (seat << layout.SEAT_SHIFT)
        throne = int(position[layout.R_EMPEROR])
        if throne >= 0:
            position[throne] = layout.EMPEROR
            position[transform_cell(throne, HALF_TURN)] = layout.EMPEROR + (1 << layout.SEAT_SHIFT)
            start_play(position)
    return state_of(position, options)
