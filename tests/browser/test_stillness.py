"""A table stands still while people play at it: what moves away under a finger is touched wrongly."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import realmtable
from tests.browser.conftest import Visitors
from tests.browser.driving import DESKTOP, PHONE, Visitor, path_of
from tests.browser.games import middle

SHIFT_MAX = 0.05
MOVES = 10
GAME = realmtable.infos()[-1].id
DEVICES = {"desktop": DESKTOP, "phone": PHONE}
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    const moved = sources.map(({ node }) => node?.dataset?.role ?? node?.className ?? node?.nodeName);
    if (!hadRecentInput) window.shifts.push([value, ...moved]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
WHERE = """element => {
  const box = element.getBoundingClientRect();
  return [box.left, box.top + scrollY, box.width, box.height];
}"""


def stands_still(visitor: Visitor) -> None:
    """The layout has hardly shifted, as browsers measure it."""
    shifts = visitor.page.evaluate("window.shifts")
    assert sum(value for value, *_ in shifts) < SHIFT_MAX, shifts


@pytest.mark.parametrize("device", DEVICES)
def test_while_others_move(visit: Visitors, device: str) -> None:
    played = middle(GAME)
    player, watcher = visit(), visit(**DEVICES[device])
    table = player.open_table(played)
    watcher.context.add_init_script(WATCH_SHIFTS)
    watcher.goto(f"/tables/{table}")
    for count, move in enumerate(played.moves[:MOVES], 1):
        player.move(table, move)
        expect(watcher.part("slider")).to_have_attribute("max", str(count))
    stands_still(watcher)


@pytest.mark.parametrize("device", DEVICES)
def test_while_one_plays(visit: Visitors, device: str) -> None:
    played = middle(GAME)
    visitor = visit(**DEVICES[device])
    visitor.context.add_init_script(WATCH_SHIFTS)
    table = visitor.open_table(played)
    visitor.goto(f"/tables/{table}")
    places = []
    for count, move in enumerate(played.moves[:MOVES], 1):
        for handle in path_of(visitor.scene(table), move):
            visitor.pick(handle)
            places.append(visitor.part("board").evaluate(WHERE))
        visitor.finish(move)
        expect(visitor.part("slider")).to_have_attribute("max", str(count))
        places.append(visitor.part("board").evaluate(WHERE))
    assert all(place == places[0] for place in places), places
    stands_still(visitor)
