"""The kernels of Classic Realm as one record, and its states: the first one, and those of positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from realmtable.games.classic_realm import evaluation, layout
from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.games.classic_realm.rules import apply_step, land_on_pad, legal_steps, remember_position, state_key
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.geometry import REALMS
from realmtable.kit.realm_board.positions import make_position
from realmtable.kit.rules import Position, Rules, SearchParameters, make_rules

SEARCH_PARAMETERS: Final = SearchParameters(contempt=0.2)  # won most in matches (docs/study/strength.md)
RULES: Final[Rules] = make_rules(
    __name__,
    layout,
    evaluation,
    legal_steps,
    apply_step,
    state_key,
    search_parameters=SEARCH_PARAMETERS,
    win_cuts_turn=True,
)
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
    none = [layout.DOUBLE_MOVE_HOLDER, layout.RESCUED_REALM]
    position = make_position(layout.POSITION_SIZE, layout.RULES, options, none)
    position[layout.PHASE] = layout.PLACE
    if options.double_moves:  # V2: the seat that moves second
        position[layout.DOUBLE_MOVE_HOLDER] = 0 if options.free_setup else 1
        position[layout.OWED_TURNS] = layout.INITIAL_OWED_TURNS
    return position
