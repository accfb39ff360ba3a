"""A cache of finished games, so that repeating an experiment costs nothing and an interrupted one resumes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from platformdirs import user_cache_path

from realmtable.engine.errors import BadInput
from realmtable.lab.balance.game_facts import GameFacts, facts_from_dict

FILE_NAME: Final = "games.sqlite3"
WAIT_S: Final = 30  # for another experiment that is writing
AT_ONCE: Final = 500  # keys per query

_CREATE: Final = "CREATE TABLE IF NOT EXISTS games (key TEXT PRIMARY KEY, facts TEXT NOT NULL) WITHOUT ROWID"


def default_cache_path() -> Path:
    """Return the cache file in the user's cache folder."""
    return user_cache_path("realmtable") / "lab" / FILE_NAME


class GameCache:
    """Finished games by the keys of their tasks."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute(_CREATE)

    def find(self, keys: Sequence[str]) -> dict[str, GameFacts]:
        """Return the games that are known."""
        found = {}
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            query = f"SELECT key, facts FROM games WHERE key IN ({','.join('?' * len(some))})"  # noqa: S608 - only marks
            for key, text in self._connection.execute(query, some):
                found[str(key)] = facts_from_dict(json.loads(text))
        return found

    def add(self, key: str, facts: dict[str, Any]) -> None:
        """Add a game; another experiment may have added it in the meantime."""
        with self._connection:
            self._connection.execute("INSERT OR IGNORE INTO games VALUES (?, ?)", (key, json.dumps(facts)))


@contextmanager
def open_game_cache(path: Path | None) -> Iterator[GameCache]:
    """Open a cache file, or a cache in memory without one; raise `BadInput` if the file cannot be used."""
    try:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(":memory:" if path is None else path, timeout=WAIT_S)
        with closing(connection):
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            yield GameCache(connection)
    except (OSError, sqlite3.Error) as error:
        raise BadInput(f"The cache {path} cannot be used: {error}; choose another folder or --no-cache.") from None
