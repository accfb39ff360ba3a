"""Experiments resume, reuse finished games, stop by a rule, and are written to files and a page."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyarrow import parquet  # type: ignore[import-untyped] # it has no types

from realmtable.engine.errors import BadInput
from realmtable.lab.balance import balance_text, stop_rule
from realmtable.lab.balance.balance_files import format_json, list_rows, write_parquet
from realmtable.lab.balance.balance_html import choose_marks, render_balance
from realmtable.lab.balance.balance_result import BalanceResult
from realmtable.lab.balance.estimates import Estimate
from realmtable.lab.balance.experiment import BalanceTask, Experiment, Factor, design_experiment
from realmtable.lab.balance.game_cache import default_cache_path, open_game_cache
from realmtable.lab.balance.game_facts import GameFacts, facts_from_dict
from realmtable.lab.balance.measures import find_measure
from realmtable.lab.balance.run_experiment import run_experiment
from realmtable.lab.balance.stop_rule import StopRule
from realmtable.lab.jobs.local_runner import LocalRunner
from tests.lab.balance.helpers import DOUBLE, FakeRunner, make_experiment, make_facts
from tests.lab.helpers import list_attributes


def run(experiment: Experiment, runner: FakeRunner, rule: StopRule, cache: Path | None = None) -> BalanceResult:
    with open_game_cache(cache) as opened:
        return run_experiment(experiment, rule, runner, opened)


def play_fair(task: BalanceTask) -> GameFacts:
    """Make up a game that the seed decides; with double moves, the first player wins more often."""
    luck = Random(f"{task.seed}").random()
    edge = 0.2 if task.options else 0.0
    return make_facts(float(luck < 0.5 + edge), turns=10 + int(10 * luck) + 3 * bool(task.options))


def test_the_same_experiment_twice_costs_nothing(tmp_path: Path) -> None:
    experiment, cache = make_experiment(DOUBLE), tmp_path / "deep" / "games.sqlite3"
    first, again, more = FakeRunner(play_fair), FakeRunner(play_fair), FakeRunner(play_fair)
    one = run(experiment, first, StopRule(10), cache)
    assert len(first.asked) == len(set(first.asked)) == 20
    assert run(experiment, again, StopRule(10), cache).games == one.games
    assert again.asked == []
    assert run(experiment, more, StopRule(12), cache).games[0][:10] == one.games[0]
    assert len(more.asked) == 4


def test_an_interrupted_experiment_counts_only_complete_games_and_resumes(tmp_path: Path) -> None:
    experiment, cache = make_experiment(DOUBLE), tmp_path / "games.sqlite3"
    runner = FakeRunner(play_fair, limit=15)  # in reverse order, so games 0 and 1 and one of 2 are missing
    half = run(experiment, runner, StopRule(10), cache)
    assert half.interrupted
    assert half.games_per_setting == 0
    assert "No game was finished in all settings." in balance_text.format_result(half)
    assert "No game was finished" in render_balance(half, "realmtable lab")
    rest = FakeRunner(play_fair)
    whole = run(experiment, rest, StopRule(10), cache)
    assert len(rest.asked) == 5
    assert whole.games == run(experiment, FakeRunner(play_fair), StopRule(10)).games
    assert not whole.interrupted


def test_progress_is_reported() -> None:
    seen: list[tuple[int, int]] = []
    with open_game_cache(None) as cache:
        run_experiment(
            make_experiment(DOUBLE),
            StopRule(2),
            FakeRunner(),
            cache,
            lambda done, planned: seen.append((done, planned)),
        )
    assert seen == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.long
def test_a_rule_ends_an_experiment() -> None:
    result = run(make_experiment(DOUBLE), FakeRunner(play_fair), StopRule(half_width=0.06))
    assert result.games_per_setting in (200, 400)
    assert all(setting.by_order[0].half_width <= 0.06 for setting in result.settings)
    assert "which was reached" in balance_text.describe_stop(result)
    assert result.as_dict()["stop"] == {"half_width": 0.06, "measure": "first_player"}


def test_an_experiment_does_not_wait_for_a_measure_that_no_game_has() -> None:
    runner = FakeRunner(lambda _: make_facts(lead=None))
    with pytest.raises(BadInput, match="None of these games has the measure drama"):
        run(make_experiment(), runner, StopRule(half_width=0.1, measure="drama"))
    assert len(runner.asked) == 100
    cut = run(make_experiment(), FakeRunner(limit=0), StopRule(half_width=0.1))
    assert "which was not reached" in balance_text.describe_stop(cut)


def test_an_experiment_gives_up_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stop_rule, "MAX_LOOKED_AT", 100)
    result = run(make_experiment(), FakeRunner(play_fair), StopRule(half_width=0.001))
    assert result.games_per_setting == 100
    assert "which was not reached" in balance_text.describe_stop(result)


def test_paired_differences_find_what_the_seeds_hide() -> None:
    result = run(make_experiment(DOUBLE), FakeRunner(play_fair), StopRule(300))
    turns = next(measure for measure in result.measures if measure.name == "turns")
    change = result.compare(turns, 1)
    assert change is not None
    assert change[:3] == pytest.approx((3, 3, 3)), "with equal seeds, nothing else differs"
    alone = turns.estimate(result.games[0])
    assert alone is not None
    assert alone.half_width > 0.2
    first = result.compare(result.measures[0], 1)
    assert first is not None
    assert 0.1 < first.low < 0.2 < first.high < 0.3
    assert "double to play" not in balance_text.describe_evenness(result.settings[1])
    assert "the first to play wins most" in balance_text.describe_evenness(result.settings[1])


def test_effects_are_averaged_over_the_other_factors() -> None:
    result = run(make_experiment(DOUBLE, bots=("random", "greedy")), FakeRunner(play_fair), StopRule(50))
    effects = {(effect.factor, effect.measure.name): effect.difference for effect in result.effects}
    assert effects["double_moves", "turns"][:3] == pytest.approx((3, 3, 3))
    assert effects["bots", "turns"][:3] == pytest.approx((0, 0, 0))
    text = balance_text.format_result(result)
    assert "double_moves from off to on: Turns +3.00 in all 50 pairs (at most 5.8% differ)" in text
    same = run(make_experiment(DOUBLE, bots=("random", "greedy")), FakeRunner(), StopRule(5))
    assert "None is clear." in balance_text.format_result(same)
    assert "None is clear." in render_balance(same, "realmtable lab")


def test_games_that_lack_a_measure_are_left_out_of_its_differences() -> None:
    def play(task: BalanceTask) -> GameFacts:
        return make_facts(0.5, lead=None) if task.options else make_facts()

    result = run(make_experiment(DOUBLE), FakeRunner(play), StopRule(5))
    drama = next(measure for measure in result.measures if measure.name == "drama")
    assert result.compare(drama, 1) is None
    assert balance_text.format_difference(drama, None) == balance_text.format_estimate(drama, None) == "too few games"


def test_a_difference_of_nothing_has_no_minus_sign() -> None:
    tiny = Estimate(-0.0001, -0.1, 0.1, 100)
    assert balance_text.format_difference(find_measure("first_player"), tiny) == "+0.0 points (−10.0 to +10.0)"


def test_pairs_that_all_agree_have_an_honest_bound() -> None:
    """An interval without width says nothing, so the text gives the bound of Clopper and Pearson instead."""
    first, turns = find_measure("first_player"), find_measure("turns")
    never = Estimate(0.0, 0.0, 0.0, 40)
    assert balance_text.format_difference(first, never) == "no difference in all 40 pairs (at most 7.2% differ)"
    assert (
        balance_text.format_estimate(turns, Estimate(9.0, 9.0, 9.0, 5)) == "9.00 in all 5 games (at most 45.1% differ)"
    )
    for pairs, clear in ((5, False), (6, True)):  # the sign test
        always = Estimate(1.0, 1.0, 1.0, pairs)
        assert balance_text.format_difference(turns, always).startswith(f"+1.00 in all {pairs} pairs (at most ")
        assert balance_text.is_clear(always) == clear
    assert not balance_text.is_clear(never)


@pytest.mark.parametrize(
    ("game_id", "factors", "more", "sentence"),
    [
        ("classic_realm", [], {}, "You changed no rule: every option has its default."),
        ("classic_realm", [DOUBLE], {}, "You changed double moves: on instead of off (in 1 of 2 settings)."),
        (
            "realms_of_etherium",
            [("max_rounds", "50"), ("manifest", "standard", "generate.copies:3")],
            {},
            "You changed round limit: 50 instead of 60; tiles: Generate copies 3 instead of 2 (in 1 of 2 settings).",
        ),
        ("realm", [], {"presets": ["short"]}, "You changed Bases: 11 instead of 12."),
    ],
)
def test_reports_open_with_what_was_changed(
    game_id: str, factors: list[Any], more: dict[str, Any], sentence: str
) -> None:
    made = [factor if isinstance(factor, Factor) else Factor(factor[0], factor[1:], factor[1:]) for factor in factors]
    result = run(design_experiment(game_id, made, bots=["random"], **more), FakeRunner(), StopRule(1))
    assert balance_text.format_result(result).splitlines()[1] == sentence
    page = render_balance(result, "realmtable lab")
    assert page.index(f"<p>{sentence}</p>") < page.index("<section")


def test_uses_are_counted() -> None:
    games = [make_facts(), make_facts(0.5, used={"F": (1, 1)}), make_facts(0.0, used={"F": (3, 1)})]
    answers = iter(games)
    result = run(make_experiment(), FakeRunner(lambda _: next(answers)), StopRule(3))
    uses = {use.word: use for use in result.settings[0].uses}
    assert uses["F"][1:] == pytest.approx((17 / 3, 1, 7 / 15))
    assert uses["end"][1:] == pytest.approx((1 / 3, 1 / 3, 1))
    drawn = run(make_experiment(), FakeRunner(lambda _: make_facts(0.5)), StopRule(1))
    assert drawn.settings[0].uses[0].winner_share == 0


# ---- files and pages


def test_files_hold_the_result_and_every_game(tmp_path: Path) -> None:
    result = run(make_experiment(DOUBLE), FakeRunner(play_fair), StopRule(6))
    data = json.loads(format_json(result, "realmtable lab balance …"))
    assert data["command"] == "realmtable lab balance …"
    assert [setting["label"] for setting in data["settings"]] == ["double_moves=off", "double_moves=on"]
    assert data["factors"] == [{"name": "double_moves", "values": ["off", "on"]}]
    assert data["settings"][0]["difference_from_first"] == {}
    assert data["settings"][1]["difference_from_first"]["turns"]["mean"] == 3
    assert (data["game"], data["players"], data["opening_turns"]) == ("classic_realm", 2, "default")
    write_parquet(result, tmp_path / "games.parquet")
    rows = parquet.read_table(tmp_path / "games.parquet").to_pylist()
    assert rows == [{name: row[name] for name in rows[0]} for row in list_rows(result)]
    assert len({row["seed"] for row in rows}) == 6
    assert {row["setting"] for row in rows} == {"double_moves=off", "double_moves=on"}


def test_the_page_is_one_file_with_charts_and_the_command() -> None:
    result = run(make_experiment(DOUBLE, bots=("random", "greedy")), FakeRunner(play_fair), StopRule(40))
    page = render_balance(result, "realmtable lab balance classic_realm --option 'double_moves=off,on'")
    assert not {"src", "href"} & list_attributes(page)
    assert page.count("<svg") == 4 + len(result.measures)
    assert "realmtable lab balance classic_realm --option &#39;double_moves=off,on&#39;" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "Effect of each factor" in page


def test_the_page_of_one_setting() -> None:
    many = {f"card {number}": (1, 0) for number in "abcdefghijklmnopqrstuvwxyzäö"}
    result = run(make_experiment(), FakeRunner(lambda _: make_facts(used=many)), StopRule(3))
    page = render_balance(result, "realmtable lab")
    assert "The 25 most used of 28" in page
    assert "Against" not in page


def test_a_game_for_one_has_no_seats_to_compare() -> None:
    experiment = design_experiment("magic_realm", [], bots=["random"], seats=1, opening_turns=0)
    facts = make_facts(shares=(1.0,), scores=(3.0,), lead=None, firsts={}, used={"move": (4,)})
    result = run(experiment, FakeRunner(lambda _: facts), StopRule(3))
    assert "A game for one player has no seats to compare." in balance_text.format_result(result)
    assert balance_text.headline(result).startswith("Magic Realm, 1 player: 3 games in each of 1 setting, seed 1")
    assert "order of play" not in render_balance(result, "realmtable lab")
    assert result.as_dict()["opening_turns"] == 0


def test_scales_have_round_marks() -> None:
    assert choose_marks(13.7, 204.9) == [0, 50, 100, 150, 200, 250]
    assert choose_marks(0.1, 0.1001) == [0.1, 0.100025, 0.10005, 0.100075, 0.1001]
    assert choose_marks(-3, 3) == [-4, -2, 0, 2, 4]


# ---- the cache


def test_a_cache_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be used"), open_game_cache(tmp_path / "file" / "games.sqlite3"):
        pass
    with pytest.raises(BadInput, match="cannot be used: file is not a database"), open_game_cache(tmp_path / "file"):
        pass


def test_two_experiments_may_add_the_same_game(tmp_path: Path) -> None:
    with open_game_cache(tmp_path / "games.sqlite3") as one, open_game_cache(tmp_path / "games.sqlite3") as other:
        one.add("key", make_facts(1.0).as_dict())
        other.add("key", make_facts(0.0).as_dict())
        assert other.find(["key", "unknown"]) == {"key": facts_from_dict(make_facts(1.0).as_dict())}
    assert default_cache_path().name == "games.sqlite3"


def test_a_real_experiment_in_this_process() -> None:
    with open_game_cache(None) as cache:
        result = run_experiment(make_experiment(DOUBLE), StopRule(2), LocalRunner(1), cache)
    assert result.games_per_setting == 2
    assert {setting.label for setting in result.settings} == {"double_moves=off", "double_moves=on"}
