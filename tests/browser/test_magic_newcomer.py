"""A newcomer to Magic Realm: the lesson by taps, and a first table on a phone and a laptop, light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.lesson_reader import follow_lesson
from tests.browser.test_pages import check_best_practices
from tests.browser.visitor import LAPTOP, PHONE, Visitor, box_of

GAME = "magic_realm"
SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 780}}
SETUP = ("be Witch", "be Witch", "want treasures", "want treasures", "ready")  # the second click confirms the character
CLICKABLE_PX = 20
LAST_EVENING = (
    "options=days=7,map=stock1,recording=as_you_go,two_rows=never,encounter=2 heroes=Witch;White_Knight day=7 "
    "part=evening rows=2 first=1 chits=AV:Smoke^;BV:Dank^;CV:Stink^;DV:Ruins^;EV:Bones^ 1.at=R1 1.unhidden 1.done "
    "1.goods=- 1.points=fame,fame 2.at=CV2 2.done 2.points=gold,gold agenda=sunset:-:3;combat_choice:-:137"
)
GOBLIN = (
    "options=days=7,map=stock1,recording=as_you_go,two_rows=never,encounter=2 heroes=Captain day=2 part=evening rows=3 "
    "first=1 chits=AV:Smoke^;BV:Dank^;CV:Stink^;DV:Ruins^;EV:Bones^;R:Ruins;R:Altar denizens=Sword_Goblin-1:R2* "
    "1.at=R2 1.unhidden 1.blocked 1.done 1.came=CV2-R2 1.goods=Short_Sword-1+;Breastplate-1+~;Shield-1+ "
    "1.curses=Eyemist agenda=sunset:-:1;combat_choice:-:138"
)
# The second player's answer leads to the first one's question, and the map stays as it is.
BLOCKING = (
    "options=days=7,map=stock1,recording=as_you_go,two_rows=never,encounter=1 heroes=Druid;Pilgrim day=5 part=daylight "
    "rows=5 first=2 chits=AV:Bones^;BV:Smoke^;CV:Ruins^;DV:Stink^;EV:Dank^ 1.at=CS4 1.unhidden 1.points=gold,treasures "
    "1.plan=- 1.phase=1 1.used=basic 1.orders=block:never 2.at=CS4 2.unhidden 2.done 2.goods=Staff-1 "
    "2.points=fame,gold agenda=daylight;turn:1:0:0:3;phase:1:5;block:2"
)
FIGHT = ("pass", "done", "counter:Sword Goblin-1", "chit:active Fight M5", "box:swing")
DEFENCE = ("chit:active Move M5", "box:thrust", "box:thrust", "ready")  # the last box is for the shield
# Turns the wheel over an element.
ZOOM_IN = """element => {
  const { x: clientX, y: clientY } = element.getBoundingClientRect();
  const turn = { deltaY: -800, clientX, clientY, bubbles: true, cancelable: true };
  element.dispatchEvent(new WheelEvent("wheel", turn));
}"""
# Whether another element covers the last line of an element, or it is outside the screen.
IS_COVERED = """element => {
  const { left, bottom, width } = element.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, bottom - 6);
  return !(found && (element.contains(found) || found.contains(element)));
}"""


@pytest.fixture
def visitor(visit: Visitors) -> Visitor:
    """A visitor with a laptop."""
    return visit(**LAPTOP)


def open_first_table(visitor: Visitor) -> None:
    """Open a table for a first game and choose a character and goals by taps or clicks."""
    visitor.enter_new_table(GAME, seats=["me"], preset="first_game")
    for handle in SETUP:
        visitor.pick(handle)


def check_question(visitor: Visitor, text: str) -> None:
    """Check that a question can be read whole."""
    prompt = visitor.page.get_by_text(text).filter(visible=True).first
    expect(prompt).to_be_visible()
    assert not prompt.evaluate(IS_COVERED), text


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
        ("Choose a clearing or an activity; you can loot", "phase:H"),
        ("Choose a clearing or an activity; you can loot", "phase:S"),
        ("Choose how to search: Peer or Locate", "locate"),
    ):
        check_question(visitor, text)
        visitor.pick(handle)
    check_best_practices(visitor)


@pytest.mark.slow
def test_a_whole_lesson_is_played_by_clicks_and_leads_to_a_first_game(visitor: Visitor) -> None:
    visitor.goto(f"/learn/{GAME}")
    follow_lesson(visitor, GAME)
    expect(visitor.part("done")).to_contain_text("Two great treasures")
    visitor.part("play").click()
    expect(visitor.part("prompt")).to_contain_text("Choose your character: pick one")


@pytest.mark.slow
def test_the_second_lesson_is_reached_from_the_first_and_has_its_own_progress(visitor: Visitor) -> None:
    page = visitor.goto(f"/learn/{GAME}")
    link = page.get_by_role("link", name="Next lesson: Combat")
    expect(link).to_be_hidden()
    page.locator(".lesson-steps button").last.click()
    link.click()
    page.wait_for_url(f"**/learn/{GAME}/2")
    follow_lesson(visitor, GAME, 2)
    page.reload()
    expect(page.locator(".lesson-steps .is-done")).to_have_count(6)
    expect(page.get_by_text("Next lesson")).to_have_count(0)
    visitor.goto(f"/learn/{GAME}")
    expect(page.locator(".lesson-steps .is-done")).to_have_count(0)
    expect(visitor.part("title")).to_have_text("The last day")


@pytest.mark.slow
def test_a_map_begins_near_the_character_and_follows_it(visitor: Visitor) -> None:
    open_first_table(visitor)
    for _ in range(2):
        expect(visitor.handle("Witch")).to_be_in_viewport()
        for place in visitor.lit.all():
            expect(place).to_be_in_viewport()
            assert place.evaluate("seen => seen.getBoundingClientRect().width") > CLICKABLE_PX
        step = visitor.lit.first.get_attribute("data-handle") or ""
        visitor.pick(step)
        expect(visitor.part("moves")).to_contain_text("You move to")


@pytest.mark.slow
def test_a_day_is_written_taken_back_and_kept_over_a_reload_and_another_tab(visitor: Visitor) -> None:
    visitor.enter_new_table(GAME, seats=["me"], preset="one_week")
    for handle in SETUP:
        visitor.pick(handle)
    visitor.pick("phase:S")
    visitor.pick("phase:H")
    undo = visitor.page.get_by_role("button", name="Undo")
    expect(undo).to_have_count(1)  # the game's own, and not the table's as well
    undo.click()
    expect(visitor.part("prompt")).to_contain_text("1 phase written")
    visitor.page.reload()
    expect(visitor.part("prompt")).to_contain_text("1 phase written")
    other = visitor.context.new_page()
    other.goto(visitor.page.url)
    visitor.pick("phase:H")
    expect(other.locator('[data-role="prompt"]')).to_contain_text("2 phases written")
    visitor.pick("done")
    visitor.pick("locate")
    expect(visitor.part("moves")).to_contain_text("You roll")
    expect(other.locator('[data-role="moves"]')).to_contain_text("You roll")


def test_a_question_brings_its_places_into_view_even_if_the_map_stays_the_same(visit: Visitors) -> None:
    visitor, friend = visit(**SMALL_PHONE), visit()
    table = visitor.enter_new_table(GAME, friend, position=BLOCKING)
    visitor.page.locator("circle.mr-area").last.evaluate(ZOOM_IN)
    expect(visitor.handle("CS2")).not_to_be_in_viewport()
    friend.move(table, "pass")
    expect(visitor.part("prompt")).to_contain_text("Move to a clearing")
    expect(visitor.handle("CS2")).to_be_in_viewport()


def test_the_view_returns_to_the_choices_after_a_step_that_changes_nothing_on_the_map(visit: Visitors) -> None:
    visitor = visit(**SMALL_PHONE)
    open_first_table(visitor)
    place = visitor.handle(visitor.lit.first.get_attribute("data-handle") or "")
    visitor.pick("phase:S")
    expect(visitor.part("prompt")).to_contain_text("Choose how to search")
    visitor.page.locator("circle.mr-area").last.evaluate(ZOOM_IN)
    expect(place).not_to_be_in_viewport()
    visitor.pick("locate")
    expect(visitor.part("prompt")).to_contain_text("Phase 2")
    expect(place).to_be_in_viewport()


@pytest.mark.parametrize("device", [SMALL_PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_tabs_of_all_panels_can_be_reached(visit: Visitors, device: dict[str, object]) -> None:
    visitor = visit(**device)
    visitor.enter_new_table(GAME, seats=["me"], position=GOBLIN)
    expect(visitor.part("game-tabs")).to_contain_text("Hero")
    tabs = visitor.part("panel-tabs").get_by_role("tab")
    for tab in tabs.all():
        tab.scroll_into_view_if_needed()
        expect(tab).to_be_in_viewport(ratio=0.9)


def test_a_phone_held_sideways_shows_the_question_and_its_buttons(visit: Visitors) -> None:
    visitor = visit(**{**PHONE, "viewport": {"width": 740, "height": 360}})
    visitor.enter_new_table(GAME, seats=["me"], position=GOBLIN)
    expect(visitor.part("action-panel").locator('[data-pick="pass"]')).to_be_in_viewport(ratio=1)
    assert not visitor.page.locator(".prompt-title").evaluate(IS_COVERED)


@pytest.mark.parametrize("device", [SMALL_PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_result_of_a_game_stays_inside_its_panel(visit: Visitors, device: dict[str, object]) -> None:
    visitor = visit(**device)
    seats = ["me", "me"]
    visitor.enter_new_table(GAME, seats=seats, position=LAST_EVENING)
    visitor.pick("rest easy")
    lines = visitor.part("result").locator("tbody tr")
    expect(lines).to_have_count(len(seats))
    expect(lines.first).to_contain_text("fell short")
    assert not visitor.part("ending").evaluate("panel => panel.scrollWidth > panel.clientWidth")


@pytest.mark.parametrize("device", [SMALL_PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_first_fight_keeps_the_question_and_all_choices_in_sight(visit: Visitors, device: dict[str, object]) -> None:
    visitor = visit(**device)
    visitor.enter_new_table(GAME, seats=["me"], position=GOBLIN)
    for handle in (*FIGHT, *DEFENCE):
        expect(visitor.part("prompt")).to_contain_text("Combat in Ruins 2")
        expect(visitor.handle(handle).or_(visitor.page.locator(f'[data-pick="{handle}"]')).first).to_be_in_viewport()
        visitor.page.wait_for_function(f"() => !({IS_COVERED})(document.querySelector('.prompt-title'))")
        visitor.pick(handle)
        if handle.startswith("chit:active Fight"):
            against = "Time 5 against the Sword Goblin 1's 3: it hits only where the directions match."
            expect(visitor.part("caption")).to_have_text(f"{against} Pick a highlighted box.")
    expect(visitor.part("picture")).to_contain_text("Melee of round 1")


def test_a_phone_is_back_at_the_map_when_combat_is_over(visit: Visitors) -> None:
    visitor = visit(**SMALL_PHONE)
    position = GOBLIN.replace("Captain", "Amazon").replace("Sword_Goblin-1", "T_Troll-1")
    visitor.enter_new_table(GAME, seats=["me"], position=position)
    for handle in ("pass", "run:CV2"):
        visitor.pick(handle)
    expect(visitor.part("caption")).to_contain_text("with a piece with a time below 4")
    visitor.page.wait_for_function("() => document.querySelector('[data-role=board]').scrollTop > 0")
    visitor.pick("chit:active Move M3*")
    expect(visitor.part("prompt")).to_contain_text("Phase 1")
    visitor.page.wait_for_function("() => document.querySelector('[data-role=board]').scrollTop === 0")


def test_a_phone_shows_the_question_above_many_answers(visit: Visitors) -> None:
    visitor = visit(**SMALL_PHONE)
    visitor.enter_new_table(GAME, seats=["me"], preset="first_fights")
    visitor.pick("be Captain")
    visitor.pick("be Captain")
    check_question(visitor, "Choose any group for your Helmet")


def test_the_pointer_learns_what_a_choice_in_combat_does(visitor: Visitor) -> None:
    visitor.enter_new_table(GAME, seats=["me"], position=GOBLIN)
    button = visitor.part("action-panel").locator('[data-pick="pass"]')
    before = box_of(button)
    visitor.handle("counter:Sword Goblin-1").hover()
    expect(visitor.part("caption")).to_contain_text("It attacks you with time 6; its move time is 3.")
    button.hover()
    expect(visitor.part("caption")).to_contain_text("Monsters on no sheet then go to unhidden characters")
    assert box_of(button) == before  # it does not move away from the pointer


def test_a_panel_names_curses_and_damaged_armour(visitor: Visitor) -> None:
    visitor.enter_new_table(GAME, seats=["me"], position=GOBLIN)
    expect(visitor.part("panel-pages")).to_contain_text("Curse: Eyemist")
    expect(visitor.part("panel-pages")).to_contain_text("No Search.")
    expect(visitor.part("picture")).to_contain_text("Breastplate damaged")


def test_a_double_click_does_not_answer_the_next_question(visitor: Visitor) -> None:
    visitor.enter_new_table(GAME, seats=["me"], preset="first_game")
    visitor.pick("be Witch")
    visitor.pick("be Witch")
    button, mouse = visitor.part("action-panel").locator('[data-pick="want treasures"]'), visitor.page.mouse
    button.hover()
    for count, words in ((1, "1 point left"), (2, "1 point left"), (1, "Choose Ready")):
        expect(button).to_be_visible()  # again: the next question has the same button and the same picture
        mouse.down(click_count=count)
        mouse.up(click_count=count)
        expect(visitor.part("prompt")).to_contain_text(words)
        assert count == 1 or not visitor.page.evaluate("document.body.classList.contains('sending')")
