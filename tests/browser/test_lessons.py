"""Lessons: they are followed on the board, refuse other moves, and lead to a game."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from playwright.sync_api import expect

from realmtable.server.study import lessons
from tests.browser.conftest import Visitors
from tests.browser.lesson_reader import follow_lesson
from tests.browser.visitor import PHONE, Visitor, box_of


def test_a_lesson_is_followed_to_its_end_on_a_phone_and_leads_to_a_game(visit: Visitors) -> None:
    visitor = visit(**PHONE)
    page = visitor.goto("/learn/realm")  # test_first_win.py follows those of all games
    second = page.locator(".lesson-steps button").nth(1)
    assert min(box_of(second)["height"], box_of(second)["width"]) >= 44, "a finger need not be exact"
    follow_lesson(visitor, "realm")
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
