"""Classic Realm as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from realmtable.games.classic_realm import (
    INFO,
    codec,
    first_state,
    notation,
    refusals,
    rules_record,
    steps,
    view,
)
from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.games.classic_realm.steps import Step
from realmtable.kit.array_game import ArrayGame, make_spec

GAME: ArrayGame[ClassicOptions, Step] = ArrayGame(
    make_spec(INFO, (codec, first_state, notation, refusals, rules_record, steps, view), setup_phases=("place",))
)
