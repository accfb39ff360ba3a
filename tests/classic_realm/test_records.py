"""The records shipped with Classic Realm: read without warnings, with the results they state."""

from __future__ import annotations

import re

import pytest

import realmtable
from realmtable.engine.errors import IllegalMove
from realmtable.engine.record import parse_record
from realmtable.games.classic_realm.layout import REASONS
from tests.shipped_records import ShippedRecords

SHIPPED = ShippedRecords("classic_realm")
NAMES = SHIPPED.names


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_read_and_says_how_it_ended(name: str) -> None:
    record = SHIPPED.record_of(name)
    outcome = record.outcome()
    written = re.search(r"^Result: (.*)$", SHIPPED.text_of(name), re.MULTILINE)
    assert (written is None) == (outcome is None)
    if outcome is not None and written is not None:
        assert written[1] == f"{outcome.scores[0]}-{outcome.scores[1]} {outcome.reason}"
    assert record.headers["Source"] == "made for this table"
    assert len(re.findall(r"\{", SHIPPED.text_of(name))) >= 2
    again = parse_record(record.text(), realmtable.game).record
    assert again is not None
    assert again.replay().state == record.replay().state


def test_every_way_to_end_has_a_record() -> None:
    outcomes = [outcome for name in NAMES if (outcome := SHIPPED.record_of(name).outcome())]
    assert {outcome.reason for outcome in outcomes} == set(REASONS[1:])
    assert {outcome.winner for outcome in outcomes} == {0, 1, None}


def test_every_option_has_a_record() -> None:
    used = [SHIPPED.record_of(name).start.options for name in NAMES]
    assert any(options.free_setup for options in used)
    assert any(options.double_moves for options in used)
    assert any(options.max_plies != 300 for options in used)


def test_the_full_realm_is_full() -> None:
    record = SHIPPED.record_of("event-full-realm")
    game = record.game
    with pytest.raises(IllegalMove, match="C6"):
        game.play(record.start, 0, game.parse_move(record.start, "Fe2e8"))
