"""Panels, prompts, grouped choices and answers to wrong clicks, at a table of a toy that has them all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visitors, serve_games
from tests.browser.input_devices import get_focused_handle, press, tab_to, touch
from tests.browser.test_pages import check_accessibility, check_width
from tests.browser.visitor import DESKTOP, PHONE, SMALL_PHONE, Visitor, box_of
from tests.toys.market_day import MarketDay

WIDE: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}}


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that knows the toy."""
    with serve_games(tmp_path_factory.mktemp("market"), MarketDay()) as url:
        yield url


def open_market(visit: Visitors, url: str, *moves: str, **device: Any) -> tuple[Visitor, str]:
    """Arrive at a table at which one person plays both seats and has played some moves."""
    visitor = visit(url, **device)
    table = visitor.open_new_table("market_day", options={"rounds": 3})
    for move in moves:
        visitor.move(table, move)
    visitor.goto(f"/tables/{table}")
    expect(visitor.part("seats").locator("li")).to_have_count(2)
    return visitor, table


def tab(visitor: Visitor, name: str) -> Locator:
    return visitor.page.get_by_role("tab", name=name)


def entry(visitor: Visitor, handle: str) -> Locator:
    return visitor.part("panel-pages").locator(f'[data-handle="{handle}"]')


# ---- panels


@pytest.mark.parametrize(
    "device", [pytest.param(DESKTOP, id="desktop"), pytest.param(WIDE, marks=pytest.mark.slow, id="wide")]
)
def test_panels_are_tabs_beside_the_board(visit: Visitors, market: str, device: dict[str, Any]) -> None:
    visitor, _ = open_market(visit, market, "pack:a", **device)
    expect(tab(visitor, "Road")).to_have_attribute("aria-selected", "true")
    expect(tab(visitor, "Basket").locator(".badge")).to_have_text("1")
    board, panels = box_of(visitor.part("board")), box_of(visitor.part("panels"))
    assert panels["x"] >= board["x"] + board["width"]
    expect(entry(visitor, "home")).to_have_class(re.compile("target"))
    expect(visitor.part("choices").get_by_role("button")).to_have_count(0)
    visitor.handle("B").click()
    expect(tab(visitor, "Basket")).to_have_attribute("aria-selected", "true")  # needed for the next step
    entry(visitor, "sell:a").click()
    expect(visitor.part("headline")).to_have_text("Bob to move")
    expect(tab(visitor, "Basket").locator(".badge")).to_have_text("0")


@pytest.mark.slow
def test_a_panel_comes_to_the_front_only_when_it_becomes_needed(visit: Visitors, market: str) -> None:
    visitor, table = open_market(visit, market, "pack:a")
    visitor.move(table, "walk:A")
    expect(tab(visitor, "Basket")).to_have_attribute("aria-selected", "true")
    tab(visitor, "Road").click()
    visitor.post(f"/api/tables/{table}/chat", {"text": "hello"})
    expect(visitor.part("chat").locator("li")).to_have_count(1)
    expect(tab(visitor, "Road")).to_have_attribute("aria-selected", "true")
    expect(tab(visitor, "Basket")).to_have_class(re.compile("has-choice"))
    visitor.page.reload()
    expect(tab(visitor, "Basket")).to_have_attribute("aria-selected", "true")


def test_panels_by_keyboard(visit: Visitors, market: str) -> None:
    visitor, table = open_market(visit, market, "pack:a", "walk:A", "sell:a", "pack:b")
    tab_to(visitor, visitor.part("panel-tabs"))
    press(visitor, "ArrowRight")
    expect(tab(visitor, "Basket")).to_be_focused()
    expect(tab(visitor, "Basket")).to_have_attribute("aria-selected", "true")
    press(visitor, "ArrowLeft")
    expect(tab(visitor, "Road")).to_be_focused()
    for _ in range(5):
        press(visitor, "n")
        if get_focused_handle(visitor) == "home":
            break
    expect(entry(visitor, "home")).to_be_focused()
    visitor.post(f"/api/tables/{table}/chat", {"text": "hello"})
    expect(visitor.part("chat").locator("li")).to_have_count(1)
    expect(entry(visitor, "home")).to_be_focused()
    press(visitor, "Enter")
    expect(visitor.part("headline")).to_have_text("Ann to move")


