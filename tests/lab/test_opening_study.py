"""The opening study: its games, resuming, and its statistics."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import realmtable
from realmtable.cli.main import group
from realmtable.engine.errors import BadInput, BadOptions
from realmtable.lab.openings import opening_study
from realmtable.lab.openings.base_placements import (
    JointPlacement,
    class_of,
    classes,
    format_placement,
    joints,
    parse_placement,
)
from realmtable.lab.openings.opening_report import add_titles, findings, format_page
from realmtable.lab.openings.opening_statistics import (
    Strata,
    estimate_effects,
    find_class_row,
    find_joint_row,
    run_figures,
    summarise,
)
from realmtable.lab.openings.opening_study import (
    FREE,
    PLACEMENTS,
    RUNS,
    STANDARD,
    OpeningGame,
    StudyFile,
    load_games,
    opening_state,
    run_tasks,
)

GAME = realmtable.game("realm")
HEAD = {"study": "realm openings", "bot": "random", "seed": 1}
MAGAZINE = ("b11-e8-h5", "b2-e5-h8")


def make_game(  # noqa: PLR0913 - what matters of a game
    white: str, black: str, number: int, score: float, run: str = PLACEMENTS, *, first: int = 0, nine: int | None = None
) -> OpeningGame:
    """Make up a game with this result."""
    winner = {1.0: 0, 0.0: 1, 0.5: None}[score]
    return OpeningGame(run, white, black, number, winner, first, (8, 8), "last_base", 20, nine, None)


def make_study(chance_of_white: Callable[[JointPlacement], float], games: int = 6, seed: int = 1) -> list[OpeningGame]:
    """Simulate games of each placement, which White wins with a given probability."""
    rng = Random(seed)
    return [
        make_game(
            format_placement(joint.white),
            format_placement(joint.black),
            number,
            float(rng.random() < chance_of_white(joint)),
        )
        for number in range(games)
        for joint in joints()
    ]


# ---- which games


def test_every_placement_is_played_once_before_any_is_played_twice() -> None:
    found = list(run_tasks(PLACEMENTS, 2, "random", 1))
    assert len(found) == 2 * 666
    assert len({(task.white, task.black) for task in found[:666]}) == 666
    assert [task.number for task in found] == [0] * 666 + [1] * 666


def test_options_are_played_from_the_same_placements_as_the_standard_rules() -> None:
    one, other = (
        [(task.white, task.black) for task in run_tasks(run, 200, "random", 3)] for run in (STANDARD, "bases=13")
    )
    assert one == other
    assert len(set(one)) > 100
    assert one != [(task.white, task.black) for task in run_tasks(STANDARD, 200, "random", 4)]


@pytest.mark.parametrize("run", [run for run in RUNS if run != FREE])
def test_the_bots_take_over_when_the_bases_stand(run: str) -> None:
    state = opening_state(GAME, opening_study.OpeningTask(run, *MAGAZINE, 0, "random", 1))
    shown = GAME.view(state, None)
    bases = {piece["at"]: piece["seat"] for piece in shown["pieces"]}
    assert bases == dict.fromkeys(MAGAZINE[0].split("-"), 0) | dict.fromkeys(MAGAZINE[1].split("-"), 1)
    assert shown["phase"] == ("bases" if run.startswith("extra_base") else "powers")
    if run.startswith("bases="):
        assert shown["stock"][0]["bases"] == int(run[-2:]) - 3


def test_a_game_records_the_first_mover_and_the_result() -> None:
    played = opening_study.play_game(
        opening_study.OpeningTask("second_moves_first=true,max_turns=20", *MAGAZINE, 0, "random", 1)
    )
    assert played.first == 1
    assert played.reason == "max_turns"
    assert played.turns == 20
    assert played == opening_study.play_game(
        opening_study.OpeningTask("second_moves_first=true,max_turns=20", *MAGAZINE, 0, "random", 1)
    )


def test_nine_realms_are_noticed_when_first_held() -> None:
    centers = ["b2", "e2", "h2", "k2", "b5", "e5", "h5", "k5", "b8"]
    state = GAME.decode(f"W:{','.join(f'B{name}' for name in centers)},Pa1 B:Bk11,Pj10 move=B")
    assert opening_study._nine_realms_holder(GAME, state, 7) == (0, 7)
    fewer = GAME.decode(f"W:{','.join(f'B{name}' for name in centers[1:])},Pa1 B:Bk11,Pj10 move=B")
    assert opening_study._nine_realms_holder(GAME, fewer, 7) is None


def test_options_that_are_none_are_refused_before_anything_is_played() -> None:
    with pytest.raises(BadOptions, match="basis"):
        opening_study.check_options(run_tasks("basis=13", 1, "random", 1))


@pytest.mark.parametrize("text", ["b11-e8-h5", "b11-e8-h5/b11-e5-h2", "b11-e8-h5/nowhere"])
def test_a_joint_placement_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="b11-e8-h5"):
        opening_study.parse_joint_placement(text)


# ---- the file


def test_a_study_resumes_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    wanted = list(run_tasks(STANDARD, 5, "random", 1))
    for task in wanted[:2]:
        StudyFile(path, "random", 1).add(make_game(task.white, task.black, task.number, 1.0, STANDARD))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"run": "stand')  # a crash in the middle of a line
    again = StudyFile(path, "random", 1)
    assert again.missing_tasks(wanted) == wanted[2:]
    again.add(make_game(wanted[2].white, wanted[2].black, 2, 0.5, STANDARD))
    head, games = load_games(path)
    assert head == HEAD
    assert [each.score for each in games] == [1.0, 1.0, 0.5]


def test_games_of_another_bot_do_not_get_into_a_study(tmp_path: Path) -> None:
    StudyFile(tmp_path / "study.jsonl", "random", 1)
    with pytest.raises(BadInput, match="another study"):
        StudyFile(tmp_path / "study.jsonl", "greedy", 1)


@pytest.mark.parametrize("text", ["", "nonsense\n", '{"study": 1}\n{"run": 1}\n'])
def test_a_file_that_is_no_study_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "study.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match="not the file of an opening study"):
        load_games(tmp_path / "study.jsonl")


# ---- figures


def test_averages_weigh_each_placement_by_the_size_of_its_class() -> None:
    few = next(joint for joint in joints() if joint.ways == 4)
    many = next(joint for joint in joints() if joint.ways == 8)
    strata = Strata(
        [make_game(format_placement(few.white), format_placement(few.black), number, 1.0) for number in range(2)]
        + [make_game(format_placement(many.white), format_placement(many.black), number, 0.0) for number in range(2)]
    )
    average = strata.average(strata.all)
    assert average is not None
    assert average["score"] == pytest.approx(1 / 3, abs=1e-4)
    assert average["games"] == 4


@pytest.mark.slow
def test_nine_of_ten_studies_and_more_have_the_truth_in_their_interval() -> None:
    """The scores of all games and of one class, in simulated studies with intervals of 95%."""
    each, hits = classes()[3], Counter[str]()
    for seed in range(60):
        strata = Strata(make_study(lambda joint: 0.6 if class_of(joint.white) == each else 0.5, 2, seed))
        truth = sum(joint.ways * (0.6 if class_of(joint.white) == each else 0.5) for joint in joints()) / 5088
        overall, own = strata.average(strata.all), strata.average(strata.select(white=each))
        assert overall is not None
        assert own is not None
        hits["overall"] += overall["low"] <= truth <= overall["high"]
        hits["class"] += own["low"] <= 0.6 <= own["high"]
    assert min(hits.values()) >= 52


def test_what_placements_have_is_found_and_what_they_have_not_is_not() -> None:
    def chance(joint: JointPlacement) -> float:
        return 0.55 + 0.05 * (class_of(joint.white).central - class_of(joint.black).central)

    found = estimate_effects(Strata(make_study(chance, 8)))
    assert found["central"]["value"] == pytest.approx(0.05, abs=found["central"]["plus_minus"] * 1.5)
    assert found["central"]["value"] > found["central"]["plus_minus"]
    assert found["even"]["value"] == pytest.approx(0.55, abs=0.03)
    assert abs(found["spread"]["value"]) < 2 * found["spread"]["plus_minus"]


@pytest.mark.long
def test_single_placements_are_drawn_towards_what_their_classes_let_expect() -> None:
    data = summarise(HEAD, make_study(lambda _: 0.5, 4))
    raw, drawn = ([abs(row[name] - 0.5) for row in data["joints"]] for name in ("raw", "score"))
    assert sum(drawn) < sum(raw) / 2
    inside = sum(row["low"] <= 0.5 <= row["high"] for row in data["joints"])
    assert inside > 0.9 * 666


@pytest.mark.long
def test_a_placement_that_differs_from_its_classes_shows_with_enough_games() -> None:
    odd = joints()[100]
    data = summarise(HEAD, make_study(lambda joint: 0.95 if joint.white[0] == odd.white[0] == 0 else 0.3, 30))
    row = find_joint_row(data, format_placement(odd.white), format_placement(odd.black))
    assert row is not None
    assert row["low"] > 0.5


@pytest.mark.long
def test_scores_of_both_sides_belong_together() -> None:
    data = summarise(HEAD, make_study(lambda joint: 0.8 if class_of(joint.white).name == "A" else 0.5, 10))
    best = max(data["classes"], key=lambda row: row["white"]["score"])
    assert best["name"] == "A"
    assert best["white"]["low"] <= 0.8 <= best["white"]["high"]
    assert all(row["black"]["low"] <= row["black"]["score"] <= row["black"]["high"] for row in data["classes"])
    assert sum(cell is not None for row in data["table"] for cell in row) == 16 * 16 - 4


def test_options_are_compared_on_the_same_placements() -> None:
    standard = [make_game("x", "y", number, float(number % 2), STANDARD) for number in range(100)]
    other = [make_game("x", "y", number, 1.0, "bases=13") for number in range(100)]
    known = {(each.white, each.black, each.number): each for each in standard}
    row = run_figures("bases=13", other, known)
    assert row["difference"]["value"] == 0.5
    assert row["difference"]["pairs"] == 100
    assert run_figures(STANDARD, standard, known)["difference"] is None


def test_the_first_mover_is_counted_not_the_first_to_place() -> None:
    row = run_figures(
        "second_moves_first=true", [make_game("x", "y", 0, 0.0, first=1), make_game("x", "y", 1, 0.0, first=1)], {}
    )
    assert row["score"] == 1.0


# ---- words


@pytest.mark.long
def test_the_magazine_s_questions_are_answered_from_the_figures() -> None:
    games = make_study(lambda joint: 0.7 if class_of(joint.white).central else 0.4, 10)
    games += [make_game(*MAGAZINE, number, 1.0, FREE, nine=0) for number in range(40)]
    data = summarise(HEAD, games)
    answers = {each["question"]: each["answer"] for each in findings(data)}
    assert answers["Is moving first an advantage?"].startswith("Yes")
    assert "scores 100.0%" in answers["Do nine Realms win?"]
    assert "a bad placement" in " ".join(answers)
    assert f"class {find_class_row(data, 'b11-h2-k5')['name']}" in answers["Is b11-h2-k5 a bad placement?"]
    assert "What do the remedies change?" not in answers


@pytest.mark.long
def test_nothing_is_claimed_that_may_be_chance() -> None:
    answers = {each["question"]: each["answer"] for each in findings(summarise(HEAD, make_study(lambda _: 0.5, 2)))}
    assert answers["Is moving first an advantage?"].startswith("The games do not show one")
    assert "Nothing speaks against it" in answers["Is b11-e8-h5 against b2-e5-h8 a fair start?"]


@pytest.mark.long
def test_the_page_has_the_figures_and_the_commands() -> None:
    data = add_titles(summarise(HEAD, make_study(lambda _: 0.5, 2)))
    page = format_page(data, "realmtable openings play --out study.jsonl")
    assert "realmtable openings play" in page
    assert len([line for line in page.splitlines() if line.startswith("| ")]) == 1 + 16 + 1 + 2 * 11


# ---- the command


def run(*arguments: str) -> str:
    result = CliRunner().invoke(group, ["openings", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_small_study_from_the_command_line(tmp_path: Path) -> None:
    file, data = tmp_path / "study.jsonl", tmp_path / "openings.json"
    play = ["play", "--out", str(file), "--bot", "random", "--games", "2"]
    run(*play, "--run", "max_turns=20", "--run", "max_turns=20,bases=13")
    assert "4 games" in run(*play, "--run", "max_turns=20")
    run("report", str(file), "--json", str(data), "--docs", str(tmp_path / "openings.md"))
    shown = json.loads(data.read_text(encoding="utf-8"))
    assert [row["run"] for row in shown["runs"]] == ["max_turns=20", "max_turns=20,bases=13"]
    assert "# The openings of Realm" in (tmp_path / "openings.md").read_text(encoding="utf-8")


def test_a_bot_that_is_none_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nobody"):
        run("play", "--out", str(tmp_path / "study.jsonl"), "--bot", "nobody")


@pytest.mark.long
def test_classes_are_looked_up_by_any_of_their_placements() -> None:
    data = summarise(HEAD, make_study(lambda _: 0.5, 1))
    assert find_class_row(data, "b2-e5-h8")["name"] == class_of(parse_placement("b11-e8-h5")).name


# ---- the shipped study


def test_the_shipped_study_has_every_placement_and_every_option() -> None:
    path = Path(realmtable.__file__).parent / "games/realm/data/openings.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    assert len(data["joints"]) == 666
    assert {row["run"] for row in data["runs"]} >= set(RUNS) - {PLACEMENTS}
    assert len(data["findings"]) == 7
    assert data["bot"] != "random"
