"""The card gallery: filters by suit and text, with the keyboard too; without scripts a plain list of all cards."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.test_pages import DEVICES, check_accessibility, check_width
from tests.browser.visitor import Visitor, box_of

CARDS = "/rules/fantasy_realms/cards"
SHOWN = "li[data-search]:not([hidden])"
# The sizes of all texts on the screen: in a picture, in its units times its scale.
SMALLEST_PX = """
Math.min(...[...document.querySelectorAll(".gallery text")].map((text) =>
  parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))
"""


def shown_names(visitor: Visitor) -> list[str]:
    """Return the names of the visible cards."""
    labels = [card.get_attribute("data-search") or "" for card in visitor.page.locator(SHOWN).all()]
    return [label.partition(",")[0] for label in labels]


def test_suits_and_texts_filter_the_cards(visitor: Visitor) -> None:
    page = visitor.goto(CARDS)
    cards, count = page.locator(SHOWN), visitor.part("count")
    expect(cards).to_have_count(53)
    page.get_by_role("checkbox", name="Flood").check()
    expect(count).to_have_text("5 cards")
    page.get_by_role("checkbox", name="Wild").check()
    expect(count).to_have_text("8 cards")
    expect(page.get_by_role("heading", level=2)).to_have_text(["Flood", "Wild"])
    search = page.get_by_role("searchbox")
    search.fill("doppelganger")
    assert shown_names(visitor) == ["Doppelgänger"]
    expect(count).to_have_text("1 card")
    search.fill("no such card")
    expect(count).to_contain_text("No cards match.")
    expect(cards).to_have_count(0)
    page.get_by_role("button", name="Show all").click()
    expect(cards).to_have_count(53)
    search.fill("with queen")  # both words, in any order
    assert shown_names(visitor) == ["Unicorn", "King", "Queen"]


def test_the_keyboard_is_enough(visitor: Visitor) -> None:
    page = visitor.goto(CARDS)
    page.get_by_role("searchbox").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(visitor.part("count")).to_have_text("5 cards")
    page.get_by_role("searchbox").press("Enter")  # does not leave the page
    expect(visitor.part("count")).to_have_text("5 cards")


@pytest.mark.slow
def test_without_scripts_all_cards_are_listed(visit: Visitors) -> None:
    visitor = visit(java_script_enabled=False)
    page = visitor.goto(CARDS)
    expect(page.locator(SHOWN)).to_have_count(53)
    expect(visitor.part("filters")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize(("device", "theme"), [("phone", "light"), ("desktop", "dark")])
def test_cards_are_legible_and_accessible(visit: Visitors, device: str, theme: str) -> None:
    visitor = visit(**DEVICES[device], color_scheme=theme)
    page = visitor.goto(CARDS)
    check_width(visitor)
    check_accessibility(visitor)
    assert page.evaluate(SMALLEST_PX) >= 11
    left = {round(box_of(card)["x"]) for card in page.locator("li[data-search]").all()[:5]}
    assert len(left) == (2 if device == "phone" else 5)


@pytest.mark.slow
@pytest.mark.parametrize(("device", "theme"), [("phone", "dark"), ("desktop", "light")])
@pytest.mark.parametrize("game", ["fantasy_realms", "medieval_realm"])
def test_summaries_are_accessible(visit: Visitors, game: str, device: str, theme: str) -> None:
    visitor = visit(**DEVICES[device], color_scheme=theme)
    visitor.goto(f"/rules/{game}")
    check_width(visitor)
    check_accessibility(visitor)
