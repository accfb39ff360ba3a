"""Moves show at once, turns are planned, forced steps play themselves, and arrow keys step through games."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visitors
from tests.browser.input_devices import center_of, drag_with_finger, drag_with_mouse
from tests.browser.slow_wire import SlowWire
from tests.browser.visitor import DESKTOP, PHONE, Visitor

MOVING = {"reduced_motion": "no-preference"}
# Ordinary turns of Realm: White's Power on b1 can move, and then only end the turn.
REALM = "W:Pb1,Bb2,Bh2,Bb5 B:Pk6,Bk5,Bh8,Be11 move=W turns=4"


def first_move(visitor: Visitor, table: str, length: int = 2) -> dict[str, Any]:
    """Return the first choice that moves a piece from one space to another."""
    scene = visitor.scene(table)
    found: dict[str, Any] = next(
        each
        for each in scene["choices"]
        if len(each["path"]) == length and all(f'data-handle="{name}"' in scene["picture"] for name in each["path"])
    )
    return found


def ahead(visitor: Visitor) -> Locator:
    """The copy of a piece that moves before the answer."""
    return visitor.part("picture").locator(".ahead")


def make(visitor: Visitor, path: list[str], how: str) -> None:
    if how == "mouse drag":
        drag_with_mouse(visitor, *path)
    elif how == "finger drag":
        drag_with_finger(visitor, *path)
    else:
        for name in path:
            visitor.tap(name) if how == "tap" else visitor.pick(name)


def expect_on(piece: Locator, place: Locator) -> None:
    """Check that a piece is in the middle of a place."""
    (right, down), (to_right, to_down) = center_of(piece), center_of(place)
    assert abs(right - to_right) < 6
    assert abs(down - to_down) < 6


# ---- moves that show at once

WAYS = [
    ("classic_realm", None, "click", DESKTOP),
    ("realm", REALM, "mouse drag", DESKTOP),
    ("realm", REALM, "tap", PHONE),
    ("classic_realm", None, "finger drag", PHONE),
]


@pytest.mark.parametrize(("game", "position", "how", "device"), WAYS)
def test_a_piece_goes_where_it_was_sent_before_the_answer(
    visit: Visitors, game: str, position: str | None, how: str, device: dict[str, Any]
) -> None:
    visitor = visit(fresh=True, **device)
    wire = SlowWire(visitor)
    table = visitor.enter_new_table(game, **({"position": position} if position else {}))
    start, end = first_move(visitor, table)["path"]
    wire.hold()
    make(visitor, [start, end], how)
    expect(ahead(visitor)).to_have_count(1)
    expect_on(ahead(visitor).locator("> g"), visitor.handle(end))
    expect(visitor.handle(start).locator("> g")).to_be_hidden()
    wire.release()
    expect(ahead(visitor)).to_have_count(0)
    expect(visitor.part("slider")).to_have_attribute("max", "1")


def test_a_refused_move_goes_back_and_says_why(visit: Visitors) -> None:
    visitor = visit(fresh=True, **MOVING)
    wire = SlowWire(visitor)
    table = visitor.enter_new_table("classic_realm")
    start, end = first_move(visitor, table)["path"]
    wire.refusal = "The clock has run out."
    make(visitor, [start, end], "mouse drag")
    expect(visitor.part("refusal")).to_have_text("The clock has run out.")
    expect(ahead(visitor)).to_have_count(0)
    expect(visitor.handle(start).locator("> g")).to_be_visible()
    expect(visitor.handle(start)).to_have_class("rt-space lit")


COUNT_SLIDES = """() => {
  window.slides = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    if (frames.translate) window.slides.push([!!this.closest(".ahead"), options.delay]);
    return animate.call(this, frames, options);
  };
}"""


@pytest.mark.parametrize("how", ["click", "mouse drag"])
def test_no_piece_moves_twice(visit: Visitors, how: str) -> None:
    visitor = visit(fresh=True, **MOVING)
    wire = SlowWire(visitor)
    table = visitor.enter_new_table("classic_realm")
    path = first_move(visitor, table)["path"]
    visitor.page.evaluate(COUNT_SLIDES)
    wire.hold()
    make(visitor, path, how)
    expect(ahead(visitor)).to_have_count(1)
    visitor.page.wait_for_timeout(300)  # longer than a slide
    wire.release()
    expect(visitor.part("slider")).to_have_attribute("max", "1")
    expected = {"click": [[True, 0], [False, -220]], "mouse drag": [[False, -220]]}[how]
    assert visitor.page.evaluate("slides") == expected


@pytest.mark.parametrize("game", ["realms_of_etherium", "fantasy_realms"])
def test_nothing_moves_ahead_where_handles_do_not_tell_what_moves(visit: Visitors, game: str) -> None:
    visitor = visit(fresh=True)
    wire = SlowWire(visitor)
    table = visitor.enter_new_table(game)
    choice = visitor.scene(table)["choices"][0]
    wire.hold()
    for name in choice["path"]:
        visitor.pick(name)
    visitor.confirm_move(choice["move"])
    expect(visitor.part("caption")).to_have_text("Sending your move…")
    expect(ahead(visitor)).to_have_count(0)
    wire.release()


@pytest.mark.parametrize(("device", "how"), [(DESKTOP, "mouse drag"), (PHONE, "finger drag")])
def test_a_drag_to_an_illegal_place_says_why(visit: Visitors, device: dict[str, Any], how: str) -> None:
    visitor = visit(**device)
    table = visitor.enter_new_table("classic_realm")
    start = first_move(visitor, table)["path"][0]
    make(visitor, [start, "a1"], how)
    expect(visitor.part("why")).to_contain_text("Rule")
    expect(visitor.part("slider")).to_have_attribute("max", "0")


# ---- plans


def seat_pair(visit: Visitors, game: str, device: dict[str, Any], **wishes: Any) -> tuple[Visitor, Visitor, str]:
    """Seat two players; the second one waits on the page of the table."""
    mover, waiter = visit(), visit(**device)
    waiter.forgives.append("409")  # the page may ask for more steps while the turn begins
    table = mover.open_new_table(game, waiter, **wishes)
    waiter.goto(f"/tables/{table}")
    return mover, waiter, table


def plan(waiter: Visitor, table: str, count: int, *, ending: str = "", how: str = "click") -> list[str]:
    """Plan so many steps on the page, each the first on offer but not passing on the turn; return them."""
    planned: list[str] = []
    while len(planned) < count:
        query = "&".join(f"planned={text}" for text in planned)
        offered = waiter.get(f"/api/tables/{table}/premoves?{query}")["choices"]
        is_last = ending and len(planned) == count - 1
        choice = next(each for each in offered if (each["move"] == ending if is_last else each["move"] != "end"))
        for index, name in enumerate(choice["path"]):
            starts = not planned and not index
            place = waiter.handle(name)
            if place.count() and (starts or how == "click"):
                place.tap() if how == "tap" else place.click()
            else:
                make(waiter, [name], how)
        planned.append(choice["move"])
        expect(waiter.part("plan").locator("li")).to_have_count(len(planned))
    return planned


def test_a_whole_turn_is_planned_changed_and_played(visit: Visitors) -> None:
    white, black, table = seat_pair(visit, "realm", DESKTOP, position=REALM.replace("b1,Bb2", "c1,Bb2"))
    planned = plan(black, table, 1)
    expect(black.part("prompt")).to_contain_text("1 step planned. Choose the next one")
    black.part("plan").get_by_role("button", name="Remove last step").click()
    expect(black.part("plan")).to_be_hidden()
    planned = plan(black, table, 2, ending="end")
    expect(black.part("picture").locator(".plan-number")).to_have_text(["1"])
    expect(black.part("picture").locator(".plan-ghost")).to_have_count(1)
    expect(black.part("prompt")).to_contain_text("Planned: 2 steps.")
    white.move(table, "end") if white.scene(table)["choices"][0]["move"] == "end" else play_turn(white, table)
    expect(black.part("plan")).to_be_hidden()
    expect(black.part("headline")).not_to_contain_text("Your turn")
    assert black.scene(table)["lines"][-1]["text"].startswith(planned[0][:5])
    assert white.scene(table)["your_turn"]


def play_turn(visitor: Visitor, table: str) -> None:
    """Play steps until the turn has passed."""
    while choices := visitor.scene(table)["choices"]:
        texts = [choice["move"] for choice in choices]
        visitor.move(table, "end" if "end" in texts else texts[0])


@pytest.mark.parametrize(("device", "how"), [(DESKTOP, "click"), (PHONE, "tap")])
def test_placements_are_planned_for_several_turns(visit: Visitors, device: dict[str, Any], how: str) -> None:
    white, black, table = seat_pair(visit, "realm", device)
    planned = plan(black, table, 2, how=how)
    expect(black.part("picture").locator(".plan-number")).to_have_text(["1", "2"])
    for turn, placed in enumerate(planned):
        scene = white.scene(table)
        others = [text for text in (choice["move"] for choice in scene["choices"]) if text not in planned]
        white.move(table, others[-1])
        expect(black.part("plan").locator("li")).to_have_count(1 - turn)
        expect(black.part("slider")).to_have_attribute("max", str(2 * turn + 2))
        assert black.scene(table)["lines"][-1]["text"] == placed


def test_a_plan_stops_at_the_first_step_that_no_longer_fits(visit: Visitors) -> None:
    white, black, table = seat_pair(visit, "realm", DESKTOP)
    planned = plan(black, table, 2)
    white.move(table, planned[0])
    expect(black.part("refusal")).to_contain_text("Plan cancelled: ")
    expect(black.part("plan")).to_be_hidden()
    assert len(black.scene(table)["lines"]) == 1


# ---- forced steps

ONLY_END = "W:Mb2,Ee2,Mh2,Mk2,Me5,Mh5,Mk5,Mb6 B:Mb8,Me8,Mh8,Mk8,Mb11,Me11,Eh11,Mk11 move=W from=b5"


def test_a_turn_that_can_only_end_ends_by_itself(visit: Visitors) -> None:
    white, black = (visit(fresh=True) for _ in range(2))
    for person in (white, black):
        person.page.add_init_script("window.playsForced = true")
    table = white.open_new_table("oriental_realm", black, position=ONLY_END)
    black.goto(f"/tables/{table}")
    expect(black.part("headline")).not_to_contain_text("Your turn")
    white.goto(f"/tables/{table}")
    expect(black.part("headline")).to_contain_text("Your turn")
    assert white.scene(table)["plays_forced"]


# ---- arrow keys


@pytest.mark.parametrize("page", ["", "/replay"])
def test_arrow_keys_step_through_a_game(visitor: Visitor, page: str) -> None:
    table = visitor.open_new_table("classic_realm")
    for _ in range(3):
        visitor.move(table, visitor.scene(table)["choices"][0]["move"])
    visitor.goto(f"/tables/{table}{page}")
    slider, keyboard = visitor.part("slider"), visitor.page.keyboard
    for key, step in (("End", "3"), ("ArrowLeft", "2"), ("Home", "0"), ("ArrowRight", "1"), ("]", "2"), ("[", "1")):
        keyboard.press(key)
        expect(slider).to_have_js_property("value", step)
    visitor.handle("e5").focus()
    keyboard.press("ArrowRight")
    keyboard.press("End")
    expect(slider).to_have_js_property("value", "1")  # on the board they walk
    if not page:
        keyboard.press("/")
        expect(visitor.part("notation")).to_be_focused()
        keyboard.type("Fb2")
        keyboard.press("ArrowLeft")
        expect(slider).to_have_js_property("value", "1")


# ---- small things


def test_a_phrase_that_is_clicked_twice_is_sent_once(visit: Visitors) -> None:
    ann, bob = visit(), visit()
    table = ann.open_new_table("classic_realm", bob)
    ann.goto(f"/tables/{table}")
    ann.open_tab("chat")
    ann.part("phrases").get_by_role("button", name="Hello!").dblclick()
    ann.part("phrases").get_by_role("button", name="Thanks!").click()
    expect(ann.part("chat").locator("li")).to_have_count(2)
    assert [message["text"] for message in ann.scene(table)["chat"]] == ["Hello!", "Thanks!"]


def test_actions_without_a_connection_show_that_they_wait(visit: Visitors) -> None:
    visitor, friend = visit(fresh=True), visit()
    visitor.forgives.append("ERR_INTERNET_DISCONNECTED")
    table = visitor.open_new_table("classic_realm", friend)
    visitor.goto(f"/tables/{table}")
    start, end = first_move(visitor, table)["path"]
    expect(visitor.handle(start)).to_have_class("rt-space lit")
    visitor.context.set_offline(True)
    expect(visitor.part("connection")).to_contain_text("reconnecting")
    drag_with_mouse(visitor, start, end)
    expect(visitor.part("connection")).to_contain_text("Your move is sent as soon as it is back.")
    expect(ahead(visitor)).to_have_count(0)
    visitor.open_menu("resign").click()
    visitor.part("resign-yes").click()
    expect(visitor.part("connection")).to_contain_text("Your resignation is sent as soon as it is back.")
    expect(visitor.part("resign")).to_have_attribute("aria-busy", "true")
    visitor.context.set_offline(False)
    expect(visitor.part("ending")).to_be_visible()
    expect(visitor.part("connection")).to_be_hidden()
