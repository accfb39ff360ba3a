"""Realms of Etherium in a browser: a growing map, tiles from a panel, and tiles enlarged."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.test_pages import check_best_practices, check_width
from tests.browser.visitor import CAN_BE_CHOSEN, DESKTOP, LAPTOP, PHONE, Visitor, box_of

POSITION = (
    "tiles=Portal@0,0;Channel@1,0;Gather@1,-1;Conjure@0,-1;Quicken@0,1 mages=portal;portal;1,0x/portal;0,1x;1,-1x "
    "etherium=0.0/1.1 reserve=Condense;Shift;Lessen;Accord;Bond;Network phase=act active=1 turn=4"
)


PUSH = (
    "tiles=Portal@0,0;Displace@1,0;Channel@1,-1 mages=1,0;portal;portal/1,0;1,0;portal reserve=Draw;Shift;Lessen;"
    "Accord;Bond;Network phase=push active=1 held=1,0 displace=1,0 owner=2 used=1@1,0"
)

FAR_APART = (
    "tiles=Portal@0,0;Channel@1,0;Gather@2,0;Conjure@3,0;Quicken@4,0;Condense@5,0;Draw@6,0;Harvest@7,0 "
    "mages=portal;7,0;portal/portal;portal;portal reserve=Shift;Lessen;Displace;Accord;Bond;Network"
)
# The places that are not completely visible on the board.
HIDDEN_JS = """places => {
  const frame = document.querySelector('[data-role="board"]').getBoundingClientRect();
  const tools = document.querySelector('[data-role="view-tools"]').getBoundingClientRect();
  const meet = (one, other) =>
    one.right > other.left && one.left < other.right && one.top < other.bottom && one.bottom > other.top;
  const isInside = ({ left, right, top, bottom }) =>
    left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
  const isSeen = (box) => isInside(box) && !meet(box, tools);
  return places.filter((place) => !isSeen(place.getBoundingClientRect())).map(({ dataset }) => dataset.handle);
}"""
SCALE_JS = """() => {  // the map may be turned
  const { a, b } = new DOMMatrix(getComputedStyle(document.querySelector('[data-role=canvas]')).transform);
  return Math.hypot(a, b);
}"""
# Where an element is in each of some frames.
TOPS_JS = """async (element) => {
  const tops = [];
  for (let frame = 0; frame < 20; frame += 1) {
    await new Promise(requestAnimationFrame);
    tops.push(element.getBoundingClientRect().top);
  }
  return tops;
}"""

LONG_CAPTIONS_JS = (
    "() => document.styleSheets[0].insertRule('.caption[data-role=caption]:not(:empty) { padding-bottom: 60px }')"
)
NOTE_CAPTION_JS = """() => addEventListener("click",
  () => (window.captionAtClick = document.querySelector('[data-role="caption"]').textContent), { capture: true })"""


def open_table(visit: Visitors, position: str = POSITION, **device: Any) -> tuple[Visitor, str]:
    """Open a table in the middle of an activation as a visitor who plays both seats."""
    visitor = visit(**device)
    return visitor, visitor.enter_new_table("realms_of_etherium", position=position)


def panel_entry(visitor: Visitor, handle: str) -> Any:
    return visitor.part("panel-pages").locator(f'[data-handle="{handle}"]')


def test_summon_a_realm_by_clicking(visit: Visitors) -> None:
    visitor, table = open_table(visit)
    expect(visitor.part("prompt")).to_contain_text("Activation 2 of 3; you have 0 White, 0 Black")
    expect(visitor.handle("hex:1,-1")).to_have_class(re.compile("target"))
    expect(visitor.handle("hex:2,-1")).not_to_have_class(re.compile("target"))  # too far from the Portal
    visitor.pick("hex:-1,1")
    expect(visitor.page.get_by_role("tab", name="Reserve")).to_have_attribute("aria-selected", "true")
    panel_entry(visitor, "reserve:Condense").hover()
    added = visitor.part("preview").locator(
        '[aria-label="Empty hex next to Condense, clockwise of Quicken"]'
    )  # a place that the move adds
    expect(added).to_have_class("et-hex et-empty")
    expect(visitor.part("caption")).to_have_text(re.compile("^Take Condense from the Reserve"))
    panel_entry(visitor, "reserve:Condense").click()
    expect(visitor.part("news-card")).to_have_attribute("title", "Scarlet gains 1 Black")
    expect(visitor.handle("hex:-1,1")).to_have_attribute("data-card", "Condense")
    expect(visitor.page.locator("[data-layer] text", has_text="Condense")).to_have_count(1)
    assert visitor.get(f"/api/tables/{table}")["view"]["players"][0]["black"] == 1


def test_a_button_names_its_price(visit: Visitors) -> None:
    visitor, _ = open_table(visit, POSITION.replace("mages=portal", "mages=1,0").replace("0.0/", "2.0/"))
    control = visitor.part("action-panel").locator('[data-pick="control"]')
    expect(control).to_have_text(re.compile(r"^Take Control of Channel.*2 White$"))
    visitor.pick("control")
    expect(visitor.part("news-card")).to_have_attribute("title", "Scarlet takes Control of Channel for 2 White")


def test_a_realm_is_enlarged_with_its_whole_text(visit: Visitors) -> None:
    visitor, _ = open_table(visit)
    visitor.handle("hex:1,-1").hover()
    expect(visitor.part("zoom")).to_contain_text("On entering, gain 1 Black")
    expect(visitor.part("zoom")).to_contain_text("You would gain 1 Black.")
    expect(visitor.part("zoom")).to_contain_text("No one Controls it. Azure is here.")


@pytest.mark.slow
def test_an_enlarged_realm_lies_beside_the_board(visit: Visitors) -> None:
    visitor, _ = open_table(visit, **LAPTOP)
    visitor.handle("portal").hover()
    expect(visitor.part("zoom")).to_contain_text("All Portals are one place")
    board, question, zoom = (box_of(visitor.part(role)) for role in ("board", "prompt", "zoom"))
    assert zoom["x"] >= board["x"] + board["width"]
    assert zoom["y"] >= question["y"] + question["height"]


@pytest.mark.slow
def test_captions_call_places_by_their_name(visit: Visitors) -> None:
    visitor, _ = open_table(visit, PUSH)
    visitor.pick("mage:2.1")
    expect(visitor.part("caption")).to_have_text("2 Mages of Azure: pick a highlighted Realm.")
    expect(visitor.handle("portal")).to_have_class(re.compile("target"))
    visitor.pick("hex:1,-1")
    expect(visitor.part("news-card")).to_have_attribute(
        "title", "Scarlet pushes Azure's Mage 1 to Channel; Azure gains 2 White"
    )


def test_the_view_shows_all_that_can_be_chosen_however_far_apart(visit: Visitors) -> None:
    visitor, table = open_table(visit, FAR_APART, **PHONE)
    expect(visitor.lit).to_have_count(2)  # two of the three Mages are together
    assert visitor.lit.evaluate_all(HIDDEN_JS) == []
    far = visitor.page.evaluate(SCALE_JS)
    visitor.tap("mage:1.2")
    expect(visitor.part("prompt")).to_contain_text("Choose a Realm to enter")
    expect(visitor.handle("hex:6,0")).to_have_class(re.compile("target"))
    assert visitor.lit.evaluate_all(HIDDEN_JS) == []
    near = visitor.page.evaluate(SCALE_JS)
    assert near > 1.2 * far  # as close as before
    visitor.page.set_viewport_size({"width": 390, "height": 640})  # the board becomes lower
    visitor.page.wait_for_timeout(100)
    assert visitor.lit.evaluate_all(HIDDEN_JS) == []
    visitor.page.set_viewport_size(PHONE["viewport"])
    visitor.page.wait_for_timeout(100)
    visitor.part("view-tools").get_by_role("button", name="Zoom out").tap()
    visitor.page.wait_for_timeout(300)  # it glides
    own = visitor.page.evaluate(SCALE_JS)
    visitor.move(table, "end")
    expect(visitor.part("headline")).to_contain_text("Azure")
    assert visitor.page.evaluate(SCALE_JS) <= own < near  # the player's own scale is the closest


def test_buttons_stay_still_while_the_pointer_rests(visit: Visitors) -> None:
    """A caption may move its button away from the pointer, but must not disappear because of that."""
    visitor, _ = open_table(visit, viewport=PHONE["viewport"])
    end = visitor.part("action-panel").locator('[data-pick="end"]')
    expect(end).to_be_visible()
    before = box_of(end)
    visitor.page.mouse.move(before["x"] + 20, before["y"] + 3)
    expect(visitor.part("caption")).to_have_text("End the activation")
    tops = end.evaluate(TOPS_JS)
    assert len(set(tops)) == 1
    visitor.page.mouse.move(5, 5)
    expect(visitor.part("caption")).to_be_empty()


def test_a_place_stays_under_the_pointer_that_makes_a_caption_appear(visit: Visitors) -> None:
    """In a narrow window, the caption is above the buttons and below the board, of which it could cover a place."""
    visitor, _ = open_table(visit, viewport=PHONE["viewport"])
    place, title = visitor.handle("hex:-1,1"), visitor.part("prompt").locator("h2")
    end = visitor.part("action-panel").locator('[data-pick="end"]')
    expect(place).to_have_class(CAN_BE_CHOSEN)
    before = box_of(title), box_of(end)
    place.hover()
    expect(visitor.part("caption")).to_contain_text("Summon")
    assert before == (box_of(title), box_of(end))


def test_nothing_flickers_under_a_pointer_that_rests_on_a_panel(visit: Visitors) -> None:
    """A long caption moves the panel away from the pointer and disappears; it must not appear again and again."""
    visitor, _ = open_table(visit)
    visitor.page.get_by_role("tab", name="Reserve").click()
    visitor.page.evaluate(LONG_CAPTIONS_JS)
    first = visitor.part("panel-pages").locator("[data-handle]").first
    first.hover(position={"x": 20, "y": 3})
    visitor.page.wait_for_timeout(300)
    assert len(set(first.evaluate(TOPS_JS))) == 1
    visitor.page.mouse.move(5, 5)
    first.hover(position={"x": 20, "y": 70})
    expect(visitor.part("caption")).not_to_be_empty()


def test_a_tap_changes_nothing_on_the_page_before_its_click(visit: Visitors) -> None:
    """The finger's press moves the focus; a caption for it could cover the place, and the tap would be lost."""
    visitor, _ = open_table(visit, **PHONE)
    expect(visitor.handle("hex:-1,1")).to_have_class(CAN_BE_CHOSEN)
    visitor.page.evaluate(NOTE_CAPTION_JS)
    visitor.tap("hex:-1,1")
    visitor.page.wait_for_function("window.captionAtClick !== undefined")
    assert visitor.page.evaluate("window.captionAtClick") == ""
    expect(visitor.handle("hex:-1,1")).not_to_have_class(CAN_BE_CHOSEN)  # the next question is which Realm


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_table_is_accessible(visit: Visitors, device: dict[str, Any], theme: str) -> None:
    visitor, _ = open_table(visit, **device, color_scheme=theme)
    expect(visitor.page.locator("[data-layer] svg")).to_have_count(1)
    check_best_practices(visitor)
    check_width(visitor)


