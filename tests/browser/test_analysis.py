"""The engine in the browser: an analysed game, hints, and the analysis board, by mouse and keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

import realmtable
from tests.analysis.fake_think import think_first_moves, think_greedily, think_of_shares
from tests.browser.conftest import Visitors
from tests.browser.test_pages import check_accessibility, check_width
from tests.browser.visitor import SMALL_PHONE, Visitor, box_of, hold_requests
from tests.server.support.fake_workers import LATE_POSITION, use_fake_workers
from tests.server.support.live_server import ServerThread

GAME = Path(realmtable.__file__).parent / "games/realm/records/magazine-game.record"
GAME_OF_THREE = Path(realmtable.__file__).parent / "games/realms_of_etherium/records/game-three-players.record"


@pytest.fixture(autouse=True)
def engine(served: ServerThread) -> Iterator[None]:
    """Return instant evaluations, so that the tests wait only for the pages."""
    search_queue = served.app.state.services.search_queue
    workers = search_queue.workers
    use_fake_workers(served.app.state.services, think_first_moves)
    yield
    search_queue.workers = workers


def import_game(visitor: Visitor, turns: int = 24) -> str:
    """Store the magazine's game up to a line of its record, and return its URL."""
    text = GAME.read_text(encoding="utf-8").splitlines()
    head = [line for line in text[:turns] if not line.startswith("Result")]
    url: str = visitor.post("/api/records", {"text": "\n".join(head)})["url"]
    return url


@pytest.mark.slow
def test_a_game_for_several_seats_has_a_line_and_a_summary_for_each(visitor: Visitor, served: ServerThread) -> None:
    use_fake_workers(served.app.state.services, think_of_shares)
    lines = GAME_OF_THREE.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines[:20] if not line.startswith(("Result", "Seed", "Commitment")))
    page = open_analysis(visitor, visitor.post("/api/records", {"text": text})["url"])
    graph = visitor.part("graph")
    expect(graph.locator(".graph-line[data-seat]")).to_have_count(3)
    expect(visitor.part("mistakes").locator("li")).to_have_count(3)
    expect(visitor.part("mistakes")).to_contain_text("Azure: no turn gave much away")
    graph.focus()
    page.keyboard.press("Home")
    expect(visitor.part("turn-summary")).to_contain_text("Before the first turn, Scarlet's winning chances are")
    page.keyboard.press("ArrowRight")
    expect(visitor.part("turn-summary")).to_contain_text("1. Azure summon 1,0, draw realm. Azure's winning chances")
    page.keyboard.press("ArrowRight")
    expect(visitor.part("turn-summary")).to_contain_text("1. Chance *reveal Transmute.")


@pytest.mark.slow
def test_a_finished_game_for_several_seats_is_legible_next_to_its_analysis(visitor: Visitor) -> None:
    lines = GAME_OF_THREE.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith(("Seed", "Commitment")))
    page = visitor.goto(visitor.post("/api/records", {"text": text})["url"])
    last_round = page.locator(".panel-pages .value", has_text="last Round")
    for plain in (last_round, visitor.part("tallies").locator(".why").first):
        expect(plain).to_be_visible()
        expect(plain).to_have_css("background-color", "rgba(0, 0, 0, 0)")


def open_analysis(visitor: Visitor, url: str) -> Page:
    """Go to the page of a finished game and have it analysed."""
    page = visitor.goto(url)
    visitor.part("analyse").click()
    expect(visitor.part("analysis-found")).to_be_visible()
    return page


def turn_of(button: Locator) -> str:
    """Return the turn on a button, without its number."""
    return re.sub(r"^\d+\.\s*", "", button.inner_text())


