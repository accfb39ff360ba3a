"""A table on a small laptop screen: what a newcomer reads and opens first is in view and in plain words."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visitor import LAPTOP, PHONE, Visitor, box_of, click_path, hold_requests

AGAINST_BOT = ["me", "bot:random"]


@pytest.fixture
def visitor(visit: Visitors) -> Visitor:
    """A visitor with a small laptop."""
    return visit(**LAPTOP)


def test_help_chat_and_resigning(visitor: Visitor) -> None:
    table = visitor.enter_new_table("classic_realm", seats=AGAINST_BOT)
    visitor.open_tab("chat")
    expect(visitor.part("chat-text")).to_be_in_viewport(ratio=1)
    for number in range(8):
        visitor.post(f"/api/tables/{table}/chat", {"text": f"Message {number}"})
    expect(visitor.part("chat").locator("li")).to_have_count(8)
    expect(visitor.part("chat").locator("li").last).to_be_in_viewport(
        ratio=0.9
    )  # a scrolled list is cut at a whole pixel
    expect(visitor.part("chat-text")).to_be_in_viewport(ratio=1)

    visitor.page.keyboard.press("Escape")
    visitor.page.get_by_role("button", name="Help").click()
    dialog = visitor.part("help")
    expect(dialog.get_by_role("heading")).to_have_text("How to play Classic Realm")
    expect(dialog.get_by_role("heading")).to_be_in_viewport(ratio=1)
    expect(dialog.get_by_role("link", name="Learn")).to_have_attribute("href", "/learn/classic_realm")
    expect(dialog.get_by_role("link", name="Rules")).to_have_attribute("href", "/rules/classic_realm")
    dialog.get_by_role("button", name="Close").click()

    visitor.open_menu("resign").click()
    opponent = visitor.scene(table)["seats"][1]["player"]["name"]
    expect(visitor.part("seats").locator("li").last).to_contain_text(f"{opponent} · bot")
    expect(visitor.part("confirm")).to_contain_text(f"The bot {opponent} wins. You can’t undo this.")  # noqa: RUF001 - as on the page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "caption"),
    [
        ("classic_realm", "Frog from b2: where to?"),
        ("modern_realm", "White Agent on b2: where to?"),  # its choices have no words
    ],
)
def test_a_chosen_piece_is_named_briefly(visitor: Visitor, game: str, caption: str) -> None:
    scene = visitor.scene(visitor.enter_new_table(game, seats=AGAINST_BOT))
    visitor.pick(click_path(scene, scene["choices"][0]["move"])[0])
    expect(visitor.part("caption")).to_have_text(caption)


@pytest.mark.slow
def test_the_latest_move_stays_in_view_when_the_list_gets_smaller(visitor: Visitor) -> None:
    table: str = visitor.open_new_table("classic_realm")
    for _ in range(24):
        visitor.move(table, visitor.scene(table)["choices"][0]["move"])
    visitor.goto(f"/tables/{table}")
    latest = visitor.part("moves").locator("[aria-current]")
    expect(latest).to_be_in_viewport(ratio=1)
    visitor.part("moves").evaluate("(list) => Object.assign(list.style, { flex: 'none', height: '70px' })")
    expect(latest).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_the_board_shows_the_chosen_variant_and_a_lesson_its_own_task(visitor: Visitor) -> None:
    page = visitor.goto("/play/classic_realm")
    board, note = page.locator("[data-variant-picture]"), page.locator("[data-picture-note]")
    expect(board).to_have_attribute("src", re.compile(r"/games/classic_realm\.svg"))
    page.get_by_label("Double moves", exact=False).first.check()
    expect(board).to_have_attribute("src", re.compile(r"/games/classic_realm/presets/double_moves\.svg"))
    expect(note).to_be_empty()
    page.get_by_text("Rule options").click()
    page.locator("#o-free_setup").check()
    expect(note).to_contain_text("without your changes")

    visitor.goto("/learn/classic_realm")
    expect(visitor.part("text")).to_contain_text("Move the frog on e5 up to e8.")


@pytest.mark.slow
def test_a_request_for_a_hint_is_announced_before_it_is_made(visit: Visitors) -> None:
    host, friend = visit(**LAPTOP), visit()
    host.enter_new_table("classic_realm", friend)
    expect(host.part("hint")).to_have_attribute("title", re.compile("Your opponent will see that you asked"))
    host.enter_new_table("classic_realm", seats=AGAINST_BOT)
    expect(host.part("hint")).to_be_visible()
    expect(host.part("hint")).not_to_have_attribute("title", re.compile("see that you asked"))


def test_final_scores_say_what_they_count(visitor: Visitor) -> None:
    position = "W:Fb2,~e5*7 B:Fb5,~e8*7 move=W"
    table = visitor.enter_new_table("classic_realm", seats=AGAINST_BOT, position=position)
    visitor.move(table, "Fb2b5(xFb5)")
    expect(visitor.part("result").get_by_role("columnheader")).to_have_text("frogs on pads")
    expect(visitor.part("result").locator("tbody tr")).to_have_text(
        [re.compile(r"1\..*White you\s*1"), re.compile(r"2\..*Black\s*0")]
    )


@pytest.mark.slow
def test_the_buttons_of_a_game_in_the_lobby_are_in_one_row(visit: Visitors) -> None:
    page = visit(**LAPTOP).goto("/")
    heights = page.locator(".game-text .row").evaluate_all("all => all.map(({ offsetHeight }) => offsetHeight)")
    assert len(set(heights)) == 1
    assert page.locator(".game-text").get_by_role("link", name="Score a hand").count() == 1


@pytest.mark.slow
def test_the_first_hint_says_that_it_takes_longer(visit: Visitors) -> None:
    visitor = visit(fresh=True, **LAPTOP)
    visitor.context.add_init_script("const wait = setTimeout; window.setTimeout = (call, ms) => wait(call, ms / 10);")
    table = visitor.open_new_table("classic_realm")
    held = hold_requests(visitor, "**/hints?*")
    visitor.goto(f"/tables/{table}")
    visitor.part("hint").click()
    expect(visitor.part("announcer")).to_have_text("The first hint takes longer…")
    held[0].continue_()
    expect(visitor.part("hint")).to_have_text("Hint")
    expect(visitor.part("hint-box")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["fantasy_realms", "realm"])
def test_the_task_of_a_lesson_is_not_covered_on_a_phone(visit: Visitors, game: str) -> None:
    visitor = visit(**PHONE)
    visitor.goto(f"/learn/{game}")
    bar, task = (box_of(visitor.part(name)) for name in ("actions", "text"))
    assert task["y"] + task["height"] <= bar["y"]
