"""The page of a chaos run, and small runs of it."""

from __future__ import annotations

from collections import Counter

import pytest
from click.testing import CliRunner

from bench import chaos_realms_load, chaos_realms_trading_rules
from bench.chaos_realms_trading_rules import DealResult, RuleResult
from bench.load_report import Figures

ROWS = [
    RuleResult("no trade", (DealResult(90.0, 7, 0), DealResult(100.0, 7, 0))),
    RuleResult("haggling", (DealResult(190.0, 300, 18), DealResult(210.0, 360, 20))),
]


def make_result(**errors: int) -> chaos_realms_load.RunResult:
    figures = Figures("lively players", 4, 28, None, 10.0, (0.01, 0.02), errors, 0.5, 2**27)
    return chaos_realms_load.RunResult(figures, "3 per second each", 700, Counter({"409 IllegalMove": 50}), 200, 4000)


def test_a_difference_is_that_of_the_same_deals() -> None:
    mean, half = ROWS[1].compare_with(ROWS[0])
    assert mean == 105.0
    assert half == pytest.approx(1.96 * 50**0.5 / 2**0.5)
    assert "| haggling | 200.0 | +105.0 ± 9.8 | +105.0 ± 9.8 | 330 | 19.0 |" in chaos_realms_trading_rules.table(ROWS)


def test_the_page_shows_the_results_and_the_command() -> None:
    page = chaos_realms_load.page([make_result(), make_result()], ROWS, 10.0)
    assert "python -m bench.chaos_realms_load --tables 4 --seconds 10 --deals 2" in page
    assert "| lively players | 4 | 28 | 3 per second each | 70.00 | 5.00 | 10 ms | 20 ms |" in page
    assert "All seven saw 400 steps; 8,000 pairs of hands were compared. Refusals: 100 × 409 IllegalMove." in page
    assert "330 steps take 3.8" in page


def test_bots_that_do_not_trade_keep_what_they_were_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chaos_realms_trading_rules, "RULES", chaos_realms_trading_rules.RULES[:1])
    result = CliRunner().invoke(chaos_realms_load.main, ["--bots", "--deals", "2"])
    assert result.exit_code == 0, result.output
    assert "| no trade |" in result.output


@pytest.mark.slow
def test_a_small_run_of_people_has_no_faults() -> None:
    result = CliRunner().invoke(chaos_realms_load.main, ["--tables", "1", "--seconds", "1", "--only", "people"])
    assert result.exit_code == 0, result.output
    assert result.output.count("| lively players") == 1
    assert "refused with 429" in result.output