def test_a_game_is_analysed_and_looked_through(visitor: Visitor) -> None:
    page = open_analysis(visitor, import_game(visitor))
    expect(visitor.part("analyse")).to_be_hidden()
    graph = visitor.part("graph")
    expect(graph.locator(".graph-line")).to_have_count(1)
    graph.focus()
    page.keyboard.press("Home")
    expect(graph).to_have_attribute("aria-valuetext", "Before the first turn")
    expect(visitor.part("turn-summary")).to_have_text(
        re.compile(r"^Before the first turn, White's winning chances are \d+%\.$")
    )
    page.keyboard.press("ArrowRight")
    expect(graph).to_have_attribute("aria-valuetext", re.compile(r"^Turn 1, White Bh11: White \d+%"))
    expect(visitor.part("moves").locator("[aria-current]")).to_have_text("Bh11")
    expect(visitor.part("turn-summary")).to_have_text(
        re.compile(r"1\. White Bh11\. White's winning chances (go|stay) .*%\.$")
    )
    expect(graph.locator("text").filter(has_text="%")).to_have_count(3)  # a scale
    expect(graph.locator("text").filter(has_not_text="%").first).to_have_text("1")
    expect(visitor.part("graph-help")).to_contain_text("The light area shows White's winning chances")
    box = box_of(graph)
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    expect(visitor.part("forward")).to_be_disabled()
    best = visitor.part("best").locator("button").first
    text = turn_of(best)
    best.click()
    expect(visitor.part("branch").locator("button").first).to_be_visible()
    expect(visitor.part("best").locator("button").first).to_contain_text(text)  # it stays while the line is explored
    visitor.part("leave").click()
    expect(visitor.part("branch").locator("button")).to_have_count(0)


def test_a_click_before_the_script_is_there_counts(visit: Visitors, served: ServerThread) -> None:
    use_fake_workers(served.app.state.services, think_greedily)
    visitor = visit(fresh=True)
    held = hold_requests(visitor, re.compile(r"/game_analysis\b.*\.js"))
    visitor.goto(import_game(visitor))
    visitor.part("analyse").click()
    while not held:
        visitor.page.wait_for_timeout(50)
    expect(visitor.part("analysis-found")).to_be_hidden()
    held[0].continue_()
    expect(visitor.part("analysis-found")).to_be_visible()


@pytest.mark.slow
def test_marks_stand_in_the_list_and_turning_points_lead_to_their_turns(visitor: Visitor, served: ServerThread) -> None:
    use_fake_workers(served.app.state.services, think_greedily)
    open_analysis(visitor, import_game(visitor, 99))
    points = visitor.part("points").locator("li")
    expect(points.first).to_be_visible()
    expect(visitor.part("moves").locator(".mark").first).to_have_text(re.compile(r"^\?[?!]?$"))
    expect(points.first.locator("p")).to_contain_text(re.compile(r"[.]$"))
    expect(points.first.locator(".number")).to_have_text(re.compile(r"^\d+\. (White|Black)$"))
    step = points.first.locator("button").get_attribute("data-step")
    points.first.locator("button").click()
    expect(visitor.part("moves").locator("[aria-current]")).to_have_attribute("data-step", step or "")


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_analysed_game_is_for_all_on_a_small_phone(visit: Visitors, theme: str) -> None:
    visitor = visit(**SMALL_PHONE, color_scheme=theme)
    open_analysis(visitor, import_game(visitor))
    visitor.open_details()
    check_width(visitor)
    check_accessibility(visitor)
    visitor.part("best").locator("button").first.tap()
    expect(visitor.part("branch").locator("button").first).to_be_attached()
    expect(visitor.part("board")).to_be_in_viewport()  # the result of the tap is visible


def test_a_hint_lights_up_a_good_move_and_goes_when_another_is_played(visitor: Visitor) -> None:
    table = visitor.enter_new_table("realm", position=LATE_POSITION)
    visitor.part("hint").click()
    expect(visitor.part("hint-box")).to_be_visible()
    expect(visitor.part("hint-reason")).to_contain_text("White's winning chances")
    expect(visitor.part("picture").locator(".hinted")).to_have_count(2)
    expect(visitor.part("hint-words")).to_contain_text(" from ")
    expect(visitor.part("news")).not_to_contain_text("asks for a hint")  # the asking player knows it
    check_accessibility(visitor)
    hinted = visitor.part("hint-turn").inner_text()
    scene = visitor.scene(table)
    other = next(choice["move"] for choice in scene["choices"] if choice["move"] not in hinted)
    visitor.move(table, other)
    expect(visitor.part("hint-box")).to_be_hidden()
    expect(visitor.part("picture").locator(".hinted")).to_have_count(0)


@pytest.mark.slow
def test_rated_tables_offer_no_hints(visit: Visitors) -> None:
    ann, bob = visit(), visit()
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        person.post("/api/me/claim", {"name": name, "password": "correct horse"})
    table = ann.enter_new_table("realm", bob, rated=True, clock={"kind": "days", "days": 1})
    expect(ann.open_menu("resign")).to_be_visible()
    expect(ann.part("hint")).to_be_hidden()
    ann.forgives.append("status of 403")
    ann.goto("/analyse/realm")
    expect(ann.part("engine-status")).to_contain_text("You are playing a rated game of Realm")
    ann.post(f"/api/tables/{table}/resign")


