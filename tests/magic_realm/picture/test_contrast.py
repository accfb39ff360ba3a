"""The board theme for high contrast: what is written and what can be chosen stands out on every ground."""

from __future__ import annotations

import re

import pytest

from realmtable.games.magic_realm.picture.style import COLOURS, CONTRAST, SEAT_COLOURS, STYLE
from realmtable.server.site.static_files import FOLDER
from tests.server.site.test_colours import contrast

THEMES = (FOLDER / "board_themes.css").read_text(encoding="utf-8")
LINES = ("mr-dim", "mr-shore", "mr-path")
GROUNDS = ("rt-paper", "mr-sea", "mr-slip", "mr-glade", "mr-V", "mr-W", "mr-D", "mr-C", "mr-M")


def find_mark() -> str:
    """Return the colour of what can be chosen in the theme."""
    rules = re.findall(r'\[data-board="contrast"\] {(.*?)}', THEMES, re.DOTALL)
    return str(re.findall(r"--mark-pick: (#\w+);", rules[0])[0])


def test_the_theme_changes_only_colours_that_exist() -> None:
    assert {*CONTRAST} <= {*COLOURS}
    (block,) = re.findall(r":root\[data-board=contrast\] \.rt-board\.rt-magic_realm{(.*?)}", STYLE)
    assert dict(part.split(":") for part in block.split(";")) == {f"--{name}": code for name, code in CONTRAST.items()}


@pytest.mark.parametrize("ground", GROUNDS)
def test_words_and_marks_stand_out_on_every_ground(ground: str) -> None:
    assert contrast(CONTRAST["rt-ink"], CONTRAST[ground]) > 15
    assert min(contrast(CONTRAST[line], CONTRAST[ground]) for line in LINES) > 5
    assert contrast(find_mark(), CONTRAST[ground]) > 5


@pytest.mark.parametrize("name", ["rt-pick", "rt-ink", "mr-dim"])
def test_dark_pictures_do_not_take_marks_made_for_light_boards(name: str) -> None:
    dark = {ground: COLOURS[ground][1] for ground in ("mr-sea", "mr-slip", "mr-V", "mr-M")}
    assert min(contrast(COLOURS[name][1], code) for code in dark.values()) > 3.5


def test_pages_have_the_seat_colours_of_the_map() -> None:
    (page,) = re.findall(r":root{(--seat-0.*?)}", STYLE)
    assert [part.split(":")[1] for part in page.split(";")] == [*SEAT_COLOURS]
    css = (FOLDER / "table.css").read_text(encoding="utf-8")
    assert all(f"var(--seat-{seat}," in css for seat in range(len(SEAT_COLOURS)))
