"""Scoring a hand from a real table: tapped, typed, pasted, changed and shared; accessible."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visitors
from tests.browser.test_pages import PAGE_KB, SCRIPTS_KB, check_accessibility, check_width, measure_weight
from tests.browser.visitor import DESKTOP, PHONE, Visitor, box_of

PAGE = "/score/fantasy_realms"
STORM = f"{PAGE}?hand=Whirlwind,Mirage,Blizzard"
TRICKY = "?hand=Great Flood,Forest,Mirage,Island,Necromancer&discard=King,Candle&choose=Island=none"
QUERIES = ["", TRICKY, "?hand=Kinng"]
THUMB = 44  # minimum size of a touch target in pixels


def tile(visitor: Visitor, name: str) -> Locator:
    return visitor.page.locator(f'.score-tile[value="{name}"]')


def expect_total(visitor: Visitor, points: str) -> None:
    expect(visitor.page.locator("#sheet .score-total")).to_have_text(points)


def test_a_hand_is_tapped_with_one_thumb(visit: Visitors) -> None:
    visitor = visit(fresh=True, **PHONE)
    weights = measure_weight(visitor, PAGE)
    assert sum(weights.values()) < PAGE_KB, weights
    assert weights.get("Script", 0) < SCRIPTS_KB, weights
    check_width(visitor)
    bar = visitor.page.locator(".score-bar")
    for count, name in enumerate(("Whirlwind", "Mirage", "Blizzard"), 1):
        tile(visitor, name).tap()
        expect(tile(visitor, name)).to_have_attribute("aria-pressed", "true")
        expect(bar).to_contain_text(f"{count} of 7 cards")
    expect(bar.locator("strong")).to_have_text("83")
    expect(bar).to_be_in_viewport()
    expect(visitor.part("live")).to_have_text("83 points with 3 cards")
    box = box_of(tile(visitor, "Princess"))
    assert min(box["width"], box["height"]) >= THUMB
    tile(visitor, "Mirage").tap()
    expect(bar.locator("strong")).to_have_text("43")
    expect(visitor.part("hand")).to_have_value("Whirlwind, Blizzard")
    bar.get_by_role("link", name="See why").tap()
    expect(visitor.page.locator("#sheet")).to_be_in_viewport()
    check_width(visitor)


def test_names_are_typed_and_pasted(visitor: Visitor) -> None:
    visitor.goto(PAGE)
    visitor.part("hand").fill("whirl; mirage\nBLIZZARD")
    expect_total(visitor, "83")
    expect(visitor.page.locator('.score-tile[aria-pressed="true"]')).to_have_count(3)
    visitor.part("hand").fill("Whirlwind, Kinng")
    expect(visitor.page.locator("#sheet [role=alert]")).to_have_text("There is no card Kinng; did you mean King?")
    expect(visitor.page.locator('.score-tile[aria-pressed="true"]')).to_have_count(
        3
    )  # kept while the text is ambiguous
    visitor.part("hand").fill("Whirlwind, King")
    expect_total(visitor, "21")


def test_a_choice_is_changed_and_what_it_costs_is_told(visitor: Visitor) -> None:
    page = visitor.goto(STORM)
    choice = page.get_by_label("Mirage counts as")
    expect(choice.locator("option:checked")).to_have_text("Best: Rainstorm")
    choice.select_option("Smoke")
    expect_total(visitor, "43")
    expect(page.locator("#sheet .note")).to_contain_text("40 below the best choices, which give 83.")
    expect(page).to_have_url(re.compile(r"choose=Mirage=Smoke"))
    page.get_by_role("link", name="Use the best").click()
    expect_total(visitor, "83")
    expect(choice.locator("option:checked")).to_have_text("Best: Rainstorm")


@pytest.mark.slow
def test_fields_for_advice_keep_their_values(visitor: Visitor) -> None:
    page = visitor.goto(STORM)
    page.get_by_label("Players").select_option("3")
    page.get_by_label("Cards you saw others take").fill("Forest")
    tile(visitor, "Mirage").click()
    expect_total(visitor, "43")
    expect(page.get_by_label("Players")).to_have_value("3")
    expect(page.get_by_label("Cards you saw others take")).to_have_value("Forest")


@pytest.mark.slow
def test_the_discard_area_lets_the_necromancer_take(visitor: Visitor) -> None:
    page = visitor.goto(f"{PAGE}?hand=Necromancer,King")
    page.get_by_label("Discard area", exact=True).check()
    tile(visitor, "Queen").click()
    expect_total(visitor, "17")
    expect(visitor.part("discard")).to_have_value("Queen")
    expect(tile(visitor, "Queen")).to_have_class(re.compile("is-away"))
    expect(page.locator(".score-cards li").last).to_contain_text("from the discard area")
    page.get_by_label("Necromancer takes").select_option("nothing")
    expect_total(visitor, "11")


def test_a_link_is_shared_and_reset_begins_anew(visit: Visitors) -> None:
    visitor = visit(permissions=["clipboard-read", "clipboard-write"])
    page = visitor.goto(PAGE)
    tile(visitor, "Great Flood").click()
    expect_total(visitor, "32")
    tile(visitor, "Forest").click()
    page.get_by_role("link", name="Copy link").click()  # at once: the new card belongs to the link
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"{PAGE}?hand=Great%20Flood,Forest")
    friend = visit(java_script_enabled=False)
    friend.goto(link)
    expect_total(friend, "32")
    expect(friend.page.locator(".is-blanked")).to_contain_text("Blanked by Great Flood.")
    page.get_by_role("link", name="Reset").click()
    expect(page.locator("#sheet")).to_contain_text("No cards yet")
    expect(page).to_have_url(re.compile(f"{PAGE}$"))


@pytest.mark.slow
def test_it_works_without_scripts(visit: Visitors) -> None:
    visitor = visit(java_script_enabled=False)
    visitor.goto(PAGE)
    for name in ("Whirlwind", "Blizzard", "Mirage"):
        tile(visitor, name).click()
    expect_total(visitor, "83")
    visitor.page.get_by_label("Mirage counts as").select_option("Smoke")
    visitor.page.get_by_role("button", name="Score").click()
    expect_total(visitor, "43")


def test_keys_alone_will_do(visitor: Visitor) -> None:
    page = visitor.goto(PAGE)
    tile(visitor, "King").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_total(visitor, "14")
    expect(tile(visitor, "Queen")).to_be_focused()
    expect(visitor.part("live")).to_have_text("14 points with 2 cards")


@pytest.mark.slow
def test_too_many_cards_are_told_where_the_thumb_is(visit: Visitors) -> None:
    eight = "King,Queen,Princess,Warlord,Empress,Smoke,Forest,Candle"
    visitor = visit(**PHONE)
    visitor.goto(f"{PAGE}?hand={eight}")
    tile(visitor, "Swamp").tap()
    expect(visitor.page.locator(".score-bar")).to_contain_text("This hand has 9 cards")
    tile(visitor, "Candle").tap()
    expect(visitor.page.locator(".score-bar")).to_contain_text("8 of 7 cards")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("device", "theme"), [(PHONE, "dark"), (DESKTOP, "light"), (PHONE, "light"), (DESKTOP, "dark")]
)
def test_it_is_readable_for_all(visit: Visitors, device: dict[str, Any], theme: str) -> None:
    visitor = visit(**device, color_scheme=theme)
    visitor.forgives.append("status of 422")
    for query in QUERIES:
        visitor.goto(PAGE + query)
        visitor.open_details()
        check_accessibility(visitor)
        check_width(visitor)
