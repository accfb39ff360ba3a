"""The balance study is played in slices, its results are stored, and its page follows from them."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from bench import balance_study_page, play_balance_study
from bench.balance_study_plan import PLAN, PlannedExperiment
from realmtable.engine import registry
from tests.lab.balance.helpers import FakeRunner, make_facts
from tests.lab.balance.test_run_experiment import play_fair

DOUBLE = PlannedExperiment(
    "classic_realm", 0.2, ("double_moves=off,on", "free_setup=off,on"), bots=("random", "level2")
)
MODERN = PlannedExperiment("modern_realm", 0.2, presets=("standard", "closed_origin"), bots=("random",))


@pytest.fixture(autouse=True)
def runner(monkeypatch: pytest.MonkeyPatch) -> FakeRunner:
    fake = FakeRunner(play_fair)
    monkeypatch.setattr(play_balance_study, "LocalRunner", lambda _workers: fake)
    for module in (play_balance_study, balance_study_page):
        monkeypatch.setattr(module, "PLAN", (DOUBLE, MODERN))
    return fake


def play(tmp_path: Path, *flags: str) -> list[dict[str, Any]]:
    files = ["--cache", str(tmp_path / "games.sqlite3"), "--results", str(tmp_path / "deep" / "study.jsonl")]
    done = CliRunner().invoke(play_balance_study.main, [*files, *flags])
    assert done.exit_code == 0, done.output
    found = tmp_path / "deep" / "study.jsonl"
    return balance_study_page.load_results(found) if found.exists() else []


def test_every_planned_experiment_can_be_played() -> None:
    assert {planned.game for planned in PLAN} == {info.id for info in registry.infos()}
    commands = [planned.make_command() for planned in PLAN]
    assert len(set(commands)) == len(commands)
    for planned in PLAN:
        experiment = planned.design()
        assert experiment.seats == planned.players
        assert experiment.settings


def test_a_command_names_everything() -> None:
    planned = PlannedExperiment("realm", 0.05, ("bases=12,13",), ("nestor", "short"), ("level2",), players=4)
    assert planned.make_command() == (
        "realmtable lab balance realm --players 4 --option bases=12,13 --preset nestor,short --bots level2 "
        "--until-half-width 0.05"
    )


def test_results_are_stored_in_the_order_of_the_plan(tmp_path: Path, runner: FakeRunner) -> None:
    assert [result["game"] for result in play(tmp_path, "--game", "modern_realm")] == ["modern_realm"]
    first, second = play(tmp_path, "--minutes", "1")
    assert (first["game"], second["game"]) == ("classic_realm", "modern_realm")
    assert first["games_per_setting"] == 100
    assert not first["interrupted"]
    asked = len(runner.asked)
    assert play(tmp_path, "--minutes", "0") == [first, second], "all games are known"
    assert len(runner.asked) == asked == 100 * 10


def test_a_study_without_time_plays_nothing(tmp_path: Path, runner: FakeRunner) -> None:
    assert play(tmp_path, "--minutes", "0") == []
    assert runner.asked == []


def test_a_game_without_experiments_is_refused() -> None:
    done = CliRunner().invoke(play_balance_study.main, ["--game", "chess"])
    assert done.exit_code == 2
    assert "'chess' is not one of" in done.output


def test_an_experiment_goes_on_in_the_next_slice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(play_balance_study, "monotonic", lambda: now[0])

    def play_slowly(task: Any) -> Any:  # noqa: ANN401 - a task and its facts
        now[0] += 1
        return play_fair(task)

    monkeypatch.setattr(play_balance_study, "LocalRunner", lambda _workers: FakeRunner(play_slowly))
    done = CliRunner().invoke(
        play_balance_study.main,
        ["--minutes", "60", "--slice", "300", "--results", str(tmp_path / "s"), "--cache", str(tmp_path / "c")],
    )
    assert done.output.splitlines() == [
        f"0 games per setting: {DOUBLE.make_command()}",
        f"100 games per setting: {MODERN.make_command()}",
        f"0 games per setting: {DOUBLE.make_command()}",
        f"100 games per setting: {DOUBLE.make_command()}",
    ]
    assert now[0] == 1000


def test_the_differences_of_a_setting_are_those_from_its_twins(tmp_path: Path) -> None:
    result = play(tmp_path)[0]
    base, *_, last = result["settings"]
    assert base["labels"] == ["off", "off", "random"]
    assert base["changes"] == []
    assert last["labels"] == ["on", "on", "level2"]
    assert [change["factor"] for change in last["changes"]] == ["double_moves", "free_setup", "bots"]
    assert last["changes"][0]["difference"]["mean"] == 0, "it has an edge either way"
    doubled = next(setting for setting in result["settings"] if setting["labels"] == ["on", "off", "random"])
    assert doubled["changes"][0]["difference"]["low"] > 0
    assert all(len(setting["uses"]) <= play_balance_study.MAX_USES for setting in result["settings"])


@pytest.mark.parametrize("line", ['{"command": ', "[]", "{}"])
@pytest.mark.parametrize("program", [play_balance_study, balance_study_page])
def test_a_damaged_file_of_results_is_refused_and_kept(program: ModuleType, line: str, tmp_path: Path) -> None:
    results = tmp_path / "study.jsonl"
    results.write_text(f"{line}\n", encoding="utf-8")
    other = "--cache" if program is play_balance_study else "--write"
    done = CliRunner().invoke(program.main, ["--results", str(results), other, str(tmp_path / "other")])
    assert (done.exit_code, done.output) == (
        1,
        f"Error: {results} is damaged: each line must be the result of an experiment.\n",
    )
    assert results.read_text(encoding="utf-8") == f"{line}\n"


def test_the_page_says_how_many_experiments_have_ended(tmp_path: Path) -> None:
    results = play(tmp_path)
    text = balance_study_page.format_study([results[0], {**results[1], "interrupted": True}])
    assert "**1 of 2 experiments got that far.**\nThe others ended when the time was over" in text


def test_the_page_is_written(tmp_path: Path) -> None:
    results = play(tmp_path)
    page = tmp_path / "page.md"
    flags = ["--results", str(tmp_path / "deep" / "study.jsonl"), "--write", str(page)]
    done = CliRunner().invoke(balance_study_page.main, flags)
    assert done.exit_code == 0, done.output
    text = page.read_text(encoding="utf-8")
    assert text == balance_study_page.format_study(results)
    assert "It rests on 1,000 games,\nthose that several" in text
    assert "All 2 experiments got that far.\n" in text
    assert "Not played yet" not in text
    assert "- **Classic Realm**, double_moves: off → on, free_setup=off, random: widens, +" in text
    assert "| Classic Realm | double_moves: off → on, free_setup=off | random | 100 | " in text
    assert text.count("| widens |") == 5
    assert "| Modern Realm | 2 | random | 100 | " in text
    assert "free_setup=on --bots" not in text
    assert (
        "`realmtable lab balance classic_realm --option double_moves=off,on --option free_setup=off,on "
        "--bots random,level2 --games 100`" in text
    )
    assert "- `double_moves` from off to on: the first player wins +" in text
    assert "- First capture wins (double_moves=off, free_setup=off, random): " in text
    assert "- Used most per game (double_moves=off, free_setup=off, random): F 11.0, end 1.0." in text


def test_experiments_without_results_are_listed(tmp_path: Path) -> None:
    text = balance_study_page.format_study(play(tmp_path, "--game", "modern_realm"))
    assert text.endswith(f"(magic-bots.md).\n\n- `{DOUBLE.make_command()}`\n")


def test_only_clear_results_are_findings() -> None:
    change = "| Realm | bases: 12 → 13 | level2 | 9 | 50% | 60% | +10 points | {} |"
    strength = "| Realm | 2 | level5 | 9 | 70% (60% to 80%) | {} |"
    assert balance_study_page.list_findings([change.format("not clear")], [strength.format("none is clear")]) == [
        "- Nothing."
    ]
    assert balance_study_page.list_findings([change.format("widens")], [strength.format("clear, for the first")]) == [
        "- **Realm**, 2 players, level5: an advantage for the first; the first wins 70% (60% to 80%) of 9 games.",
        "- **Realm**, bases: 12 → 13, level2: widens, +10 points in 9 pairs of games.",
    ]


def test_few_games_count_as_none(tmp_path: Path) -> None:
    results = play(tmp_path)
    path = tmp_path / "few.jsonl"
    lines = [json.dumps({**result, "games_per_setting": games}) for result, games in zip(results, (9, 10), strict=True)]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert [result["game"] for result in balance_study_page.load_results(path)] == ["modern_realm"]


def test_a_page_needs_results(tmp_path: Path) -> None:
    done = CliRunner().invoke(balance_study_page.main, ["--results", str(tmp_path / "none")])
    assert done.exit_code == 1
    assert "There are no results in " in done.output


def test_games_without_leads_and_tests_have_dashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeRunner(lambda _: make_facts(lead=None))
    monkeypatch.setattr(play_balance_study, "LocalRunner", lambda _workers: fake)
    text = balance_study_page.format_study(play(tmp_path))
    assert "| – | – |" in text
    assert balance_study_page.format_probability(None) == "–"
    assert balance_study_page.format_difference(None) == "–"
    assert balance_study_page.judge_change(0.5, 0.6, None, 0.5) == "not clear"


def test_the_page_in_the_docs_follows_from_the_stored_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance_study_page, "PLAN", PLAN)
    lines = play_balance_study.RESULTS.read_text(encoding="utf-8").splitlines()
    commands = [json.loads(line)["command"] for line in lines]
    planned = [each.make_command() for each in PLAN]
    assert commands == [command for command in planned if command in commands]
    assert balance_study_page.PAGE.read_text(encoding="utf-8") == balance_study_page.format_study(
        balance_study_page.load_results()
    )
