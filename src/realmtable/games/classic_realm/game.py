"""Classic Realm as a game object."""

from __future__ import annotations

from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.games.classic_realm.steps import Step
from realmtable.kit.realm_board.board_game import RealmBoardGame

GAME: RealmBoardGame[ClassicOptions, Step] = RealmBoardGame("realmtable.games.classic_realm", setup_phases=("place",))
