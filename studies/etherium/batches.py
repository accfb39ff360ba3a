"""Play games of Realms of Etherium in batches inside compiled code, and keep their sums in a file.

The file has a line of JSON for each name of a setting or match. It is written after every batch, so a run that was
stopped continues where it ended.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import click

from realmtable.cli.command_helpers import write_bytes
from realmtable.engine import registry
from realmtable.kit.rules import HasArrayRules, Position, Rules

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
    """The sums and the number of batches by name; with a path, they are read from a file and written to it.

    Games of other settings are refused, because their sums must not be added up.
    """

    def __init__(self, path: Path | None = None, settings: str = "") -> None:
        self.path, self.settings = path, settings
        self.sums: defaultdict[str, Sums] = defaultdict(lambda: defaultdict(float))
        self.batches = Counter[str]()
        for line in path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else []:
            entry = json.loads(line)
            if entry["settings"] != settings:
                raise click.ClickException(f"{path} has games with {entry['settings']}, not with {settings}.")
            self.sums[entry["name"]].update(entry["sums"])
            self.batches[entry["name"]] = entry["batches"]

    def add(self, name: str, sums: Mapping[str, float]) -> None:
        """Add the next batch of a name."""
        for key, amount in sums.items():
            self.sums[name][key] += amount
        self.batches[name] += 1
        if self.path is not None:
            entries = [
                {"name": name, "settings": self.settings, "batches": count, "sums": self.sums[name]}
                for name, count in self.batches.items()
            ]
            text = "".join(json.dumps(entry) + "\n" for entry in entries)
            write_bytes(self.path, text.encode())  # atomically: it holds hours of games


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
        shares = {
            name: file.sums[name][GAMES] / games
            for name, games in goals.items()
            if file.sums[name][GAMES] < games and not is_decided(name, file.sums[name])
        }
        if not shares:
            break
        name = min(shares, key=lambda each: shares[each])
        file.add(name, play(name, file.batches[name]))
        click.echo(f"\r{len(shares)} matches open; {name:80.80}", nl=False, err=True)
    click.echo(err=True)
