"""The bench of the bots of Magic Realm."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import magic_bots
from bench.magic_bots import HeroMonth
from bench.magic_deaths import WOUNDS, Death, format_deaths


def month(level: int, number: int, rank: int, treasures: int = 4, deaths: int = 0) -> HeroMonth:
    died = tuple(Death(0, 1 + index, WOUNDS) for index in range(deaths))
    return HeroMonth(level, number, treasures, died, -10.0 * rank, rank, rank == 1, (0.01, 0.02, 0.03))


GAMES = [[month(5, 0, 1, 12), month(1, 0, 2, 0, 2)], [month(5, 1, 1, 8), month(1, 1, 1, 0)]]


def test_levels_take_every_seat_equally_often() -> None:
    assert magic_bots.list_seatings((5, 1), 4) == [(5, 1, 5, 1), (1, 5, 1, 5)]
    assert magic_bots.list_seatings((5,), 3) == [(5, 5, 5)]
    assert len(magic_bots.list_seatings((5, 3, 1), 4)) == 4


def test_figures_are_per_month_and_week() -> None:
    months = [one for game in GAMES for one in game]
    figures = magic_bots.compute_figures(5, months, 4.0)
    assert (figures.months, figures.weekly, figures.weekly_mean, figures.deaths) == (2, 2.5, 2.5, 0)
    assert figures.decision_s == pytest.approx(0.02)
    assert magic_bots.compute_figures(1, months, 4.0).deaths == 1
    assert magic_bots.mean_with_error([(0, 1.0), (0, 3.0)]) == (2.0, float("inf"))


def test_pairings_compare_places_within_a_game() -> None:
    assert [*magic_bots.list_pairings(GAMES, 5, 1)] == [(0, 1.0), (1, 0.5)]
    report = magic_bots.format_report(GAMES, (5, 1), 4.0)
    assert "| 5 | 2 | 2.50 | 2.50 ±" in report
    assert "Level 5 is better placed than level 1 in 75.0% of pairings" in report
    assert "- Level 5, treasures a week: at least 3 wanted, not met." in report
    assert "- Level 5, deaths a month: at most 0.8 wanted, met." in report
    assert "- Level 5 better placed than level 1: 95% wanted, not met." in report
    assert "Level 1," not in report
    assert magic_bots.judge_pairing("1", 5, 3, 1.0) == []
    assert magic_bots.judge_pairing("1", 5, 1, 0.95) == ["- Level 5 better placed than level 1: 95% wanted, met."]


def test_deaths_are_told_by_day_and_killer() -> None:
    lines = format_deaths([Death(0, 2, "Wolf"), Death(1, 2, "Wolf"), Death(0, 3, WOUNDS)], 8)
    assert lines[0] == "3 deaths in 8 months of a character."
    assert "| 1 | 0 |" in lines
    assert "| 2 | 2 |" in lines
    assert lines[-2:] == ["| Wolf | 2 | 67% |", "| wounds | 1 | 33% |"]
    report = magic_bots.format_report(GAMES, (5, 1), 4.0, "2")
    assert "## Deaths at level 1" in report


def test_deaths_in_combat_have_killers() -> None:
    months = [month for number in range(3) for month in magic_bots.play_game((1, 1, 1, 1), number, "7", "2")]
    killers = {death.killer for month in months for death in month.deaths}
    assert killers
    assert killers - {WOUNDS}


def test_a_game_is_played_to_its_end_on_the_same_map() -> None:
    played = magic_bots.play_game((1, 1), 3, "7")
    assert [one.level for one in played] == [1, 1]
    assert all(one.decisions_s for one in played)
    assert [one[:-1] for one in magic_bots.play_game((1, 1), 3, "7")] == [one[:-1] for one in played]


def test_the_command_writes_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "bots.md"
    monkeypatch.setattr(magic_bots, "play_map", lambda *_: GAMES)
    done = CliRunner().invoke(
        magic_bots.main, ["--games", "2", "--days", "7", "--first-map", "100", "--workers", "1", "--write", str(page)]
    )
    assert done.exit_code == 0, done.output
    text = page.read_text()
    assert "`python -m bench.magic_bots --games 2 --seats 4 --levels 5,1 --days 7 --first-map 100 --write" in text
    assert "of pairings" in text
    assert magic_bots.format_page("", "", "2").startswith("# Bots of Magic Realm in games with combat\n")


@pytest.mark.parametrize(
    ("levels", "seats", "message"),
    [("5,3,1", "2", "There are 3 levels, but only 2 seats."), ("5,1", "1", "There are 2 levels, but only 1 seat.")],
)
def test_every_level_needs_a_seat(levels: str, seats: str, message: str) -> None:
    done = CliRunner().invoke(magic_bots.main, ["--levels", levels, "--seats", seats])
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())
