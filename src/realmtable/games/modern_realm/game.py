"""Modern Realm as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from realmtable.games.modern_realm import INFO, codec
from realmtable.games.modern_realm import view as views
from realmtable.games.modern_realm.kernels import RULES
from realmtable.games.modern_realm.notation import GRAMMAR
from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.position import REASONS
from realmtable.games.modern_realm.refusals import why_not_clicked
from realmtable.games.modern_realm.state import first_state
from realmtable.games.modern_realm.steps import STEP_TABLE, Step
from realmtable.kit.array_game import ArrayGame, ArrayGameSpec

GAME: ArrayGame[ModernOptions, Step] = ArrayGame(
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
        setup_phases=("choose",),
    )
)
