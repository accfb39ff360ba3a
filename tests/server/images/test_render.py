"""Images of the right size, with words that fit."""

from __future__ import annotations

import io
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from realmtable.engine import registry
from realmtable.engine.pictures import draw_whole
from realmtable.server.images.plain_svg import SANS, make_plain
from realmtable.server.images.render import (
    FONTS,
    MAX_NAME_LENGTH,
    MAX_NAMES,
    SIZES,
    Caption,
    Shape,
    _shown_players,
    _wrap,
    frame_durations_ms,
    join_frames,
    render_captioned,
    render_picture,
)

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 50"><rect width="40" height="50" fill="{}"/></svg>'
LONG = "A name that is much too long for the space next to a picture"


def read_image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


@pytest.mark.parametrize("shape", ["wide", "square"])
@pytest.mark.parametrize("players", [0, 2, 9])
def test_words_stay_next_to_the_picture(shape: Shape, players: int) -> None:
    """The space to the right of the words has the colour of the picture or of the paper."""
    caption = Caption(LONG, tuple((f"Seat {seat}", LONG) for seat in range(players)), LONG)
    image = read_image(render_captioned(PICTURE.format("#00ff00"), caption, shape, "light"))
    assert image.size == SIZES[shape]
    width, height = image.size
    box = (width - 15, 0, width, height) if shape == "wide" else (width - 35, 0, width, height)
    colours = image.crop(box).getcolors()
    assert colours is not None
    assert len(colours) == 1, "nothing sticks out on the right"


def test_a_picture_alone_keeps_its_shape() -> None:
    assert read_image(render_picture(PICTURE.format("#00ff00"), "dark", 400)).size == (400, 500)


def test_names_that_the_fonts_cannot_write_are_replaced() -> None:
    caption = Caption("", (("White", "Ада"), ("Black", "小明"), *[("Red", "Bob")] * 9))
    shown = _shown_players(caption)
    assert shown[:2] == [("White", "Ада"), ("Black", "Black")]
    assert len(shown) == MAX_NAMES


def test_names_of_uploaded_records_cannot_break_an_image_or_take_long_to_draw() -> None:
    caption = Caption("", (("White", "A\x01d\x0ba"), ("Black", "Bob " * 100_000), ("Red", "\x1b")))
    assert _shown_players(caption) == [
        ("White", "Ada"),
        ("Black", ("Bob " * 100)[:MAX_NAME_LENGTH].strip()),
        ("Red", "Red"),
    ]
    assert read_image(render_captioned(PICTURE.format("#00ff00"), caption, "wide", "light")).size == SIZES["wide"]


def test_lines_are_broken_between_words() -> None:
    assert _wrap("one two", 10, 1) == ["one", "two"]
    assert _wrap("one two", 10, 1000) == ["one two"]
    assert _wrap("", 10, 1000) == []


def test_an_animation_shows_its_frames() -> None:
    colours = ["#ff0000", "#00ff00", "#0000ff"]
    frames = [render_picture(PICTURE.format(colour), "light", 40) for colour in colours]
    animation: Any = Image.open(io.BytesIO(join_frames(frames)))
    shown = []
    for number in range(animation.n_frames):
        animation.seek(number)
        shown.append(animation.convert("RGB").getpixel((20, 20)))
    assert shown == [(255, 0, 0), (0, 255, 0), (0, 0, 255)]


def test_long_animations_go_faster() -> None:
    assert frame_durations_ms(1) == [3000]
    assert len(frame_durations_ms(60)) == 60
    assert sum(frame_durations_ms(60)) < 60_000


def test_the_fonts_have_their_licence() -> None:
    assert "SIL OPEN FONT LICENSE" in (FONTS / "LICENSE").read_text(encoding="utf-8")
    assert len([*FONTS.glob("*.otf")]) == 3


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
