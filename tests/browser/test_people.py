"""People: chat with its badge, notices, muted players and reports; spectators; profiles; the page of live games."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import realmtable
from tests.browser.conftest import Visitors
from tests.browser.sample_pages import open_running_table
from tests.browser.visitor import PHONE, Visitor, box_of

GAME = realmtable.infos()[0].id


def seat_two(visit: Visitors) -> tuple[Visitor, Visitor, str]:
    """Two players with a phone and a desktop at one table."""
    ann, bob = visit(**PHONE), visit()
    table = ann.open_new_table(GAME, bob, listed=True)
    for person in (ann, bob):
        person.goto(f"/tables/{table}")
    return ann, bob, table


def test_a_message_shows_in_the_place_of_the_news_and_opens_as_a_tab(visit: Visitors) -> None:
    ann, bob, _ = seat_two(visit)
    bob.open_tab("chat")
    bob.part("phrases").get_by_role("button", name="Hello!").click()
    expect(ann.part("chat-toast")).to_contain_text("Hello!")
    notice, news = box_of(ann.part("chat-toast")), box_of(ann.part("news-bar"))
    assert notice == news  # nothing else is covered
    expect(ann.part("unread")).to_have_text("1")
    ann.part("chat-toast").get_by_role("button").tap()
    expect(ann.part("chat")).to_be_in_viewport()
    expect(ann.part("headline")).to_be_in_viewport()
    expect(ann.part("unread")).to_have_text("")
    expect(ann.part("chat-toast")).to_have_text("")
    ann.open_tab("now")
    expect(ann.part("chat-text")).to_be_hidden()


@pytest.mark.slow
def test_a_player_is_muted_and_a_message_reported(visit: Visitors) -> None:
    ann, bob, table = seat_two(visit)
    bob.post(f"/api/tables/{table}/chat", {"text": "Something rude"})
    ann.open_tab("chat")
    menu = ann.part("chat").get_by_role("button", name=re.compile("Mute or report"))
    menu.tap()
    ann.part("chat").get_by_role("button", name="Report message").tap()
    expect(ann.part("chat-note")).to_have_text(re.compile("Reported"))
    menu.tap()
    ann.part("chat").locator('[data-chat="mute"]').tap()
    expect(ann.part("chat")).not_to_contain_text("Something rude")
    bob.post(f"/api/tables/{table}/chat", {"text": "And again"})
    ann.goto(f"/tables/{table}")
    expect(ann.part("chat")).to_contain_text("You muted")
    expect(ann.part("chat")).not_to_contain_text("And again")
    expect(ann.part("unread")).to_have_text("")
    ann.open_tab("chat")
    ann.part("chat").get_by_role("button", name="Unmute").tap()
    expect(ann.part("chat")).to_contain_text("And again")


@pytest.mark.slow
def test_unread_messages_wait_for_a_player_who_returns(visit: Visitors) -> None:
    ann, bob, table = seat_two(visit)
    ann.goto("/")
    bob.post(f"/api/tables/{table}/chat", {"text": "Are you there?"})
    ann.goto(f"/tables/{table}")
    expect(ann.part("unread")).to_have_text("1")
    ann.open_tab("chat")
    expect(ann.part("unread")).to_have_text("")
    ann.goto(f"/tables/{table}")
    expect(ann.part("chat")).to_contain_text("Are you there?")
    expect(ann.part("unread")).to_have_text("")


@pytest.mark.slow
def test_spectators_know_that_they_watch_and_players_that_they_are_watched(visit: Visitors) -> None:
    ann, _, table = seat_two(visit)
    eve = visit()
    eve.goto("/watch").locator(f'[data-table="{table}"] a').click()
    expect(eve.part("watching")).to_have_text(" · You are watching")
    expect(ann.part("watching")).to_have_text(" · 1 watching")
    eve.goto("/")
    expect(ann.part("watching")).to_have_text("")


@pytest.mark.slow
def test_live_boards_follow_the_games(visit: Visitors) -> None:
    host, guest = visit(), visit()
    table = open_running_table(host, GAME)
    board = guest.goto("/watch").locator(f'[data-table="{table}"] img')
    before = board.get_attribute("src") or ""
    assert re.search(r"/[0-9a-f]{32}\.svg\?theme=auto$", before)
    scene = host.scene(table)
    host.move(table, scene["choices"][0]["move"])
    expect(board).not_to_have_attribute("src", before)
    assert board.evaluate("async (image) => (await image.decode(), image.naturalWidth > 0)")


@pytest.mark.slow
def test_a_member_finds_their_profile(visitor: Visitor) -> None:
    visitor.post("/api/me/claim", {"name": "Prue Filer", "password": "a long password"})
    visitor.goto("/account").get_by_role("link", name="View your profile").click()
    expect(visitor.page.get_by_role("heading", level=1)).to_contain_text("Prue Filer")
    expect(visitor.page.get_by_text("No finished games yet.")).to_be_visible()
    visitor.page.get_by_role("link", name="View as others").click()
    expect(visitor.page.get_by_text("This is what others see of you.")).to_be_visible()
    expect(visitor.page.get_by_text("No finished public games yet.")).to_be_visible()
