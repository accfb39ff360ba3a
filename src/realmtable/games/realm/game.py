"""Realm as a game object."""

from __future__ import annotations

from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.steps import Step, StepKind
from realmtable.kit.realm_board.board_game import RealmBoardGame

GAME: RealmBoardGame[RealmOptions, Step] = RealmBoardGame(
    "realmtable.games.realm",
    setup_phases=("choose", "bases", "powers"),
    is_proposal=lambda step: step.kind in (StepKind.OFFER, StepKind.ACCEPT),
)
