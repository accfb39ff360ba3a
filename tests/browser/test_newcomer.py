"""Lessons, names and passwords, tokens, and the theme: everything around the games."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import realmtable
from realmtable.server.study import lessons
from tests.browser.conftest import Visitors
from tests.browser.lesson_reader import follow_lesson
from tests.browser.visitor import PHONE, Visitor

LESSONS = [info.id for info in realmtable.infos()]
DAILY = "realm"  # the other lessons are left to the slow tests


# Whether a point a little below an element still belongs to it.
IS_TOUCHED_BELOW = """element => {
  const { x, bottom, width } = element.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, bottom + 12) === element;
}"""


def panel(page: Page, title: str) -> Any:
    """Find the panel with a heading."""
    return page.locator("section.panel").filter(has=page.get_by_role("heading", name=title, exact=True))


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == DAILY else pytest.mark.slow) for game in LESSONS]
)
def test_a_lesson_is_followed_to_its_end_on_a_phone_and_leads_to_a_game(visit: Visitors, game: str) -> None:
    visitor = visit(**PHONE)
    page = visitor.goto(f"/learn/{game}")
    second = page.locator(".lesson-steps button").nth(1)
    assert second.evaluate(IS_TOUCHED_BELOW), "the bar is thin, but a finger need not be exact"
    follow_lesson(visitor, game)
    visitor.part("play").dblclick()
    page.wait_for_url(re.compile("/tables/"))
    expect(visitor.part("seats")).to_contain_text("Wanderer")
    assert len(visitor.get("/api/tables/mine")) == 1


def test_a_lesson_refuses_kindly_and_is_continued_later(visitor: Visitor) -> None:
    page = visitor.goto("/learn/realm")
    visitor.part("next").dblclick()  # skips no step
    title = lessons.load_lesson("realm").steps[1].title
    expect(visitor.part("title")).to_have_text(title)
    progress = visitor.post("/api/lessons/realm/1", {})
    other = next(
        choice for choice in progress["moment"]["choices"] if not fnmatchcase(choice["move"], progress["asked"])
    )
    for handle in other["path"]:
        visitor.pick(handle)
    visitor.confirm_move(other["move"])
    expect(visitor.part("refusal")).to_contain_text("asks for another one")
    expect(visitor.page.locator(".noted")).to_have_count(len(lessons.load_lesson("realm").steps[1].marks))
    starts = {choice["path"][0] for choice in progress["moment"]["choices"]}
    names = (
        visitor.part("picture").locator("[data-handle]").evaluate_all("all => all.map(({ dataset }) => dataset.handle)")
    )
    visitor.handle(next(name for name in names if name not in starts)).click()
    expect(visitor.part("refusal").get_by_role("link", name="Rule")).to_be_visible()
    page.reload()
    expect(visitor.part("title")).to_have_text(title)
    page.get_by_role("link", name="Skip the lesson").click()
    page.wait_for_url(re.compile("/play/realm"))


def test_a_lesson_marks_empty_spaces_and_says_what_to_do_once_and_after_a_reply(visitor: Visitor) -> None:
    page = visitor.goto("/learn/oriental_realm")
    for mark in ("e6", "j6"):
        expect(visitor.handle(mark).locator("rect")).not_to_have_css("stroke", "none")
        expect(visitor.handle(mark)).to_have_css("animation-name", "none")  # the browser asks for less motion
    expect(page.get_by_text("Choose your piece on e6, then j6.").filter(visible=True)).to_have_count(1)
    page = visitor.goto("/learn/classic_realm")
    page.locator(".lesson-steps button").nth(4).click()
    visitor.pick("e5")
    visitor.pick("e8")
    expect(visitor.part("text")).to_have_text(lessons.load_lesson("classic_realm").steps[4].later[0])
    page.locator(".lesson-steps button").last.click()
    expect(visitor.part("play")).to_be_visible()
    expect(visitor.part("play")).not_to_have_class(re.compile("primary"))


@pytest.mark.slow
def test_a_name_is_claimed_left_and_taken_up_again(visit: Visitors) -> None:
    visitor = visit()
    visitor.forgives.append("status of 4")
    page = visitor.goto("/account")
    claim = panel(page, "Create an account")
    claim.get_by_label("Name").fill("Bea of the Border")
    claim.get_by_label("Password").fill("a long password")
    claim.get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bea of the Border")
    panel(page, "This device").get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.locator("a.who")).not_to_have_text("Bea of the Border")

    page = visitor.goto("/account")
    sign_in = panel(page, "Sign in")
    sign_in.get_by_label("Name").fill("Bea of the Border")
    sign_in.get_by_label("Password").fill("a wrong password")
    sign_in.get_by_role("button").click()
    expect(sign_in.get_by_role("alert")).not_to_be_empty()
    sign_in.get_by_label("Password").fill("a long password")
    sign_in.get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bea of the Border")


@pytest.mark.slow
def test_a_link_signs_another_device_in_once(visit: Visitors) -> None:
    visitor, phone = visit(), visit()
    visitor.post("/api/me/name", {"name": "Wandering Wren"})
    page = visitor.goto("/account")
    panel(page, "Another device").get_by_role("button", name="Create link").click()
    link = panel(page, "Another device").get_by_label("Link")
    expect(link).to_have_value(re.compile("/sign-in/"))
    phone.goto(link.input_value()).get_by_role("button", name="Sign in").click()
    phone.page.wait_for_url(re.compile("/account"))
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("Wandering Wren")


@pytest.mark.slow
def test_a_token_works_until_it_is_revoked(visit: Visitors) -> None:
    visitor = visit(fresh=True)
    visitor.post("/api/me/name", {"name": "Maker of bots"})
    page = visitor.goto("/account")
    tokens = panel(page, "API tokens")
    tokens.get_by_label("Label").fill("My first bot")
    tokens.get_by_role("button", name="Create token").click()
    secret = tokens.get_by_label("Your token")
    expect(secret).not_to_be_empty()
    headers = {"Authorization": f"Bearer {secret.input_value()}"}
    assert (
        visitor.context.request.get(f"{visitor.url}/api/me", headers=headers).json()["player"]["name"]
        == "Maker of bots"
    )

    page.reload()
    page.on("dialog", lambda dialog: dialog.accept())
    tokens.get_by_role("button", name="Revoke My first bot").click()
    expect(tokens.get_by_role("button", name="Revoke My first bot")).to_have_count(0)
    assert visitor.context.request.get(f"{visitor.url}/api/me", headers=headers).status == 401


@pytest.mark.slow
def test_the_theme_stays_as_it_was_chosen(visit: Visitors) -> None:
    visitor = visit(color_scheme="light")
    page = visitor.goto("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Toggle dark mode").click()
    dark = page.evaluate(ground)
    assert dark != light
    for path in ("/", "/rules/realm", "/account"):
        visitor.goto(path)
        assert page.evaluate(ground) == dark
    page.get_by_role("button", name="Toggle dark mode").click()
    visitor.goto("/")
    assert page.evaluate(ground) == light