def test_panels_are_a_sheet_on_a_phone(visit: Visitors, market: str) -> None:
    visitor, _ = open_market(visit, market, "pack:a", **PHONE)
    sheet = visitor.part("panels")
    expect(sheet).to_have_attribute("data-height", "head")
    expect(entry(visitor, "home")).not_to_be_visible()
    for stall in "ABCD":
        expect(visitor.handle(stall)).to_be_in_viewport()
    tab(visitor, "Road").tap()
    expect(entry(visitor, "home")).to_be_visible()
    tab(visitor, "Now").tap()
    expect(entry(visitor, "home")).not_to_be_visible()
    for up, height in ((-80, "half"), (-80, "full"), (80, "half"), (80, "head")):
        swipe(visitor, up)
        expect(sheet).to_have_attribute("data-height", height)
        expect(visitor.part("prompt")).to_be_in_viewport()
    visitor.handle("C").tap()
    expect(entry(visitor, "sell:a")).to_be_visible()
    expect(visitor.handle("C")).to_be_in_viewport()
    entry(visitor, "sell:a").tap()
    expect(visitor.part("headline")).to_have_text("Bob to move")
    expect(sheet).to_have_attribute("data-height", "head")


def swipe(visitor: Visitor, down: float) -> None:
    """Drag the sheet's tabs with a finger."""
    box = box_of(visitor.part("panel-tabs"))
    x, y = box["x"] + box["width"] - 20, box["y"] + box["height"] / 2
    touch(visitor, ((x, y),), ((x, y + down / 2),), ((x, y + down),))


@pytest.mark.slow
def test_a_replay_shows_the_panels_of_each_moment(visit: Visitors, market: str) -> None:
    visitor, table = open_market(visit, market, "pack:a", "walk:A", "sell:a")
    visitor.post(f"/api/tables/{table}/resign")
    visitor.goto(f"/tables/{table}/replay")
    road = visitor.page.get_by_role("tabpanel", name="Road")
    expect(road).to_contain_text("2 points for 1 wares")
    visitor.page.locator("button[data-do='back']:visible").first.click()
    for _ in range(2):
        press(visitor, "[")
    expect(road).to_contain_text("0 points for 0 wares")


# ---- prompts and choices


def test_a_prompt_says_what_to_do_and_where_the_rules_explain_it(visit: Visitors, market: str) -> None:
    visitor, _ = open_market(visit, market)
    prompt = visitor.part("prompt")
    expect(prompt).to_contain_text("Step 1 of 3: Pack")
    expect(prompt).to_contain_text("Choose a ware for your basket.")
    expect(prompt.get_by_role("progressbar")).to_have_attribute("value", "1")
    expect(visitor.part("rule")).to_have_attribute("href", "/rules/market_day#M1")
    assert prompt.get_attribute("aria-live") == "polite"
    visitor.page.locator("summary", has_text="Food").click()
    visitor.pick("pack:b")
    expect(prompt).to_contain_text("Step 2 of 3: Walk")
    press(visitor, "[")
    expect(prompt).to_be_empty()


def test_many_choices_are_folded_by_group(visit: Visitors, market: str) -> None:
    visitor, _ = open_market(visit, market)
    buttons, groups = visitor.part("choices").get_by_role("button"), visitor.part("choices").locator("summary")
    expect(groups).to_have_text([re.compile("Food"), re.compile("Cloth"), re.compile("Goods")])
    expect(buttons).to_have_count(0)
    groups.nth(1).focus()
    press(visitor, "Enter")
    expect(buttons).to_have_text(["Felt", "Gauze", "Hemp", "Ikat"])
    press(visitor, "Tab")
    press(visitor, "Tab")
    press(visitor, "Enter")
    expect(visitor.part("moves")).to_contain_text("pack:g")