@pytest.mark.slow
def test_the_board_thinks_about_every_position_and_lines_can_be_stepped(visitor: Visitor) -> None:
    page = visitor.goto(f"/analyse/realm?p={quote(LATE_POSITION)}")
    line = visitor.part("lines").locator("li").first
    expect(line).to_be_visible()
    first = line.locator("button").first
    text = turn_of(first)
    first.click()
    expect(visitor.part("branch")).to_contain_text(text.split("(")[0].split(",")[0])
    expect(visitor.part("lines").locator("li").first).not_to_contain_text(text)
    shared = visitor.part("share").get_attribute("data-copy") or ""
    assert page.url.endswith(shared)
    expect(visitor.part("undo")).to_be_visible()
    while visitor.part("undo").is_visible():
        visitor.part("undo").click()
        page.wait_for_timeout(100)
    visitor.part("engine").click()
    visitor.handle("i6").click()
    visitor.handle("i7").click()
    expect(visitor.part("engine-status")).to_have_text("The engine is off.")


def test_a_position_is_set_up_by_clicking(visitor: Visitor) -> None:
    visitor.forgives.append("status of 422")
    page = visitor.goto(f"/analyse/realm?p={quote(LATE_POSITION)}")
    visitor.open_tab("edit")
    page.get_by_role("radio", name="Black Power").click()
    visitor.handle("c12").click()
    expect(visitor.handle("c12")).to_have_attribute("aria-label", re.compile("Black Power"))
    page.get_by_role("radio", name="Eraser").click()
    visitor.handle("g10").click()
    expect(visitor.handle("g10")).to_have_attribute("aria-label", re.compile("vacant"))
    page.get_by_role("button", name="Black to move").click()
    expect(visitor.part("position-text")).to_have_value(re.compile("move=B"))
    assert "Pc12" in visitor.part("position-text").input_value()
    page.get_by_role("radio", name="White Base").click()
    visitor.handle("a1").click()
    expect(visitor.part("fault")).to_contain_text("Bases go on Centers")
    visitor.open_tab("score")
    expect(visitor.lit.first).to_be_visible()
    assert "Pc12" in page.url
    check_accessibility(visitor)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_board_is_for_all_on_a_small_phone(visit: Visitors, theme: str) -> None:
    for info in (info for info in realmtable.infos() if not info.hidden and not info.chance):
        visitor = visit(**SMALL_PHONE, color_scheme=theme)
        visitor.goto(f"/analyse/{info.id}")
        expect(visitor.part("lines").locator("li").first).to_be_visible()
        visitor.open_details()
        check_width(visitor)
        check_accessibility(visitor)


@pytest.mark.slow
def test_a_draft_that_cannot_be_played_is_shown_with_its_fault(visitor: Visitor) -> None:
    page = visitor.goto("/analyse/classic_realm")
    visitor.open_tab("edit")
    page.get_by_role("radio", name="Eraser").click()
    visitor.handle("b2").click()
    expect(visitor.part("fault")).to_contain_text("White has 7 frogs")
    expect(visitor.handle("b2")).to_have_attribute("aria-label", re.compile("vacant"))
    page.get_by_role("radio", name="White frog on a pad").click()
    visitor.handle("b2").click()
    expect(visitor.part("fault")).to_be_hidden()


@pytest.mark.slow
def test_a_bad_position_is_told_and_can_be_corrected(visitor: Visitor) -> None:
    visitor.forgives.append("status of 422")
    visitor.goto("/analyse/realm?p=W:Bh11,Bh11")
    expect(visitor.part("fault")).to_have_text("h11 holds two pieces.")
    visitor.part("position-text").fill("W:Bq1 B: move=W")
    visitor.part("position-text").press("Enter")
    expect(visitor.part("fault")).to_contain_text("is not a piece on a space")
    visitor.part("position-text").fill(LATE_POSITION)
    visitor.part("position-text").press("Enter")
    expect(visitor.part("fault")).to_be_hidden()
    expect(visitor.handle("h11")).to_have_attribute("aria-label", re.compile("White Base"))
