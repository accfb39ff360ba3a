"""Oriental Realm as a game object."""

from __future__ import annotations

from realmtable.games.oriental_realm import view
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.steps import Step
from realmtable.kit.realm_board.board_game import RealmBoardGame

GAME: RealmBoardGame[OrientalOptions, Step] = RealmBoardGame(
    "realmtable.games.oriental_realm",
    setup_phases=("place", "choose"),
    handles=lambda board, step: view.handles(board["phase"], step),
)
