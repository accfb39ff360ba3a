"""Lessons: the engine referees, and every lesson can be followed from its first step to its last."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import httpx
import pytest

import realmtable
from realmtable.engine import chance, registry
from realmtable.engine.errors import IllegalMove, NotYourTurn
from realmtable.server.errors import NotFound
from realmtable.server.site import offline_pages
from realmtable.server.study import lessons
from realmtable.server.study.lessons import EVENT, REPLY, Lesson, LessonStep, load_lesson, practise
from tests.server.site.test_pages import fetch_page
from tests.server.support.live_server import Person
from tests.server.support.page_parser import Page
from tests.server.support.table_harness import register_toys

pytestmark = pytest.mark.anyio

LESSONS = [(info.id, 1 + index) for info in realmtable.infos() for index in range(lessons.count_lessons(info.id))]
STEPS = [(*lesson, number) for lesson in LESSONS for number in range(len(load_lesson(*lesson).steps))]
EVERY_STEP = pytest.mark.parametrize(("game", "lesson", "number"), STEPS)
MAX_WORDS = 60  # of a text: on a phone, the board must stay in sight


def find_moves(game: str, number: int, lesson: int = 1) -> list[str]:
    """Return moves that complete a step: for each pattern, the first legal move that fits."""
    played: list[str] = []
    while not (progress := practise(game, number, played, lesson=lesson))["done"]:
        fitting = [
            choice["move"] for choice in progress["moment"]["choices"] if fnmatchcase(choice["move"], progress["asked"])
        ]
        assert fitting, f"no legal move fits {progress['asked']}"
        played.append(fitting[0])
    return played


def source_of(game: str, lesson: int) -> dict[str, list[dict[str, str]]]:
    return tomllib.loads(lessons.lesson_file(game, lesson).read_text(encoding="utf-8"))


@EVERY_STEP
def test_every_step_can_be_done(game: str, lesson: int, number: int) -> None:
    step = load_lesson(game, lesson).steps[number]
    played = find_moves(game, number, lesson)
    assert len(played) == len([move for move in step.moves if not move.startswith((REPLY, EVENT))])
    assert practise(game, number, played, lesson=lesson)["moment"]["choices"] == []


@EVERY_STEP
def test_every_step_leaves_a_choice(game: str, lesson: int, number: int) -> None:
    """A wrong move must be possible and is refused kindly; otherwise the reader would learn nothing."""
    step, progress = load_lesson(game, lesson).steps[number], practise(game, number, [], lesson=lesson)
    if not step.moves:
        assert progress["done"]
        return
    others = [
        choice["move"] for choice in progress["moment"]["choices"] if not fnmatchcase(choice["move"], progress["asked"])
    ]
    if others:
        assert practise(game, number, others[:1], lesson=lesson) == {**progress, "other": True}


@EVERY_STEP
def test_every_step_says_what_to_do_in_bold_and_in_a_few_words(game: str, lesson: int, number: int) -> None:
    facts, step = source_of(game, lesson)["step"][number], load_lesson(game, lesson).steps[number]
    assert len(re.findall(r"\w+", facts["text"])) <= MAX_WORDS
    assert len(re.findall(r"\w+", facts.get("done", ""))) <= MAX_WORDS
    assert "<strong>" in step.text
    assert bool(step.moves) == bool(step.done)
    assert len(step.title) <= 40


@EVERY_STEP
def test_marks_are_places_of_the_picture(game: str, lesson: int, number: int) -> None:
    step = load_lesson(game, lesson).steps[number]
    picture = practise(game, number, [], lesson=lesson)["moment"]["picture"]
    assert all(f'data-handle="{mark}"' in picture for mark in step.marks)


@EVERY_STEP
def test_a_step_that_goes_on_after_a_reply_or_event_says_what_to_do_then(game: str, lesson: int, number: int) -> None:
    step = load_lesson(game, lesson).steps[number]
    own = [index for index, move in enumerate(step.moves) if not move.startswith((REPLY, EVENT))]
    replied = [index for index in own[:-1] if step.moves[index + 1].startswith((REPLY, EVENT))]
    assert len(step.later) == len(replied) <= max(0, len(own) - 1)
    assert all(text.endswith(".") for text in step.later)


@pytest.mark.parametrize(("game", "number"), LESSONS)
def test_a_lesson_has_five_to_eight_steps_and_leads_to_a_table(game: str, number: int) -> None:
    lesson, info = load_lesson(game, number), registry.info(game)
    assert 5 <= len(lesson.steps) <= 8
    assert lesson.bots + 1 in info.seats
    assert lesson.preset is None or lesson.preset in info.presets
    assert bool(lesson.title) == (number > 1)


def test_every_game_has_a_lesson() -> None:
    assert [info.id for info in realmtable.infos()] == [game for game, number in LESSONS if number == 1]


def test_the_second_lesson_of_magic_realm_is_a_short_fight() -> None:
    lesson = load_lesson("magic_realm", 2)
    assert (lesson.number, lesson.title, lesson.preset) == (2, "Combat", "first_fights")
    own = [move for step in lesson.steps for move in step.moves if not move.startswith((REPLY, EVENT))]
    assert len(own) <= 20


# ---- the referee


def test_an_illegal_move_is_refused_by_its_rule() -> None:
    with pytest.raises(IllegalMove) as refusal:
        practise("realm", 0, ["Pf7f5"])
    assert refusal.value.clause == "R7"


def test_moves_after_the_last_one_asked_for_do_nothing() -> None:
    played = find_moves("realm", 0)
    assert practise("realm", 0, [*played, "end"]) == practise("realm", 0, played)


@pytest.mark.parametrize("number", [-1, 99])
def test_a_lesson_has_only_its_steps(number: int) -> None:
    with pytest.raises(NotFound, match="no such step"):
        practise("realm", number, [])


def test_a_game_without_a_lesson_points_to_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    register_toys(monkeypatch)
    assert not lessons.has_lesson("dice_duel")
    with pytest.raises(NotFound, match="/rules/dice_duel"):
        lessons.find_lesson("dice_duel", 1)


@pytest.fixture
def write_lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Return a function that writes a lesson of one step for Classic Realm; `head` begins the file."""

    def write(facts: str, number: int = 1, head: str = "") -> None:
        text = f'{head}\n[[step]]\ntitle = "Frogs"\ntext = "**Jump.**"\n{facts}\n'
        lessons.lesson_file("classic_realm", number).write_text(text, encoding="utf-8")

    monkeypatch.setattr(registry, "game_folder", lambda _: tmp_path)
    load_lesson.cache_clear()
    yield write
    load_lesson.cache_clear()


