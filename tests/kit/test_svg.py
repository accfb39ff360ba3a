"""The SVG helper: compact, well formed, and safe against markup in texts."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

from realmtable.kit.svg import (
    Element,
    PartedElement,
    document,
    element,
    format_number,
    name_parts,
    parted_element,
    parted_group,
    path,
)

HOSTILE = '</text><script>alert("1")</script>&amp; \' \x00\x1b[31m\ud800'


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
    made = document(20, 10.5, {"g": element("g")}, title="A & B", description=HOSTILE, style=".a>b{}", class_="rt-x")
    assert isinstance(made, Element)
    assert list(made.parts) == ["svg", "title", "desc", "style", "g", "/svg"]
    root = fromstring(made)  # noqa: S314 - our own markup
    names = [child.tag.removeprefix("{http://www.w3.org/2000/svg}") for child in root]
    assert names == ["title", "desc", "style", "g"]
    assert [root[0].text, root[2].text] == ["A & B", ".a>b{}"]
    assert (root.get("viewBox"), root.get("width"), root.get("class")) == ("0 0 20 10.5", "100%", "rt-x")


def test_the_parts_of_an_element_are_those_of_its_children_and_joined_its_markup() -> None:
    row = parted_element("g", "row", {"a1": element("rect"), "b1": element("path", "a<b")}, {"class_": "rt-row"})
    made = parted_element("g", "grid", {"row": row, "edge": element("g", element("path"))}, {})
    assert isinstance(made, PartedElement)
    assert list(made.parts) == ["grid", "row", "a1", "b1", "/row", "edge", "/grid"]
    assert made == "".join(made.parts.values()) == element("g", row, element("g", element("path")))
    assert made.parts["row"] == '<g class="rt-row">'


def test_parts_are_named_by_their_first_handle_or_their_place_and_none_is_lost() -> None:
    king, queen = (element("g", element("path"), data_handle=name) for name in ("King", "Queen & Co"))
    parts = [element("path"), king, element("g", queen, king), element("path"), king]
    named = name_parts(parts, "hand")
    assert list(named) == ["hand 0", "hand King", "hand Queen &amp; Co", "hand 3", "hand 4"]
    assert list(named.values()) == parts
    assert list(parted_group("hand", parts, {}).parts) == ["hand", *named, "/hand"]


@pytest.mark.parametrize("name", ["row", "/row"])
def test_two_parts_never_have_one_name(name: str) -> None:
    with pytest.raises(ValueError, match="same name"):
        parted_element("g", "row", {name: element("rect")}, {})
