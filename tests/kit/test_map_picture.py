"""Pictures of maps: boxes with any corner, and documents that show one."""

from __future__ import annotations

import re
from xml.etree.ElementTree import fromstring

import pytest

from realmtable.kit import picture_style
from realmtable.kit.map_picture import Box, MapStyle
from realmtable.kit.picture_style import THEMES
from realmtable.kit.svg import Element, element

STYLE = MapStyle("some_game", element("style", ".a>b{}"))
BOX = Box(-10.4, 20, 100.6, 50)


def test_a_box_is_written_as_a_view_box() -> None:
    assert BOX.text() == "-10 20 101 50"


@pytest.mark.parametrize(
    ("size", "wider"),
    [
        ((8, 6), Box(0, 0, 10, 10)),
        ((10, 10), Box(0, 0, 10, 10)),
        ((30, 6), Box(-10, 0, 30, 10)),
        ((8, 11), Box(0, -0.5, 10, 11)),
        ((30, 20), Box(-10, -5, 30, 20)),
    ],
)
def test_a_box_is_widened_around_its_middle_and_never_narrowed(size: tuple[float, float], wider: Box) -> None:
    assert Box(0, 0, 10, 10).widen(*size) == wider


def test_the_surroundings_of_a_box_reach_far_beyond_it_on_all_sides() -> None:
    assert Box(0, 0, 100, 10).surroundings() == Box(-1100, -1010, 2300, 2030)


@pytest.mark.parametrize("theme", THEMES)
def test_a_document_shows_the_box_in_the_style_of_the_game(theme: str) -> None:
    children = {"ground": element("g"), "road": element("path")}
    made = STYLE.make_document(BOX, theme, children, {"role": "group", "data_focus": None})
    assert isinstance(made, Element)
    assert list(made.parts) == ["svg", "style", "ground", "road", "/svg"]
    root = fromstring(made)  # noqa: S314 - our own markup
    assert [child.tag for child in root] == [f"{{http://www.w3.org/2000/svg}}{name}" for name in ("style", "g", "path")]
    assert root[0].text == ".a>b{}"
    assert root.attrib == {
        "viewBox": "-10 20 101 50",
        "width": "100%",
        "class": f"rt-board rt-some_game rt-{theme}",
        "role": "group",
    }


def test_unknown_themes_are_refused() -> None:
    with pytest.raises(ValueError, match="Unknown theme 'pink': choose one of auto, light, dark"):
        STYLE.make_document(BOX, "pink", {}, {})


def test_no_common_rule_applies_to_a_layer_because_of_its_theme() -> None:
    """A layer inside another document has the class of its theme below a board."""
    common = picture_style.style("some_game", {}, "", "")
    assert not re.search(rf"\s\.rt-({'|'.join(THEMES)})(?![\w-])", common)
