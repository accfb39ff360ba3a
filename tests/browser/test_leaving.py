"""Players who abort a game before their first move, and opponents who leave."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visitor import Visitor

CLOCK = {"kind": "game", "seconds": 180}
GAME = "classic_realm"


def move(person: Visitor, table: str) -> None:
    person.move(table, person.scene(table)["choices"][0]["move"])


def test_a_game_is_aborted_until_the_first_move(visit: Visitors) -> None:
    host, friend = visit(), visit()
    table = host.open_new_table(GAME, friend, clock=CLOCK)
    for person in (host, friend):
        person.goto(f"/tables/{table}")
        expect(person.page.locator("[data-bell]")).to_contain_text("left for the first move")
    move(host, table)
    host.part("table-menu").click()
    expect(host.part("resign")).to_be_visible()
    expect(host.part("abort")).to_be_disabled()
    friend.part("table-menu").click()
    friend.part("abort").click()
    for person in (host, friend):
        expect(person.part("headline")).to_have_text("Game aborted by Black.")
        expect(person.part("result")).to_be_empty()  # nobody has a place


def test_an_opponent_who_leaves_is_shown_until_they_return(visit: Visitors) -> None:
    host, friend = visit(), visit()
    table = host.open_new_table(GAME, friend, clock=CLOCK)
    for person in (host, friend):
        move(person, table)
        person.goto(f"/tables/{table}")
    move(host, table)
    expect(host.part("claim-note")).to_be_hidden()
    friend.page.goto("about:blank")
    expect(host.part("claim-note")).to_contain_text("Black is away. You can claim the game in ")
    expect(host.part("claim-win")).to_be_disabled()
    friend.goto(f"/tables/{table}")
    expect(host.part("claim-note")).to_be_hidden()
