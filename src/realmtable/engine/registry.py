"""Finds the games. Every folder of `realmtable.games` is one: its package holds `INFO`, its module `game` holds `GAME`.

`infos` reads only the facts, so listing the games stays quick; `game` loads the rules. Games from elsewhere, such as
one written in a notebook, can be added to `ADDED`.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from types import ModuleType

from realmtable.engine.errors import UnknownGame
from realmtable.engine.protocol import AnyGame, GameInfo

PACKAGE = "realmtable.games"
ADDED: dict[str, AnyGame] = {}  # games from elsewhere, by id


@cache
def _folders() -> dict[str, ModuleType]:
    package = importlib.import_module(PACKAGE)
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)
    return {name: importlib.import_module(f"{PACKAGE}.{name}") for name in names}


def infos() -> list[GameInfo]:
    """Return the facts of every game, sorted by id; games in `ADDED` come last."""
    return [*(folder.INFO for folder in _folders().values()), *(game.info for game in ADDED.values())]


def info(game_id: str) -> GameInfo:
    """Return the facts of a game; raise UnknownGame if there is none with this id."""
    if game_id in ADDED:
        return ADDED[game_id].info
    found: GameInfo = _folder(game_id).INFO
    return found


def game(game_id: str) -> AnyGame:
    """Return the game with this id, with its rules loaded; raise UnknownGame if there is none.

    >>> game("realm").info.title
    'Realm'
    """
    return ADDED.get(game_id) or _load(game_id)


@cache
def _load(game_id: str) -> AnyGame:
    found: AnyGame = importlib.import_module(f"{_folder(game_id).__name__}.game").GAME
    return found


def game_folder(game_id: str) -> Path:
    """Return the folder of a game's files, such as its rules and lesson; it does not exist for games in `ADDED`."""
    package = Path(str(importlib.import_module(PACKAGE).__file__)).parent
    return package / info(game_id).id


def read_rules(game_id: str) -> str:
    """Return the text of a game's RULES.md and of its further chapters in RULES-*.md; empty if it has none."""
    folder = game_folder(game_id)
    paths = [path for path in (folder / "RULES.md", *sorted(folder.glob("RULES-*.md"))) if path.is_file()]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def _folder(game_id: str) -> ModuleType:
    folders = _folders()
    if game_id not in folders:
        raise UnknownGame(f"There is no game {game_id[:40]!r}; the games are {', '.join([*folders, *ADDED])}.")
    return folders[game_id]
