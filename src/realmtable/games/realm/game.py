"""Realm as a game object, put together from the parts in this folder."""

from __future__ import annotations

from realmtable.games.realm import INFO, codec
from realmtable.games.realm import view as views
from realmtable.games.realm.kernels import RULES
from realmtable.games.realm.notation import GRAMMAR
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.perft import count_sequences
from realmtable.games.realm.position import REASONS
from realmtable.games.realm.state import first_state
from realmtable.games.realm.steps import STEP_TABLE, Step, StepKind
from realmtable.kit.array_game import ArrayGame, ArrayGameSpec

GAME: ArrayGame[RealmOptions, Step] = ArrayGame(
    ArrayGameSpec(
        info=INFO,
        package=__package__,
        rules=RULES,
        first_state=first_state,
        to_move=views.to_move,
        turn=views.turn,
        outcome=views.outcome,
        view=views.view,
        handles=lambda _view, step: views.handles(step),
        step_table=STEP_TABLE,
        grammar=GRAMMAR,
        encode=codec.encode,
        decode=codec.decode,
        palette=codec.PALETTE,
        end_reasons=REASONS,
        setup_phases=("choose", "bases", "powers"),
        is_proposal=lambda step: step.kind in (StepKind.OFFER, StepKind.ACCEPT),
        perft=count_sequences,
    )
)
