"""A newcomer to Magic Realm: the lesson by taps, and a first table on a phone and a laptop, light and dark."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has none
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visitor import PHONE, Visitor

GAME = "magic_realm"
SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 780}}
LAPTOP = {"viewport": {"width": 1366, "height": 768}}
SETUP = ("be Witch", "be Witch", "want treasures", "want treasures", "ready")  # the second click confirms the character
# Whether another element covers the last line of an element, or it is outside the screen.
IS_COVERED = """element => {
  const { left, bottom, width } = element.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, bottom - 6);
  return !(found && (element.contains(found) || found.contains(element)));
}"""


def open_first_table(visitor: Visitor) -> None:
    """Open a table for a first game and choose a character and goals by taps or clicks."""
    table = visitor.post("/api/tables", {"game": GAME, "seats": ["me"], "preset": "first_game"})
    visitor.goto(table["url"])
    for handle in SETUP:
        visitor.pick(handle)


def test_a_lesson_on_a_map_is_begun_by_taps(visit: Visitors) -> None:
    visitor = visit(**PHONE)
    visitor.goto(f"/learn/{GAME}")
    for clearing in ("CV2", "R2"):
        visitor.tap(clearing)
    expect(visitor.part("done")).to_be_visible()
    expect(visitor.part("next")).to_have_text("Next")


@pytest.mark.slow
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("device", [SMALL_PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_first_day_can_be_played_and_every_question_be_read(
    visit: Visitors, device: dict[str, object], colours: str
) -> None:
    visitor = visit(**device, color_scheme=colours)
    open_first_table(visitor)
    for text, handle in (
        ("Choose Done to begin the day", "done"),
        ("Move to a clearing", "phase:S"),
        ("Choose the table: Peer or Locate", "locate"),
        ("Move to a clearing", "phase:H"),
    ):
        prompt = visitor.page.get_by_text(text).filter(visible=True).first
        expect(prompt).to_be_visible()
        assert not prompt.evaluate(IS_COVERED), text
        visitor.pick(handle)
    found = Axe().run(visitor.page)
    assert found.violations_count == 0, found.generate_report()
