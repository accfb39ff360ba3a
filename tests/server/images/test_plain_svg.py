"""Pictures look the same without style sheets."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from realmtable.engine import registry
from realmtable.engine.pictures import draw_whole
from realmtable.server.images.plain_svg import SANS, make_plain

STYLE = """
.b{--ink:#111;--card:#eee}
@media(prefers-color-scheme:dark){.b{--ink:#eee}}
@media(hover:hover){.b .a{fill:red}}
.b .a{fill:var(--ink)}
.b .a.strong{fill:var(--none,var(--card));cursor:pointer}
.b g>.hidden{display:none}
.b .one~.two{stroke-width:3}
.b .seat{--ink:#222;font-family:'Nice Font',sans-serif}
.b .serif{font-family:Georgia,serif}
.b:focus-visible .a{fill:blue}
.b .halo{paint-order:stroke;stroke:#fff}
.b :is(.one,.two){opacity:.5}
"""


def plain(content: str, theme: str = "light") -> ET.Element:
    return make_plain(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" class="b">'
        f"<style>{STYLE.replace('>', '&gt;')}</style><title>Not drawn</title>{content}</svg>",
        theme,
    )


def test_variables_are_inherited_and_replaced() -> None:
    root = plain('<path class="a"/><g class="seat"><path class="a" data-handle="x"/></g>')
    assert root[0].attrib == {"fill": "#111"}
    assert root[1].attrib == {"font-family": SANS}
    assert root[1][0].attrib == {"fill": "#222"}


def test_the_theme_decides() -> None:
    assert plain('<path class="a"/>', "dark")[0].attrib == {"fill": "#eee"}


def test_a_missing_variable_has_a_fallback() -> None:
    assert plain('<path class="a strong"/>')[0].attrib == {"fill": "#eee"}


def test_hidden_elements_and_words_for_screen_readers_are_left_out() -> None:
    root = plain('<g><path class="hidden"/><path class="serif" aria-label="x" role="img" tabindex="0"/></g>')
    assert len(root) == 1
    assert [child.attrib for child in root[0]] == [{"font-family": SANS}]


def test_a_line_around_letters_stays_behind_them() -> None:
    assert plain('<text class="halo">x</text>')[0].attrib == {"paint-order": "stroke", "stroke": "#fff"}


def test_selectors_that_look_at_siblings_and_lists() -> None:
    root = plain('<path class="two"/><path class="one"/><path class="two"/>')
    assert [child.attrib for child in root] == [
        {"opacity": ".5"},
        {"opacity": ".5"},
        {"stroke-width": "3", "opacity": ".5"},
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game_id", [info.id for info in registry.infos()])
def test_no_picture_of_a_game_needs_a_style_sheet(game_id: str, theme: str) -> None:
    game = registry.game(game_id)
    picture = draw_whole(game, game.view(game.initial(game.info.seats[0]), None))
    text = ET.tostring(make_plain(picture, theme), encoding="unicode")
    assert not re.search(r"var\(|<style|class=|--rt-", text)
    assert set(re.findall(r'font-family="([^"]*)"', text)) <= {SANS}
