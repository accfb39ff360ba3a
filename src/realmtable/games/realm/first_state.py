"""The kernels of Realm as one record, and its states: the first one, and those of positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from realmtable.games.realm import evaluation, layout
from realmtable.games.realm.legal import legal_steps, legal_steps_without_offers
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.rules import apply_step, start_setup, state_key
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.positions import make_position
from realmtable.kit.rules import Position, Rules, SearchParameters, make_rules

SEARCH_PARAMETERS: Final = SearchParameters(width=1.5, widening=0.6)  # won most in matches (docs/study/strength.md)
RULES: Final[Rules] = make_rules(
    __name__,
    layout,
    evaluation,
    legal_steps,
    apply_step,
    state_key,
    search_parameters=SEARCH_PARAMETERS,
    steps_without_proposals=legal_steps_without_offers,
)
State = ArrayState[RealmOptions]
state_of: Callable[[Position, RealmOptions], State] = partial(ArrayState, RULES)


def first_state(options: RealmOptions) -> State:
    """Return the state before the first step: an empty board."""
    return state_of(empty_position(options), options)


def empty_position(options: RealmOptions) -> Position:
    """Return an empty board with full stocks, before the first step."""
    none = [layout.ORIGIN, layout.TARGET, layout.EVENT_CELL, layout.STREAK_REALM, layout.STREAK_REALM + 1]
    position = make_position(layout.POSITION_SIZE, layout.RULES, options, none)
    position[layout.BASES_LEFT : layout.BASES_LEFT + 2] = options.bases
    position[layout.ENFORCERS_LEFT : layout.ENFORCERS_LEFT + 2] = options.enforcers
    if options.choose_seat in {"place", "both"}:
        position[layout.PHASE] = layout.CHOOSE_PLACE
        position[layout.SEAT] = 1
    else:
        start_setup(position, 0)
    return position
