"""Play games of Realms of Etherium in batches inside compiled code, and keep their sums in a file.

A batch is one line of JSON, written when its games are finished, so a run that was stopped continues where it ended.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from realmtable.engine import registry
from realmtable.kit.evaluation import HasArrayRules
from realmtable.kit.rules import Position, Rules

GAME: Final = "realms_of_etherium"
GAMES: Final = "games"  # the sum that every batch has

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


def batch_seeds(name: str, batch: int, games: int) -> list[int]:
    """Return the seeds of a batch: different for every name and batch, and the same in every run."""
    texts = (f"{name} {batch} {game}" for game in range(games))
    return [int.from_bytes(hashlib.sha256(text.encode()).digest()[:7]) for text in texts]


class BatchFile:
    """The sums of all batches by name; with a path, they are read from and added to a file."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._batches: dict[str, dict[int, Mapping[str, float]]] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
                if line.endswith("\n"):  # otherwise a crash cut it off
                    entry = json.loads(line)
                    self._batches.setdefault(entry["name"], {})[entry["batch"]] = entry["sums"]

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
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"name": name, "batch": batch, "sums": dict(sums)}) + "\n")


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
