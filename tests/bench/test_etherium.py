"""The bench of Realms of Etherium."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from bench import etherium


def test_random_steps_go_on_in_a_new_game() -> None:
    played, seconds = etherium.play_random_steps(2, 1, 30)
    assert played == 30
    assert seconds > 0


def test_the_rates_and_their_ratio_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = iter([90_000.0, 3_000.0])
    monkeypatch.setattr(etherium, "measure_rate", lambda *_: next(rates))
    monkeypatch.setattr(etherium, "measure_interpreted", lambda *_: next(rates))
    monkeypatch.setattr(etherium, "is_compiling", lambda: True)
    done = CliRunner().invoke(etherium.main, ["--seats", "3"])
    assert done.output == "3 seats: 90,000 steps/s compiled, 3,000 interpreted, 30.0 : 1\n"


def test_another_process_measures_the_interpreted_rate() -> None:
    assert etherium.measure_interpreted(2, 20) > 0
