"""The kernels of Medieval Realm as one record, and its states: the first one, and those of positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from realmtable.games.medieval_realm import evaluation, layout
from realmtable.games.medieval_realm.options import MedievalOptions
from realmtable.games.medieval_realm.rules import apply_step, legal_steps, position_key, state_key
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.geometry import REALMS
from realmtable.kit.realm_board.positions import make_position
from realmtable.kit.rules import Position, Rules, SearchParameters, make_rules

SEARCH_PARAMETERS: Final = SearchParameters(contempt=0.3)  # won most in matches (docs/study/strength.md)
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
State = ArrayState[MedievalOptions]
state_of: Callable[[Position, MedievalOptions], State] = partial(ArrayState, RULES)


def first_state(options: MedievalOptions) -> State:
    """Return the set-up (M1, V1)."""
    position = empty_position(options)
    dukes = layout.DUKE_REALMS[position[layout.R_DUKE_SQUARES]]
    for realm in range(REALMS // 2):
        kind = layout.DUKE if realm in dukes else layout.MAN
        position[realm] = kind
        position[REALMS - 1 - realm] = kind + (1 << layout.SEAT_SHIFT)
    layout.HISTORY.store(position, [int(position_key(position))])
    return state_of(position, options)


def empty_position(options: MedievalOptions) -> Position:
    """Return a board without pieces, White to move."""
    return make_position(layout.POSITION_SIZE, layout.R_DUKE_SQUARES, options)
