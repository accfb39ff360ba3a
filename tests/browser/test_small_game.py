"""A playable game in the browser: it is listed and played, and the pages leave out what it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from realmtable.cli.skeleton.my_game import GAME
from tests.browser.conftest import Visitors, serve_games
from tests.browser.test_pages import check_accessibility, check_width
from tests.browser.visitor import DESKTOP, PHONE, expect_over


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that knows the game."""
    with serve_games(tmp_path_factory.mktemp("small"), GAME) as url:
        yield url


def test_it_is_played_from_the_lobby_to_its_end(visit: Visitors, address: str) -> None:
    visitor = visit(address)
    page = visitor.goto("/")
    card = page.locator(".card.game", has=page.get_by_role("heading", name="My Game"))
    expect(card.get_by_role("link", name="Learn")).to_have_count(0)
    card.get_by_role("link", name="Play").click()
    page.get_by_label("Same screen").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/tables/*")
    for cell in ("a1", "b1", "b2", "c1", "c3"):
        visitor.pick(cell)
    expect_over(visitor, page.url.rpartition("/")[2])
    expect(page.get_by_text("Cross has three marks in a line.").first).to_be_visible()


@pytest.mark.parametrize("device", [pytest.param(DESKTOP, id="desktop"), pytest.param(PHONE, id="phone")])
@pytest.mark.parametrize("path", ["/play/my_game", "/rules/my_game", "/analyse/my_game", "/positions/my_game"])
def test_its_pages_have_no_errors(visit: Visitors, address: str, path: str, device: dict[str, object]) -> None:
    visitor = visit(address, **device)
    page = visitor.goto(path)
    expect(page).to_have_title(re.compile(r"My Game|Analysis board"))
    check_accessibility(visitor)
    check_width(visitor)
