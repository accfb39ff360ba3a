"""A table with many opponents: what they did since the player's own move, and enough space for the board."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.test_pages import check_accessibility, check_width
from tests.browser.visitor import PHONE, SMALL_PHONE, Visitor, box_of

SMALLEST = {**PHONE, "viewport": {"width": 320, "height": 640}}


def play_a_turn(visit: Visitors, opponents: int, **device: Any) -> Visitor:
    """Take a turn of Fantasy Realms against bots and wait for the next one."""
    visitor = visit(**device)
    table = visitor.enter_new_table("fantasy_realms", seats=["me", *["bot:random"] * opponents])
    expect(visitor.page.locator("body")).to_have_class(re.compile("your-turn"))
    while visitor.scene(table)["acting"] == [0]:
        visitor.move(table, visitor.scene(table)["choices"][0]["move"])
    expect(visitor.part("moves").locator("button.move").last).to_have_attribute("data-seat", str(opponents))
    expect(visitor.page.locator("body")).to_have_class(re.compile("your-turn"))
    return visitor


def test_everything_since_the_own_move_is_a_tap_away(visit: Visitors) -> None:
    visitor = play_a_turn(visit, 5, **SMALL_PHONE)
    more, lines = visitor.part("news-card").locator("[data-news='all']"), visitor.part("news-card").locator("li")
    expect(more).to_have_text(re.compile(r"^\d+ more$"))
    expect(lines).to_have_count(0)
    board = box_of(visitor.part("board"))
    more.tap()
    for seat, name in enumerate(("Azure", "Amber", "Jade", "Violet", "Silver"), 1):
        line = lines.and_(visitor.page.locator(f'[data-seat="{seat}"]')).first
        expect(line).to_have_text(re.compile(f"^{name} "))
    expect(lines.first).to_be_in_viewport(ratio=1)
    assert box_of(visitor.part("board")) == board  # nothing moves
    check_accessibility(visitor)
    visitor.part("headline").tap()
    expect(lines).to_have_count(0)
    more.tap()
    expect(lines.first).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(lines).to_have_count(0)


@pytest.mark.slow
def test_the_news_give_way_to_an_earlier_moment(visit: Visitors) -> None:
    visitor = play_a_turn(visit, 5, **SMALL_PHONE)
    news = box_of(visitor.part("news-bar"))
    visitor.page.keyboard.press("[")
    expect(visitor.part("banner")).to_be_visible()
    expect(visitor.part("news-card")).to_be_hidden()
    assert box_of(visitor.part("news-bar")) == news


@pytest.mark.slow
@pytest.mark.parametrize("opponents", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("device", [SMALL_PHONE, SMALLEST], ids=["phone", "small phone"])
def test_seats_are_one_row_on_a_phone(visit: Visitors, device: dict[str, Any], opponents: int) -> None:
    visitor = visit(**device)
    visitor.enter_new_table("fantasy_realms", seats=["me", *["bot:level1"] * opponents])
    seats = visitor.part("seats").locator("li")
    expect(seats).to_have_count(opponents + 1)
    assert len({round(box_of(seat)["y"]) for seat in seats.all()}) == 1
    check_width(visitor)
