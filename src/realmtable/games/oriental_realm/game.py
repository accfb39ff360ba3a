"""Oriental Realm as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from realmtable.games.oriental_realm import INFO, codec
from realmtable.games.oriental_realm import view as views
from realmtable.games.oriental_realm.kernels import RULES
from realmtable.games.oriental_realm.notation import GRAMMAR
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.position import REASONS
from realmtable.games.oriental_realm.refusals import why_not_clicked
from realmtable.games.oriental_realm.state import first_state
from realmtable.games.oriental_realm.steps import STEP_TABLE, Step
from realmtable.kit.array_game import ArrayGame, ArrayGameSpec

GAME: ArrayGame[OrientalOptions, Step] = ArrayGame(
    ArrayGameSpec(
        info=INFO,
        package=__package__,
        rules=RULES,
        first_state=first_state,
        views=views,
        handles=lambda view, step: views.handles(view["phase"], step),
        step_table=STEP_TABLE,
        grammar=GRAMMAR,
        codec=codec,
        end_reasons=REASONS,
        why_not_clicked=why_not_clicked,
        setup_phases=("place", "choose"),
    )
)
