"""Finds the games. Every folder of `realmtable.games` is one; its package holds `INFO` and `load`.

`infos` reads only the facts, so listing the games stays quick; `game` loads the rules.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType

from realmtable.engine.errors import UnknownGame
from realmtable.engine.protocol import AnyGame, GameInfo

PACKAGE = "realmtable.games"


@cache
def _folders() -> dict[str, ModuleType]:
    package = importlib.import_module(PACKAGE)
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)
    return {name: importlib.import_module(f"{PACKAGE}.{name}") for name in names}


def infos() -> list[GameInfo]:
    """The facts of every game, by id."""
    return [folder.INFO for folder in _folders().values()]


def info(game_id: str) -> GameInfo:
    """The facts of one game."""
    found: GameInfo = _folder(game_id).INFO
    return found


@cache
def game(game_id: str) -> AnyGame:
    """The game with this id, its rules loaded.

    >>> game("realm").info.title
    'Realm'
    """
    found: AnyGame = _folder(game_id).load()
    return found


def _folder(game_id: str) -> ModuleType:
    folders = _folders()
    if game_id not in folders:
        raise UnknownGame(f"There is no game {game_id[:40]!r}; the games are {', '.join(folders)}.")
    return folders[game_id]
