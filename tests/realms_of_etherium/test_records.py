"""The records shipped with Realms of Etherium: read without warnings, with the results they state."""

from __future__ import annotations

import re

import pytest

from realmtable.engine.dice_verification import verify
from realmtable.engine.record import result_text
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.steps import StepKind
from tests.clause_checks import clauses_of
from tests.realms_of_etherium.helpers import RULES
from tests.shipped_records import ShippedRecords

SHIPPED = ShippedRecords("realms_of_etherium")
NAMES = SHIPPED.names
CLAUSES = {*clauses_of(RULES)}


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_read_annotated_and_says_how_it_ended(name: str) -> None:
    record, text = SHIPPED.record_of(name), SHIPPED.text_of(name)
    outcome = record.outcome()
    assert outcome is not None
    assert f"\nResult: {result_text(outcome)}\n" in text
    assert record.headers["Source"] == "made for this table"
    assert record.headers["Event"].partition(":")[0] in CLAUSES
    assert {*re.findall(r"\b[A-Z]\d{1,2}\b", " ".join(re.findall(r"\{[^}]*\}", text)))} <= CLAUSES
    assert len(re.findall(r"\{", text)) >= 3
    assert record.text() == text
    assert verify(record).is_fair


def test_every_ending_and_every_kind_of_step_has_a_record() -> None:
    records = [SHIPPED.record_of(name) for name in NAMES]
    assert {outcome.reason for record in records if (outcome := record.outcome())} == {*layout.REASONS} - {""}
    kinds = {entry.move.kind for record in records for entry in record.replay().log()}
    assert kinds == {*StepKind}
