"""Classic Realm as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from realmtable.games.classic_realm import INFO, codec
from realmtable.games.classic_realm import view as views
from realmtable.games.classic_realm.kernels import RULES
from realmtable.games.classic_realm.notation import GRAMMAR
from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.games.classic_realm.position import REASONS
from realmtable.games.classic_realm.refusals import why_not_clicked
from realmtable.games.classic_realm.state import first_state
from realmtable.games.classic_realm.steps import STEP_TABLE, Step
from realmtable.kit.array_game import ArrayGame, ArrayGameSpec

GAME: ArrayGame[ClassicOptions, Step] = ArrayGame(
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
        setup_phases=("place",),
    )
)
