"""The header on the narrowest phones."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visitors
from tests.browser.visitor import PHONE


@pytest.mark.slow
@pytest.mark.parametrize("has_games", [False, True])
def test_the_links_of_the_header_fit_on_the_narrowest_phone(has_games: bool, visit: Visitors) -> None:
    visitor = visit(**{**PHONE, "viewport": {"width": 320, "height": 640}})
    if has_games:
        visitor.post("/api/tables", {"game": "realm", "seats": ["me", "open"]})
    page = visitor.goto("/rules")
    assert page.locator("header.site nav").evaluate("nav => nav.scrollWidth <= nav.clientWidth")
