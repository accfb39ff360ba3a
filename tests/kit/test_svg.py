"""The SVG helper: compact, well formed, and safe against markup in texts."""

from __future__ import annotations

import doctest
from xml.etree.ElementTree import fromstring

import pytest

from realmtable.kit import svg
from realmtable.kit.svg import Element, document, element, format_number, path

HOSTILE = '</text><script>alert("1")</script>&amp; \' \x00\x1b[31m\ud800'


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(svg).failed == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), (-3, "-3"), (3.0, "3"), (2.5, "2.5"), (1 / 3, "0.33"), (-0.0001, "0"), (100.0, "100"), (120, "120")],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert format_number(value) == text


def test_path_data_spends_no_needless_space() -> None:
    assert path("M", 0, -5.5, 10, "h", 3.25, "z") == "M0-5.5 10h3.25z"
    assert path() == ""


def test_attributes_are_named_as_in_svg() -> None:
    made = element("g", class_="rt-a", data_handle="c10", aria_hidden=True, focusable=False, x=1.5, y=2, viewBox="0")
    assert made == '<g class="rt-a" data-handle="c10" aria-hidden="true" focusable="false" x="1.5" y="2" viewBox="0"/>'


def test_none_leaves_an_attribute_out() -> None:
    assert element("g", class_=None) == "<g/>"


def test_elements_nest_as_they_are_and_text_is_escaped() -> None:
    assert element("g", "a<b", element("b"), "&") == "<g>a&lt;b<b/>&amp;</g>"


def test_hostile_text_stays_text() -> None:
    made = fromstring(element("g", element("text", HOSTILE, aria_label=HOSTILE)))  # noqa: S314 - our own markup
    text = made[0]
    assert len(made) == 1
    assert len(text) == 0
    expected = '</text><script>alert("1")</script>&amp; \' \ufffd\ufffd[31m\ufffd'
    assert (text.text, text.get("aria-label")) == (expected, expected)


def test_a_document_has_title_description_and_style() -> None:
    made = document(20, 10.5, element("g"), title="A & B", description=HOSTILE, style=".a>b{}", class_="rt-x")
    assert isinstance(made, Element)
    root = fromstring(made)  # noqa: S314 - our own markup
    names = [child.tag.removeprefix("{http://www.w3.org/2000/svg}") for child in root]
    assert names == ["title", "desc", "style", "g"]
    assert [root[0].text, root[2].text] == ["A & B", ".a>b{}"]
    assert (root.get("viewBox"), root.get("width"), root.get("class")) == ("0 0 20 10.5", "100%", "rt-x")
