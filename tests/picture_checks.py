"""Checks of the pictures and sketches of every board game, and ways to find their parts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, fromstring

from realmtable.kit.terminal_picture import STYLE_WORDS, Span, width

SVG = "{http://www.w3.org/2000/svg}"


def parse_svg(text: str) -> Element:
    return fromstring(text)  # noqa: S314 - our own picture


def with_class(root: Element, name: str) -> list[Element]:
    return [found for found in root.iter() if name in (found.get("class") or "").split()]


def spaces_in(root: Element) -> dict[str, Element]:
    """Every part of a picture that can be clicked, by its handle."""
    return {handle: found for found in root.iter() if (handle := found.get("data-handle"))}


def find_space(root: Element, handle: str) -> Element:
    (found,) = (each for each in root.iter() if each.get("data-handle") == handle)
    return found


def check_document(picture: str, most_bytes: int) -> Element:
    """Check that a picture is one well-formed document below a size, and return its root."""
    root = parse_svg(picture)
    assert root.tag == SVG + "svg"
    assert root.get("viewBox")
    assert len(picture.encode()) < most_bytes
    return root


def check_nothing_is_loaded(picture: str, prefixes: tuple[str, ...] = ("rt-",)) -> None:
    """Check that a picture loads and runs nothing, and that all its classes and ids have our prefixes.

    It may refer to shapes that it defines itself.
    """
    nodes = [*parse_svg(picture).iter()]
    ids = {found.get("id", "") for found in nodes} - {""}
    references = re.compile(rf'\shref="#({"|".join(map(re.escape, sorted(ids)))})"')
    text = picture.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|url\(|@import|<script|\son\w+=|href", references.sub("", text) if ids else text)
    names = {name for found in nodes for name in (found.get("class") or "").split()}
    assert all(name.startswith(prefixes) for name in names | ids)


def check_sketch_fits(lines: Sequence[list[Span]]) -> None:
    """Check that a sketch fits a terminal, with lines of equal width and known styles."""
    assert len({width(line) for line in lines}) == 1
    assert width(lines[0]) <= 80
    assert len(lines) <= 23
    assert {word for line in lines for span in line for word in span.style.split()} <= STYLE_WORDS.keys()


def contrast(first: str, second: str) -> float:
    """The contrast of two colours such as ``#a3302c``, as WCAG defines it."""
    dark, light = sorted(map(_luminance, (first, second)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
