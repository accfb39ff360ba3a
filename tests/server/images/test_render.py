"""Images of the right size, with words that fit."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

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
