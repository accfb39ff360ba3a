"""Advice in the browser: at a table as a chart that disappears after the turn, and below the score of a hand."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.test_pages import check_accessibility, check_width
from tests.browser.visitor import DESKTOP, PHONE, Visitor

REALM = "King,Queen,Knights,Rangers,Candle,Sword of Keth,Bell Tower"
PAGE = f"/score/fantasy_realms?hand={REALM}&discard=Shield of Keth,Smoke"
DRAWING = (
    "hands=Mountain,Cavern,Bell-Tower,Forest,Basilisk,Hydra,Beastmaster"
    "/King,Queen,Princess,Knights,Empress,Rangers,Sword-of-Keth"
    "/Candle,Forge,Wildfire,Lightning,Smoke,Magic-Wand,Enchantress"
    " phase=draw first=1 turns=3 discard=Swamp@1,Unicorn@2"
)


@pytest.mark.slow
def test_at_a_table_every_choice_is_charted_and_the_best_is_lit(visit: Visitors) -> None:
    visitor = visit(**PHONE, color_scheme="dark")
    seats = ["me", "bot:random", "bot:random"]
    table = visitor.enter_new_table("fantasy_realms", seats=seats, position=DRAWING)
    visitor.part("hint").tap()
    panel = visitor.part("hint-box")
    rows = panel.locator(".advice-rows li")
    expect(rows).to_have_count(3)
    expect(visitor.part("hint-turn")).to_be_in_viewport()
    expect(rows.first).to_have_class("is-best")
    expect(rows.first).to_contain_text(re.compile(r"about \d+, most games \d+ to \d+"))
    expect(panel.locator(".advice-cards svg")).to_have_count(7)
    expect(panel.get_by_role("heading", name="Most likely final cards", exact=True)).to_be_visible()
    lit = visitor.part("picture").locator(".hinted")
    expect(lit).to_have_count(1)
    check_width(visitor)
    check_accessibility(visitor)
    visitor.move(table, "deck")
    expect(panel).to_be_hidden()
    expect(lit).to_have_count(0)


@pytest.mark.parametrize(("device", "theme"), [(PHONE, "dark"), pytest.param(DESKTOP, "light", marks=pytest.mark.slow)])
def test_under_a_score_one_learns_what_to_draw(visit: Visitors, device: dict[str, Any], theme: str) -> None:
    visitor = visit(**device, color_scheme=theme)
    page = visitor.goto(PAGE)
    page.get_by_role("button", name="What should I draw?").click()
    rows = page.locator(".advice-rows li")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text(re.compile(r"about \d+, most games \d+ to \d+"))
    expect(page).to_have_url(re.compile("&advise=on&seats=4$"))
    expect(page.get_by_role("heading", name="What next?")).to_be_in_viewport()
    page.get_by_label("Players").select_option("3")
    expect(page).to_have_url(re.compile("&advise=on&seats=3$"))
    expect(rows).to_have_count(3)
    check_width(visitor)
    check_accessibility(visitor)
    page.locator('.score-tile[value="Smoke"]').click()  # the advice was about this card, which is gone now
    expect(rows).to_have_count(0)
    expect(page).to_have_url(re.compile("discard=Shield%20of%20Keth$"))


@pytest.mark.slow
def test_advice_needs_no_scripts(visit: Visitors) -> None:
    visitor: Visitor = visit(java_script_enabled=False)
    page = visitor.goto(PAGE)
    page.get_by_label("Players").select_option("2")
    page.get_by_role("button", name="What should I draw?").click()
    expect(page.locator(".advice-rows li")).to_have_count(3)
    expect(page).to_have_url(re.compile("seats=2.*#next$"))
