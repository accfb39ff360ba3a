"""Settings, sounds, motion, moves in advance, confirmed and forced moves."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visitor import Visitor

GAME = "medieval_realm"  # its pieces are on the board from the start
MOVING = {"reduced_motion": "no-preference"}


class Pair(NamedTuple):
    """Two players at one table: White is to move, Black waits."""

    white: Visitor
    black: Visitor
    table: str

    def premoves(self) -> list[dict[str, Any]]:
        offered: list[dict[str, Any]] = self.black.get(f"/api/tables/{self.table}/premoves")["choices"]
        return [choice for choice in offered if len(choice["path"]) == 2]

    def plan(self, choice: dict[str, Any]) -> None:
        """Choose a move in advance as Black, on the page."""
        for handle in choice["path"]:
            self.black.handle(handle).click()
        expect(self.black.part("prompt")).to_contain_text(f"Planned: {choice['move']}.")


@pytest.fixture
def pair(visit: Visitors) -> Pair:
    white, black = visit(), visit()
    table = white.open_new_table(GAME, black)
    black.goto(f"/tables/{table}")
    return Pair(white, black, table)


def change_preferences(visitor: Visitor, **values: str | bool) -> None:
    visitor.post("/api/me")
    visitor.send("PATCH", "/api/me/preferences", values)


def step_of(visitor: Visitor) -> int:
    return int(visitor.part("slider").get_attribute("max") or 0)


# Settings


def test_settings_are_kept_and_apply_before_the_first_script(visitor: Visitor) -> None:
    page = visitor.goto("/settings")
    for label in ("Walnut", "White with red, black with blue", "No animations"):
        page.get_by_text(label, exact=True).click()
    with page.expect_response(lambda answer: "coordinates" in (answer.request.post_data or "")):  # the last change
        page.get_by_label("Coordinates").uncheck()
    expect(visitor.part("saved")).to_have_text("Saved.")
    expect(page.locator(".rt-coordinates")).to_be_hidden()
    page.reload()
    expect(page.get_by_label("Walnut")).to_be_checked()
    expect(page.get_by_label("Coordinates")).not_to_be_checked()
    html = visitor.context.request.get("/").text()  # as the server sends it
    marks = 'data-board="walnut" data-pieces="berry" data-coordinates="off" data-motion="reduced"'
    assert f'data-theme="auto" {marks}>' in html


@pytest.mark.slow
def test_sounds_are_off_with_one_click(pair: Pair) -> None:
    button = pair.black.part("sound")
    expect(button).to_have_attribute("aria-label", "Turn sounds off")
    with pair.black.page.expect_response("**/api/me/preferences"):
        button.click()
    expect(button).to_have_attribute("aria-label", "Turn sounds on")
    expect(pair.black.page.locator("html")).to_have_attribute("data-sound", "off")
    assert pair.black.get("/api/me/preferences")["sound"] is False


# Moves in advance


def test_a_planned_move_is_shown_cancelled_and_played(pair: Pair) -> None:
    black = pair.black
    choice = pair.premoves()[0]
    pair.plan(choice)
    expect(black.part("picture").locator(".planned")).to_have_count(2)
    black.page.keyboard.press("Escape")
    expect(black.part("picture").locator(".planned")).to_have_count(0)
    pair.plan(choice)
    black.handle(choice["path"][0]).click(button="right")
    expect(black.part("prompt")).to_contain_text("You can already choose your next move.")
    pair.plan(choice)
    start, end = choice["path"]
    # A move of White that leaves both places alone.
    moves = [each["move"] for each in pair.white.scene(pair.table)["choices"] if not {start, end} & {*each["path"]}]
    pair.white.move(pair.table, moves[0])
    expect(black.part("slider")).to_have_attribute("max", "2")
    expect(black.part("plan")).to_be_hidden()
    assert pair.black.scene(pair.table)["lines"][-1]["text"].startswith(choice["move"][:5])


def test_a_planned_move_that_became_illegal_is_dropped_with_a_sentence(pair: Pair) -> None:
    pair.black.forgives.append("409")
    moves = pair.white.scene(pair.table)["choices"]
    choice, blow = next(
        (mine, theirs) for mine in pair.premoves() for theirs in moves if theirs["path"][-1] == mine["path"][0]
    )
    pair.plan(choice)
    pair.white.move(pair.table, blow["move"])
    expect(pair.black.part("refusal")).to_contain_text("Plan cancelled: ")
    assert step_of(pair.black) == 1


@pytest.mark.slow
def test_moves_in_advance_can_be_turned_off(pair: Pair) -> None:
    change_preferences(pair.black, premoves=False)
    pair.black.page.reload()
    pair.black.handle(pair.premoves()[0]["path"][0]).click()
    expect(pair.black.part("prompt")).not_to_contain_text("next move")
    expect(pair.black.lit).to_have_count(0)


# Confirmed and forced moves


def test_a_move_is_played_when_it_is_confirmed(visitor: Visitor) -> None:
    change_preferences(visitor, confirm="always")
    table, page = visitor.enter_new_table(GAME), visitor.page
    choice = next(each for each in visitor.scene(table)["choices"] if len(each["path"]) == 2)
    for key in ("Escape", "Enter"):
        for handle in choice["path"]:
            visitor.handle(handle).click()
        expect(visitor.part("caption")).to_have_text(f"Play {choice['move']}?")
        assert step_of(visitor) == 0
        page.keyboard.press(key)
    expect(visitor.part("slider")).to_have_attribute("max", "1")


@pytest.mark.slow
def test_only_correspondence_games_ask_if_so_set(visitor: Visitor) -> None:
    change_preferences(visitor, confirm="correspondence")
    for clock, asks in (({"kind": "none"}, False), ({"kind": "days", "days": 3}, True)):
        table = visitor.enter_new_table(GAME, clock=clock)
        choice = next(each for each in visitor.scene(table)["choices"] if len(each["path"]) == 2)
        for handle in choice["path"]:
            visitor.handle(handle).click()
        if asks:
            expect(visitor.page.get_by_role("button", name="Confirm")).to_be_focused()
        else:
            expect(visitor.part("slider")).to_have_attribute("max", "1")


FORCED = "W:Mb2,Ee2,Mh2,Mk2,Me5,Mh5,Mk5,Mb6 B:Mb8,Me8,Mh8,Mk8,Mb11,Me11,Eh11,Mk11 move=W from=b5"


@pytest.mark.parametrize("forced", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_forced_move_plays_itself_unless_that_is_switched_off(visit: Visitors, forced: bool) -> None:
    visitor = visit(fresh=True)
    visitor.page.add_init_script("window.playsForced = true")
    if not forced:
        change_preferences(visitor, forced=False)
    table = visitor.open_new_table("oriental_realm", position=FORCED)
    assert [choice["move"] for choice in visitor.scene(table)["choices"]] == ["end"]
    visitor.page.clock.install()
    visitor.goto(f"/tables/{table}")
    if not forced:
        expect(visitor.part("choices").get_by_role("button").first).to_be_visible()
        visitor.page.clock.run_for(1500)  # longer than the pause before a forced move
    expect(visitor.part("slider")).to_have_attribute("max", "1" if forced else "0")


# Sounds and motion

LOAD_SOUNDS = (
    """import(document.querySelector('script[src*="colour_scheme.js"]').src.replace("colour_scheme.js", "sounds.js"))"""
)
# The driver's own scripts count as a click, so the test says when there was one.
COUNT_NOTES = """
window.notes = 0;
window.activation = { hasBeenActive: false };
Object.defineProperty(navigator, "userActivation", { value: window.activation });
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  window.notes += 1;
  document.body.dataset.heard = "yes";
  return start.apply(this, when);
};
"""


def test_each_change_has_its_sound(visitor: Visitor) -> None:
    visitor.goto("/settings")
    scene: dict[str, Any] = {"step": 1, "your_turn": False, "result": None, "you": [0], "seats": [{}, {}]}
    won, lost = ({**scene, "step": 2, "result": {"ranking": ranking}} for ranking in ([1, 2], [2, 1]))
    changes: list[tuple[dict[str, Any], bool, list[str]]] = [
        (scene, False, []),
        ({**scene, "step": 2}, False, ["move"]),
        ({**scene, "step": 2}, True, ["capture"]),
        ({**scene, "step": 2, "your_turn": True}, False, ["move", "turn"]),
        (won, False, ["move", "win"]),
        (lost, True, ["capture", "end"]),
        ({**won, "result": {"ranking": [1, 1]}}, False, ["move", "end"]),
        ({**won, "you": []}, False, ["move", "end"]),
        ({**won, "you": [0, 1]}, False, ["move", "end"]),
    ]
    found = visitor.page.evaluate(
        f"""async ([before, changes]) => {{
          const {{ soundsOf, hasBecomeLow, SOUNDS }} = await {LOAD_SOUNDS};
          const lows = [[30, 25], [21, 20], [20, 19], [21, 0], [0, 10]].map(([last, left]) => hasBecomeLow(last, left));
          return [changes.map(([after, captured]) => soundsOf(before, after, captured)), lows, Object.keys(SOUNDS)];
        }}""",
        [scene, [change[:2] for change in changes]],
    )
    assert found[0] == [sounds for _, _, sounds in changes]
    assert found[1] == [False, True, False, False, False]
    assert set(found[2]) == {"move", "capture", "turn", "low", "win", "end"}


@pytest.mark.slow
def test_a_page_is_silent_until_it_is_clicked(visit: Visitors) -> None:
    white, black = visit(), visit(fresh=True)
    black.context.add_init_script(COUNT_NOTES)
    table = white.open_new_table(GAME, black)
    black.goto(f"/tables/{table}")
    white.move(table, white.scene(table)["choices"][0]["move"])
    expect(black.part("slider")).to_have_attribute("max", "1")
    assert black.page.evaluate("notes") == 0
    black.page.evaluate("activation.hasBeenActive = true")
    black.move(table, black.scene(table)["choices"][0]["move"])
    expect(black.page.locator("body")).to_have_attribute("data-heard", "yes")


@pytest.mark.parametrize("motion", ["system", pytest.param("reduced", marks=pytest.mark.slow)])
def test_a_win_is_celebrated_unless_motion_is_reduced(visit: Visitors, motion: str) -> None:
    white, black = visit(**MOVING), visit()
    change_preferences(white, motion=motion)
    table, page = white.enter_new_table(GAME, black), white.page
    page.evaluate(
        """() => new MutationObserver((changes) => {
          if (changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.className === "celebration")))
            document.body.dataset.celebrated = "yes";
        }).observe(document.querySelector('[data-role="board"]'), { childList: true })"""
    )
    black.post(f"/api/tables/{table}/resign")
    expect(white.part("ending")).to_be_visible()
    if motion == "system":
        expect(page.locator("body")).to_have_attribute("data-celebrated", "yes")
        expect(page.locator(".celebration")).to_have_count(0)  # it ends by itself
    else:
        page.wait_for_timeout(500)
        assert page.locator("body").get_attribute("data-celebrated") is None
