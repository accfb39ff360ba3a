"""The kernels of Classic Realm as one record, for states, searches and playouts."""

from __future__ import annotations

from typing import Final

from realmtable.games.classic_realm.evaluation import FEATURES, is_path_independent, measure, winner_of
from realmtable.games.classic_realm.position import (
    KEY_COUNT,
    KEYS,
    MAX_STEPS,
    REASON,
    SEAT,
    TURNS,
)
from realmtable.games.classic_realm.rules import apply_step, legal_steps, state_key
from realmtable.kit.rules import History, Rules, SearchStyle

RULES: Final = Rules(
    game_id="classic_realm",
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
    history=History(KEYS, KEY_COUNT),
    win_cuts_turn=True,
    style=SearchStyle(contempt=0.2),  # what won most in matches (docs/strength.md)
)
