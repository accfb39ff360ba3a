"""A reader of a lesson: does what each step asks for, by clicks on the board."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from playwright.sync_api import expect

from realmtable.server.study import lessons
from tests.browser.visitor import Visitor

# The choices that something covers, or that are outside the screen.
COVERED = """buttons => buttons.filter((button) => {
  const { x, y, width, height } = button.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2) !== button;
}).map(({ textContent }) => textContent)"""


def follow_lesson(visitor: Visitor, game: str, lesson: int = lessons.FIRST) -> None:
    """Follow the lesson that is open from its first step to its last."""
    steps = lessons.load_lesson(game, lesson).steps
    for number, step in enumerate(steps):
        expect(visitor.part("title")).to_have_text(step.title)
        do_step(visitor, game, number, lesson)
        expect(visitor.page.locator(".lesson-steps .is-done")).to_have_count(number + 1)
        if number < len(steps) - 1:
            expect(visitor.part("next")).to_have_text("Next")
            visitor.part("next").click()


def do_step(visitor: Visitor, game: str, number: int, lesson: int = lessons.FIRST) -> None:
    """Do what a step of a lesson asks for."""
    played: list[str] = []
    address = f"/api/lessons/{game}/{number}"
    while not (progress := visitor.post(address, {"lesson": lesson, "moves": played}))["done"]:
        choices = progress["moment"]["choices"]
        choice = next(choice for choice in choices if fnmatchcase(choice["move"], progress["asked"]))
        expect(visitor.part("next")).not_to_have_class(re.compile("primary"))
        for handle in choice["path"]:
            visitor.pick(handle)
            assert visitor.part("choices").locator("button").evaluate_all(COVERED) == []
        visitor.confirm_move(choice["move"])
        played.append(choice["move"])
    if played:
        expect(visitor.part("done")).to_be_visible()
