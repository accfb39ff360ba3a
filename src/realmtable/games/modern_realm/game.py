"""Modern Realm as a game object."""

from __future__ import annotations

from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.steps import Step
from realmtable.kit.realm_board.board_game import RealmBoardGame

GAME: RealmBoardGame[ModernOptions, Step] = RealmBoardGame("realmtable.games.modern_realm", setup_phases=("choose",))
