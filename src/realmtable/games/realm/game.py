"""Realm as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from realmtable.games.realm import INFO, codec
from realmtable.games.realm import view as views
from realmtable.games.realm.kernels import RULES
from realmtable.games.realm.notation import GRAMMAR
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.perft import count_sequences
from realmtable.games.realm.position import REASONS
from realmtable.games.realm.refusals import why_not_clicked
from realmtable.games.realm.state import first_state
from realmtable.games.realm.steps import STEP_TABLE, Step, StepKind
from realmtable.kit.array_game import ArrayGame, ArrayGameSpec

GAME: ArrayGame[RealmOptions, Step] = ArrayGame(
    ArrayGameSpec(
        info=INFO,
        package=__package__,
        rules=RULES,
        first_state=first_state,
        views=views,
        step_table=STEP_TABLE,
        grammar=GRAMMAR,
        codec=codec,
        end_reasons=REASONS,
        why_not_clicked=why_not_clicked,
        setup_phases=("choose", "bases", "powers"),
        is_proposal=lambda step: step.kind in (StepKind.OFFER, StepKind.ACCEPT),
        perft=count_sequences,
    )
)
