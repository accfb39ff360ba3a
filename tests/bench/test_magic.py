"""The bench of Magic Realm."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import magic
from bench.magic import Moment
from bench.magic_limits_table import Figure
from realmtable.search.baselines import RandomBot


def test_moments_are_those_of_the_first_days() -> None:
    moments = [*magic.play_days([RandomBot()] * 2, 1, 1)]
    assert moments[0].seat < 0 or moments[0].step is not None
    assert {moment.state.day for moment in moments} == {0, 1}
    chosen = magic.pick_moments(moments, 5)
    assert len(chosen) == 5
    assert all(moment.seat >= 0 for moment in chosen)
    assert magic.measure_median(lambda _: None, chosen) >= 0


def test_everything_is_measured_and_printed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    figures = magic.measure(1, 3)
    assert [figure.name for figure in figures][:3] == ["play", "legal_moves", "view"]
    assert all(figure.value > 0 for figure in figures)
    monkeypatch.setattr(
        magic, "measure", lambda *_: [Figure("play", 150.0, "µs", 200), Figure("days", 9, "/s", 60, True)]
    )
    page = tmp_path / "speed.md"
    done = CliRunner().invoke(magic.main, ["--days", "1", "--write", str(page)])
    assert "| play | 150 µs | ≤ 200 µs | yes |\n| days | 9 /s | ≥ 60 /s | no |" in done.output
    assert done.output in page.read_text()
    assert not CliRunner().invoke(magic.main, ["--days", "1"]).exception


def test_hero_days_are_counted_per_second() -> None:
    assert magic.measure_days(RandomBot(), 1) > 0
    assert Moment(None, 0, None).seat == 0
