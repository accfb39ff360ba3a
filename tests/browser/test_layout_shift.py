"""The layout of a table stays still during play: a control that moves under a finger gets missed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import realmtable
from tests.browser.conftest import Visitors
from tests.browser.scripted_games import from_middle, whole_game
from tests.browser.visitor import DESKTOP, PHONE, Visitor, click_path

SHIFT_MAX = 0.05
MOVES = 10
TURN = 9  # start here, so that the turn number gains a digit during the test
# On a phone the sheet is as high as the question needs.
FIXED = {"desktop": ("headline", "seats", "board", "slider", "actions"), "phone": ("seats", "news-bar", "panels")}
GAME = [info.id for info in realmtable.infos() if not info.hidden and not info.chance][-1]
DEVICES = {
    name: {**device, "reduced_motion": "no-preference"} for name, device in [("desktop", DESKTOP), ("phone", PHONE)]
}
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
  return [box.left, box.top + scrollY].map(Math.round);
}"""


def check_layout_shift(visitor: Visitor) -> None:
    """Check that the layout has hardly shifted, by the browser's own measure."""
    shifts = visitor.page.evaluate("window.shifts")
    assert sum(value for value, *_ in shifts) < SHIFT_MAX, shifts


@pytest.mark.slow
@pytest.mark.parametrize("device", DEVICES)
def test_while_others_move(visit: Visitors, device: str) -> None:
    played = from_middle(GAME)
    player, watcher = visit(), visit(fresh=True, **DEVICES[device])
    table = player.open_table(played)
    watcher.context.add_init_script(WATCH_SHIFTS)
    watcher.goto(f"/tables/{table}")
    for count, move in enumerate(played.moves[:MOVES], 1):
        player.move(table, move)
        expect(watcher.part("slider")).to_have_attribute("max", str(count))
    check_layout_shift(watcher)


@pytest.mark.slow
@pytest.mark.parametrize("device", DEVICES)
def test_while_two_play(visit: Visitors, device: str) -> None:
    """Permanent parts of the page do not move by a pixel, whichever side moves."""
    played = whole_game(GAME)
    visitor, other = visit(fresh=True, **DEVICES[device]), visit()
    visitor.context.add_init_script(WATCH_SHIFTS)
    table = visitor.open_new_table(GAME, other)
    steps = list(zip(played.steps, played.moves, strict=True))
    before = next(index for index, (step, _) in enumerate(steps) if played.game.turn(step.state).number == TURN)
    for step, move in steps[:before]:
        (visitor if step.seat == 0 else other).move(table, move)
    visitor.goto(f"/tables/{table}")
    places = []
    for count, (step, move) in enumerate(steps[before : before + MOVES], before + 1):
        if step.seat == 0:
            for handle in click_path(visitor.scene(table), move):
                visitor.pick(handle)
            visitor.confirm_move(move)
        else:
            other.move(table, move)
        expect(visitor.part("slider")).to_have_attribute("max", str(count))
        places.append({role: visitor.part(role).evaluate(WHERE) for role in FIXED[device]})
    assert [place for place in places if place != places[0]] == []
    check_layout_shift(visitor)


def test_a_new_scene_keeps_running_animations(visit: Visitors) -> None:
    played = from_middle(GAME)
    visitor = visit(**DEVICES["desktop"])
    table = visitor.open_table(played)
    visitor.goto(f"/tables/{table}")
    visitor.part("picture").locator("[data-handle]").first.evaluate(
        "place => (window.running = place.animate({ opacity: [1, 0.5] }, 600_000))"
    )
    visitor.move(table, played.moves[0])
    expect(visitor.part("slider")).to_have_attribute("max", "1")
    assert visitor.page.evaluate("window.running.playState === 'running' && window.running.effect.target.isConnected")
