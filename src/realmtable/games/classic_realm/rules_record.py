"""The kernels of Classic Realm as one record, for states, searches and playouts."""

from __future__ import annotations

from typing import Final

from realmtable.games.classic_realm import evaluation, layout
from realmtable.games.classic_realm.rules import apply_step, legal_steps, state_key
from realmtable.kit.rules import Rules, SearchParameters, make_rules

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
