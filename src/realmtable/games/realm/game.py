"""Realm as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from realmtable.games.realm import INFO, codec, first_state, notation, refusals, rules_record, steps, view
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.perft import count_sequences
from realmtable.games.realm.steps import Step, StepKind
from realmtable.kit.array_game import ArrayGame, make_spec

GAME: ArrayGame[RealmOptions, Step] = ArrayGame(
    make_spec(
        INFO,
        (codec, first_state, notation, refusals, rules_record, steps, view),
        setup_phases=("choose", "bases", "powers"),
        is_proposal=lambda step: step.kind in (StepKind.OFFER, StepKind.ACCEPT),
        perft=count_sequences,
    )
)
