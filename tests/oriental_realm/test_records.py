"""The records shipped with Oriental Realm: readable, and together they show every ending."""

from __future__ import annotations

from pathlib import Path

import pytest

import realmtable
from realmtable.engine.record import Record, parse_record, result_text
from realmtable.games import oriental_realm
from realmtable.games.oriental_realm.layout import REASONS
from tests.oriental_realm.helpers import GAME

RECORDS = sorted((Path(oriental_realm.__file__).parent / "records").glob("*.record"))


def record_of(path: Path) -> Record:
    reading = parse_record(path.read_text(encoding="utf-8"), realmtable.game)
    assert (reading.fault, reading.warnings) == (None, [])
    assert reading.record is not None
    return reading.record


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_reads_without_warnings_and_is_annotated(path: Path) -> None:
    record = record_of(path)
    outcome = record.replay().outcome()
    assert ("Result: " in path.read_text(encoding="utf-8")) == (outcome is not None)
    assert outcome is None or f"Result: {result_text(outcome)}\n" in path.read_text(encoding="utf-8")
    assert record.headers["Event"]
    assert path.read_text(encoding="utf-8").count("{") >= 1
    again = parse_record(record.text(), realmtable.game)
    assert again.record is not None
    assert again.record.replay().state == record.replay().state


def test_there_is_a_record_of_every_ending() -> None:
    ended = [record_of(path).replay().outcome() for path in RECORDS if path.stem.startswith("end-")]
    assert {outcome.reason for outcome in ended if outcome} == set(filter(None, REASONS))
    assert None not in ended


def test_there_is_a_record_of_every_preset() -> None:
    options = [GAME.options_of(record_of(path).start) for path in RECORDS]
    assert all(GAME.options(preset) in options for preset in GAME.info.presets)


def test_v3_the_warning_comes_when_its_record_says() -> None:
    record = record_of(next(path for path in RECORDS if path.stem == "option-warning"))
    views = [GAME.view(record.replay(turns).state, None) for turns in range(len(record.turns) + 1)]
    assert [view["warned"] for view in views] == [[]] * 8 + [["a7"]] + [[]] * 2
