"""Running out of time in a game of three: the choice at set-up, and the table afterwards."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors

LONG_WAIT_MS = 20_000


@pytest.mark.slow
def test_the_set_up_page_offers_the_choice_only_for_timed_games_of_several(visit: Visitors) -> None:
    host = visit()
    page = host.goto("/play/fantasy_realms")
    choice = page.get_by_label("When time runs out")
    page.get_by_label("Players", exact=True).select_option("3")
    expect(choice).to_be_hidden()
    page.get_by_label("Clock", exact=True).select_option(label="5 min + 3 s")
    expect(choice).to_be_visible()
    page.get_by_label("Players", exact=True).select_option("2")
    expect(choice).to_be_hidden()
    page.get_by_label("Players", exact=True).select_option("3")
    choice.select_option(label="The player comes last")
    page.get_by_label("A friend").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile("/tables/"))
    expect(page.locator("[data-role=sub]")).to_contain_text("5 min + 3 s, then last place")
    assert host.scene(page.url.rpartition("/")[2])["clock"]["timeout"] == "last"


@pytest.mark.slow
def test_the_table_shows_the_player_who_ran_out_of_time(visit: Visitors) -> None:
    people = [visit() for _ in range(3)]
    body = {"game": "fantasy_realms", "seats": ["me", "open", "open"], "clock": {"kind": "move", "seconds": 1}}
    table = people[0].post("/api/tables", body)["table"]
    for person in people[1:]:
        person.post(f"/api/tables/{table}/seats", {})
    page = people[0].goto(f"/tables/{table}")
    replaced = page.locator("[data-role=seats] .replaced").first
    expect(replaced).to_contain_text("out of time", timeout=LONG_WAIT_MS)
    (late, *_) = [seat for seat in people[0].scene(table)["seats"] if seat["timed_out"]]
    row = page.locator(f'[data-role=seats] [data-seat="{late["seat"]}"]')
    expect(row).to_contain_text(f"for {late['timed_out']['name']}, out of time")
    expect(row.locator(".clock")).to_have_text("0.0")
