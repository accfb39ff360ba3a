"""Matches: the score, the file to resume from, tests that stop a match, interrupts, and the page."""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.lab.jobs.local_runner import LocalRunner
from realmtable.lab.match_statistics import Interval, Sprt, SprtVerdict, score_from_elo, wilson
from realmtable.lab.matches import match, match_text
from realmtable.lab.matches.match import play_match
from realmtable.lab.matches.match_file import open_match_file
from realmtable.lab.matches.match_game import PlayedGame
from realmtable.lab.matches.match_html import build_chart, render_match
from realmtable.lab.matches.match_plan import GameTask, Plan
from realmtable.lab.matches.match_result import MatchResult, complete_pairs
from tests.lab.helpers import RANDOMS, fake_game, fake_win_of_first, list_attributes, make_plan
from tests.toys import add_games
from tests.toys.gold_quest import GoldQuest

BOTS = ("random", "greedy")
DOUBLE = registry.game("classic_realm").options(double_moves=True)


def result_of(names: Iterable[str] = ("strong", "weak"), pairs: int = 10, **more: Any) -> MatchResult:  # noqa: ANN401 - the result's own
    plan = make_plan(names, pairs)
    return MatchResult(plan, complete_pairs([fake_win_of_first(task) for task in plan.tasks()], pairs), **more)


