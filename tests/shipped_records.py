"""The records shipped with each game, for its tests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

import realmtable
from realmtable.engine.record import Record, parse_record


@dataclass(frozen=True)
class ShippedRecords:
    """The records of one game, by name."""

    game_id: str

    @property
    def names(self) -> list[str]:
        folder = resources.files(f"realmtable.games.{self.game_id}") / "records"
        return sorted(path.name.removesuffix(".record") for path in folder.iterdir() if path.name.endswith(".record"))

    def text_of(self, name: str) -> str:
        path = resources.files(f"realmtable.games.{self.game_id}") / "records" / f"{name}.record"
        return path.read_text(encoding="utf-8")

    def record_of(self, name: str) -> Record:
        """A record, read without a fault or a warning."""
        return _read_record(self, name)


@cache
def _read_record(shipped: ShippedRecords, name: str) -> Record:
    reading = parse_record(shipped.text_of(name), realmtable.game)
    assert (reading.fault, reading.warnings) == (None, [])
    assert reading.record is not None
    return reading.record
