"""Terminal pictures: readable without styles, with lines of equal width."""

from __future__ import annotations

from realmtable.kit.terminal_picture import STYLE_WORDS, Sketch, Span, join_side_by_side, pad_line, plain_text, width


def test_plain_drops_the_styles() -> None:
    assert plain_text([[Span("a", "seat0"), Span("b", "last")], [], [Span("c")]]) == "ab\n\nc"


def test_a_span_is_plain_by_default() -> None:
    assert Span("a").style == "plain"


def test_padding_fills_up_and_never_cuts() -> None:
    line = [Span("abc")]
    assert width(pad_line(line, 5)) == 5
    assert pad_line(line, 3) == line
    assert pad_line(line, 2) == line


def test_side_by_side_every_line_is_equally_wide() -> None:
    tall: Sketch = [[Span("a")], [Span("bbb")], [Span("c")]]
    low: Sketch = [[Span("dd")]]
    assert plain_text(join_side_by_side(tall, low)) == "a    dd\nbbb    \nc      "
    assert plain_text(join_side_by_side(low, tall, gap=1)) == "dd a  \n   bbb\n   c  "
    assert join_side_by_side([], []) == []


def test_every_style_word_is_explained() -> None:
    assert all(word.isalnum() and meaning for word, meaning in STYLE_WORDS.items())