@pytest.mark.slow
def test_a_few_choices_are_flat(visit: Visitors, market: str) -> None:
    turns = ["pack:a", "home", "pack:a", "home", "pack:b", "home", "pack:b", "home"]
    visitor, _ = open_market(visit, market, *turns)
    expect(visitor.part("choices").get_by_role("button")).to_have_count(12)
    expect(visitor.part("choices").locator("summary")).to_have_count(0)
    expect(visitor.part("choices").get_by_role("button").first).to_have_text("Cheese")


# ---- why not


def test_a_wrong_click_is_answered_with_the_rule(visit: Visitors, market: str) -> None:
    visitor, _ = open_market(visit, market)
    why = visitor.part("why")
    visitor.handle("B").click()
    expect(why).to_have_text("Pack a ware first. Rule M1")
    expect(why.get_by_role("link")).to_have_attribute("href", "/rules/market_day#M1")
    assert why.get_attribute("role") == "status"
    visitor.page.locator("summary", has_text="Food").click()
    visitor.pick("pack:b")
    expect(why).to_be_empty()
    tab(visitor, "Basket").click()
    entry(visitor, "sell:b").click()
    expect(why).to_have_text("Walk to a stall before you sell. Rule M2")


@pytest.mark.slow
def test_a_wrong_tap_is_answered_too(visit: Visitors, market: str) -> None:
    visitor, _ = open_market(visit, market, "pack:a", "walk:B", "sell:a", "pack:b", **PHONE)
    visitor.handle("B").tap()
    expect(visitor.part("why")).to_have_text("Ann is at stall B; choose a free one. Rule M2")
    expect(visitor.part("why")).to_be_in_viewport()
    visitor.handle("A").tap()
    expect(visitor.part("why")).to_be_empty()


@pytest.mark.slow
def test_a_wrong_first_or_second_click_on_a_board(visitor: Visitor) -> None:
    visitor.enter_new_table("classic_realm")
    why = visitor.part("why")
    visitor.handle("b11").click()
    expect(why).to_contain_text("The frog on b11 is your opponent's. Rule C2")
    expect(visitor.part("caption")).to_be_visible()
    visitor.handle("b2").hover()
    expect(why).to_contain_text("Rule C2")  # it stays until the next action
    press(visitor, "ArrowLeft")
    expect(why).to_be_empty()
    press(visitor, "Enter")
    expect(why).to_contain_text("a11 is water")
    visitor.pick("b2")
    expect(why).to_be_empty()
    visitor.handle("e2").click(position={"x": 1, "y": 1})
    expect(visitor.handle("e2")).to_have_class(re.compile("chosen"))  # another frog to move
    visitor.handle("a1").click()
    expect(why).to_contain_text("a1 is water; a frog jumps from pad to pad. Rule C2")
    expect(visitor.handle("e2")).to_have_class(re.compile("chosen"))
    expect(visitor.part("caption")).to_contain_text("where to?")
    visitor.handle("e8").click()
    expect(why).to_be_empty()
    expect(visitor.part("moves")).to_contain_text("Fe2e8")


# ---- everything


@pytest.mark.parametrize(
    ("device", "theme"),
    [
        (SMALL_PHONE, "dark"),
        pytest.param(SMALL_PHONE, "light", marks=pytest.mark.slow),
        pytest.param(WIDE, "light", marks=pytest.mark.slow),
        pytest.param(DESKTOP, "dark", marks=pytest.mark.slow),
    ],
)
def test_a_table_with_panels_is_accessible_and_not_too_wide(
    visit: Visitors, market: str, device: dict[str, Any], theme: str
) -> None:
    visitor, _ = open_market(visit, market, "pack:a", color_scheme=theme, **device)
    check_width(visitor)
    check_accessibility(visitor)
    visitor.handle("B").click()
    expect(entry(visitor, "sell:a")).to_be_visible()
    visitor.handle("C").click()
    expect(visitor.part("why")).to_contain_text("Sell a ware.")
    check_width(visitor)
    check_accessibility(visitor)
