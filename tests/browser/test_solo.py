"""A solo game from the set-up page to "Play again", and the result of a game of three, as each of them reads it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.test_pages import check_accessibility
from tests.browser.visitor import PHONE
from tests.toys import add_games
from tests.toys.gold_quest import GoldQuest


@pytest.fixture(autouse=True)
def quest(monkeypatch: pytest.MonkeyPatch) -> None:
    add_games(monkeypatch, GoldQuest())


@pytest.mark.slow
@pytest.mark.parametrize("device", [{}, {**PHONE, "color_scheme": "dark"}], ids=["desktop", "phone"])
def test_a_person_plays_alone(visit: Visitors, device: dict[str, object]) -> None:
    visitor = visit(**device)
    page = visitor.goto("/play/gold_quest")
    page.get_by_label("Players", exact=True).select_option("1")
    expect(page.get_by_role("group", name="Opponent")).to_be_hidden()
    expect(page.get_by_label("Rated")).to_be_disabled()
    expect(page.get_by_role("combobox", name="Ann")).to_have_value("me")
    page.get_by_role("button", name="Start").click()
    expect(visitor.part("headline")).to_have_text("Your turn")
    expect(visitor.part("draw")).to_be_hidden()
    page.get_by_role("button", name="Become the Elf").click()
    expect(visitor.part("headline")).to_have_text("Your turn (you're Ann, the Elf)")
    for turn in range(1, 4):
        visitor.pick("rest")
        expect(visitor.part("moves").locator("button.move")).to_have_count(turn + 1)
    expect(visitor.part("headline")).to_have_text("You reached your goal.")
    expect(visitor.part("result").locator("tbody tr")).to_have_text(re.compile(r"Ann, the Elf.*goal reached\s*3"))
    expect(visitor.part("tallies")).to_contain_text("Reached their goal")
    check_accessibility(visitor)
    page.get_by_role("button", name="Play again").click()
    expect(visitor.part("headline")).to_have_text("Your turn")
    visitor.open_menu("resign").click()
    expect(page.get_by_role("heading", name="Give up this game?")).to_be_visible()
    visitor.part("resign-yes").click()
    expect(visitor.part("headline")).to_have_text("You gave up.")
    page.goto("/my-games")
    expect(page.get_by_text("solo").first).to_be_visible()


@pytest.mark.slow
def test_three_people_read_where_they_came(visit: Visitors) -> None:
    people = [visit(), visit(**PHONE), visit()]
    table = people[0].open_new_table("gold_quest", *people[1:], options={"rounds": 1})
    for person, character in zip(people, ("Elf", "Witch", "Dwarf"), strict=True):
        person.move(table, character)
    people[0].move(table, "rest")
    people[1].move(table, "rest")
    people[2].move(table, "dig")
    spectator = visit()
    for person in (*people, spectator):
        person.goto(f"/tables/{table}")
        expect(person.part("ending")).to_be_visible()
        expect(person.part("headline")).to_have_text(person.scene(table)["headline"])
        expect(person.part("seats")).to_contain_text("Bob, the Witch")
    expect(people[0].part("headline")).to_contain_text("You reached your goal and ")
    expect(people[1].part("headline")).to_contain_text("You fell short of your goal and ")
    expect(spectator.part("headline")).to_contain_text("fell short.")
    check_accessibility(people[0])