@pytest.fixture
def simulated_tasks(monkeypatch: pytest.MonkeyPatch) -> list[GameTask]:
    """Simulate games in which the first bot is 120 Elo stronger, finishing in random order; return that order."""
    asked: list[GameTask] = []

    def play_fake_games(
        plan: Plan, tasks: Iterable[GameTask], runner: LocalRunner
    ) -> Generator[PlayedGame, None, None]:
        mixed = list(tasks)
        Random(f"{runner.workers}").shuffle(mixed)
        for task in sorted(mixed, key=lambda task: task.pair // 5):
            asked.append(task)
            chance = score_from_elo(120 if task.bots == (0, 1) else -120)
            yield fake_game(task, float(Random(f"{plan.seed} {task}").random() < chance))

    monkeypatch.setattr(match, "play_games", play_fake_games)
    return asked


# ---- what counts


def test_only_whole_pairs_count() -> None:
    tasks = [
        GameTask(0, (0, 1)),
        GameTask(1, (1, 0)),
        GameTask(1, (0, 1)),
        GameTask(2, (0, 2)),
        GameTask(7, (0, 1)),
        GameTask(7, (1, 0)),
    ]
    assert [(game.pair, game.bots) for game in complete_pairs(map(fake_win_of_first, tasks), 7)] == [
        (1, (0, 1)),
        (1, (1, 0)),
    ]


def test_the_figures_of_two_bots() -> None:
    plan = make_plan(pairs=4)
    points = [1.0, 0.0, 1.0, 0.5, 0.5, 0.5, 0.0, 1.0]  # of seat 0: pairs of 2, 1½, 1 and 0 points for the first bot
    games = [fake_game(task, mine) for task, mine in zip(plan.tasks(), points, strict=True)]
    result = MatchResult(plan, complete_pairs(games, 4))
    (versus,) = result.versus
    assert versus.tally == (3, 3, 2)
    assert versus.tally.score == 4.5 / 8
    assert versus.by_seat == ((2, 1, 1), (1, 2, 1))
    assert result.by_seat == [((2, 1, 1), (1, 2, 1)), ((1, 2, 1), (1, 1, 2))]
    assert versus.pairs == (1, 0, 1, 1, 1)
    assert result.first_mover == (3, 3, 2)
    assert (result.mean_turns, result.end_reasons) == (40, {"all_in_water": 8})
    assert [thinking.per_turn for thinking in result.thinking] == pytest.approx([0.075, 0.075])


def test_plain_data_can_be_written_as_json() -> None:
    data = json.loads(json.dumps(result_of(pairs=10, sprt=Sprt(0, 50)).as_dict(), allow_nan=False))
    (versus,) = data["results"]
    assert (versus["bots"], versus["won"], versus["elo"]) == (["strong", "weak"], 20, None)
    assert versus["score_interval"] == [round(wilson(1, 10).low, 4), 1.0]
    assert data["sprt"]["verdict"] == "open"
    assert (data["game"], data["games"], data["interrupted"]) == ("classic_realm", 20, False)


def test_a_round_robin_rates_every_bot() -> None:
    result = result_of(["best", "middle", "worst"], 20)
    elos = [rating.elo for rating in result.ratings]
    assert elos == sorted(elos, reverse=True)
    assert [tally.won for tally in result.tallies] == [80, 40, 0]
    assert [rating["bot"] for rating in result.as_dict()["ratings"]] == ["best", "middle", "worst"]
    assert result_of(["best", "worst"]).ratings == []


# ---- the sequential test


@pytest.mark.usefixtures("simulated_tasks")
def test_a_test_ends_the_match_at_the_same_pair_however_games_finish() -> None:
    results = [play_match("classic_realm", BOTS, games=400, sprt=Sprt(0, 50), workers=n) for n in (1, 2, 3)]
    assert results[0].games == results[1].games == results[2].games
    assert 10 < len(results[0].games) < 400
    tested = results[0].sprt_status
    assert tested is not None
    assert (tested.verdict, tested.pairs) == (SprtVerdict.ACCEPTED, len(results[0].games) // 2)
    before = MatchResult(results[0].plan, results[0].games[:-2], Sprt(0, 50)).sprt_status
    assert before is not None
    assert before.verdict is SprtVerdict.OPEN


def test_a_decided_test_plays_no_further(simulated_tasks: list[GameTask], tmp_path: Path) -> None:
    first, again = (
        play_match("classic_realm", BOTS, games=400, sprt=Sprt(0, 50), keep=tmp_path / "m.jsonl", workers=1)
        for _ in range(2)
    )
    assert first.games == again.games
    assert len(simulated_tasks) == len(set(simulated_tasks)) < 400


def test_a_test_is_for_two_bots() -> None:
    with pytest.raises(BadInput, match="exactly two bots, not 3"):
        play_match("classic_realm", ["random"] * 3, sprt=Sprt(0, 50))


# ---- the file


def test_a_match_resumes_where_it_stopped(simulated_tasks: list[GameTask], tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    half = play_match("classic_realm", BOTS, games=10, keep=file, workers=1)
    counts: list[int] = []
    whole = play_match(
        "classic_realm", BOTS, games=20, keep=file, workers=1, on_game=lambda _, done: counts.append(done)
    )
    assert half.games == whole.games[:10]
    assert len(simulated_tasks) == len(set(simulated_tasks)) == 20
    assert counts == list(range(1, 21))
    assert play_match("classic_realm", BOTS, games=20, workers=1).games == whole.games
    assert len(play_match("classic_realm", BOTS, games=6, keep=file, workers=1).games) == 6


def test_a_line_that_a_crash_has_broken_is_played_again(simulated_tasks: list[GameTask], tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    whole = play_match("classic_realm", BOTS, games=10, keep=file, workers=1)
    text = file.read_bytes()
    for kept in (text[:-1], text[:-30], text.rpartition(b"\n{")[0] + b'\n{"pair": 1}\n'):
        simulated_tasks.clear()
        file.write_bytes(kept)
        assert play_match("classic_realm", BOTS, games=10, keep=file, workers=1).games == whole.games
        assert len(simulated_tasks) == 1
        assert sorted(file.read_bytes().splitlines()) == sorted(text.splitlines())
    file.write_bytes(text[:20])
    assert play_match("classic_realm", BOTS, games=10, keep=file, workers=1).games == whole.games


def test_a_real_game_survives_its_line(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    played, kept = (play_match("classic_realm", RANDOMS, games=2, keep=file, workers=1).games for _ in range(2))
    assert [game.steps for game in played] == [game.steps for game in kept]
    assert [game.seconds for game in kept] == [pytest.approx(game.seconds, abs=1e-4) for game in played]
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line["bots"] for line in lines[1:]] == [["random", "random#2"], ["random#2", "random"]]


@pytest.mark.usefixtures("simulated_tasks")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"game_id": "medieval_realm"}, "its game is classic_realm, not medieval_realm"),
        ({"bots": ("greedy", "random")}, "its bots is random,greedy, not greedy,random"),
        ({"seed": 5}, "its seed is 1, not 5"),
        ({"opening_turns": 3}, "its opening_turns is default, not 3"),
        ({"options": DOUBLE}, "its options is none, not double_moves=on"),
    ],
    ids=str,
)
def test_a_file_of_another_match_is_refused_with_the_difference(
    change: dict[str, Any], expected: str, tmp_path: Path
) -> None:
    asked: dict[str, Any] = {"game_id": "classic_realm", "bots": BOTS, "games": 4, "keep": tmp_path / "m", "workers": 1}
    play_match(**asked)
    before = (tmp_path / "m").read_bytes()
    with pytest.raises(BadInput, match=re.escape(expected)):
        play_match(**{**asked, **change})
    assert (tmp_path / "m").read_bytes() == before


