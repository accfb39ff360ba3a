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
# The parts of seats that are cut off without a sign of it.
CUT_OFF_JS = """parts => parts.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
  .map(({ textContent }) => textContent)"""

ROLL = "The roll for the Meeting of the Elf and the Rogues is 5 and 3, 5: they are unfriendly, nothing; "
OWN_TURN = "You take your turn and follow the road; you are no longer hidden"
CUT_TO_CLAUSE = (
    "You search the ruins of the old chapel of the valley and find nothing that is worth keeping; the game is over",
    "… the game is over",
)
CUT_TO_NAME = (
    "Azure takes the Protection Rune that everybody wanted from the discard area of the table, discards Hydra",
    "Azure … discards Hydra",
)
DRAW_NEWS_JS = """async (latest) => {
  const { name } = performance.getEntriesByType("resource").find(({ name }) => name.includes("table_header"));
  const seats = ["Scarlet", "Azure"].map((name, seat) => ({ name, seat }));
  (await import(name)).drawLatest({ latest, seats, you: [0] }, [0]);
  return document.querySelector('[data-role="news"]').textContent.trim();
}"""  # at once: the page draws its own news again when someone connects


def play_a_turn(visit: Visitors, opponents: int, **device: Any) -> Visitor:
    """Take a turn of Fantasy Realms against bots and wait for the next one."""
    visitor = visit(**device)
    table = visitor.enter_new_table("fantasy_realms", seats=["me", *["bot:random"] * opponents])
    expect(visitor.page.locator("body")).to_have_class(re.compile("your-turn"))
    while visitor.scene(table)["acting"] == [0]:
        visitor.move(table, visitor.scene(table)["choices"][0]["move"])
    expect(visitor.part("news")).to_contain_text(f"{visitor.scene(table)['seats'][-1]['name']} ")
    expect(visitor.page.locator("body")).to_have_class(re.compile("your-turn"))
    return visitor


def test_everything_since_the_own_move_is_a_tap_away(visit: Visitors) -> None:
    visitor = play_a_turn(visit, 5, **SMALL_PHONE)
    more, lines = visitor.part("all-news-count"), visitor.part("all-news-lines").locator("li")
    expect(more).to_have_text(re.compile(r"^\d+ more$"))
    expect(lines.first).to_be_hidden()
    board = box_of(visitor.part("board"))
    more.tap()
    expect(lines).to_have_count(5)
    for seat, name in enumerate(("Azure", "Amber", "Jade", "Violet", "Silver"), 1):
        expect(lines.nth(seat - 1)).to_have_attribute("data-seat", str(seat))
        expect(lines.nth(seat - 1)).to_have_text(re.compile(f"^{name} .*[^;,]$"))
        expect(lines.nth(seat - 1)).to_be_in_viewport(ratio=1)
    assert box_of(visitor.part("board")) == board  # nothing moves
    check_accessibility(visitor)
    visitor.part("headline").tap()
    expect(lines.first).to_be_hidden()
    more.tap()
    expect(lines.first).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(lines.first).to_be_hidden()


@pytest.mark.parametrize(("latest", "shown"), [(ROLL + OWN_TURN, OWN_TURN), CUT_TO_CLAUSE, CUT_TO_NAME])
def test_news_without_enough_space_are_cut_where_they_can_be_read(visit: Visitors, latest: str, shown: str) -> None:
    visitor = visit(**SMALL_PHONE)
    visitor.enter_new_table("fantasy_realms")
    expect(visitor.part("news")).not_to_be_empty()
    assert visitor.page.evaluate(DRAW_NEWS_JS, latest) == shown


@pytest.mark.slow
def test_news_that_fits_needs_no_button(visit: Visitors) -> None:
    visitor = play_a_turn(visit, 1, viewport={"width": 1400, "height": 900})
    expect(visitor.part("all-news")).to_be_hidden()


@pytest.mark.slow
def test_the_button_is_gone_while_an_earlier_moment_is_shown(visit: Visitors) -> None:
    visitor = play_a_turn(visit, 5, **SMALL_PHONE)
    expect(visitor.part("all-news")).to_be_visible()
    visitor.page.keyboard.press("[")
    expect(visitor.part("banner")).to_be_visible()
    expect(visitor.part("all-news")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize(("opponents", "rows"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 2)])
@pytest.mark.parametrize("device", [SMALL_PHONE, SMALLEST], ids=["phone", "small phone"])
def test_seats_take_few_rows_on_a_phone(visit: Visitors, device: dict[str, Any], opponents: int, rows: int) -> None:
    visitor = visit(**device)
    visitor.enter_new_table("fantasy_realms", seats=["me", *["bot:level1"] * opponents])
    seats = visitor.part("seats").locator("li")
    expect(seats).to_have_count(opponents + 1)
    assert len({round(box_of(seat)["y"]) for seat in seats.all()}) == rows
    assert seats.locator("b").evaluate_all(CUT_OFF_JS) == []
    assert seats.locator(".player").evaluate_all(CUT_OFF_JS) == []
    check_width(visitor)
