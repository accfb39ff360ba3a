"""The records shipped with Fantasy Realms: read without warnings, with the results they state."""

from __future__ import annotations

import re

import pytest

from realmtable.engine.dice_verification import verify
from realmtable.engine.protocol import CLOCK
from realmtable.engine.record import result_text
from realmtable.games.fantasy_realms.state import REASONS
from tests.shipped_records import ShippedRecords

SHIPPED = ShippedRecords("fantasy_realms")
NAMES = SHIPPED.names


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_read_and_says_how_it_ended(name: str) -> None:
    record = SHIPPED.record_of(name)
    outcome = record.outcome()
    assert outcome is not None
    assert f"\nResult: {result_text(outcome)}\n" in SHIPPED.text_of(name)
    assert record.headers["Source"] == "made for this table"
    assert len(re.findall(r"\{", SHIPPED.text_of(name))) >= 2
    assert record.text() == SHIPPED.text_of(name)
    assert verify(record).is_fair


def test_every_variant_and_every_way_to_end_has_a_record() -> None:
    records = [SHIPPED.record_of(name) for name in NAMES]
    assert {record.replay().state.variant for record in records} == {"standard", "two_player", "chaos"}
    assert {outcome.reason for record in records if (outcome := record.outcome())} == set(REASONS)


def test_the_clock_and_both_choices_of_the_necromancer_are_shown() -> None:
    entries = [entry for name in NAMES for entry in SHIPPED.record_of(name).replay().log()]
    assert {entry.move.verb for entry in entries} >= {"time", "keep", "leave", "accept", "refuse", "take", "drop"}
    assert [entry.move.verb for entry in entries if entry.seat == CLOCK] == ["time"]
