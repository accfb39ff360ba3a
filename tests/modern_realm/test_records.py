"""The records shipped with Modern Realm: readable, and each shows what it claims."""

from __future__ import annotations

import pytest

import realmtable
from realmtable.games.modern_realm.layout import REASONS
from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.steps import StepKind
from tests.shipped_records import ShippedRecords

SHIPPED = ShippedRecords("modern_realm")
NAMES, text_of, record_of = SHIPPED.names, SHIPPED.text_of, SHIPPED.record_of


@pytest.mark.parametrize("name", NAMES)
def test_a_record_reads_without_fault_or_warning_and_is_written_as_it_is_read(name: str) -> None:
    assert record_of(name).text().split() == text_of(name).split()


@pytest.mark.parametrize("name", NAMES)
def test_a_record_says_something(name: str) -> None:
    record = record_of(name)
    assert record.comment or any(turn.comment for turn in record.turns)
    assert {"Event", "Source"} <= set(record.headers)
    assert max(map(len, text_of(name).splitlines())) <= 160


def test_every_ending_has_a_record() -> None:
    outcomes = {name: record_of(name).outcome() for name in NAMES}
    reasons = {outcome.reason for outcome in outcomes.values() if outcome is not None}
    assert reasons == set(REASONS[1:])
    for name, outcome in outcomes.items():
        if name.startswith("end-"):
            assert outcome is not None
            assert outcome.reason == name.removeprefix("end-").replace("-", "_")
    assert {outcome.winner for outcome in outcomes.values() if outcome is not None} == {0, 1, None}


def test_every_option_has_a_record() -> None:
    played = [record_of(name).start.options for name in NAMES]
    assert {options.counter_agent for options in played} >= {"e2", "choose"}
    assert {options.hq_counts for options in played} == {True, False}
    assert any(options.max_turns != ModernOptions().max_turns for options in played)
    assert {options.origin_closed for options in played} == {True, False}
    assert {options.capture_on_entry for options in played} == {True, False}


def test_every_kind_of_step_and_of_turn_occurs() -> None:
    turns = [turn.moves for name in NAMES for turn in record_of(name).turns]
    assert {move.kind for moves in turns for move in moves} == set(StepKind)
    assert {sum(move.kind == StepKind.MOVE for move in moves) for moves in turns} >= {0, 1, 2, 3}


def test_d2_the_piece_without_a_way_out_stays() -> None:
    view = realmtable.game("modern_realm").view(record_of("event-blocked-piece").replay().state, None)
    assert {"a1", "d1", "d2"} <= {piece["at"] for piece in view["pieces"] if piece["seat"] == 0}
    assert view["to_move"] == [1]


def test_v2_the_agent_walks_out_only_where_hqs_do_not_count() -> None:
    game = realmtable.game("modern_realm")
    record = record_of("option-hq-counts")
    step = record.turns[0].moves[0]
    counted = game.decode(game.encode(record.start).replace("hq_counts=off", "hq_counts=on"))
    assert step in game.legal_moves(record.start, 0)
    assert step not in game.legal_moves(counted, 0)
