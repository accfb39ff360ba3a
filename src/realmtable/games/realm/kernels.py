"""The kernels of Realm as one record, for states, searches and playouts."""

from __future__ import annotations

from typing import Final

from realmtable.games.realm.evaluation import FEATURES, is_path_independent, measure, winner_of
from realmtable.games.realm.legal import legal_steps, legal_steps_without_offers
from realmtable.games.realm.position import (
    KEY_COUNT,
    KEYS,
    MAX_STEPS,
    REASON,
    SEAT,
    TURNS,
)
from realmtable.games.realm.rules import apply_step, state_key
from realmtable.kit.rules import History, Rules, SearchStyle

RULES: Final = Rules(
    game_id="realm",
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
    steps_without_proposals=legal_steps_without_offers,
    history=History(KEYS, KEY_COUNT),
    style=SearchStyle(width=1.5, widening=0.6),  # what won most in matches (docs/strength.md)
)
