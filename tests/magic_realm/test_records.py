"""The records shipped with Magic Realm: read without warnings, with the results they state."""

from __future__ import annotations

import re

import pytest

from realmtable.engine.record import result_text
from tests.magic_realm.rules_text import clause_texts
from tests.shipped_records import ShippedRecords

pytestmark = pytest.mark.no_cover  # what it runs is covered by other tests

SHIPPED = ShippedRecords("magic_realm")
NAMES = SHIPPED.names


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_read_and_explains_clauses(name: str) -> None:
    record, text = SHIPPED.record_of(name), SHIPPED.text_of(name)
    outcome = record.outcome()
    assert ("Result:" in text) == (outcome is not None)
    assert outcome is None or f"\nResult: {result_text(outcome)}\n" in text
    assert record.headers["Source"] == "made for this table"
    assert {*re.findall(r"[A-Z]\d+", record.headers["Event"].partition(":")[0])} <= {*clause_texts()}
    assert len(re.findall(r"\{", text)) >= 2
    assert record.text() == text


def test_the_parts_of_a_day_and_the_end_have_records() -> None:
    parts = {entry.before.part for name in NAMES for entry in SHIPPED.record_of(name).replay().log()}
    assert parts == {"setup", "birdsong", "sunrise", "daylight", "evening"}
    ended = [outcome for name in NAMES if (outcome := SHIPPED.record_of(name).outcome())]
    assert any(sum(outcome.reached) > 1 for outcome in ended)
