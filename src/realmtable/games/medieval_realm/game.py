"""Medieval Realm as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from realmtable.games.medieval_realm import (
    INFO,
    codec,
    first_state,
    notation,
    refusals,
    rules_record,
    steps,
    view,
)
from realmtable.games.medieval_realm.options import MedievalOptions
from realmtable.games.medieval_realm.steps import Step
from realmtable.kit.array_game import ArrayGame, make_spec

GAME: ArrayGame[MedievalOptions, Step] = ArrayGame(
    make_spec(INFO, (codec, first_state, notation, refusals, rules_record, steps, view))
)
