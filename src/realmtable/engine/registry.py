"""Finds the games: every folder of `realmtable.games`, and every installed package that offers one.

A package offers a game with an entry point of the group `realmtable.games`, named like the game's id, that names a
module::

    [project.entry-points."realmtable.games"]
    my_game = "my_game"

The module holds `INFO`, the facts of the game, and either `GAME` or a module `game` with it. The folders of
`realmtable.games` are such modules too. `infos` reads only their facts, so listing the games stays quick; `game` loads
the rules. A game of another package is loaded at once instead: if that fails, or if its id is taken, it is left out,
and `problems` says why.

`add` registers a game in this process alone, such as one written in a notebook; tests patch `ADDED`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from realmtable.engine.errors import BadInput, UnknownGame
from realmtable.engine.protocol import AnyGame, GameInfo

PACKAGE = "realmtable.games"  # also the name of the group of entry points
ADDED: dict[str, AnyGame] = {}  # games of this process alone, by id
_CLAUSE = re.compile(r"^- \*\*[A-Z]+\d+\*\* ", re.MULTILINE)


def infos() -> list[GameInfo]:
    """Return the facts of every game: those of `realmtable.games`, of other packages, then of this process alone."""
    return [*(module.INFO for module in _find_games().modules.values()), *(game.info for game in ADDED.values())]


def info(game_id: str) -> GameInfo:
    """Return the facts of a game; raise UnknownGame if there is none with this id."""
    if game_id in ADDED:
        return ADDED[game_id].info
    found: GameInfo = _module(game_id).INFO
    return found


def game(game_id: str) -> AnyGame:
    """Return the game with this id, with its rules loaded; raise UnknownGame if there is none.

    >>> game("realm").info.title
    'Realm'
    """
    return ADDED.get(game_id) or _load(game_id)


def problems() -> Mapping[str, str]:
    """Return a sentence for each game that was left out, by its id."""
    return _find_games().problems


def add(added: AnyGame) -> None:
    """Register a game in this process; raise `BadInput` if its id is taken."""
    if added.info.id in _find_games().modules:
        raise BadInput(f"There is already a game {added.info.id!r}; give yours another id.")
    ADDED[added.info.id] = added


def source_path(game_id: str) -> Path:
    """Return the folder of a game's package, or the file of a game in a single module; none exists for games added."""
    if game_id in ADDED:
        return Path(str(importlib.import_module(PACKAGE).__file__)).parent / game_id
    module = _module(game_id)
    file = Path(str(module.__file__))
    return file.parent if hasattr(module, "__path__") else file


def game_folder(game_id: str) -> Path:
    """Return the folder of a game's files, such as its rules and lesson; it need not exist.

    For a game in a single module, this is the folder of the same name next to it.
    """
    return source_path(game_id).with_suffix("")


def games_elsewhere() -> list[str]:
    """Return the ids of the games from other packages."""
    return [name for name, module in _find_games().modules.items() if not module.__name__.startswith(f"{PACKAGE}.")]


def read_rules(game_id: str) -> str:
    """Return the text of a game's RULES.md and of its further chapters in RULES-*.md.

    Without them, the rules are the docstring of its module, if this numbers its clauses; otherwise the text is empty.
    """
    folder = game_folder(game_id)
    paths = [path for path in (folder / "RULES.md", *sorted(folder.glob("RULES-*.md"))) if path.is_file()]
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return text or _rules_in_docstring(game_id)


def _rules_in_docstring(game_id: str) -> str:
    text = "" if game_id in ADDED else inspect.cleandoc(_module(game_id).__doc__ or "")
    return text if _CLAUSE.search(text) else ""


class _FoundGames(NamedTuple):
    modules: dict[str, ModuleType]  # that hold the facts of the games, by id
    problems: dict[str, str]  # why games were left out, by id


@cache
def _find_games() -> _FoundGames:
    package = importlib.import_module(PACKAGE)
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)
    found = _FoundGames({name: importlib.import_module(f"{PACKAGE}.{name}") for name in names}, {})
    for entry in sorted(entry_points(group=PACKAGE), key=lambda entry: (entry.name, entry.value)):
        try:
            found.modules[entry.name] = _load_entry(entry, found.modules)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a foreign package must not stop the other games
            reason = str(error) if isinstance(error, BadInput) else f"{type(error).__name__}: {error}"
            found.problems[entry.name] = f"The game {entry.name} of {entry.value} is left out: {reason}"
    return found


def _load_entry(entry: EntryPoint, taken: Mapping[str, ModuleType]) -> ModuleType:
    """Return the module of an entry point; raise if its game cannot be loaded or its id cannot be used."""
    if entry.name in taken:
        raise BadInput(f"its id is taken by {taken[entry.name].__name__}.")
    module = entry.load()
    if not isinstance(module, ModuleType):
        raise BadInput(f"its entry point must name a module, not a {type(module).__name__}.")
    for game_id in (module.INFO.id, _game_in(module).info.id):
        if game_id != entry.name:
            raise BadInput(f"its entry point must be named {game_id}, like the game's id.")
    return module


@cache
def _load(game_id: str) -> AnyGame:
    return _game_in(_module(game_id))


def _game_in(module: ModuleType) -> AnyGame:
    holder = module
    if not hasattr(module, "GAME"):
        if not hasattr(module, "__path__"):
            raise BadInput("its module has no GAME.")
        holder = importlib.import_module(f"{module.__name__}.game")
    found: AnyGame = holder.GAME
    if isinstance(found, type):
        raise BadInput("GAME must be a game, not its class.")
    return found


def _module(game_id: str) -> ModuleType:
    modules, why_left_out = _find_games()
    if game_id not in modules:
        known = f"There is no game {game_id[:40]!r}; the games are {', '.join([*modules, *ADDED])}."
        raise UnknownGame(why_left_out.get(game_id, known))
    return modules[game_id]