def play_first_moves(count: int) -> list[str]:
    """Return the first legal moves of Classic Realm, in notation."""
    game, texts = realmtable.game("classic_realm"), []
    state = game.initial()
    for _ in range(count):
        seat = game.to_move(state)[0]
        move = game.legal_moves(state, seat)[0]
        texts.append(game.format_move(state, move))
        state = game.play(state, seat, move)
    return texts


def test_the_others_answer_by_themselves(write_lesson: Callable[..., None]) -> None:
    first, reply, second = play_first_moves(3)
    write_lesson(f'moves = ["{first}", "> {reply}", "{second[0]}*"]')
    begun = practise("classic_realm", 0, [first])
    assert (begun["done"], begun["asked"], begun["moment"]["step"]) == (False, f"{second[0]}*", 2)
    assert begun["moment"]["acting"] == [0]
    assert practise("classic_realm", 0, [first, second])["done"]


def test_the_reader_can_sit_on_another_seat(write_lesson: Callable[..., None]) -> None:
    first, reply = play_first_moves(2)
    write_lesson(f'seat = 1\nmoves = ["> {first}", "{reply}"]')
    assert practise("classic_realm", 0, [])["moment"]["acting"] == [1]
    assert practise("classic_realm", 0, [reply])["done"]


def test_a_step_can_be_there_to_read(write_lesson: Callable[..., None]) -> None:
    write_lesson("")
    assert practise("classic_realm", 0, ["any text"])["done"]
    step = LessonStep("Frogs", "<p><strong>Jump.</strong></p>\n", "")
    assert load_lesson("classic_realm") == Lesson("classic_realm", 1, "", (step,), bots=1, preset=None)


