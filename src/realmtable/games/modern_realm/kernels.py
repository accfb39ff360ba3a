"""The kernels of Modern Realm as one record, for states, searches and playouts."""

from __future__ import annotations

from typing import Final

from realmtable.games.modern_realm.evaluation import FEATURES, is_path_independent, measure, state_key, winner_of
from realmtable.games.modern_realm.position import (
    MAX_STEPS,
    REASON,
    SEAT,
    TURNS,
)
from realmtable.games.modern_realm.rules import apply_step, legal_steps
from realmtable.kit.rules import Rules, SearchStyle

RULES: Final = Rules(
    game_id="modern_realm",
    module=__name__,
    legal_steps=legal_steps,
    apply_step=apply_step,
    key=state_key,
    winner_of=winner_of,
    is_path_independent=is_path_independent,
    measure=measure,
    features=FEATURES,
    seat_entry=SEAT,
    turns_entry=TURNS,
    reason_entry=REASON,
    step_capacity=MAX_STEPS,
    style=SearchStyle(width=1.5, widening=0.6),  # what won most in matches (docs/strength.md)
    signature_nodes=3,
)
