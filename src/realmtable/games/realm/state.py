"""The states of Realm: arrays with the kernels of this game behind them."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.realm.legal import legal_steps
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.position import (
    BASES_LEFT,
    CHOOSE_PLACE,
    EMPTY,
    ENFORCERS_LEFT,
    EVENT_CELL,
    KEY_COUNT,
    KEYS,
    LIFTED,
    MAX_STEPS,
    ORIGIN,
    PHASE,
    POSITION_SIZE,
    REARRANGE,
    RULES,
    SEAT,
    STREAK_REALM,
    TARGET,
    rule_numbers,
)
from realmtable.games.realm.rearrangement import class_of, count_puts_left
from realmtable.games.realm.rules import apply_step, start_setup, state_key
from realmtable.kit.array_state import ArrayState, Kernels, Position

State = ArrayState[RealmOptions]


def _content_size(position: Position) -> int:
    """Keys beyond the count mean nothing."""
    return KEYS + position.item(KEY_COUNT)


KERNELS: Final = Kernels("realm", __name__, legal_steps, apply_step, state_key, _content_size, MAX_STEPS)


def state_of(position: Position, options: RealmOptions) -> State:
    """The state of a position; the caller keeps no hand on it."""
    return ArrayState(KERNELS, position, options)


def first_state(options: RealmOptions) -> State:
    """The empty board."""
    return state_of(empty_position(options), options)


def empty_position(options: RealmOptions) -> Position:
    """An empty board with full stocks, before the first step."""
    position = np.zeros(POSITION_SIZE, dtype=np.int64)
    position[RULES:KEYS] = rule_numbers(options)
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


def pieces_in_hand(state: State) -> list[int]:
    """The pieces that a Rearrangement has lifted and not yet put, next to put first (S8)."""
    position = state.position
    if position[PHASE] != REARRANGE:
        return []
    seat = int(position[SEAT])
    lifted = [int(piece) for piece in position[LIFTED : LIFTED + 9] if piece != EMPTY]
    lifted.sort(key=lambda piece: class_of(piece, seat))
    return lifted[len(lifted) - count_puts_left(position) :]
