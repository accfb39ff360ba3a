"""Play games of Realms of Etherium in batches inside compiled code, and keep their sums in a file.

A batch is one line of JSON, written when its games are finished, so a run that was stopped continues where it ended. A
condensed file has one line for all batches of a name; runs continue from it too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from realmtable.cli.command_helpers import write_bytes
from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.kit.rules import HasArrayRules, Position, Rules

GAME: Final = "realms_of_etherium"
GAMES: Final = "games"  # the sum that every batch has
MAX_BATCHES: Final = 1_000_000  # in a line of a condensed file

Sums = defaultdict[str, float]


def rules() -> Rules:
    """Return the rules of the game."""
    game = registry.game(GAME)
    assert isinstance(game, HasArrayRules)  # noqa: S101 - it is
    return game.rules


def start_position(seats: int, preset: str | None = None, **options: Any) -> Position:  # noqa: ANN401 - of options
    """Return the first position of a game."""
    game = registry.game(GAME)
    assert isinstance(game, HasArrayRules)  # noqa: S101 - it is
    return game.position_of(game.initial(seats, game.options(preset, **options)))


def time_limit(text: str) -> float:
    """Parse a number of seconds for argparse; with 0, only earlier results are shown."""
    seconds = float(text)
    if not seconds >= 0:  # or not a number
        raise argparse.ArgumentTypeError(f"{text[:20]} is not a number of seconds")
    return seconds


def batch_seeds(name: str, batch: int, games: int) -> list[int]:
    """Return the seeds of a batch: different for every name and batch, and the same in every run."""
    texts = (f"{name} {batch} {game}" for game in range(games))
    return [int.from_bytes(hashlib.sha256(text.encode()).digest()[:7]) for text in texts]


class BatchFile:
    """The sums of all batches by name; with a path, they are read from and added to a file.

    `settings` belong to every batch of a file. Batches of other settings are refused, because their sums must not be
    added up.
    """

    def __init__(self, path: Path | None = None, settings: Mapping[str, Any] | None = None) -> None:
        self.path = path
        self.settings = dict(settings or {})
        self._batches: dict[str, dict[int, Mapping[str, float]]] = {}
        self._size = 0  # of the whole lines of the file, in bytes
        if path is not None:
            check_can_write(path)
            for number, line in enumerate(_read_bytes(path).splitlines(keepends=True), 1):
                if line.endswith(b"\n"):  # otherwise a crash cut it off
                    self._read(line, number)
                    self._size += len(line)

    def _read(self, line: bytes, number: int) -> None:
        assert self.path is not None  # noqa: S101 - it has lines
        try:
            entry = json.loads(line)
            name, batch, settings = entry["name"], int(entry["batch"]), entry.get("settings", {})
            count = int(entry.get("batches", 1))
            sums = {str(key): float(amount) for key, amount in entry["sums"].items()}
        except (ValueError, TypeError, LookupError, AttributeError):
            name, batch, settings, sums, count = "", -1, {}, {}, 1
        is_next = isinstance(name, str) and 0 <= batch <= self.next_batch(name) and 1 <= count <= MAX_BATCHES
        if not is_next or GAMES not in sums:
            raise BadInput(
                f"Line {number} of {self.path} is not the next batch of games: repair it or use another file."
            )
        if settings != self.settings:
            theirs, ours = _describe_settings(settings), _describe_settings(self.settings)
            raise BadInput(f"{self.path} has games with {theirs}, not with {ours}: use another file.")
        self._batches.setdefault(name, {})[batch] = sums
        self._batches[name] |= {number: {} for number in range(batch + 1, batch + count)}

    def condense(self) -> None:
        """Rewrite the file with one line for all batches of a name."""
        assert self.path is not None  # noqa: S101 - only files are condensed
        entries = [
            {"name": name, "batch": 0, "batches": len(found), "sums": dict(self.sums(name))}
            for name, found in self._batches.items()
        ]
        lines = [json.dumps({**entry, "settings": self.settings} if self.settings else entry) for entry in entries]
        write_bytes(self.path, "".join(f"{line}\n" for line in lines).encode())  # atomically: it holds hours of games

    def sums(self, name: str) -> Sums:
        """Return the sums over all batches of a name."""
        total: Sums = defaultdict(float)
        for sums in self._batches.get(name, {}).values():
            for key, amount in sums.items():
                total[key] += amount
        return total

    def next_batch(self, name: str) -> int:
        """Return the number of the first batch that was not played."""
        return len(self._batches.get(name, {}))

    def add(self, name: str, sums: Mapping[str, float]) -> None:
        """Add the next batch of a name."""
        batch = self.next_batch(name)
        self._batches.setdefault(name, {})[batch] = sums
        if self.path is not None:
            entry = {"name": name, "batch": batch, "sums": dict(sums)}
            line = json.dumps({**entry, "settings": self.settings} if self.settings else entry).encode() + b"\n"
            with self.path.open("ab") as file:
                file.truncate(self._size)  # removes a line that was cut off
                file.write(line)
            self._size += len(line)


def check_can_write(path: Path) -> None:
    """Raise `BadInput` if a file cannot be written, before hours are spent on its content."""
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name a file in it.")
    if not path.parent.is_dir():
        raise BadInput(f"There is no folder {path.parent} to write {path.name} to.")


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error


def _describe_settings(settings: Mapping[str, Any]) -> str:
    """Describe settings in words.

    >>> _describe_settings({"preset": "standard", "top_nodes": 8000}), _describe_settings({})
    ('preset=standard, top_nodes=8000', 'no settings')
    """
    return ", ".join(f"{key}={value}" for key, value in settings.items()) or "no settings"


def play_batches(
    file: BatchFile,
    goals: Mapping[str, int],
    play: Callable[[str, int], Mapping[str, float]],
    *,
    is_decided: Callable[[str, Sums], bool] = lambda _name, _sums: False,
    seconds: float | None = None,
) -> None:
    """Play batches until every name has its number of games or is decided, or the time is over.

    The name with the smallest share of its games comes first, so that all of them grow together.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    while deadline is None or time.monotonic() < deadline:
        open_names = {
            name: file.sums(name)[GAMES] / games
            for name, games in goals.items()
            if file.sums(name)[GAMES] < games and not is_decided(name, file.sums(name))
        }
        if not open_names:
            return
        name = min(open_names, key=lambda each: open_names[each])
        file.add(name, play(name, file.next_batch(name)))
        done = sum(min(1.0, file.sums(each)[GAMES] / games) for each, games in goals.items())
        progress = f"{done / len(goals):.1%} of all games, {len(open_names)} matches open; {name}"
        print(f"\r{progress[:118]:118}", end="", file=sys.stderr, flush=True)
