"""Light and dark pages."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visitors


@pytest.mark.slow
def test_the_theme_stays_as_it_was_chosen(visit: Visitors) -> None:
    visitor = visit(color_scheme="light")
    page = visitor.goto("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Toggle dark mode").click()
    dark = page.evaluate(ground)
    assert dark != light
    for path in ("/", "/rules/realm", "/account"):
        visitor.goto(path)
        assert page.evaluate(ground) == dark
    page.get_by_role("button", name="Toggle dark mode").click()
    visitor.goto("/")
    assert page.evaluate(ground) == light
