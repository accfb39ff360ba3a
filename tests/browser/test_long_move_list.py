"""The move list of a long game: earlier moves are loaded, kept over updates, and filtered by topic."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from realmtable.server.tables.scenes import move_list
from realmtable.server.tables.scenes.move_list import MAX_RECENT_LINES, RECENT_LINES
from tests.browser.conftest import Visitors
from tests.browser.test_pages import check_accessibility, check_width
from tests.browser.visitor import PHONE, Visitor
from tests.toys import add_games
from tests.toys.long_march import LongMarch

DAYS = 4


@pytest.fixture
def march_table(monkeypatch: pytest.MonkeyPatch, visit: Visitors) -> tuple[Visitor, str]:
    """A visitor at a table where some days of a march have passed."""
    add_games(monkeypatch, LongMarch())
    monkeypatch.setattr(move_list, "MAX_JOINED_STEPS", 3)
    visitor = visit(**PHONE)
    options = {"days": 8, "longest": 60}
    table = visitor.post("/api/tables", {"game": "long_march", "seats": ["me", "me"], "options": options})["table"]
    for _ in range(DAYS):
        for move in (",".join(["n"] * 59 + ["done"]),) * 2 + (",".join(["go"] * 59),) * 2:
            visitor.move(table, move)
    visitor.goto(f"/tables/{table}")
    return visitor, table


def test_earlier_moves_are_loaded_kept_and_filtered(march_table: tuple[Visitor, str]) -> None:
    visitor, table = march_table
    moves, latest = visitor.part("moves").locator("button.move"), len(visitor.scene(table)["lines"])
    assert RECENT_LINES <= latest <= MAX_RECENT_LINES
    expect(moves).to_have_count(latest)
    check_accessibility(visitor)
    check_width(visitor)
    # Scrolling to the button would load a page too.
    visitor.part("moves").get_by_role("button", name="Earlier moves").evaluate("button => button.click()")
    expect(moves).to_have_count(latest + move_list.PAGE_LINES)
    visitor.move(table, "n")
    expect(moves).to_have_count(latest + move_list.PAGE_LINES + 1)
    weather = visitor.part("topics").get_by_role("button", name="Weather")
    weather.click()
    expect(weather).to_have_attribute("aria-pressed", "true")
    expect(moves).to_have_count(2 * DAYS)
    check_accessibility(visitor)
    weather.click()
    expect(moves).to_have_count(latest + move_list.PAGE_LINES + 1)
    visitor.part("undo").click()
    expect(moves).to_have_count(latest + move_list.PAGE_LINES)


@pytest.mark.slow
def test_games_without_topics_have_no_filter(visit: Visitors) -> None:
    visitor = visit()
    table = visitor.post("/api/tables", {"game": "realm", "seats": ["me", "me"]})["table"]
    visitor.goto(f"/tables/{table}")
    expect(visitor.part("topics").locator("button")).to_have_count(0)
    expect(visitor.part("topics")).to_be_hidden()
