"""Render pictures as PNG and GIF files, alone or with a caption.

The fonts come with the program, so that an image looks the same on every server.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, NamedTuple
from xml.etree import ElementTree as ET

import resvg_py
from PIL import Image, ImageFont

from realmtable.server.images.plain_svg import SANS, SVG_NAMESPACE, make_plain

FONTS: Final = Path(__file__).parent / "fonts"
BRAND: Final = "Realmtable"
MARGIN: Final = 40
MAX_NAMES: Final = 6
MAX_NAME_LENGTH: Final = 60  # names in uploaded records can be of any length, and drawing them takes as long
TWO_PLAYERS: Final = 2
FEW_NAMES: Final = 3  # more of them leave less space for the rest
MEASURED_SIZE: Final = 100  # the font size at which text is measured
LAST_DRAWABLE: Final = "\u052f"  # the fonts have the Latin, Greek and Cyrillic letters up to here
FIRST_FRAME_MS, LAST_FRAME_MS = 1_200, 3_000
SLOWEST_FRAME_MS, QUICKEST_FRAME_MS, TOTAL_MS = 900, 250, 40_000  # of the frames between, and roughly of all of them
COLOURS: Final = 255  # of a GIF; one more marks the pixels that stay as they are

Shape = Literal["wide", "square"]
Theme = Literal["light", "dark"]
SIZES: Final[dict[Shape, tuple[int, int]]] = {"wide": (1200, 630), "square": (1080, 1080)}
# Paper, ink and soft ink, as in palette.css.
COLOURS_OF: Final[dict[Theme, tuple[str, str, str]]] = {
    "light": ("#eef0f2", "#1b222c", "#535e6b"),
    "dark": ("#14181e", "#e9edf2", "#a9b3bf"),
}


class Caption(NamedTuple):
    """The words next to a picture: the game, the players by seat, and what happens."""

    title: str
    players: tuple[tuple[str, str], ...] = ()  # pairs of a seat's and a player's name
    line: str = ""


def render_picture(picture: str, theme: Theme, width: int) -> bytes:
    """Render a picture without a caption as PNG, `width` pixels wide."""
    return _rasterise(make_plain(picture, theme), width)


def render_captioned(picture: str, caption: Caption, shape: Shape, theme: Theme, width: int | None = None) -> bytes:
    """Render a picture with a caption as PNG in one of `SIZES`, or scaled to a `width`."""
    compose = _compose_wide if shape == "wide" else _compose_square
    return _rasterise(compose(make_plain(picture, theme), caption, theme), width or SIZES[shape][0])


def _rasterise(document: ET.Element, width: int) -> bytes:
    return resvg_py.svg_to_bytes(
        svg_string=ET.tostring(document, encoding="unicode"),
        width=width,
        skip_system_fonts=True,
        font_files=_font_files(),
        font_family=SANS,
        serif_family=SANS,
        sans_serif_family=SANS,
    )


@cache
def _font_files() -> list[str]:
    return [str(path) for path in sorted(FONTS.glob("*.otf"))]


# ---- captions


def _compose_wide(picture: ET.Element, caption: Caption, theme: Theme) -> ET.Element:
    """Place the picture on the right and the words on the left, as pages that link here show it."""
    width, height = SIZES["wide"]
    _, ink, soft = COLOURS_OF[theme]
    document = _start_document(width, height, theme)
    left = _place(picture, height - MARGIN, right=width - MARGIN / 2, top=MARGIN / 2)
    document.append(picture)
    room = left - 2.5 * MARGIN
    players = _shown_players(caption)
    is_full = len(players) > FEW_NAMES
    down = 110.0 if is_full else 150.0
    for text in _wrap(caption.title, 76, room, bold=True)[: 1 if is_full else 2]:
        document.append(_text(text, 1.5 * MARGIN, down, 76, ink, room, bold=True))
        down += 80
    for seat, name in players:
        document.append(_text(seat, 1.5 * MARGIN, down, 26, soft))
        document.append(_text(name, 1.5 * MARGIN + 130, down, 32 if is_full else 38, ink, room - 130))
        down += 44 if is_full else 54
    down += 20
    for text in _wrap(caption.line, 32, room)[: 1 if is_full else 2]:
        document.append(_text(text, 1.5 * MARGIN, down, 32, soft, room))
        down += 42
    document.append(_text(BRAND, 1.5 * MARGIN, height - 1.25 * MARGIN, 30, soft, bold=True))
    return document


def _compose_square(picture: ET.Element, caption: Caption, theme: Theme) -> ET.Element:
    """Place the words below the picture."""
    width, height = SIZES["square"]
    _, ink, soft = COLOURS_OF[theme]
    document = _start_document(width, height, theme)
    _place(picture, height - 140, centre=width / 2, top=MARGIN / 2)
    document.append(picture)
    shown = [name for _, name in _shown_players(caption)]
    names = (" – " if len(shown) == TWO_PLAYERS else ", ").join(shown)
    title = f"{caption.title}: {names}" if names else caption.title
    document.append(_text(title, MARGIN, height - 72, 38, ink, width - 2 * MARGIN, bold=True))
    line_room = width - 2 * MARGIN - 200
    document.append(_text(caption.line, MARGIN, height - 28, 28, soft, line_room))
    document.append(_text(BRAND, width - MARGIN, height - 28, 28, soft, anchor="end", bold=True))
    return document


def _start_document(width: int, height: int, theme: Theme) -> ET.Element:
    document = ET.Element(f"{{{SVG_NAMESPACE}}}svg", {"viewBox": f"0 0 {width} {height}"})
    size = {"width": str(width), "height": str(height)}
    document.append(ET.Element(f"{{{SVG_NAMESPACE}}}rect", {**size, "fill": COLOURS_OF[theme][0]}))
    return document


def _place(
    picture: ET.Element, height: float, *, top: float, right: float | None = None, centre: float | None = None
) -> float:
    """Give a picture its place and height inside another document; return its left edge."""
    _, _, wide, high = map(float, picture.attrib["viewBox"].split())
    width = height * wide / high
    left = right - width if right is not None else (centre or 0) - width / 2
    picture.attrib.update({"x": f"{left:g}", "y": f"{top:g}", "width": f"{width:g}", "height": f"{height:g}"})
    return left


def _shown_players(caption: Caption) -> list[tuple[str, str]]:
    """Return the first players; a name that the fonts cannot write is replaced by that of the seat."""
    return [(seat, _drawable_name(name) or seat) for seat, name in caption.players[:MAX_NAMES]]


def _drawable_name(name: str) -> str:
    """Return the beginning of a name without control characters, which XML forbids; empty if it cannot be drawn."""
    shown = "".join([letter for letter in name[:MAX_NAME_LENGTH] if letter.isprintable()]).strip()
    return shown if max(shown, default="") <= LAST_DRAWABLE else ""


def _text(  # noqa: PLR0913 - a text has a place and a look
    words: str,
    across: float,
    down: float,
    size: float,
    colour: str,
    room: float = 0,
    *,
    anchor: str = "start",
    bold: bool = False,
) -> ET.Element:
    """Return a line of text, smaller if it would need more than `room`."""
    width = _measure(words, bold=bold) * size
    if room and width > room:
        size *= room / width
    look = {"font-family": SANS, "font-size": f"{size:g}", "fill": colour, "text-anchor": anchor}
    element = ET.Element(f"{{{SVG_NAMESPACE}}}text", {"x": f"{across:g}", "y": f"{down:g}", **look})
    if bold:
        element.set("font-weight", "700")
    element.text = words
    return element


def _wrap(words: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """Break a text into lines that need at most `room`, if its words are short enough."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _measure(longer, bold=bold) * size <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


