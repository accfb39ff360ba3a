"""The records shipped with the game: read without warnings, rewritten unchanged, one for every ending."""

from __future__ import annotations

import pytest

import realmtable
from realmtable.engine.record import parse_record
from realmtable.games.medieval_realm.layout import REASONS
from realmtable.games.medieval_realm.steps import PASS_STEP
from tests.medieval_realm.helpers import FOLDER, GAME, ending, expect_refusal, record_of, text_of

NAMES = sorted(path.stem for path in (FOLDER / "records").glob("*.record"))


@pytest.mark.parametrize("name", NAMES)
def test_a_record_reads_without_fault_or_warning(name: str) -> None:
    reading = parse_record(text_of(name), realmtable.game)
    assert (reading.fault, reading.warnings) == (None, [])


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_written_as_it_is_read(name: str) -> None:
    written = record_of(name).text()
    assert written.split() == text_of(name).split()
    again = parse_record(written, realmtable.game)
    assert (again.fault, again.warnings) == (None, [])
    assert again.record is not None
    assert again.record.text() == written


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_annotated(name: str) -> None:
    record = record_of(name)
    assert record.comment
    assert any(turn.comment for turn in record.turns)


def test_there_is_a_record_of_every_ending_and_each_is_named_after_it() -> None:
    found = set()
    for name in NAMES:
        reason = ending(record_of(name).replay().state)
        if name.startswith("end-"):
            assert reason is not None
            assert name.removeprefix("end-").startswith(reason.replace("_", "-"))
            found.add(reason)
    assert found == set(REASONS[1:])


def test_both_seats_win_one() -> None:
    winners = [
        outcome.winner
        for name in NAMES
        if (outcome := record_of(name).outcome()) is not None and outcome.reason == "borne_off"
    ]
    assert set(winners) == {0, 1}


def test_the_records_use_every_option() -> None:
    options = [record_of(name).start.options for name in NAMES]
    assert {each.duke_squares for each in options} == set(GAME.info.options()[0].choices)
    assert {each.duke_draw for each in options} == {True, False}
    assert {each.max_plies for each in options} == {20, 300}


def test_without_the_dukes_draw_the_same_game_continues() -> None:
    drawn, longer = record_of("end-duke-draw").turns, record_of("option-duke-draw").turns
    assert [turn.text for turn in longer[: len(drawn)]] == [turn.text for turn in drawn]
    assert len(longer) > len(drawn)


def test_the_two_long_games_contain_passes() -> None:
    for name in ("end-borne-off-white", "end-borne-off-black"):
        assert any(turn.moves == (PASS_STEP,) for turn in record_of(name).turns)


def test_the_full_realm_is_closed_where_the_record_says_so() -> None:
    record = record_of("event-full-realm")
    assert {expect_refusal(record.start, step).clause for step in ("Me2e5", "Me2b5")} == {"M7"}
    assert expect_refusal(record.replay(3).state, "De8e5").clause == "M7"
