"""Puzzles on the server: immediate feedback, no premature solutions, daily puzzles, streaks and pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from realmtable.analysis.puzzles import Puzzle, puzzle_from_json
from realmtable.analysis.reasons import percent
from realmtable.lab.openings.opening_report import add_titles
from realmtable.lab.openings.opening_statistics import summarise
from realmtable.lab.openings.opening_study import OpeningGame, run_tasks
from realmtable.search.search_result import SearchLimits, SearchResult
from realmtable.server.errors import NotFound
from realmtable.server.fair_queue import Requester
from realmtable.server.services import Services
from realmtable.server.study import openings
from realmtable.server.study import puzzles as study
from tests.analysis.small_puzzles import ONE_TURN_PUZZLE, TWO_TURN_PUZZLE, install_puzzles
from tests.lab.one_turn_search import think_one_turn
from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio
ONCE, TWICE = f"/api/puzzles/realm/{ONE_TURN_PUZZLE.id}", f"/api/puzzles/realm/{TWO_TURN_PUZZLE.id}"
SOLUTIONS = {ONE_TURN_PUZZLE.id: ["Pa4a7"], TWO_TURN_PUZZLE.id: ["Pa4a7", "end", "Pa7d7"]}
NOON = 20_000 * study.DAY_S + 43_200


@pytest.fixture(autouse=True)
def two_puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Realm has two puzzles, the other games have none."""
    with install_puzzles(tmp_path, monkeypatch, ONE_TURN_PUZZLE, TWO_TURN_PUZZLE):
        yield


@pytest.fixture
async def ada(services: Services, ann: Person) -> Person:
    """A known visitor, at a server whose clock stands still and whose search is quick."""
    services.puzzle_service.now = lambda: NOON
    services.puzzle_service.search_queue.think = fake_think  # type: ignore[assignment,method-assign]
    await ann.post("/api/me")
    return ann


async def fake_think(game: Any, state: Any, *, urgency: int, requester: Requester, lines: int = 1) -> SearchResult:
    assert (urgency, requester.address) == (0, "127.0.0.1")
    return think_one_turn(game, state, SearchLimits(nodes=1), lines=lines)


