"""Oriental Realm as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from realmtable.games.oriental_realm import (
    INFO,
    codec,
    first_state,
    notation,
    refusals,
    rules_record,
    steps,
    view,
)
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.steps import Step
from realmtable.kit.array_game import ArrayGame, make_spec

GAME: ArrayGame[OrientalOptions, Step] = ArrayGame(
    make_spec(
        INFO,
        (codec, first_state, notation, refusals, rules_record, steps, view),
        setup_phases=("place", "choose"),
        handles=lambda board, step: view.handles(board["phase"], step),
    )
)
