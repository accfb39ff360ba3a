"""Pages are light, stand still and fit a small phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

import realmtable
from tests.browser.conftest import Visitors
from tests.browser.driving import DESKTOP, PHONE, Visitor
from tests.browser.games import middle
from tests.browser.places import NAMES, Places

PAGE_KB = 150
SCRIPTS_KB = 40
SHIFT_MAX = 0.05
MOVES = 10
SMALL = {**PHONE, "viewport": {"width": 360, "height": 740}}
# Counts every shift, those soon after a click too: what a click moves away is clicked wrongly next.
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const moved = entry.sources.map(({ node }) => node?.dataset?.role ?? node?.className ?? node?.nodeName);
    window.shifts.push([entry.value, ...moved]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""


def weigh(visitor: Visitor, path: str) -> dict[str, float]:
    """What a page and everything on it weigh on the wire, in kB by the kind of file."""
    wire = visitor.context.new_cdp_session(visitor.page)
    kinds: dict[str, str] = {}
    weights: dict[str, float] = {}

    def weighed(event: Any) -> None:
        kind = kinds.get(event["requestId"], "Other")
        weights[kind] = weights.get(kind, 0) + event["encodedDataLength"] / 1000

    wire.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))
    wire.on("Network.loadingFinished", weighed)
    wire.send("Network.enable")
    visitor.goto(path)
    visitor.page.wait_for_timeout(300)
    return weights


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_light_and_fits_a_small_phone(visit: Visitors, places: Places, name: str) -> None:
    visitor = visit(**SMALL, storage_state=places.cookies)
    visitor.forgives += ["status of 404"] if name == "error" else []
    weights = weigh(visitor, places.paths[name])
    assert sum(weights.values()) < PAGE_KB, weights
    assert weights.get("Script", 0) < SCRIPTS_KB, weights
    assert_fits(visitor.page)
    visitor.unfold()
    assert_fits(visitor.page)


def assert_fits(page: Page) -> None:
    """Nothing is wider than the screen."""
    wide = page.evaluate(
        """[...document.querySelectorAll("main *")].filter((element) =>
             element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(".scroll, pre, .unseen, .ghost"))
           .map((element) => `${element.nodeName}.${element.className}`).slice(0, 5)"""
    )
    assert page.evaluate("document.scrollingElement.scrollWidth") <= page.evaluate("innerWidth"), wide


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_nothing_jumps_while_others_move(visit: Visitors, device: str) -> None:
    """Ten moves arrive from elsewhere at a page that nobody touches."""
    played = middle(realmtable.infos()[-1].id)
    player, watcher = visit(), visit(**(PHONE if device == "phone" else DESKTOP))
    table = player.open_table(played)
    watcher.context.add_init_script(WATCH_SHIFTS)
    watcher.goto(f"/tables/{table}")
    for count, move in enumerate(played.moves[:MOVES], 1):
        player.move(table, move)
        expect(watcher.part("slider")).to_have_attribute("max", str(count))
    assert_still(watcher.page)


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_nothing_jumps_while_one_plays(visit: Visitors, device: str) -> None:
    played = middle(realmtable.infos()[-1].id)
    visitor = visit(**(PHONE if device == "phone" else DESKTOP))
    visitor.context.add_init_script(WATCH_SHIFTS)
    table = visitor.open_table(played)
    visitor.goto(f"/tables/{table}")
    for count, move in enumerate(played.moves[:MOVES], 1):
        scene = visitor.scene(table)
        for handle in next(choice["path"] for choice in scene["choices"] if choice["move"] == move):
            visitor.pick(handle)
        visitor.finish(move)
        expect(visitor.part("slider")).to_have_attribute("max", str(count))
    assert_still(visitor.page)


def assert_still(page: Page) -> None:
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, *_ in shifts) < SHIFT_MAX, shifts
