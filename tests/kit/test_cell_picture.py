"""Pictures made of rows of cells and lines of text."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from realmtable.engine.pictures import find_handles, parts_of
from realmtable.kit.cell_picture import Cell, Row, draw_rows, sketch_rows
from realmtable.kit.terminal_picture import plain_text

ROWS: list[Row] = ["Two rows", [Cell("X", "a1"), Cell("", "b1")], [Cell("10")]]


def test_cells_with_handles_can_be_clicked_and_say_what_they_hold() -> None:
    picture = draw_rows(ROWS, "A grid")
    assert find_handles(parts_of(picture)) == {"a1", "b1"}
    labels = [node.get("aria-label") for node in ET.fromstring(picture).iter() if node.get("data-handle")]  # noqa: S314 - our own picture
    assert labels == ["a1: X", "b1: empty"]


def test_a_change_of_one_cell_changes_one_part() -> None:
    before = parts_of(draw_rows(["Text", [Cell("X", "a1"), Cell("", "b1")]], "A grid"))
    after = parts_of(draw_rows(["Text", [Cell("X", "a1"), Cell("O", "b1")]], "A grid"))
    assert [key for key in before if before[key] != after[key]] == ["desc", "cell 1 1"]


def test_the_picture_is_as_wide_as_its_widest_row() -> None:
    widths = [ET.fromstring(draw_rows(rows, "A grid")).get("viewBox", "").split()[2] for rows in ([], ROWS)]  # noqa: S314 - our own picture
    assert widths == ["16", "96"]


def test_a_terminal_shows_empty_cells_as_points() -> None:
    assert plain_text(sketch_rows(ROWS)).splitlines() == ["Two rows", "X  .  ", "10 "]
    assert plain_text(sketch_rows(["Only text"])) == "Only text"


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="theme"):
        draw_rows(ROWS, "A grid", "pink")
