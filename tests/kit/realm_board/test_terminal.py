"""The terminal board of every game: readable without colour, with a panel at its side."""

from __future__ import annotations

import pytest

from realmtable.kit.realm_board.geometry import Cell, find_cell
from realmtable.kit.realm_board.terminal import LEGEND, SeatText, Sign, board, draw_table, panel, seat_lines
from realmtable.kit.terminal_picture import STYLE_WORDS, Sketch, Span, join_side_by_side, plain_text, width


def at(name: str) -> Cell:
    cell = find_cell(name)
    assert cell is not None
    return cell


SIGNS = {at("c10"): Sign("○", 0), at("b2"): Sign("■", 1)}
BOARD = board(SIGNS, holders={0: 1}, last={at("c10"), at("d10"), at("k11")})
SEATS: tuple[Sketch, Sketch] = (
    seat_lines("○ Red", ["to move", "stock 3"], active=True),
    seat_lines("● Blue", [], active=False),
)


def space(name: str) -> list[Span]:
    """Return the spans of a space; a line begins with its number and an edge, and has one after every third space."""
    file, rank = at(name) % 12, at(name) // 12
    line = BOARD[2 + (11 - rank) + (11 - rank) // 3]
    start = 2 + 3 * file + file // 3
    return line[start : start + 3]


def test_the_board_is_readable_by_its_characters() -> None:
    lines = plain_text(BOARD).splitlines()
    assert lines[0] == lines[-1]
    assert lines[0].split() == list("abcdefghijkl")
    assert [line.split("│")[0] for line in lines[2:5]] == ["12", "11", "10"]
    assert lines[4] == "10│ ·  · [○]│[·] ·  · │ ·  ·  · │ ·  ·  · │10"
    assert lines[15] == " 2│ · (■) · │ · ( ) · │ · ( ) · │ · ( ) · │2 "
    assert lines[3] == "11│ · ( ) · │ · ( ) · │ · ( ) · │ · [ ] · │11"


def test_every_line_fits_and_every_style_is_known() -> None:
    assert len(BOARD) == 19
    assert max(map(width, BOARD)) == 45
    assert {word for line in BOARD for span in line for word in span.style.split()} <= STYLE_WORDS.keys()


@pytest.mark.parametrize(
    ("name", "spans"),
    [
        ("c10", [("[", "dark last"), ("○", "dark seat0"), ("]", "dark last")]),
        ("b2", [("(", "held1 center"), ("■", "held1 seat1"), (")", "held1 center")]),
        ("a1", [(" ", "held1"), ("·", "held1"), (" ", "held1")]),
        ("e2", [("(", "dark center"), (" ", "dark"), (")", "dark center")]),
    ],
)
def test_a_space_is_styled_by_ground_holder_and_sign(name: str, spans: list[tuple[str, str]]) -> None:
    assert space(name) == [Span(*span) for span in spans]


def test_a_bare_board_needs_nothing() -> None:
    assert not {"seat0", "held0", "last"} & {word for line in board({}) for span in line for word in span.style.split()}


def test_the_panel_has_seat_1_above_seat_0_and_small_print() -> None:
    assert plain_text(panel("Turn 7", SEATS, ["○● Disc", *LEGEND])) == (
        "Turn 7\n\n● Blue\n\n○ Red\n  to move\n  stock 3\n\n○● Disc\n() Center     [] latest step"
    )
    assert [lines[0].style for (lines, *_) in SEATS] == ["active", "title"]


def test_board_and_panel_fit_a_terminal() -> None:
    assert width(join_side_by_side(BOARD, panel("Turn 7", SEATS, LEGEND))[0]) <= 80


def test_the_whole_table_comes_from_a_view() -> None:
    view = {"turn": {"number": 7}, "to_move": [0], "last": [["c10", "d10"]]}
    texts = SeatText("○ Red", ["to move"]), SeatText("● Blue", [])
    table = draw_table(view, SIGNS, lambda _, seat: texts[seat], LEGEND, {0: 1})
    around = (
        seat_lines("○ Red", ["to move"], active=True),
        seat_lines("● Blue", [], active=False),
    )
    plain = board(SIGNS, {0: 1}, {at("c10"), at("d10")})
    assert table == join_side_by_side(plain, panel("Turn 7", around, LEGEND))
