"""Medieval Realm as a game object."""

from __future__ import annotations

from realmtable.games.medieval_realm.options import MedievalOptions
from realmtable.games.medieval_realm.steps import Step
from realmtable.kit.realm_board.board_game import RealmBoardGame

GAME: RealmBoardGame[MedievalOptions, Step] = RealmBoardGame("realmtable.games.medieval_realm")