def test_chance_does_what_the_lesson_says_and_else_what_the_seed_says(
    write_lesson: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    register_toys(monkeypatch)
    write_lesson('moves = ["roll", "? 6", "roll", "? 5"]')
    begun = practise("dice_duel", 0, ["roll"])
    assert (begun["moment"]["text"], begun["asked"]) == ("6", "roll")
    assert practise("dice_duel", 0, ["roll", "roll"])["moment"]["text"] == "5"
    write_lesson('moves = ["roll"]')
    load_lesson.cache_clear()
    seeded = practise("dice_duel", 0, ["roll"])["moment"]["text"]
    assert seeded == str(1 + chance.draw(lessons.SEED, 0, [1] * 6)) != "6"


def test_an_event_that_cannot_happen_is_an_error_of_ours(
    write_lesson: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    register_toys(monkeypatch)
    write_lesson('moves = ["? 6", "roll"]')
    with pytest.raises(NotYourTurn):
        practise("dice_duel", 0, [])


# ---- further lessons


def test_further_lessons_follow_each_other(write_lesson: Callable[..., None]) -> None:
    write_lesson("")
    first = load_lesson("classic_realm")
    assert lessons.further_lessons("classic_realm") == []
    assert lessons.next_lesson(first) is None
    write_lesson("", 2, 'title = "Toads"\npreset = "ponds"\nbots = 3')
    write_lesson("", 3, 'title = "Newts"')
    write_lesson("", 5, 'title = "No one gets here"')
    second, third = lessons.further_lessons("classic_realm")
    assert (second.number, second.title, second.preset, second.bots) == (2, "Toads", "ponds", 3)
    assert (third.number, third.title, third.preset, third.bots) == (3, "Newts", None, 1)
    assert [lessons.next_lesson(lesson) for lesson in (first, second, third)] == [second, third, None]
    assert lessons.find_lesson("classic_realm", 3) == third


@pytest.mark.parametrize("number", [-1, 0, 3, 10**400])
def test_an_unknown_lesson_points_to_the_first(number: int) -> None:
    with pytest.raises(NotFound, match="no such lesson; its first one is at /learn/magic_realm"):
        practise("magic_realm", 0, [], lesson=number)


GAME = "magic_realm"
SECOND = f"/learn/{GAME}/2"


def read_data(html: str) -> dict[str, Any]:
    """Return what the script of a lesson reads in its page."""
    (text,) = re.findall(r'<script type="application/json" id="lesson">(.*?)</script>', html, re.DOTALL)
    data: dict[str, Any] = json.loads(text)
    return data


async def test_a_further_lesson_has_its_own_page_and_table(client: httpx.AsyncClient) -> None:
    html = await fetch_page(client, SECOND)
    lesson, data = lessons.load_lesson(GAME, 2), read_data(html)
    assert Page(html).find_faults() == []
    assert f">Learn Magic Realm: {lesson.title}</p>" in html
    assert (data["number"], data["preset"], data["bots"]) == (2, "first_fights", 1)
    assert [step["title"] for step in data["steps"]] == [step.title for step in lesson.steps]
    first = read_data(await fetch_page(client, f"/learn/{GAME}"))
    assert (first["number"], first["preset"]) == (1, "first_game")


async def test_the_first_lesson_and_the_pages_of_the_game_lead_to_the_second(client: httpx.AsyncClient) -> None:
    title = lessons.load_lesson(GAME, 2).title
    assert f'<a href="{SECOND}">Next lesson: {title}</a>' in await fetch_page(client, f"/learn/{GAME}")
    assert "Next lesson" not in await fetch_page(client, SECOND)
    for page in (f"/play/{GAME}", f"/rules/{GAME}"):
        html = await fetch_page(client, page)
        assert re.search(rf'<a [^>]*href="{SECOND}">Lesson 2: {title}</a>', html)
    assert f'href="{SECOND}">Lesson 2<' in await fetch_page(client, "/offline")
    assert SECOND in offline_pages.offline_paths()


@pytest.mark.parametrize("number", ["x", "0", "3", "-1", "1.0", "01", "²", "9" * 5000])
async def test_other_numbers_lead_to_the_page_for_a_wrong_address(client: httpx.AsyncClient, number: str) -> None:
    html = await fetch_page(client, f"/learn/{GAME}/{number}", 404)
    assert f"Magic Realm has no such lesson; its first one is at /learn/{GAME}." in html


@pytest.mark.long
async def test_games_with_one_lesson_name_no_other(client: httpx.AsyncClient) -> None:
    for game in (info.id for info in registry.infos() if lessons.count_lessons(info.id) == 1):
        for page in (f"/learn/{game}", f"/play/{game}", f"/rules/{game}"):
            html = await fetch_page(client, page)
            assert f'href="/learn/{game}/' not in html
            assert "Next lesson" not in html


async def test_moves_are_played_in_the_lesson_that_is_named(client: httpx.AsyncClient) -> None:
    reader = Person(client)
    await reader.join("Reader")
    bodies: list[tuple[int, dict[str, Any]]] = [(1, {}), (1, {"lesson": 1}), (2, {"lesson": 2})]
    for number, body in bodies:
        answer = await reader.post(f"/api/lessons/{GAME}/1", body)
        assert answer["asked"] == lessons.load_lesson(GAME, number).steps[1].moves[0]
    error = await reader.expect_refusal("POST", f"/api/lessons/{GAME}/0", {"lesson": 9})
    assert error["code"] == "NotFound"
