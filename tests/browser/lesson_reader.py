"""A reader of a lesson: does what each step asks for, by clicks on the board."""

from __future__ import annotations

from fnmatch import fnmatchcase

from playwright.sync_api import expect

from realmtable.server.study import lessons
from tests.browser.visitor import Visitor


def follow_lesson(visitor: Visitor, game: str) -> None:
    """Follow the lesson that is open from its first step to its last."""
    steps = lessons.load_lesson(game).steps
    for number, step in enumerate(steps):
        expect(visitor.part("title")).to_have_text(step.title)
        do_step(visitor, game, number)
        expect(visitor.page.locator(".lesson-steps .is-done")).to_have_count(number + 1)
        if number < len(steps) - 1:
            visitor.part("next").click()


def do_step(visitor: Visitor, game: str, number: int) -> None:
    """Do what a step of a lesson asks for."""
    played: list[str] = []
    while not (progress := visitor.post(f"/api/lessons/{game}/{number}", {"moves": played}))["done"]:
        choices = progress["moment"]["choices"]
        choice = next(choice for choice in choices if fnmatchcase(choice["move"], progress["asked"]))
        for handle in choice["path"]:
            visitor.pick(handle)
        visitor.confirm_move(choice["move"])
        played.append(choice["move"])
    if played:
        expect(visitor.part("done")).to_be_visible()
