"""Modern Realm as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from realmtable.games.modern_realm import (
    INFO,
    codec,
    first_state,
    notation,
    refusals,
    rules_record,
    steps,
    view,
)
from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.steps import Step
from realmtable.kit.array_game import ArrayGame, make_spec

GAME: ArrayGame[ModernOptions, Step] = ArrayGame(
    make_spec(INFO, (codec, first_state, notation, refusals, rules_record, steps, view), setup_phases=("choose",))
)
