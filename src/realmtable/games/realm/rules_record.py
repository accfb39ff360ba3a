"""The kernels of Realm as one record, for states, searches and playouts."""

from __future__ import annotations

from typing import Final

from realmtable.games.realm import evaluation, layout
from realmtable.games.realm.legal import legal_steps, legal_steps_without_offers
from realmtable.games.realm.rules import apply_step, state_key
from realmtable.kit.rules import Rules, SearchParameters, make_rules

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
