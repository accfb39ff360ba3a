"""`realmtable match`: its output, its files, and its one-sentence errors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from realmtable.lab.jobs.job_runner import JobRunner
from realmtable.lab.matches import match
from realmtable.lab.matches.match_game import PlayedGame
from realmtable.lab.matches.match_plan import GameTask, Plan
from tests.cli.command_line import expect_refusal, interrupt_command, run_cli
from tests.lab.helpers import fake_win_of_first

ONE = ("--workers", "1")
TWO = ("match", "classic_realm", "--bots", "random,random", "--games", "4", *ONE)


def test_a_match_is_printed() -> None:
    done = run_cli(*TWO)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Classic Realm: 4 games in pairs from equal openings, seed 1\n")
    assert "random against random#2: " in done.out
    assert "Games ended by " in done.out


def test_a_match_as_data_is_the_same_again() -> None:
    first, again, other = (json.loads(run_cli(*TWO, "--json", "--seed", seed).out) for seed in ("3", "3", "4"))
    for data in (first, again, other):
        assert set(data.pop("seconds_per_turn")) == {"random", "random#2"}
    assert first == again
    assert first != other
    assert first["results"][0]["pairs"] != []


def test_options_and_openings_reach_the_match() -> None:
    flags = ("--option", "double_moves=on", "--opening-turns", "2", "--out", "m.jsonl", "--json")
    data = json.loads(run_cli(*TWO, *flags).out)
    assert (data["options"], data["opening_turns"]) == (["double_moves=on"], 2)
    header, *games = [json.loads(line) for line in Path("m.jsonl").read_text(encoding="utf-8").splitlines()]
    assert header["match"]["options"] == ["double_moves=on"]
    assert len(games) == 4


def test_a_match_resumes_from_its_file() -> None:
    whole = json.loads(run_cli(*TWO, "--json", "--out", "m.jsonl").out)
    lines = Path("m.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("m.jsonl").write_text("".join(lines[:3]) + '{"pair"', encoding="utf-8")
    again = json.loads(run_cli(*TWO, "--json", "--out", "m.jsonl").out)
    assert again["results"] == whole["results"]
    assert len(Path("m.jsonl").read_text(encoding="utf-8").splitlines()) == 5


def test_a_round_robin_and_its_page() -> None:
    flags = ("--bots", "random, random,random", "--games", "2", *ONE, "--html", "m.html")
    done = run_cli("match", "classic_realm", *flags)
    assert done.code == 0
    assert "Elo vs average" in done.out
    page = Path("m.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "random#3" in page


def test_a_test_ends_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "play_games", lambda _plan, tasks, _runner: (fake_win_of_first(task) for task in tasks))
    done = run_cli("match", "classic_realm", "--bots", "greedy,random", "--games", "400", "--sprt", "0:100")
    assert done.out.startswith("Classic Realm: stopped by its test after ")
    assert done.out.endswith("+100 Elo fits better than 0.\n")


def test_an_interrupt_prints_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def play_two_then_interrupt(_plan: Plan, tasks: Iterable[GameTask], _: JobRunner) -> Iterator[PlayedGame]:
        yield from (fake_win_of_first(task) for task in list(tasks)[:2])
        raise KeyboardInterrupt

    monkeypatch.setattr(match, "play_games", play_two_then_interrupt)
    done = run_cli(*TWO)
    assert done.code == 130
    assert done.out.startswith("Classic Realm: interrupted after 2 games")


@pytest.mark.long
def test_ctrl_c_ends_the_workers_and_shows_the_score_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a real terminal: the bar counts, and an interrupt of the whole group gives a result."""
    monkeypatch.setenv("REALMTABLE_COMPILE", "0")
    flags = ("--bots", "random,random", "--games", "100000", "--workers", "2")
    done = interrupt_command("match", "classic_realm", *flags, seen="random 3")  # after at least six games
    assert done.code == 130
    assert "Playing" in done.err
    assert done.out.startswith("Classic Realm: interrupted after ")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["realm", "--bots", "random"], "at least two bots"),
        (["realm", "--bots", "random,"], "There is no bot"),
        (["realm", "--bots", "random,rndom"], "There is no bot rndom"),
        (["chess", "--bots", "random,random"], "There is no game"),
        (["realm", "--bots", "random,random", "--games", "5"], "Games come in pairs"),
        (["realm", "--bots", "random,random", "--opening-turns", "-1"], "An opening may have 0 to"),
        (["realm", "--bots", "random,random", "--sprt", "50"], "two Elo differences such as 0:50"),
        (["realm", "--bots", "random,random,random", "--sprt", "0:50"], "exactly two bots, not 3"),
        (["realm", "--bots", "random,random", "--option", "bases=99"], "bases"),
        (["realm", "--bots", "random,random", "--html", "none/m.html"], "There is no folder none"),
        (["realm", "--bots", "random,random", "--out", "none/m.jsonl"], "cannot be written"),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused_in_a_sentence(arguments: list[str], expected: str) -> None:
    assert expected in expect_refusal("match", *arguments)
