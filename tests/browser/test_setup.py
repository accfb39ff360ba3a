"""The set-up page: variants as cards, player counts that adjust themselves, and faults before Start."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visitor import LAPTOP, PHONE


def test_a_variant_adjusts_the_players_and_starts(visit: Visitors) -> None:
    visitor = visit(**PHONE)
    page = visitor.goto("/play/fantasy_realms")
    players = page.get_by_label("Players", exact=True)
    expect(players).to_have_value("3")  # the game that the lesson teaches
    expect(page.get_by_label("Standard", exact=False)).to_be_checked()
    players.select_option("2")
    expect(page.get_by_label("Two-player game")).to_be_checked()
    expect(page.get_by_text("With 2 players, the variant is “Two-player game”.")).to_be_visible()
    players.select_option("4")
    expect(page.get_by_label("Standard", exact=False)).to_be_checked()
    players.select_option("7")
    expect(page.get_by_label("Chaos")).to_be_checked()
    players.select_option("2")
    expect(page.get_by_label("Two-player game")).to_be_checked()
    page.get_by_label("Chaos").check()
    expect(players).to_have_value("3")
    assert players.locator("option:not([hidden])").all_inner_texts() == ["3", "4", "5", "6", "7"]
    page.get_by_label("Two-player game").check()
    expect(players).to_have_value("2")
    page.get_by_text("Rule options").click()
    page.get_by_label("Variant", exact=True).select_option("chaos")
    expect(page.get_by_text("1 changed")).to_be_visible()
    expect(players).to_have_value("3")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile("/tables/"))
    assert len(visitor.scene(page.url.rpartition("/")[2])["seats"]) == 3


@pytest.mark.parametrize(
    "device",
    [
        pytest.param(LAPTOP, marks=pytest.mark.slow, id="desktop"),
        pytest.param(PHONE, id="phone"),
    ],
)
def test_the_opponent_and_start_are_visible_without_scrolling(visit: Visitors, device: dict[str, Any]) -> None:
    page = visit(**device).goto("/play/realm")
    for part in (page.get_by_label("Bot level"), page.get_by_role("button", name="Start")):
        expect(part).to_be_in_viewport(ratio=1)


def test_contradictory_options_are_shown_before_the_start(visit: Visitors) -> None:
    page = visit().goto("/play/realm")
    start = page.get_by_role("button", name="Start")
    page.get_by_text("Rule options").click()
    page.get_by_label("Black chooses").select_option("both")
    page.get_by_label("An extra Base for the second player").check()
    expect(start).to_be_disabled()
    expect(page.locator('[data-field="extra_base_second"] .fault')).to_contain_text("must know before the set-up")
    page.get_by_role("button", name="Reset").click()
    expect(start).to_be_enabled()
    page.locator("#o-bases").fill("99")
    expect(start).to_be_disabled()
    expect(page.locator('[data-field="bases"] .fault')).to_be_visible()
    page.locator("#o-bases").fill("13")
    expect(start).to_be_enabled()
    page.get_by_text("Start from a position or a record").click()
    page.get_by_label("Position", exact=True).fill("nonsense")
    expect(page.locator('[data-field="position"] .fault')).to_be_visible()
    expect(start).to_be_disabled()


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


def test_a_custom_clock_is_checked_and_opened(visit: Visitors) -> None:
    host = visit()
    page = host.goto("/play/classic_realm")
    start, clock = page.get_by_role("button", name="Start"), page.get_by_label("Clock", exact=True)
    fields = page.get_by_role("group", name="Custom clock")
    expect(fields).to_be_hidden()
    clock.select_option(label="Days per move…")
    expect(fields.locator("label:visible")).to_have_count(1)
    clock.select_option(label="Main time and increment…")
    expect(fields.locator("label:visible")).to_have_count(3)
    minutes, seconds = fields.get_by_label("Minutes"), fields.get_by_label("Seconds", exact=True)
    expect(minutes).to_have_value("15")
    minutes.fill("0")
    seconds.fill("9")
    expect(start).to_be_disabled()
    expect(fields.locator(".fault")).to_have_text("Choose from 10 s to 3 h.")
    minutes.fill("2")
    seconds.fill("30")
    fields.get_by_label("Seconds added per turn").fill("7")
    expect(start).to_be_enabled()
    start.click()
    page.wait_for_url(re.compile("/tables/"))
    assert host.scene(page.url.rpartition("/")[2])["clock"]["text"] == "2 min 30 s + 7 s"


@pytest.mark.slow
def test_the_table_shows_the_player_who_ran_out_of_time(visit: Visitors) -> None:
    visitor = visit()
    clock = {"kind": "move", "seconds": 10}
    others = [visit(), visit()]
    table, page = visitor.enter_new_table("fantasy_realms", *others, clock=clock), visitor.page
    for person in [visitor, *others] * 2:  # or the game would be aborted
        while person.scene(table)["your_turn"]:
            person.move(table, person.scene(table)["choices"][0]["move"])
    expect(page.locator('[data-role=seats] [title*="out of time"]').first).to_be_visible(timeout=LONG_WAIT_MS)
    (late, *_) = [seat for seat in visitor.scene(table)["seats"] if seat["timed_out"]]
    row = page.locator(f'[data-role=seats] [data-seat="{late["seat"]}"]')
    expect(row).to_have_attribute("title", f"for {late['timed_out']['name']}, out of time")
    expect(row.locator(".clock")).to_have_text("0.0")