def texts_of(value: Any) -> Iterator[str]:
    """Yield every text at any depth."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from texts_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_of(inner)
    elif isinstance(value, str):
        yield value


# ---- answers


async def test_the_right_turn_solves_and_is_told_what_it_achieves(ada: Person) -> None:
    answer = await ada.post(f"{ONCE}/answers", {"moves": SOLUTIONS[ONE_TURN_PUZZLE.id]})
    assert answer["verdict"] == "solved"
    assert answer["words"] == "Correct! White created the last Base. White wins with 8 Realms to 5."
    assert answer["moment"]["result"]["reason"] == "last_base"
    assert answer["reply"] is None


async def test_a_turn_that_goes_on_offers_what_can_follow(ada: Person) -> None:
    answer = await ada.post(f"{ONCE}/answers", {"moves": ["Pa1d1"]})
    assert (answer["verdict"], answer["words"]) == ("open", "")
    assert {choice["move"] for choice in answer["moment"]["choices"]} >= {"Ef1N", "Ed2S"}


async def test_a_wrong_turn_is_refuted_on_the_board(ada: Person) -> None:
    answer = await ada.post(f"{ONCE}/answers", {"moves": ["Pa1d1", "Ef1N", "end"]})
    assert answer["verdict"] == "wrong"
    reply = "Power from j10 to j7, founding a Base on k8"
    said = f"This does not win. Black's answer: {reply}. Your winning chances: {percent(0.25)}."
    assert answer["words"] == said
    assert answer["moment"]["choices"] == answer["reply"]["choices"] == []
    assert "Bk8" in answer["reply"]["position"]


@pytest.mark.long
async def test_a_turn_nobody_has_looked_at_is_thought_about(ada: Person) -> None:
    answer = await ada.post(f"{ONCE}/answers", {"moves": ["Pa1d1", "Ef1S", "end"]})
    assert answer["verdict"] == "wrong"
    assert f"Your winning chances: {percent(0.7)}." in answer["words"]
    assert answer["reply"]["acting"] == [0]


@pytest.mark.long
async def test_a_turn_that_a_search_finds_winning_is_told_so(ada: Person, services: Services) -> None:
    async def think_losing(game: Any, state: Any, **wishes: Any) -> SearchResult:
        found = await fake_think(game, state, **wishes)
        return SearchResult(0.04, found.proven, 1, 0.0, found.lines)

    services.puzzle_service.search_queue.think = think_losing  # type: ignore[method-assign]
    answer = await ada.post(f"{ONCE}/answers", {"moves": ["Pa1d1", "Ef1S", "end"]})
    assert answer["verdict"] == "wins"
    assert answer["words"].startswith(f"This wins too. Your winning chances: {percent(0.96)}.")
    assert [each["solved"] for each in await ada.get("/api/puzzles/realm")] == [True, False]


async def test_the_first_of_two_turns_is_answered_and_the_second_solves(ada: Person) -> None:
    answer = await ada.post(f"{TWICE}/answers", {"moves": ["Pa4a7", "end"]})
    assert (answer["verdict"], answer["found"], answer["turns"]) == ("right", 1, 2)
    assert answer["words"] == "Correct! Black's answer: Power from j10 to j7, founding a Base on k8. Keep going."
    assert "Bk8" not in answer["moment"]["position"]
    assert "Bk8" in answer["reply"]["position"]
    assert answer["reply"]["choices"]
    done = await ada.post(f"{TWICE}/answers", {"moves": SOLUTIONS[TWO_TURN_PUZZLE.id]})
    assert done["verdict"] == "solved"


async def test_an_illegal_step_is_refused_with_its_clause(ada: Person) -> None:
    error = await ada.expect_refusal("POST", f"{ONCE}/answers", {"moves": ["Pa4b4"]})
    assert (error["code"], error["clause"]) == ("IllegalMove", "R7")


async def test_offers_are_no_answers(ada: Person) -> None:
    assert "offer" not in {choice["move"] for choice in (await ada.get(ONCE))["moment"]["choices"]}


@pytest.mark.parametrize("path", ["/api/puzzles/realm/nothing", "/api/puzzles/chess", "/api/puzzles/chess/1"])
async def test_what_is_not_there_is_said(ada: Person, path: str) -> None:
    assert (await ada.send("GET", path)).status_code == 404


# ---- no answer before its time


@pytest.mark.parametrize("puzzle", [ONE_TURN_PUZZLE, TWO_TURN_PUZZLE], ids=lambda puzzle: puzzle.theme)
async def test_the_solution_leaves_when_it_is_asked_for(ada: Person, puzzle: Puzzle) -> None:
    path = f"/puzzles/realm/{puzzle.id}"
    page = (await ada.client.get(path)).text
    data = await ada.get(f"/api{path}")
    spare = {choice["move"] for choice in data["moment"]["choices"]}  # what can be played is no secret
    told = [text for text in texts_of(data) if text not in spare]
    assert not any(turn in text for turn in puzzle.line for text in told)
    assert "others" not in data
    assert puzzle.line[-1] not in page or puzzle.line[-1] in spare
    solution = await ada.get(f"/api{path}/solution")
    assert [turn["text"] for turn in solution["turns"]] == list(puzzle.line)
    assert [turn["seat"] for turn in solution["turns"]] == [0, 1, 0][: len(puzzle.line)]
    assert all(turn["words"].startswith("Power from ") for turn in solution["turns"])


async def test_lists_and_days_tell_no_solution(ada: Person) -> None:
    for path in ("/api/puzzles/realm", "/api/puzzles/daily"):
        answer = await ada.get(path)
        assert answer
        assert not any(turn in text for turn in TWO_TURN_PUZZLE.line for text in texts_of(answer))


async def test_the_solution_can_be_stepped_through(ada: Person) -> None:
    solution = await ada.get(f"{TWICE}/solution")
    moves = [move for turn in solution["turns"] for move in turn["moves"]]
    body = {"game": "realm", "position": TWO_TURN_PUZZLE.position, "moves": moves}
    assert (await ada.post("/api/explore", body))["result"]["reason"] == "last_base"
    assert solution["words"].startswith("This wins by force.")


# ---- goals

FILE = Path(study.__file__).parents[2] / "games/realms_of_etherium/data/puzzles.jsonl"
GOAL = next(puzzle for puzzle in map(puzzle_from_json, FILE.read_text("utf-8").splitlines()) if len(puzzle.line) == 3)


def test_a_goal_is_a_task_of_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "load_puzzles", lambda _: {GOAL.id: GOAL})
    facts = study.public_facts(GOAL)
    assert facts["task"] == f"{facts['seat_name']} to move: reach {GOAL.goal} points this turn"
    assert (facts["goal"], facts["turns"]) == (GOAL.goal, 1)


def test_an_answer_to_a_goal_is_told_the_points() -> None:
    texts = [*GOAL.line[0].split(", "), GOAL.line[2]]
    solved, missed = (study.judge_for_player(GOAL, each) for each in (texts, [*texts[:-1], "end"]))
    assert not isinstance(solved, study.UnknownPosition)
    assert not isinstance(missed, study.UnknownPosition)
    assert (solved["verdict"], solved["words"]) == ("solved", f"Correct! You have {GOAL.goal} points.")
    assert missed["verdict"] == "wrong"
    assert missed["words"].endswith(f" of {GOAL.goal} points when the turn ends.")
    assert missed["reply"] is None


def test_the_solution_of_a_goal_names_chance_and_can_be_walked_through() -> None:
    solution = study.solution(GOAL)
    assert [turn["name"] for turn in solution["turns"]][1] == "Chance"
    steps = [move for turn in solution["turns"] for move in turn["moves"]]
    last = study.solution_moment(GOAL, len(steps))
    assert last == study.solution_moment(GOAL, len(steps) + 5)
    assert study.solution_moment(GOAL, 0)["position"] == GOAL.position
    assert last["choices"] == []
    assert last["text"] == steps[-1]


async def test_the_solution_is_walked_through_step_by_step(ada: Person) -> None:
    assert "Bk8" not in (await ada.get(f"{TWICE}/solution/1"))["position"]
    assert "Bk8" in (await ada.get(f"{TWICE}/solution/9"))["position"]
    assert (await ada.send("GET", f"{TWICE}/solution/-1")).status_code == 422


# ---- who has solved what


async def test_solves_are_kept_with_whoever_is_known(ada: Person, services: Services) -> None:
    await ada.post(f"{TWICE}/answers", {"moves": SOLUTIONS[TWO_TURN_PUZZLE.id]})
    await ada.post(f"{TWICE}/answers", {"moves": SOLUTIONS[TWO_TURN_PUZZLE.id]})
    assert [(each["id"], each["solved"]) for each in await ada.get("/api/puzzles/realm")] == [
        (ONE_TURN_PUZZLE.id, False),
        (TWO_TURN_PUZZLE.id, True),
    ]
    me = (await ada.get("/api/me"))["player"]["id"]
    assert await services.puzzle_service.solves.puzzle_ids_of(me) == {TWO_TURN_PUZZLE.id}


async def test_a_stranger_can_solve_and_stays_one(ada: Person, bob: Person) -> None:
    assert (await bob.post(f"{ONCE}/answers", {"moves": SOLUTIONS[ONE_TURN_PUZZLE.id]}))["verdict"] == "solved"
    assert not bob.client.cookies
    assert (await ada.get("/api/puzzles/realm"))[0]["solved"] is False


async def test_days_in_a_row_are_counted(ada: Person, services: Services) -> None:
    me = (await ada.get("/api/me"))["player"]["id"]
    for day in range(3):
        services.puzzle_service.now = lambda day=day: NOON + day * study.DAY_S  # type: ignore[misc]
        puzzle = study.daily_puzzle("realm", study.day_number(services.puzzle_service.now()))
        assert puzzle is not None
        await ada.post(f"/api/puzzles/realm/{puzzle.id}/answers", {"moves": SOLUTIONS[puzzle.id]})
    assert await services.puzzle_service.streak(me) == 3
    assert "Daily streak: <strong>3</strong> days" in (await ada.client.get("/puzzles")).text
    services.puzzle_service.now = lambda: NOON + 4 * study.DAY_S
    assert await services.puzzle_service.streak(me) == 0
    assert await services.puzzle_service.streak(None) == 0


async def test_a_puzzle_of_another_day_counts_for_no_day(ada: Person, services: Services) -> None:
    daily = study.daily_puzzle("realm", study.day_number(NOON))
    other = next(each for each in (ONE_TURN_PUZZLE, TWO_TURN_PUZZLE) if each != daily)
    await ada.post(f"/api/puzzles/realm/{other.id}/answers", {"moves": SOLUTIONS[other.id]})
    me = (await ada.get("/api/me"))["player"]["id"]
    assert await services.puzzle_service.solves.daily_puzzle_days(me) == []


# ---- pages


async def test_pages_lead_from_the_day_to_all_puzzles(ada: Person) -> None:
    daily = (await ada.get("/api/puzzles/daily"))[0]["url"]
    for path in ("/puzzles", "/puzzles/realm"):
        assert daily in (await ada.client.get(path)).text
    for path in ("/puzzles/daily", "/puzzles/realm/daily"):
        assert (await ada.client.get(path)).headers["location"] == daily
    assert "White to move and win" in (await ada.client.get(daily)).text
    picture = await ada.client.get(f"{daily}.svg?theme=dark")
    assert picture.headers["content-type"] == "image/svg+xml"


async def test_solved_puzzles_are_ticked_and_left_out_of_what_comes_next(ada: Person) -> None:
    await ada.post(f"{TWICE}/answers", {"moves": SOLUTIONS[TWO_TURN_PUZZLE.id]})
    listed = (await ada.client.get("/puzzles/realm")).text
    assert listed.count('class="tile is-solved"') == 1
    assert study.next_puzzle_url(TWO_TURN_PUZZLE, {TWO_TURN_PUZZLE.id}).endswith(ONE_TURN_PUZZLE.id)
    # There is no other.
    assert study.next_puzzle_url(ONE_TURN_PUZZLE, {TWO_TURN_PUZZLE.id}).endswith(TWO_TURN_PUZZLE.id)


async def test_a_game_without_puzzles_says_so(ada: Person) -> None:
    for path in ("/puzzles/classic_realm", "/puzzles/classic_realm/daily"):
        answer = await ada.client.get(path)
        assert answer.status_code == 404
        assert "no puzzles yet" in answer.text


# ---- the opening study


@pytest.fixture
def small_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Realm has a study of coin tosses, the other games have none."""
    path = tmp_path / "openings.json"
    path.write_text(json.dumps(add_titles(coin_tosses()) | {"commands": ["toss a coin"]}), encoding="utf-8")
    monkeypatch.setattr(openings, "_file", lambda game_id: path if game_id == "realm" else tmp_path / "none")
    caches = (openings.load_study, openings.board_positions, openings.board_picture)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


