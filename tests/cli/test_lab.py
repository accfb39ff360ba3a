"""`realmtable lab`: its output, its files, and its one-sentence errors."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path

import pytest

from realmtable.cli import lab
from realmtable.engine.extras import MissingExtra
from realmtable.lab.balance import balance_files, run_experiment
from tests.cli.command_line import expect_refusal, interrupt_command, run_cli

SMALL = ("lab", "balance", "classic_realm", "--bots", "random", "--games", "2", "--workers", "1")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test its own cache."""
    path = tmp_path / "cache" / "games.sqlite3"
    monkeypatch.setattr("realmtable.lab.balance.game_cache.default_cache_path", lambda: path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return path


@pytest.mark.long
def test_an_experiment_is_printed_and_written(cache: Path) -> None:
    done = run_cli(*SMALL, "--option", "double_moves=off, on", "--out", "study/first", "--html")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Classic Realm, 2 players: 2 games in each of 2 settings with equal seeds, seed 1\n")
    assert "\ndouble_moves=on\n  First to play wins " in done.out
    assert sorted(path.name for path in Path("study/first").iterdir()) == ["games.parquet", "index.html", "result.json"]
    command = json.loads(Path("study/first/result.json").read_text(encoding="utf-8"))["command"]
    assert command.startswith(
        "realmtable lab balance classic_realm --bots random --games 2 --workers 1 --option 'double"
    )
    assert cache.exists()


def test_an_experiment_as_data_comes_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    first = json.loads(run_cli(*SMALL, "--json").out)
    monkeypatch.setattr(run_experiment, "play_balance_game", None)  # would fail
    assert json.loads(run_cli(*SMALL, "--json").out) == first


def test_without_the_shared_cache_the_folder_resumes(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_cli(*SMALL, "--no-cache").code == 0
    flags = (*SMALL, "--no-cache", "--out", "study")
    first = run_cli(*flags).out
    assert not cache.exists()
    monkeypatch.setattr(run_experiment, "play_balance_game", None)  # would fail
    assert run_cli(*flags).out == first


@pytest.mark.long
def test_presets_are_values() -> None:
    done = run_cli("lab", "balance", "fantasy_realms", "--preset", "standard,chaos", "--players", "3", "--games", "1",
                   "--bots", "random", "--workers", "1")  # fmt: skip
    assert done.code == 0, done.err
    assert "\nchaos\n" in done.out


def test_parquet_is_left_out_without_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise MissingExtra("pip install it")

    monkeypatch.setattr(balance_files, "write_parquet", refuse)
    done = run_cli(*SMALL, "--out", "study")
    assert done.code == 0
    assert done.err == "The table of games (Parquet) was left out: pip install 'realmtable[lab]'.\n"


def test_progress_goes_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("realmtable.kit.compile.is_compiling", lambda: True)
    with lab.show_progress(shown=True) as on_game:
        on_game(3, 8)  # those that the cache has
        before = terminal.getvalue()
        on_game(4, 8)
    assert "Compiling the rules" in before + terminal.getvalue()
    assert "Playing" not in before
    assert "Playing" in terminal.getvalue()
    assert "4/8" in terminal.getvalue()


def test_an_interrupt_is_an_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run_experiment, "play_balance_game", interrupt)
    done = run_cli(*SMALL)
    assert done.code == 130
    assert ", interrupted\n" in done.out
    assert done.out.endswith("\nNo game was finished in all settings.\n")


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a real terminal: the bar counts, an interrupt gives a result, and the games are in the cache."""
    monkeypatch.setenv("REALMTABLE_COMPILE", "0")
    flags = ("--bots", "random", "--games", "100000", "--workers", "2")
    done = interrupt_command("lab", "balance", "classic_realm", *flags, seen="4/100000")
    assert done.code == 130
    assert ", interrupted\n" in done.out
    assert "Playing" in done.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "There is no game"),
        (["realm", "--bots", "rndom"], "There is no bot rndom"),
        (["realm", "--bots", "random,"], "Name at least one bot"),
        (["realm", "--option", "bases"], "Write an option with its values as name=value,value, not 'bases'."),
        (["realm", "--option", "bases=11,,12"], "Write an option with its values"),
        (["realm", "--option", "bases=99"], "Option bases must be"),
        (["realm", "--option", "wings=on,off"], "There is no option wings"),
        (["realm", "--option", "bases=11", "--option", "bases=12"], "Option bases is given twice; write its values as"),
        (["realm", "--option", "bases=11,11"], "The value 11 of bases is given twice."),
        (["realm", "--preset", "none"], "There is no preset none"),
        (["realm", "--players", "5"], "Realm is for 2 players, not 5."),
        (["realm", "--games", "0"], "Play 1 to 1,000,000 games"),
        (["realm", "--games", "5", "--until-half-width", "0.1"], "Choose either --games or --until-half-width."),
        (["realm", "--measure", "turns"], "--measure goes with --until-half-width."),
        (["realm", "--until-half-width", "0.1", "--measure", "fun"], "There is no measure fun"),
        (["realm", "--until-half-width", "-1"], "Half the width"),
        (["realm", "--html"], "--html needs a folder for the page: add --out."),
        (["realm", "--out", "file/study"], "The folder file/study cannot be made"),
        (["realm", "--cluster", "moon"], "A cluster is local"),
        (["realm", "--cluster", "slurm"], "A Slurm cluster needs another package: pip install dask-jobqueue."),
        (["realm", "--cluster", "tcp://127.0.0.1:1"], "No Dask scheduler answers at tcp://127.0.0.1:1: "),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_refused_in_a_sentence(
    arguments: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("realmtable.lab.jobs.dask_runner.CONNECT_S", 0.3)
    Path("file").write_text("not a folder", encoding="utf-8")
    assert expect_refusal("lab", "balance", *arguments).startswith(sentence)
