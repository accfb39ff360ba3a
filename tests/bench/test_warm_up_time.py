"""How soon the compiled engine plays: reading the log, the cache folder, the table."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import warm_up_time
from bench.warm_up_time import CACHE_VARIABLE, Readiness, compiled_games, format_row, use_cache


def test_the_log_says_which_games_are_compiled() -> None:
    log = '{"event": "compiled", "game": "realm", "seconds": 9.5}\n{"event": "listening"}\nTraceback\n"text"\n'
    assert compiled_games(log) == {"realm"}
    assert compiled_games("") == set()


@pytest.mark.parametrize("before", [None, "elsewhere"])
def test_the_cache_folder_is_set_for_a_while(before: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    if before is not None:
        monkeypatch.setenv(CACHE_VARIABLE, before)
    with use_cache(Path("here")):
        assert os.environ[CACHE_VARIABLE] == "here"
    assert os.environ.get(CACHE_VARIABLE) == before


def test_a_row_shows_what_was_measured() -> None:
    assert format_row(Readiness("realm", "empty", 14.04, 16.5, 15.25, 13.0)) == (
        "| realm | empty | 14.0 | 16.5 | 15.2 | 13.0 |"
    )
    assert "| – |" in format_row(Readiness("fantasy_realms", "filled", 0.5, 1.0, None, 1.0))


def test_each_game_is_measured_with_an_empty_and_a_filled_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    caches = []

    async def measure(game: str, cache: str, cpu_s: float) -> Readiness:
        caches.append(os.environ[CACHE_VARIABLE])
        return Readiness(game, cache, 1.0, 3.0, 2.0, cpu_s)

    monkeypatch.setattr(warm_up_time, "measure", measure)
    monkeypatch.setattr(warm_up_time, "measure_compiling", lambda _: 9.0)
    result = CliRunner().invoke(warm_up_time.main, ["realm"])
    assert result.exit_code == 0, result.output
    assert result.output.endswith(
        "| realm | empty | 1.0 | 3.0 | 2.0 | 9.0 |\n| realm | filled | 1.0 | 3.0 | 2.0 | 9.0 |\n"
    )
    assert caches[0] == caches[1]
    assert not Path(caches[0]).parent.exists()
