"""Boards and headers fit into every window."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

import realmtable
from tests.browser.conftest import Visitors
from tests.browser.sample_pages import SamplePages, open_running_table
from tests.browser.visitor import PHONE, Visitor

LAPTOP = {"viewport": {"width": 1366, "height": 768}}
ZOOMED = {"viewport": {"width": 683, "height": 384}}  # a laptop at 200%
SIDEWAYS = {**PHONE, "viewport": {"width": 844, "height": 390}}
SQUARE = [info.id for info in realmtable.infos() if not info.hidden and not info.chance]


def box_of(visitor: Visitor, selector: str) -> dict[str, float]:
    box: Any = visitor.page.locator(selector).first.bounding_box()
    assert box is not None
    return dict(box)


def check_columns(visitor: Visitor) -> None:
    """Check that the whole picture is visible and that the headline is next to it."""
    page = visitor.page
    picture, headline = box_of(visitor, '[data-role="picture"] svg'), box_of(visitor, '[data-role="headline"]')
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
    board = box_of(visitor, '[data-role="picture"] [role="grid"]')
    assert min(board["width"], board["height"]) >= 600
    check_columns(visitor)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "device"),
    [
        ("table_running", SIDEWAYS),
        ("table_running", ZOOMED),
        ("replay", SIDEWAYS),
        ("replay", ZOOMED),
    ],
)
def test_a_low_window_has_two_columns(visit: Visitors, places: SamplePages, name: str, device: dict[str, Any]) -> None:
    visitor = visit(**device, storage_state=places.cookies)
    visitor.goto(places.paths[name])
    check_columns(visitor)
    assert box_of(visitor, '[data-role="picture"] [role="grid"]')["height"] >= 300


def open_rules(visit: Visitors, has_games: bool, **device: Any) -> Page:
    visitor = visit(**device)
    if has_games:
        visitor.post("/api/tables", {"game": "realm", "seats": ["me", "open"]})
    return visitor.goto("/rules")


def fits(page: Page, width: int | None = None) -> bool:
    """Whether all links of the header are in sight."""
    if width:
        page.set_viewport_size({"width": width, "height": 700})
    return bool(page.locator("header.site nav").evaluate("nav => nav.scrollWidth <= nav.clientWidth"))


@pytest.mark.slow
@pytest.mark.parametrize("has_games", [False, True])
def test_the_links_of_the_header_fit_on_the_narrowest_phone(has_games: bool, visit: Visitors) -> None:
    page = open_rules(visit, has_games, **{**PHONE, "viewport": {"width": 320, "height": 640}})
    assert fits(page)


@pytest.mark.parametrize("has_games", [False, True])
def test_no_link_of_the_header_is_cut_off_in_windows_of_any_width(has_games: bool, visit: Visitors) -> None:
    page = open_rules(visit, has_games)
    cut_off = [width for width in range(340, 1241, 20) if not fits(page, width)]
    assert not cut_off