LARGE = (
    "tiles=Portal@0,0;Portal.2@2,0;Fluency@0,-2:1;Channel@-1,-1;Gather@1,-2;Condense@0,-1;Synergy@-2,0:2;Draw@-1,0;"
    "Network@2,-2;Protection@1,-1;Lessen@3,-2;Quicken@-2,1;Diversity@2,-1;Shift@-1,1;Transmute@1,0;Generate@0,1 "
    "mages=portal;0,-2x;-1,-1/-2,1;2,-1;portal etherium=2.3/4.1 reserve=Harvest;Tribute;Multiply;Accord;Lineage;Bond"
)
# The size of the letters of names in pixels, and what of a tile is visible.
LETTERS_JS = f"""() => {{
  const canvas = document.querySelector("[data-role=canvas]");
  const box = document.querySelector("[data-role=picture] svg").viewBox.baseVal;
  const unit = ({SCALE_JS})() * Math.min(canvas.clientWidth / box.width, canvas.clientHeight / box.height);
  const isShown = (name) => {{
    return getComputedStyle(document.querySelector("[data-layer] .et-up > .et-blue " + name)).display !== "none";
  }};
  const names = [...document.querySelectorAll("[data-layer] .et-name")];
  const sizes = names.map((text) => parseFloat(getComputedStyle(text).fontSize) * unit);
  return [Math.min(...sizes), [".et-emblem", ".et-name", ".et-signs", ".et-sentence"].filter(isShown)];
}}"""


