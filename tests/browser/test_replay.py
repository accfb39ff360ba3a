"""Earlier moments of a game, variations, and finished games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

import realmtable
from tests.browser import input_devices
from tests.browser.conftest import Visitors
from tests.browser.scripted_games import ScriptedGame, from_middle, game_with_multi_step_turns, last_turns
from tests.browser.visitor import Visitor, expect_latest_moves, expect_over

GAME = game_with_multi_step_turns()
PLAYED = 5  # steps at the running table


class TableVisit(NamedTuple):
    """A visitor at a table, and the game played there."""

    visitor: Visitor
    table: str
    played: ScriptedGame

    def picture_at(self, step: int) -> list[str]:
        """Return the pieces on the board at a step, according to the server."""
        picture = self.visitor.get(f"/api/tables/{self.table}/moments/{step}")["picture"]
        return re.findall(r'aria-label="([^"]*)"', picture)

    def expect_step(self, step: int) -> None:
        """Check that the page shows the board of a step."""
        cells = self.visitor.part("picture").locator("[aria-label]")
        expected = self.picture_at(step)
        expect(cells).to_have_count(len(expected))
        found = cells.evaluate_all("cells => cells.map((cell) => cell.getAttribute('aria-label'))")
        assert found == expected


@pytest.fixture
def running(visitor: Visitor) -> TableVisit:
    """A table with some steps played."""
    played = from_middle(GAME)
    table = visitor.open_table(played)
    for move in played.moves[:PLAYED]:
        visitor.move(table, move)
    visitor.goto(f"/tables/{table}")
    visitor.open_tab("moves")
    expect(visitor.part("slider")).to_have_attribute("max", str(PLAYED))
    return TableVisit(visitor, table, played)


@pytest.fixture
def over(visitor: Visitor) -> TableVisit:
    """A table whose game is over."""
    played = last_turns(GAME, 4)
    table = visitor.open_table(played)
    for move in played.moves:
        visitor.move(table, move)
    return TableVisit(visitor, table, played)


def test_stepping_and_jumping_through_a_running_game(running: TableVisit) -> None:
    visitor = running.visitor
    for role, step in [("back", 4), ("back", 3), ("first", 0), ("forward", 1)]:
        visitor.part(role).click()
        expect(visitor.part("where")).to_contain_text(f"step {step} of {PLAYED}")
        running.expect_step(step)
        expect(visitor.lit).to_have_count(0)
    expect(visitor.part("moves").locator("[aria-current]")).to_have_count(1)
    visitor.part("last").click()
    expect(visitor.part("banner")).to_be_hidden()
    running.expect_step(PLAYED)
    expect(visitor.lit.first).to_be_visible()

    first = visitor.part("moves").locator("button.move").first
    step = int(first.get_attribute("data-step") or 0)
    first.click()
    running.expect_step(step)
    input_devices.press(visitor, "]")
    expect(visitor.part("where")).to_contain_text(f"step {step + 1} of {PLAYED}")
    visitor.part("slider").focus()
    input_devices.press(visitor, "Home")
    expect(visitor.part("where")).to_contain_text(f"step 0 of {PLAYED}")
    visitor.part("leave").click()
    running.expect_step(PLAYED)


@pytest.mark.slow
def test_a_new_move_is_announced_without_leaving_the_replay(running: TableVisit) -> None:
    visitor = running.visitor
    visitor.part("first").click()
    expect(visitor.part("banner")).to_be_visible()
    visitor.move(running.table, running.played.moves[PLAYED])
    expect(visitor.part("missed")).to_have_text("1 new")
    running.expect_step(0)
    visitor.part("leave").click()
    running.expect_step(PLAYED + 1)


@pytest.mark.slow
def test_what_if_leaves_the_game_alone(running: TableVisit) -> None:
    visitor, table, _ = running
    before = visitor.scene(table)
    visitor.part("back").click()
    expect(visitor.part("where")).to_contain_text(f"step {PLAYED - 1}")
    visitor.part("whatif").click()
    expect(visitor.part("where")).to_contain_text("What if")
    for count in (1, 2):
        visitor.lit.first.click()  # select a piece, then a target
        while not visitor.part("branch").locator("li").nth(count - 1).is_visible():
            offered = (
                visitor.part("picture").locator(".target").or_(visitor.part("action-panel").locator("[data-move]"))
            )
            offered.first.click()
            visitor.page.wait_for_timeout(150)
    expect(visitor.part("branch").locator("li")).to_have_count(2)
    input_devices.press(visitor, "u")
    expect(visitor.part("branch").locator("li")).to_have_count(1)
    assert visitor.scene(table)["version"] == before["version"]
    visitor.part("leave").click()
    expect(visitor.part("branch").locator("li")).to_have_count(0)
    running.expect_step(PLAYED)
    assert visitor.scene(table)["lines"] == before["lines"]


@pytest.mark.slow
def test_the_replay_of_a_game_that_is_over(over: TableVisit) -> None:
    visitor, table, played = over
    steps = len(played.steps)
    visitor.goto(f"/tables/{table}")
    expect_over(visitor, table)
    visitor.part("ending").get_by_role("link", name="Analyse").click()
    visitor.page.wait_for_url(re.compile("/replay"))
    visitor.part("first").click()
    over.expect_step(0)
    visitor.part("auto").click()
    expect(visitor.part("auto")).to_have_attribute("aria-pressed", "true")
    visitor.page.wait_for_url(re.compile("#1$"))
    visitor.part("auto").click()
    visitor.part("last").click()
    visitor.page.wait_for_url(re.compile(f"#{steps}$"))
    expect(visitor.part("sub")).to_have_text(visitor.scene(table)["result"]["text"])
    expect(visitor.part("news")).not_to_have_text(visitor.scene(table)["result"]["text"])
    visitor.part("back").click()
    visitor.page.wait_for_url(re.compile(f"#{steps - 1}$"))
    visitor.page.reload()  # a link to a moment opens it
    expect(visitor.part("slider")).to_have_value(str(steps - 1))
    over.expect_step(steps - 1)


@pytest.mark.slow
def test_the_record_is_downloaded_imported_and_looked_at(over: TableVisit, visit: Visitors, tmp_path: Path) -> None:
    visitor, table, played = over
    visitor.goto(f"/tables/{table}")
    with visitor.page.expect_download() as download:
        visitor.part("ending").get_by_role("link", name="Record").click()
    kept = tmp_path / "kept.record"
    download.value.save_as(kept)
    assert f"Game: {GAME}" in kept.read_text(encoding="utf-8")

    other = visit()
    other.goto("/records").locator("input[type=file]").set_input_files(kept)
    expect(other.page.get_by_label("Record")).to_have_value(kept.read_text(encoding="utf-8"))
    other.page.get_by_role("button", name="Import").click()
    other.page.wait_for_url(re.compile("/records/."))
    expect(other.part("slider")).to_have_attribute("max", str(len(played.steps)))
    other.part("first").click()
    over._replace(visitor=other).expect_step(0)
    lines = [line["text"] for line in visitor.scene(table)["lines"]]
    expect_latest_moves(other, lines)


@pytest.mark.slow
def test_a_text_that_is_no_record_is_refused_in_words(visitor: Visitor) -> None:
    visitor.forgives.append("status of 4")
    visitor.goto("/records").get_by_label("Record").fill("Game: of_the_moon\n\n1. e4\n")
    visitor.page.get_by_role("button", name="Import").click()
    expect(visitor.page.get_by_role("alert")).to_contain_text("of_the_moon")


@pytest.mark.slow
def test_a_position_link_leads_to_the_position_and_to_a_table(running: TableVisit, visit: Visitors) -> None:
    visitor, table, _ = running
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.part("back").click()
    expect(visitor.part("where")).to_contain_text(f"step {PLAYED - 1}")
    visitor.page.get_by_text("Links and downloads").click()
    visitor.open_menu("position-link").click()
    expect(visitor.part("position-link")).to_have_text("Copied")
    link = visitor.page.evaluate("navigator.clipboard.readText()")

    other = visit()
    other.goto(link)
    expect(other.lit.first).to_be_visible()
    running._replace(visitor=other).expect_step(PLAYED - 1)
    position = visitor.get(f"/api/tables/{table}/moments/{PLAYED - 1}")["position"]
    other.part("start").click()
    expect(other.page.get_by_label("Position")).to_have_value(position)
    other.page.get_by_label("Same screen").check()
    other.page.get_by_role("button", name="Start").click()
    expect(other.lit.first).to_be_visible()
    again = other.page.url.rpartition("/")[2]
    assert other.get(f"/api/tables/{again}/moments/0")["position"] == position


@pytest.mark.slow
def test_a_refusal_names_its_clause_and_leads_to_it(visitor: Visitor) -> None:
    visitor.forgives.append("status of 4")
    info = next(info for info in realmtable.infos() if info.id == "realm")
    table = visitor.enter_new_table(info.id)
    move = visitor.scene(table)["choices"][0]["move"]
    for _ in range(2):  # earlier placements restrict later ones
        input_devices.type_move(visitor, move)
        expect(visitor.part("moves").locator("button.move")).to_have_count(1)
    refusal = visitor.part("refusal")
    expect(refusal).to_be_visible()
    expect(visitor.part("notation")).to_have_value(move)  # can be corrected without retyping
    link = refusal.get_by_role("link")
    clause = (link.get_attribute("href") or "").rpartition("#")[2]
    assert refusal.inner_text().count(clause) == 1
    with visitor.context.expect_page() as opened:
        link.click()
    opened.value.wait_for_url(re.compile(rf"/rules/{info.id}#"))
    expect(opened.value.locator(f'[id="{clause}"]')).to_be_in_viewport()
    expect(refusal).to_be_visible()  # the game stays open
