"""The page of a chaos run, and small runs of it."""

from __future__ import annotations

from collections import Counter

import pytest
from click.testing import CliRunner

from bench import chaos, chaos_bots
from bench.chaos_bots import Row, Traded
from bench.load_figures import Figures

ROWS = [
    Row("no trade", (Traded(90.0, 7, 0), Traded(100.0, 7, 0))),
    Row("haggling", (Traded(190.0, 300, 18), Traded(210.0, 360, 20))),
]


def found(**errors: int) -> chaos.Found:
    figures = Figures("lively people", 4, 28, None, 10.0, (0.01, 0.02), errors, 0.5, 2**27)
    return chaos.Found(figures, "3 a second each", 700, Counter({"409 IllegalMove": 50}), 200, 4000)


def test_a_difference_is_that_of_the_same_deals() -> None:
    mean, half = ROWS[1].against(ROWS[0])
    assert mean == 105.0
    assert half == pytest.approx(1.96 * 50**0.5 / 2**0.5)
    assert "| haggling | 200.0 | +105.0 ± 9.8 | +105.0 ± 9.8 | 330 | 19.0 |" in chaos_bots.table(ROWS)


def test_the_page_tells_what_was_found_and_by_which_command() -> None:
    page = chaos.page([found(), found()], ROWS, 10.0)
    assert "python -m bench.chaos --tables 4 --seconds 10 --deals 2" in page
    assert "| lively people | 4 | 28 | 3 a second each | 70.00 | 5.00 | 10 ms | 20 ms |" in page
    assert "400 steps were seen by all seven, 8,000 pairs of hands compared. Refusals: 100 × 409 IllegalMove." in page
    assert "330 steps take 3.8 minutes" in page


def test_bots_that_do_not_trade_keep_what_they_were_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chaos_bots, "RULES", chaos_bots.RULES[:1])
    result = CliRunner().invoke(chaos.main, ["--bots", "--deals", "2"])
    assert result.exit_code == 0, result.output
    assert "| no trade |" in result.output


@pytest.mark.slow
def test_a_small_run_of_people_has_no_faults() -> None:
    result = CliRunner().invoke(chaos.main, ["--tables", "1", "--seconds", "1", "--only", "people"])
    assert result.exit_code == 0, result.output
    assert result.output.count("| lively people") == 1
    assert "refused with 429" in result.output
