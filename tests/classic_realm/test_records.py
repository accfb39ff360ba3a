"""The records that travel with Classic Realm: they are read without a slip, and each ends as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import realmtable
from realmtable.engine.errors import IllegalMove
from realmtable.engine.record import Record, read
from realmtable.games import classic_realm
from realmtable.games.classic_realm.position import REASONS

FOLDER = Path(classic_realm.__file__).parent / "records"
NAMES = sorted(path.stem for path in FOLDER.glob("*.record"))


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.record").read_text(encoding="utf-8")


def record_of(name: str) -> Record:
    reading = read(text_of(name), realmtable.game)
    assert (reading.fault, reading.warnings) == (None, [])
    assert reading.record is not None
    return reading.record


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_read_and_says_how_it_ended(name: str) -> None:
    record = record_of(name)
    outcome = record.outcome()
    written = re.search(r"^Result: (.*)$", text_of(name), re.MULTILINE)
    assert (written is None) == (outcome is None)
    if outcome is not None and written is not None:
        assert written[1] == f"{outcome.scores[0]}-{outcome.scores[1]} {outcome.reason}"
    assert record.headers["Source"] == "made for this table"
    assert len(re.findall(r"\{", text_of(name))) >= 2
    again = read(record.text(), realmtable.game).record
    assert again is not None
    assert again.match().state == record.match().state


def test_every_way_to_end_has_a_record() -> None:
    outcomes = [outcome for name in NAMES if (outcome := record_of(name).outcome())]
    assert {outcome.reason for outcome in outcomes} == set(REASONS[1:])
    assert {outcome.winner for outcome in outcomes} == {0, 1, None}


def test_every_option_has_a_record() -> None:
    used = [record_of(name).start.options for name in NAMES]
    assert any(options.free_setup for options in used)
    assert any(options.double_moves for options in used)
    assert any(options.max_plies != 300 for options in used)


def test_the_full_realm_is_full() -> None:
    record = record_of("event-full-realm")
    game = record.game
    with pytest.raises(IllegalMove, match="C6"):
        game.play(record.start, 0, game.parse_move(record.start, "Fe2e8"))
