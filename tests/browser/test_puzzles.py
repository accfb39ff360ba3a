"""Solving puzzles: on the board, with immediate feedback, without an account."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from realmtable.analysis.reasons import percent
from tests.analysis.small_puzzles import ONE_TURN_PUZZLE, TWO_TURN_PUZZLE, install_puzzles
from tests.browser.conftest import Visitors
from tests.browser.test_pages import SCRIPTS_KB, check_accessibility, check_width, measure_weight
from tests.browser.visitor import PHONE, Visitor

ONCE, TWICE = f"/puzzles/realm/{ONE_TURN_PUZZLE.id}", f"/puzzles/realm/{TWO_TURN_PUZZLE.id}"


@pytest.fixture(autouse=True)
def two_puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Realm has two puzzles, the other games have none."""
    with install_puzzles(tmp_path, monkeypatch, ONE_TURN_PUZZLE, TWO_TURN_PUZZLE):
        yield


def play(visitor: Visitor, *path: str) -> None:
    for handle in path:
        visitor.pick(handle)


@pytest.mark.slow
def test_two_winning_turns_with_the_reply_between_them(visitor: Visitor) -> None:
    visitor.goto(TWICE)
    play(visitor, "a4", "a7", "end")
    expect(visitor.part("verdict")).to_contain_text("Correct! Black's answer: Power from j10 to j7")
    play(visitor, "a7", "d7")
    expect(visitor.part("verdict")).to_contain_text("Correct! White created the last Base")
    expect(visitor.part("tick")).to_be_visible()
    expect(visitor.lit).to_have_count(0)
    visitor.goto("/puzzles/realm")
    expect(visitor.page.locator(".tile.is-solved")).to_have_text(["Puzzle 2, solved"])


def test_a_wrong_turn_is_refuted_and_can_be_tried_again(visitor: Visitor) -> None:
    visitor.goto(ONCE)
    play(visitor, "a1", "d1", "f1", "face:N", "end")
    expect(visitor.part("verdict")).to_contain_text(
        f"Black's answer: Power from j10 to j7, founding a Base on k8. Your winning chances: {percent(0.25)}."
    )
    expect(visitor.part("again")).to_be_focused()
    expect(visitor.part("undo")).to_be_hidden()  # the attempt is over
    visitor.part("again").click()
    play(visitor, "a4", "a8")
    expect(visitor.part("verdict")).to_contain_text("Correct!")


@pytest.mark.slow
def test_a_step_can_be_taken_back_and_an_illegal_one_says_why(visitor: Visitor) -> None:
    visitor.forgives.append("status of 4")
    visitor.goto(ONCE)
    play(visitor, "a1", "d1", "f1", "face:N")
    visitor.part("undo").click()
    expect(visitor.handle("f1")).to_have_attribute("aria-description", "available")
    visitor.part("undo").click()
    expect(visitor.handle("a4")).to_have_attribute("aria-description", "available")
    visitor.part("notation").fill("Pa4b4")
    visitor.part("notation").press("Enter")
    expect(visitor.part("refusal")).to_contain_text("Rule R7")


@pytest.mark.slow
def test_the_solution_is_shown_step_by_step_to_whoever_asks(visitor: Visitor) -> None:
    page = visitor.goto(TWICE)
    visitor.part("show").click()
    expect(visitor.part("line").locator("button")).to_have_text(
        [
            "White: Power from a4 to a7, founding a Base on b8",
            "Black: Power from j10 to j7, founding a Base on k8",
            "White: Power from a7 to d7, founding a Base on e8; the game ends",
        ]
    )
    expect(visitor.part("where")).to_contain_text("Step 2 of")
    visitor.part("forward").click()
    expect(visitor.part("where")).to_contain_text("Step 3 of")
    page.get_by_role("button", name="White: Power from a7").click()
    expect(visitor.part("forward")).to_be_disabled()
    expect(visitor.part("tick")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("path", [ONCE, "/puzzles", "/puzzles/realm", "/openings/realm"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_of_puzzles_and_openings_are_for_all(visit: Visitors, path: str, theme: str) -> None:
    visitor = visit(fresh=True, **PHONE, color_scheme=theme)
    weights = measure_weight(visitor, path)
    assert weights.get("Script", 0) < SCRIPTS_KB
    check_width(visitor)
    visitor.open_details()
    check_accessibility(visitor)