@lru_cache(maxsize=1_000)
def _measure(words: str, *, bold: bool) -> float:
    """Return the width of a text at font size 1."""
    return _measuring_font(bold=bold).getlength(words) / MEASURED_SIZE


@cache
def _measuring_font(*, bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / f"RealmtableSans-{'Bold' if bold else 'Regular'}.otf", MEASURED_SIZE)


# ---- animations


def join_frames(frames: Sequence[bytes]) -> bytes:
    """Join PNG files of the same size into an animated GIF that repeats."""
    images = [Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]
    palette = _common_palette(images)
    paletted = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    file = io.BytesIO()
    paletted[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=paletted[1:],
        duration=frame_durations_ms(len(frames)),
        loop=0,
        optimize=False,
        disposal=1,
    )
    return file.getvalue()


def _common_palette(images: Sequence[Image.Image]) -> Image.Image:
    """Return an image with the colours of the first, middle and last frame, which have all that matter."""
    width, height = images[0].size
    samples = [images[0], images[len(images) // 2], images[-1]]
    sheet = Image.new("RGB", (width, height * len(samples)))
    for number, sample in enumerate(samples):
        sheet.paste(sample, (0, number * height))
    return sheet.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def frame_durations_ms(count: int) -> list[int]:
    """Return how long each frame is shown: long games go faster, and the end stays longest.

    >>> frame_durations_ms(3), frame_durations_ms(60)[1]
    ([1200, 900, 3000], 666)
    """
    usual = max(QUICKEST_FRAME_MS, min(SLOWEST_FRAME_MS, TOTAL_MS // max(1, count)))
    return [FIRST_FRAME_MS, *[usual] * (count - 2), LAST_FRAME_MS][-count:] if count > 1 else [LAST_FRAME_MS]
