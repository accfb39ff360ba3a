"""Preferences: kept with the player, applied to pages from the start, and refused with a sentence if they are wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from fastapi import FastAPI

from realmtable.server.accounts.preferences import (
    BoardTheme,
    PieceTheme,
    PreferenceChanges,
    Preferences,
    read_preferences,
    write_preferences,
)
from realmtable.server.site.account_pages import GROUPS
from realmtable.web import __file__ as web
from tests.server.support.accounts_app import Browser, expect_refusal, token_client

pytestmark = pytest.mark.anyio


PATH = "/api/me/preferences"
ALL_CHANGED = Preferences(
    board="contrast",
    pieces="contrast",
    coordinates=False,
    sound=False,
    motion="reduced",
    confirm="correspondence",
    premoves=False,
    forced=False,
    keys=False,
)


async def test_a_new_visitor_has_the_defaults(browser: Browser) -> None:
    assert await browser.get(PATH) == Preferences().model_dump()


async def test_changes_are_kept_and_the_rest_stays(browser: Browser) -> None:
    await browser.request_json("PATCH", PATH, {"board": "walnut"})
    changed = await browser.request_json("PATCH", PATH, {"sound": False, "confirm": "always"})
    assert changed == {**Preferences().model_dump(), "board": "walnut", "sound": False, "confirm": "always"}
    assert await browser.get(PATH) == changed
    assert await browser.request_json("PATCH", PATH, {}) == changed


async def test_they_follow_a_member_to_another_device(app: FastAPI, browser: Browser) -> None:
    account = {"name": "Ada", "password": "correct horse"}
    await browser.request_json("PATCH", PATH, {"pieces": "berry"})
    await browser.post("/api/me/claim", account)
    other = Browser(app)
    await other.post("/api/session", account)
    assert (await other.get(PATH))["pieces"] == "berry"
    await other.client.aclose()


@pytest.mark.parametrize(
    "body",
    [
        {"board": "lava"},
        {"sound": "loud"},
        {"sound": 1},
        {"motion": 3},
        {"confirm": ["always"]},
        {"unknown": True},
        {"board": "walnut" * 100},
        [],
    ],
)
async def test_other_values_are_refused_with_a_sentence(browser: Browser, body: Any) -> None:
    answer = await browser.send("PATCH", PATH, body)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].endswith(".")
    assert await browser.get(PATH) == Preferences().model_dump()


async def test_a_program_cannot_change_them(app: FastAPI, browser: Browser) -> None:
    token = (await browser.post("/api/me/tokens", {"label": "bot"}))["token"]
    async with token_client(app, token) as bot:
        assert (await bot.patch(PATH, json={"sound": False})).status_code == 403


async def test_nobody_else_sees_them(browser: Browser) -> None:
    await browser.request_json("PATCH", PATH, {"board": "slate"})
    me = (await browser.get("/api/me"))["player"]
    assert set(me) == {"id", "name", "kind"}
    assert await expect_refusal(browser, "GET", "/api/players/nobody/preferences") == (404, "NotFound")


def test_every_value_fits_into_its_column() -> None:
    assert len(write_preferences(ALL_CHANGED)) <= 400
    assert read_preferences(write_preferences(ALL_CHANGED)) == ALL_CHANGED
    assert write_preferences(Preferences()) == "{}"


def test_both_models_have_the_same_fields_and_the_page_shows_them_all() -> None:
    names = set(Preferences.model_fields)
    assert set(PreferenceChanges.model_fields) == names
    assert {setting.name for settings in GROUPS.values() for setting in settings} == names


def test_every_theme_has_its_colours() -> None:
    style = (Path(web).parent / "static" / "board_themes.css").read_text(encoding="utf-8")
    for name, themes in (("board", BoardTheme), ("pieces", PieceTheme)):
        for theme in set(get_args(themes)) - {"classic"}:
            assert f'[data-{name}="{theme}"] {{' in style


def test_every_theme_of_boards_sets_the_same_variables() -> None:
    style = (Path(web).parent / "static" / "board_themes.css").read_text(encoding="utf-8")
    rules = re.findall(r'\[data-board="\w+"\] \{([^}]*)\}', style)
    names = [set(re.findall(r"--[\w-]+(?=:)", rule)) - {"--board-light-fall"} for rule in rules]
    assert len(names) == 3
    assert names[0] == names[1] == names[2] >= {"--board-line", "--board-ink", "--board-decor"}