@pytest.mark.parametrize("text", ["my diary", "my diary\n", '{"match": {}}x\n', "{}\n", "[]\nmore\n", "\n\n"])
def test_a_file_of_another_kind_is_not_changed(text: str, tmp_path: Path) -> None:
    file = tmp_path / "diary"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=r"is not a match file: line 1 cannot be read\."):
        play_match("classic_realm", BOTS, games=2, keep=file, workers=1)
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.usefixtures("simulated_tasks")
def test_a_broken_line_in_the_middle_is_named(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    play_match("classic_realm", BOTS, games=4, keep=file, workers=1)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join([*lines[:2], "{\n", *lines[3:]]), encoding="utf-8")
    with pytest.raises(BadInput, match="line 3 cannot be read"):
        play_match("classic_realm", BOTS, games=4, keep=file, workers=1)


def test_a_file_cannot_be_written_by_two(tmp_path: Path) -> None:
    with (tmp_path / "m").open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(BadInput, match="Another match is writing"), open_match_file(make_plan(), tmp_path / "m"):
            pass


def test_a_file_that_cannot_be_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "m", Path("a\0b")):
        with pytest.raises(BadInput, match="cannot be written"):
            play_match("classic_realm", BOTS, games=2, keep=path, workers=1)


# ---- interrupts


def test_an_interrupt_gives_what_there_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def play_five_then_interrupt(
        _plan: Plan, tasks: Iterable[GameTask], _: LocalRunner
    ) -> Generator[PlayedGame, None, None]:
        yield from (fake_win_of_first(task) for task in list(tasks)[:5])
        raise KeyboardInterrupt

    monkeypatch.setattr(match, "play_games", play_five_then_interrupt)
    result = play_match("classic_realm", BOTS, games=10, keep=tmp_path / "m", workers=1)
    assert (result.interrupted, len(result.games)) == (True, 4)
    assert match_text.format_result(result).startswith("Classic Realm: interrupted after 4 games")
    assert len((tmp_path / "m").read_text(encoding="utf-8").splitlines()) == 6


# ---- reports


def test_the_report_of_two_bots() -> None:
    text = match_text.format_result(result_of(pairs=50, sprt=Sprt(0, 50)))
    assert "strong against weak: 100.0% (92.9%–100.0%), Elo +∞ (+446 … +∞)" in text
    assert "100 won, 0 drawn, 0 lost; as White 100.0%, as Black 100.0%" in text
    assert "scored 0, ½, 1, 1½ and 2 points: 0, 0, 0, 0, 50" in text
    assert "Seconds per turn: strong 0.0750, weak 0.0750." in text
    assert re.search(r"SPRT 0:50: LLR \+6\.\d\d after 50 pairs, bounds ±2\.94: \+50 Elo fits better than 0\.", text)


def test_the_report_of_a_round_robin_ranks_the_bots() -> None:
    lines = match_text.format_result(result_of(["worst", "middle", "best"][::-1], 10)).splitlines()
    rows = [line.split() for line in lines if re.match(r" \d ", line)]
    assert [row[1] for row in rows] == ["best", "middle", "worst"]
    assert rows[0][-3:] == ["·", "100.0%", "100.0%"]
    assert rows[2][-3:] == ["0.0%", "0.0%", "·"]


def test_nothing_played_is_said() -> None:
    nothing = MatchResult(make_plan(), (), Sprt(0, 50), interrupted=True)
    assert match_text.format_result(nothing) == "No pair of games was finished."
    assert "No pair of games was finished." in render_match(nothing)
    assert json.dumps(nothing.as_dict(), allow_nan=False)


@pytest.mark.parametrize("names", [["strong", "weak"], ["a", "b", "c"], list("abcdefgh")], ids=len)
def test_the_page_is_whole_and_needs_nothing_from_elsewhere(names: list[str]) -> None:
    text = render_match(result_of(names, sprt=Sprt(0, 50) if len(names) == 2 else None))
    assert not {"src", "href", "srcset"} & list_attributes(text)
    assert not re.search(r"https?:|url\(|@import|<script", text)
    assert "prefers-color-scheme: dark" in text
    assert all(name in text for name in names)


def test_the_page_trusts_no_name() -> None:
    assert "<b>" not in render_match(result_of(["<b>bold</b>", "weak"]))


def test_the_chart_holds_every_interval_and_zero() -> None:
    drawn = build_chart(("a", 150.0, Interval(100.0, 210.0)), ("b", float("inf"), Interval(300.0, float("inf"))))
    a, b = drawn.bars
    assert 0 < drawn.zero < a.low < a.middle < a.high < b.low < b.high < drawn.width
    assert (a.has_middle, b.has_middle, b.open_high, a.open_high) == (True, False, True, False)
    places = [place for place, _ in drawn.marks]
    assert places == sorted(places)
    assert (drawn.zero, "0") in drawn.marks


def test_a_solo_game_has_no_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    solo = GoldQuest()
    solo.info = replace(solo.info, seats=(1,))
    add_games(monkeypatch, solo)
    with pytest.raises(BadInput, match="A match needs a two-player game, and Gold Quest is not one"):
        play_match("gold_quest", ["random", "greedy"], games=2)