def test_a_map_opens_readable_and_shows_more_from_nearby_and_less_from_afar(visit: Visitors) -> None:
    visitor, _ = open_table(visit, LARGE, **LAPTOP)
    expect(visitor.page.locator("[data-layer] .et-name")).to_have_count(16)
    size, shown = visitor.page.evaluate(LETTERS_JS)
    assert size >= 13
    assert shown == [".et-name", ".et-signs"]
    canvas = visitor.part("canvas")
    turned = canvas.get_attribute("data-turn")
    for button, level in (("Zoom in", [".et-name", ".et-sentence"]), ("Zoom out", [".et-emblem"])):
        if button == "Zoom out":
            visitor.page.set_viewport_size({"width": 420, "height": 500})
        for _ in range(8):
            visitor.part("view-tools").get_by_role("button", name=button).click()
        visitor.page.wait_for_timeout(300)
        assert visitor.page.evaluate(LETTERS_JS)[1] == level
    assert canvas.get_attribute("data-turn") == turned  # only opening and the whole board turn it


def test_a_turned_map_follows_the_pointer_and_keeps_its_words_upright(visit: Visitors) -> None:
    column = re.sub(r"(\d),0", r"0,\1", FAR_APART)
    visitor, _ = open_table(visit, column, viewport=PHONE["viewport"])
    visitor.part("view-tools").get_by_role("button", name="Show the whole board").click()
    expect(visitor.part("canvas")).to_have_attribute("data-turn", re.compile("[12]"))
    frame = box_of(visitor.part("board"))
    right, down = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    visitor.page.mouse.move(right, down)
    visitor.page.mouse.wheel(0, -400)
    visitor.page.wait_for_timeout(300)
    name = box_of(visitor.page.locator("[data-layer] .et-name", has_text="Quicken"))
    assert name["width"] > 2 * name["height"]
    before = box_of(visitor.handle("hex:0,3"))
    visitor.page.mouse.down()
    visitor.page.mouse.move(right + 40, down + 25, steps=4)
    visitor.page.mouse.up()
    after = box_of(visitor.handle("hex:0,3"))
    assert (after["x"] - before["x"], after["y"] - before["y"]) == pytest.approx((40, 25), abs=8)
