"""Records that an earlier release wrote are read as the games they were, or refused with a sentence (F2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from realmtable.engine import registry
from realmtable.engine.record import parse_record, result_text

FOLDER = Path(__file__).with_name("stored")
GAME = registry.game("magic_realm")
OLDER = "The record used rules 2 of Magic Realm and is checked against rules 3."
# `encounter` and `two_rows`, of which the old defaults were not written; None where steps or the start are gone.
RECORDS = {
    "combat_a_day_later": None,
    "combat_by_day": ("2", "solo"),
    "combat_in_combat": None,  # who is hidden may now become unhidden
    "first_game": ("1", "solo"),
    "one_row_alone": ("1", "never"),
    "one_week_after_an_attack": None,
    "one_week_last_evening": ("1", "solo"),  # it ends before somebody has answered to an attack
    "one_week_run_or_stay": ("1", "solo"),
    "over_after_an_attack": None,
    "over_one_week": ("1", "solo"),
    "over_with_combat": None,
    "start_by_day": ("1", "solo"),
    "start_in_the_evening": None,
    "start_with_combat": ("2", "never"),
    "two_rows": ("1", "always"),
    "usual_by_day": ("1", "solo"),
}


def read(name: str) -> str:
    return (FOLDER / f"{name}.record").read_text(encoding="utf-8")


def test_every_stored_record_is_tested() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {*RECORDS}


@pytest.mark.parametrize("name", [name for name, options in RECORDS.items() if options])
def test_f2_a_record_of_older_rules_is_read_with_their_defaults_and_written_with_all_of_them(name: str) -> None:
    reading = parse_record(read(name), registry.game)
    assert (reading.fault, [warning.text for warning in reading.warnings]) == (None, [OLDER])
    record = reading.require_record()
    options = GAME.options_of(record.start)
    assert (options.encounter, options.two_rows) == RECORDS[name]
    if "\nResult:" in read(name):
        outcome = record.outcome()
        assert outcome is not None
        assert f"\nResult: {result_text(outcome)}\n" in read(name)
    again = parse_record(record.text(), registry.game)
    assert (again.fault, again.warnings) == (None, [])
    assert again.require_record().replay().state == record.replay().state
    assert f"encounter={options.encounter}" in record.text()


@pytest.mark.parametrize("name", [name for name, options in RECORDS.items() if not options])
def test_a_record_whose_rules_are_gone_is_refused_with_the_version_that_it_used(name: str) -> None:
    reading = parse_record(read(name), registry.game)
    assert reading.fault is not None
    assert str(reading.fault.error).endswith(OLDER)


def test_f2_a_record_by_hand_means_the_present_defaults_and_a_position_without_options_the_old_ones() -> None:
    by_hand = parse_record("Game: magic_realm\nSeats: 2\nOptions: map=stock1\n\n", registry.game).require_record()
    assert GAME.options_of(by_hand.start) == GAME.options(map="stock1")
    old = parse_record("Game: magic_realm\nRules: 2\nPreset: one_week\n\n", registry.game).require_record()
    assert GAME.options_of(old.start) == GAME.options("one_week", encounter="1", two_rows="solo")
    old = parse_record("Game: magic_realm\nRules: 2\nPreset: first_fights\n\n", registry.game).require_record()
    assert GAME.options_of(old.start) == GAME.options("first_fights", two_rows="solo")
    position = GAME.decode("options=map=stock1 heroes=Elf chits=AV:Bones;BV:Stink;CV:Smoke;DV:Dank;EV:Ruins")
    assert GAME.options_of(position) == GAME.options(map="stock1", encounter="1", two_rows="solo")
