"""Boards and headers fit into every window."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

import realmtable
from tests.browser.conftest import Visitors
from tests.browser.sample_pages import SamplePages, open_running_table
from tests.browser.visitor import LAPTOP, PHONE, Visitor, box_of

ZOOMED = {"viewport": {"width": 683, "height": 384}}  # a laptop at 200%
SIDEWAYS = {**PHONE, "viewport": {"width": 844, "height": 390}}
SQUARE = [info.id for info in realmtable.infos() if not info.hidden and not info.chance]


def check_columns(visitor: Visitor) -> None:
    """Check that the whole picture is visible and that the headline is next to it."""
    page = visitor.page
    picture, headline = box_of(visitor.part("board")), box_of(visitor.part("headline"))
    size = page.viewport_size
    assert size is not None
    assert picture["y"] >= 0
    assert picture["y"] + picture["height"] <= size["height"] + 1
    assert headline["x"] >= picture["x"] + picture["width"]
    assert headline["y"] < size["height"] / 2
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == "realm" else pytest.mark.slow) for game in SQUARE]
)
def test_a_laptop_shows_a_board_of_600_pixels(visit: Visitors, game: str) -> None:
    visitor = visit(**LAPTOP)
    visitor.goto(f"/tables/{open_running_table(visitor, game)}")
    board = box_of(visitor.part("picture").get_by_role("grid"))
    assert min(board["width"], board["height"]) >= 600
    check_columns(visitor)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "device"),
    [("table_running", SIDEWAYS), ("table_running", ZOOMED), ("replay", SIDEWAYS), ("replay", ZOOMED)],
)
def test_a_low_window_has_two_columns(visit: Visitors, places: SamplePages, name: str, device: dict[str, Any]) -> None:
    visitor = visit(**device, storage_state=places.cookies)
    visitor.goto(places.paths[name])
    check_columns(visitor)
    assert box_of(visitor.part("picture").get_by_role("grid"))["height"] >= 300


def fits(page: Page, width: int) -> bool:
    """Whether all links of the header are in sight in a window of this width."""
    page.set_viewport_size({"width": width, "height": 700})
    return bool(page.locator("header.site nav").evaluate("nav => nav.scrollWidth <= nav.clientWidth"))


@pytest.mark.parametrize("device", [{}, pytest.param(PHONE, marks=pytest.mark.slow)], ids=["desktop", "phone"])
@pytest.mark.parametrize("has_games", [False, True])
def test_no_link_of_the_header_is_cut_off_in_windows_of_any_width(
    has_games: bool, device: dict[str, Any], visit: Visitors
) -> None:
    visitor = visit(**device)
    if has_games:
        visitor.open_new_table("realm", seats=["me", "open"])
    page = visitor.goto("/rules")
    assert [width for width in range(320, 1241, 20) if not fits(page, width)] == []
