"""The kernels of Modern Realm as one record, for states, searches and playouts."""

from __future__ import annotations

from typing import Final

from realmtable.games.modern_realm import evaluation, layout
from realmtable.games.modern_realm.rules import apply_step, legal_steps
from realmtable.kit.rules import Rules, SearchParameters, make_rules

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
