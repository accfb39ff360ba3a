"""Light and dark pages."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visitors
from tests.browser.test_board_size import SQUARE

# By seat: the colour of the seat's emblems on the board, and of its marks in the list of players and of moves.
SEAT_COLOURS = """() => [0, 1].map((seat) => {
  const emblem = document.querySelector(`.rt-tray.rt-seat${seat}`);
  emblem.style.color = "var(--rt-accent)";
  const mark = document.querySelector(`.seats li[data-seat="${seat}"] .disc`);
  const turn = document.querySelector(`.moves .move[data-seat="${seat}"]`);
  const [player, move] = [getComputedStyle(mark), getComputedStyle(turn, "::before")];
  return [getComputedStyle(emblem).color, player.borderLeftColor, move.borderLeftColor];
})"""


@pytest.mark.slow
def test_the_theme_stays_as_it_was_chosen(visit: Visitors) -> None:
    visitor = visit(color_scheme="light")
    page = visitor.goto("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Toggle dark mode").click()
    dark = page.evaluate(ground)
    assert dark != light
    for path in ("/", "/rules/realm", "/account"):
        visitor.goto(path)
        assert page.evaluate(ground) == dark
    page.get_by_role("button", name="Toggle dark mode").click()
    visitor.goto("/")
    assert page.evaluate(ground) == light


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_words_mark_the_seats_in_the_colours_of_the_picture(visit: Visitors, theme: str) -> None:
    visitor = visit(color_scheme=theme)
    for game in SQUARE:
        table = visitor.open_new_table(game)
        scene = visitor.scene(table)
        while {line["seat"] for line in scene["lines"]} != {0, 1}:
            visitor.move(table, scene["choices"][-1]["move"])
            scene = visitor.scene(table)
        page = visitor.goto(f"/tables/{table}")
        visitor.part("moves").locator("button.move").last.wait_for(state="attached")
        first, second = page.evaluate(SEAT_COLOURS)
        assert (len({*first}), len({*second})) == (1, 1), (game, first, second)
        assert first != second