@cache
def coin_tosses() -> dict[str, Any]:
    rng = Random(1)
    games = [
        OpeningGame(
            "placements", task.white, task.black, 0, int(rng.random() < 0.5), 0, (8, 8), "last_base", 20, None, None
        )
        for task in run_tasks("placements", 1, "random", 1)
    ]
    return summarise({"bot": "coin", "seed": 1}, games)


async def test_without_any_opening_study_the_index_is_not_found(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "has_study", lambda _: False)
    response = await ada.client.get("/openings")
    assert response.status_code == 404
    assert "There is no opening study yet." in response.text


@pytest.mark.long
@pytest.mark.usefixtures("small_study")
async def test_the_opening_study_has_its_page_and_boards(ada: Person) -> None:
    assert (await ada.client.get("/openings")).headers["location"] == "/openings/realm"
    page = (await ada.client.get("/openings/realm")).text
    data = openings.load_study("realm")
    assert all(f"class-{row['name']}.svg" in page for row in data["classes"])
    assert all(each["question"] in page.replace("&#39;", "'") for each in data["findings"])
    for name in openings.board_positions("realm"):
        assert openings.board_picture("realm", name, "light").startswith("<svg")
    assert (await ada.client.get("/openings/realm/class-A.svg")).status_code == 200


@pytest.mark.long
@pytest.mark.usefixtures("small_study")
@pytest.mark.parametrize("path", ["/openings/classic_realm", "/openings/realm/class-Z.svg", "/openings/chess"])
async def test_studies_and_boards_that_are_not_there_are_not_found(ada: Person, path: str) -> None:
    assert (await ada.client.get(path)).status_code == 404


def test_a_game_without_a_study_has_none() -> None:
    with pytest.raises(NotFound, match="no opening study"):
        openings.load_study("classic_realm")
