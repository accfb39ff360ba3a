"""The kernels of Oriental Realm as one record, and its states: the first one, and those of positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from realmtable.games.oriental_realm import evaluation, layout
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.rules import apply_step, legal_steps, start_play, state_key
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.geometry import CENTERS, transform_cell
from realmtable.kit.realm_board.positions import make_position
from realmtable.kit.rules import Position, Rules, SearchParameters, make_rules

SEARCH_PARAMETERS: Final = SearchParameters(contempt=0.2)  # won most in matches (docs/study/strength.md)
RULES: Final[Rules] = make_rules(
    __name__, layout, evaluation, legal_steps, apply_step, state_key, search_parameters=SEARCH_PARAMETERS
)
State = ArrayState[OrientalOptions]
state_of: Callable[[Position, OrientalOptions], State] = partial(ArrayState, RULES)
HOMES: Final = CENTERS[:8], CENTERS[8:]  # O1: the Centers of the eight Realms nearest to each seat
HALF_TURN: Final = 2


def empty_position(options: OrientalOptions) -> Position:
    """Return an empty board in the first phase that the options prescribe."""
    position = make_position(layout.POSITION_SIZE, layout.RULES, options, [layout.TURN_REALM, layout.WINNER])
    position[layout.PHASE] = layout.PLACE if options.free_setup else layout.CHOOSE
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
