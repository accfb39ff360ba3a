"""The kernels of Modern Realm as one record, and its states: the first one, and those of positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from realmtable.games.modern_realm import evaluation, layout
from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.rules import apply_step, legal_steps
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.geometry import CENTERS, transform_cell
from realmtable.kit.realm_board.positions import make_position
from realmtable.kit.rules import Position, Rules, SearchParameters, make_rules

SEARCH_PARAMETERS: Final = SearchParameters(width=1.5, widening=0.6)  # won most in matches (docs/study/strength.md)
RULES: Final[Rules] = make_rules(
    __name__,
    layout,
    evaluation,
    legal_steps,
    apply_step,
    evaluation.state_key,
    search_parameters=SEARCH_PARAMETERS,
    signature_nodes=3,
)
State = ArrayState[ModernOptions]
state_of: Callable[[Position, ModernOptions], State] = partial(ArrayState, RULES)
HALF_TURN: Final = 2


def first_state(options: ModernOptions) -> State:
    """Return the set-up (D1), before White's first move or, with V1, White's choice."""
    return state_of(first_position(options), options)


def empty_position(options: ModernOptions) -> Position:
    """Return a board without pieces, White to move."""
    none = [layout.ORIGIN, layout.DISLODGED_REALM]
    position = make_position(layout.POSITION_SIZE, layout.RULES, options, none)
    position[layout.PHASE] = layout.TURN
    return position


def first_position(options: ModernOptions) -> Position:
    """Return the set-up: a piece on every Center; the Counter-Agents too, unless players choose them (V1)."""
    position = empty_position(options)
    for number, center in enumerate(CENTERS):
        position[center] = layout.AGENT + (number // layout.PIECES_EACH << layout.SEAT_SHIFT)
    white = position.item(layout.R_COUNTER_AGENT)
    if white < 0:
        position[layout.PHASE] = layout.CHOOSE
    else:
        position[white] = layout.COUNTER
        position[transform_cell(white, HALF_TURN)] = layout.COUNTER + (1 << layout.SEAT_SHIFT)
    return position
