"""Which code plays the games: a fingerprint of the files that decide how a game goes.

Workers of a cluster must have the same one, and finished games are stored under it. A version number is not enough: it
stays the same while rules and bots are being worked on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from realmtable.engine import registry

PACKAGE: Final = Path(__file__).parents[2]
SHARED_FOLDERS: Final = ("engine", "kit", "search")  # what every game is played with
LAB_FOLDERS: Final = ("analysis", "lab")  # what experiments are made of
SHOWN: Final = 12  # letters of a fingerprint that people read
IGNORED: Final = frozenset({".pyc", ".md", ".record", ".html"})


@cache
def fingerprint_rules(game_id: str) -> str:
    """Return the fingerprint of a game's rules and of the bots that play it."""
    return _fingerprint([*(PACKAGE / folder for folder in SHARED_FOLDERS), registry.source_path(game_id)])


@cache
def fingerprint_code() -> str:
    """Return the fingerprint of everything that a worker runs, for any game."""
    folders = [PACKAGE / folder for folder in (*SHARED_FOLDERS, "games", *LAB_FOLDERS)]
    return _fingerprint([*folders, *map(registry.source_path, registry.games_elsewhere())])


def _fingerprint(sources: Iterable[Path]) -> str:
    """Return the fingerprint of all files in some folders, and of single files."""
    digest = hashlib.sha256()
    for source in sources:
        for path in [source] if source.is_file() else sorted(source.rglob("*")):
            if path.is_file() and path.suffix not in IGNORED:
                digest.update(f"{path.relative_to(source.parent).as_posix()} {path.stat().st_size}\n".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()
