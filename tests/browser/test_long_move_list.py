"""Long lists of moves and of choices."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

import realmtable
from realmtable.engine.protocol import HasPieceSymbols
from realmtable.server.tables.scenes import move_list
from realmtable.server.tables.scenes.move_list import MAX_RECENT_LINES, RECENT_LINES
from tests.browser.conftest import Visitors
from tests.browser.sample_pages import open_running_table
from tests.browser.test_pages import check_accessibility, check_width
from tests.browser.visitor import DESKTOP, PHONE, Visitor, expect_latest_moves, expect_scene
from tests.toys import add_games
from tests.toys.long_march import LongMarch

DAYS = 4


@pytest.fixture
def march_table(monkeypatch: pytest.MonkeyPatch, visit: Visitors) -> tuple[Visitor, str]:
    """A visitor at a table where some days of a march have passed."""
    add_games(monkeypatch, LongMarch())
    monkeypatch.setattr(move_list, "MAX_JOINED_STEPS", 3)
    visitor = visit(**PHONE)
    options = {"days": 8, "longest": 60}
    table = visitor.open_new_table("long_march", options=options)
    for _ in range(DAYS):
        for move in (",".join(["n"] * 59 + ["done"]),) * 2 + (",".join(["go"] * 59),) * 2:
            visitor.move(table, move)
    visitor.goto(f"/tables/{table}")
    return visitor, table


def test_earlier_moves_are_loaded_kept_and_filtered(march_table: tuple[Visitor, str]) -> None:
    visitor, table = march_table
    visitor.open_tab("moves")
    moves, latest = visitor.part("moves").locator("button.move"), len(visitor.scene(table)["lines"])
    assert RECENT_LINES <= latest <= MAX_RECENT_LINES
    expect(moves).to_have_count(latest)
    check_accessibility(visitor)
    check_width(visitor)
    # Scrolling to the button would load a page too.
    visitor.part("moves").get_by_role("button", name="Earlier moves").evaluate("button => button.click()")
    expect(moves).to_have_count(latest + move_list.PAGE_LINES)
    visitor.move(table, "n")
    expect(moves).to_have_count(latest + move_list.PAGE_LINES + 1)
    topics = visitor.part("topics").get_by_role("combobox")
    topics.select_option(label="Weather")
    expect(moves).to_have_count(2 * DAYS)
    check_accessibility(visitor)
    topics.select_option(label="All moves")
    expect(moves).to_have_count(latest + move_list.PAGE_LINES + 1)
    visitor.part("undo").click()
    expect(moves).to_have_count(latest + move_list.PAGE_LINES)


@pytest.mark.slow
def test_games_without_topics_have_no_filter(visitor: Visitor) -> None:
    visitor.enter_new_table("realm")
    expect(visitor.part("topics").locator("select")).to_have_count(0)
    expect(visitor.part("topics")).to_be_hidden()


def test_a_move_of_a_long_list_is_chosen_by_its_clicks(visit: Callable[..., Visitor]) -> None:
    ada = visit(**DESKTOP)
    table = ada.open_new_table("modern_realm")
    scene = ada.scene(table)
    assert len(scene["choices"]) > 300
    ada.goto(f"/tables/{table}")
    expect_scene(ada, scene)
    chosen = scene["choices"][-1]
    first, last = chosen["path"]
    ada.pick(first)
    targets = [choice for choice in scene["choices"] if choice["path"][0] == first]
    expect(ada.part("picture").locator(".target")).to_have_count(len(targets))
    ada.pick(last)
    ada.confirm_move(chosen["move"])
    expect(ada.part("moves").locator("button.move").last).to_contain_text(chosen["move"])


GAMES = [info.id for info in realmtable.infos() if not info.hidden and not info.chance]


def test_a_list_of_moves_shows_symbols_and_keeps_the_letters_as_text(visitor: Visitor) -> None:
    game = next(game for game in map(realmtable.game, GAMES) if isinstance(game, HasPieceSymbols))
    table = open_running_table(visitor, game.info.id)
    visitor.goto(f"/tables/{table}")
    visitor.open_tab("moves")
    texts = [line["text"] for line in visitor.scene(table)["lines"]]
    expect_latest_moves(visitor, texts)
    letters = [letter for text in texts for letter in re.findall(r"[A-Z](?=[a-z]\d)", text)]
    shown = visitor.part("moves").locator("svg.piece")
    expect(shown).to_have_count(len([letter for letter in letters if letter in game.piece_symbols()]))
    assert shown.first.evaluate("(drawn) => drawn.querySelector('use').getBBox().width") > 0
    paints = [
        visitor.part("moves")
        .locator(f'.move[data-seat="{seat}"] svg.piece')
        .first.evaluate("(drawn) => getComputedStyle(drawn).fill")
        for seat in (0, 1)
    ]
    assert paints[0] != paints[1]  # in the colours of the sides
