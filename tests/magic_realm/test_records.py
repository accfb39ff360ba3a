"""The records shipped with Magic Realm: read without warnings, with the results they state."""

from __future__ import annotations

import re

import pytest

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.record import Record, parse_record, result_text
from tests.magic_realm.helpers.flow_helpers import position
from tests.magic_realm.helpers.rules_text import COMBAT_RULES, RULES, clause_texts
from tests.shipped_records import ShippedRecords

GAME = registry.game("magic_realm")
SHIPPED = ShippedRecords("magic_realm")
NAMES = SHIPPED.names


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_read_and_explains_clauses(name: str) -> None:
    record, text = SHIPPED.record_of(name), SHIPPED.text_of(name)
    outcome = record.outcome()
    assert ("Result:" in text) == (outcome is not None)
    assert outcome is None or f"\nResult: {result_text(outcome)}\n" in text
    assert record.headers["Source"] == "made for this table"
    clauses = {*clause_texts(RULES), *clause_texts(COMBAT_RULES)}
    assert {*re.findall(r"[A-Z]\d+", record.headers["Event"].partition(":")[0])} <= clauses
    assert len(re.findall(r"\{", text)) >= 2
    assert record.text() == text


def test_the_parts_of_a_day_and_the_end_have_records() -> None:
    parts = {entry.before.part for name in NAMES for entry in SHIPPED.record_of(name).replay().log()}
    assert parts == {"setup", "birdsong", "sunrise", "daylight", "evening"}
    ended = [outcome for name in NAMES if (outcome := SHIPPED.record_of(name).outcome())]
    assert any(sum(outcome.reached) > 1 for outcome in ended)


def test_d28_a_phase_of_doing_nothing_can_stand_alone() -> None:
    """As you go, another character may be asked after each phase; a dash between their answers is a step."""
    start = position(heroes="Elf;Dwarf", options="map=stock1,recording=as_you_go")
    match = Match.start(GAME, start)
    for text in ("done", "done", "die 1", "next Elf", "-", "run on", "pass", "-", "pass", "done"):
        (seat, *_) = GAME.to_move(match.state)
        match = match.play(seat, GAME.parse_move(match.state, text))
    written = Record.from_match(match).text()
    assert "/ -, run on / pass / - / pass / done" in written
    reading = parse_record(written, lambda _name: GAME)
    assert (reading.fault, reading.warnings) == (None, [])
    assert reading.require_record().replay().state == match.state
