"""The header in narrow windows."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visitors
from tests.browser.visitor import PHONE


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
