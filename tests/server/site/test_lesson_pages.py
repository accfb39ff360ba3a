"""Further lessons of a game: their pages, the links that lead to them, and their moves through the API."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest

from realmtable.engine import registry
from realmtable.server.site import offline_pages
from realmtable.server.study import lessons
from tests.server.support.live_server import Person
from tests.server.support.page_parser import Page

pytestmark = pytest.mark.anyio

HTML = {"accept": "text/html"}
GAME = "magic_realm"
SECOND = f"/learn/{GAME}/2"


async def fetch_page(client: httpx.AsyncClient, path: str, status: int = 200) -> str:
    answer = await client.get(path, headers=HTML)
    assert answer.status_code == status, answer.text
    return answer.text


def read_data(html: str) -> dict[str, Any]:
    """Return what the script of a lesson reads in its page."""
    (text,) = re.findall(r'<script type="application/json" id="lesson">(.*?)</script>', html, re.DOTALL)
    data: dict[str, Any] = json.loads(text)
    return data


async def test_a_further_lesson_has_its_own_page_and_table(client: httpx.AsyncClient) -> None:
    html = await fetch_page(client, SECOND)
    lesson, data = lessons.load_lesson(GAME, 2), read_data(html)
    assert Page(html).find_faults() == []
    assert f"<b>Learn Magic Realm: {lesson.title}</b>" in html
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


async def test_games_with_one_lesson_name_no_other(client: httpx.AsyncClient) -> None:
    for game in (info.id for info in registry.infos() if lessons.count_lessons(info.id) == 1):
        for page in (f"/learn/{game}", f"/play/{game}", f"/rules/{game}"):
            html = await fetch_page(client, page)
            assert f'href="/learn/{game}/' not in html
            assert "Next lesson" not in html


@pytest.mark.parametrize("path", [f"/learn/{GAME}/3", f"/learn/{GAME}/0", "/learn/realm/2", "/learn/chess/2"])
async def test_unknown_lessons_are_not_found(client: httpx.AsyncClient, path: str) -> None:
    assert Page(await fetch_page(client, path, 404)).find_faults() == []


async def test_moves_are_played_in_the_lesson_that_is_named(client: httpx.AsyncClient) -> None:
    reader = Person(client)
    await reader.join("Reader")
    bodies: list[tuple[int, dict[str, Any]]] = [(1, {}), (1, {"lesson": 1}), (2, {"lesson": 2})]
    for number, body in bodies:
        answer = await reader.post(f"/api/lessons/{GAME}/1", body)
        assert answer["asked"] == lessons.load_lesson(GAME, number).steps[1].moves[0]
    error = await reader.expect_refusal("POST", f"/api/lessons/{GAME}/0", {"lesson": 9})
    assert error["code"] == "NotFound"
