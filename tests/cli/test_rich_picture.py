"""All style words become Rich styles, and the lines stay unchanged."""

from __future__ import annotations

import io
from typing import Literal

import pytest
from rich.console import Console

from realmtable.cli.rich_picture import STYLES, combine_styles, print_sketch, render_sketch
from realmtable.kit.terminal_picture import STYLE_WORDS, Span, plain_text

PICTURE = [[Span("a "), Span("[", "held0 last"), Span("○", "held0 seat0")], [Span("b", "label")]]


def test_every_word_of_the_vocabulary_has_a_style() -> None:
    assert set(STYLES) == set(STYLE_WORDS)


def test_the_text_is_the_plain_sketch() -> None:
    assert render_sketch(PICTURE).plain == plain_text(PICTURE)
    assert render_sketch([]).plain == ""


def test_neighbours_of_one_style_are_one_piece() -> None:
    line = [Span("a", "light"), Span("b", "light"), Span("c", "dark"), Span("d", "light")]
    assert [(span.start, span.end) for span in render_sketch([line]).spans] == [(0, 2), (2, 3), (3, 4)]


def test_later_words_lie_over_earlier_ones() -> None:
    style = combine_styles("held0 seat0")
    assert (style.color, style.bgcolor) == (STYLES["seat0"].color, STYLES["held0"].bgcolor)


def test_a_ground_sets_ink_and_ground() -> None:
    for ground in ("line", "light", "dark", "held0", "held1"):
        assert STYLES[ground].color is not None
        assert STYLES[ground].bgcolor is not None


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(KeyError, match="purple"):
        combine_styles("purple")


@pytest.mark.parametrize("colours", [True, False])
def test_it_prints_with_and_without_colour(colours: bool) -> None:
    out = io.StringIO()
    system: Literal["truecolor"] | None = "truecolor" if colours else None
    print_sketch(PICTURE, Console(file=out, width=80, color_system=system, force_terminal=colours))
    assert ("\x1b[" in out.getvalue()) is colours
    assert "○" in out.getvalue()


def test_a_narrow_terminal_cuts_and_never_wraps() -> None:
    out = io.StringIO()
    print_sketch(PICTURE, Console(file=out, width=2, color_system=None))
    assert out.getvalue() == "a \nb\n"
