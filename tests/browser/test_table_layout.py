"""Every game's table on a laptop: texts can be read and keep clear of each other; no control moves during a turn."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.sample_pages import GAMES, open_running_table
from tests.browser.test_pages import check_accessibility
from tests.browser.visitor import LAPTOP, Visitor

SMALLEST_PX: Final = 13
STATES: Final = 4  # of a turn that are compared

# Visible texts with their boxes and sizes on the screen, without the coordinates of a board, which its spaces have.
LIST_TEXTS: Final = """() => {
  const UNSEEN = "script, style, title, desc, option, .unseen, .fact-label, .skip, .preview, dialog, [hidden]";
  const IGNORED = `${UNSEEN}, .rt-coordinates`;
  const VISIBLE = { visibilityProperty: true, opacityProperty: true };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest(IGNORED) || !parent.checkVisibility(VISIBLE)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const [left, top, right, bottom] = clip(range.getBoundingClientRect(), parent);
    if (right - left < 2 || bottom - top < 2) continue;
    const scale = parent.ownerSVGElement ? parent.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(parent).fontSize) * Math.abs(scale || parent.getScreenCTM().b);
    texts.push({ text: node.data.trim().slice(0, 30), size, left, top, right, bottom });
  }
  return texts;

  /** The part of a box that no scrolling or clipping ancestor hides. */
  function clip({ left, top, right, bottom }, element) {
    for (let place = element; place !== document.body; place = place.parentElement) {
      const { display, overflowX, overflowY } = getComputedStyle(place);
      if (display === "none") return [0, 0, 0, 0]; // in pictures, Chromium calls some of these visible
      if (overflowX === "visible" && overflowY === "visible") continue;
      const box = place.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return [left, top, right, bottom];
  }
}"""

# The places of all controls that can be pressed now.
LIST_CONTROLS: Final = """() => Object.fromEntries([...document.querySelectorAll(
    ".table-bar button, .action-panel button, .panel-bar button, .stepper button, .panel-foot button")]
  .filter((button) => button.checkVisibility({ visibilityProperty: true }) && !button.disabled)
  .map((button) => {
    const { pick, move, do: command, role, panel } = button.dataset;
    const { left, top } = button.getBoundingClientRect();
    const { scrollTop = 0 } = button.closest(".action-scroll") ?? {};
    return [role ?? pick ?? move ?? command ?? panel ?? button.textContent, [left, top + scrollTop].map(Math.round)];
  }))"""


def open_game(visit: Visitors, game: str) -> tuple[Visitor, str]:
    visitor = visit(**LAPTOP)
    table = open_running_table(visitor, game)
    visitor.goto(f"/tables/{table}")
    expect(visitor.part("seats").locator("li").first).to_be_visible()
    expect(visitor.part("prompt")).not_to_be_empty()
    return visitor, table


@pytest.mark.parametrize("game", GAMES)
def test_texts_can_be_read_and_keep_clear_of_each_other(visit: Visitors, game: str) -> None:
    visitor, _ = open_game(visit, game)
    texts = visitor.page.evaluate(LIST_TEXTS)
    assert texts
    assert [(text["text"], text["size"]) for text in texts if text["size"] < SMALLEST_PX - 0.05] == []
    assert find_overlaps(texts) == []
    check_accessibility(visitor)


def find_overlaps(texts: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return the pairs of texts that cover each other; the boxes of lines are higher than their letters."""
    return [
        (one["text"], other["text"])
        for index, one in enumerate(texts)
        for other in texts[index + 1 :]
        if min(one["right"], other["right"]) - max(one["left"], other["left"]) > 1
        and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > min(one["size"], other["size"]) * 0.45
    ]


@pytest.mark.parametrize("game", GAMES)
def test_no_control_moves_between_two_states_of_a_turn(visit: Visitors, game: str) -> None:
    visitor, table = open_game(visit, game)
    before = visitor.page.evaluate(LIST_CONTROLS)
    assert before
    for _ in range(STATES):
        scene = visitor.scene(table)
        longest = max(scene["choices"], key=lambda choice: len(choice["path"]), default=None)
        if longest is None:
            return
        turn = (scene["acting"], scene["sub"])
        visitor.move(table, longest["move"])
        after_scene = visitor.scene(table)
        expect(visitor.part("slider")).to_have_attribute("max", str(after_scene["step"]))
        after = visitor.page.evaluate(LIST_CONTROLS)
        if (after_scene["acting"], after_scene["sub"]) == turn:
            assert {
                name: (before[name], after[name])
                for name in before.keys() & after.keys()
                if before[name] != after[name]
            } == {}
        before = after
