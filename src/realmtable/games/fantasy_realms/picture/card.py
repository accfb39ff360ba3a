"""One card as a picture, from plain data: what is printed on it and, where known, what it gives in a hand.

A card is drawn in full (`card`), as a chip with name, emblem and strength (`chip`) or as a line of text (`tag`). What
cannot be seen is always in the label and the title.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from realmtable.games.fantasy_realms.cards import BY_NAME, WILD, Card
from realmtable.games.fantasy_realms.picture.card_status import (
    NO_MARK,
    STRUCK,
    Mark,
    Standing,
    blanked_words,
    label,
    penalty_of,
    signed,
    strength_of,
)
from realmtable.games.fantasy_realms.picture.emblems import emblem
from realmtable.games.fantasy_realms.picture.style import NAME, STYLE, moved, ring, rounded, suit_class, text
from realmtable.games.fantasy_realms.picture.text_metrics import SANS_BOLD, SERIF_BOLD, cut, largest, lines, width
from realmtable.kit.realm_style import THEMES
from realmtable.kit.svg import Element, document, element, path

WIDE: Final = 188  # a card in full
HIGH: Final = 244
CHIP_WIDE: Final = 160
CHIP_HIGH: Final = 46

_HEAD: Final = 50
_BODY: Final = 79  # where the text of the card begins
_FOOT: Final = 34
_ROOM: Final = WIDE - 17 - 6
_TEXT_SIZES: Final = (20, 19, 18, 17, 16, 15, 14)
_LEADING: Final = 1.16
_BETWEEN: Final = 9  # the texts of a card


class Place(NamedTuple):
    """Where a card lies: its upper left corner, the handle by which it can be pointed at if any, a chip's size."""

    at: tuple[float, float] = (0, 0)
    handle: str | None = None
    size: tuple[float, float] = (CHIP_WIDE, CHIP_HIGH)


CORNER: Final = Place()


# The card in full


def card(name: str, standing: Standing | None = None, mark: Mark = NO_MARK, place: Place = CORNER) -> Element:
    """A card in full, `WIDE` by `HIGH`; with a handle it can be pointed at."""
    words = label(name, standing, mark)
    parts = (
        element("title", words),
        element("rect", class_="fr-face", width=WIDE, height=HIGH, rx=10),
        element("g", *_art(name, standing, mark), class_=_suit_class(name, standing)),
        ring(WIDE, HIGH, 10),
    )
    return _pointed(parts, words, place)


def _suit_class(name: str, standing: Standing | None) -> str:
    return suit_class(standing.suit if standing else BY_NAME[name].suit)


def _pointed(parts: tuple[Element, ...], words: str, place: Place) -> Element:
    """The parts in their place. Classes that a page changes are those of this group alone."""
    role = {"role": "img"} if place.handle is None else {"role": "button", "tabindex": -1, "data_handle": place.handle}
    return element("g", *parts, class_="fr-card", transform=moved(*place.at), **role, aria_label=words)


@lru_cache(maxsize=1024)
def _art(name: str, standing: Standing | None, mark: Mark) -> tuple[Element, ...]:
    printed = BY_NAME[name]
    suit = standing.suit if standing else printed.suit
    parts = [
        emblem(suit, WIDE - 56, HIGH - 62, 100, "fr-mark"),
        *_head(printed, standing),
        *_suit_line(printed, suit, mark, standing),
        *_body(printed, standing),
    ]
    if standing and standing.blanked:
        parts = [element("g", *parts, class_="fr-off"), element("path", class_="fr-cross", d=_CROSS)]
    return (*parts, *_foot(standing, mark))


_CROSS: Final = path("M", 12, 62, "L", WIDE - 12, HIGH - 36, "M", WIDE - 12, 62, "L", 12, HIGH - 36)


def _head(printed: Card, standing: Standing | None) -> list[Element]:
    band = path("M", 10, 0.7, "h", WIDE - 20, "a", 9.3, 9.3, 0, 0, 1, 9.3, 9.3, "V", _HEAD, "H", 0.7, "V", 10)
    block = path("M", _HEAD, 0.7, "V", _HEAD, "H", 0.7, "V", 10, "a", 9.3, 9.3, 0, 0, 1, 9.3, -9.3, "z")
    return [
        element("path", class_="fr-head", d=band + "a9.3 9.3 0 0 1 9.3-9.3z"),
        element("path", class_="fr-tone", d=block),
        text(str(strength_of(printed.name, standing)), 25, 36, 30, "fr-bold fr-mid fr-on"),
        *_name(printed, standing),
    ]


def _name(printed: Card, standing: Standing | None) -> list[Element]:
    left, room = _HEAD + 8, WIDE - _HEAD - 14
    copied = standing is not None and standing.name != printed.name
    size, broken = largest(printed.name, (20, 19, 18, 17, 16, 15, 14), room, 1 if copied else 2, SERIF_BOLD)
    if standing is not None and copied:
        line = largest(f"as {standing.name}", (17, 16, 15, 14, 13, 12), room, 1)
        return [
            text(printed.name, left, 21, size, "fr-bold"),
            text(f"as {standing.name}", left, 41, line[0], "fr-sans fr-italic"),
        ]
    top = 25 + size * 0.34 - (len(broken) - 1) * size * 0.54
    return [text(line, left, top + row * size * 1.08, size, "fr-bold") for row, line in enumerate(broken)]


def _suit_line(printed: Card, suit: str, mark: Mark, standing: Standing | None) -> list[Element]:
    parts = [emblem(suit, 20, 65, 20), text(suit, 36, 70, 16, "fr-sans fr-bold fr-tone")]
    if mark.words and standing:
        parts.append(text(mark.words, WIDE - 9, 70, 14, "fr-sans fr-far fr-bold fr-soft"))
    elif printed.suit not in (suit, WILD):
        after = 36 + width(suit, 16, SANS_BOLD) + 5
        parts.append(text(f"was {printed.suit}", after, 70, 14, "fr-sans fr-italic fr-soft"))
    if mark.new:
        corner = ("M", WIDE - 26, 0.7, "h", 16, "a", 9.3, 9.3, 0, 0, 1, 9.3, 9.3, "v", 16, "z")
        parts.append(element("path", class_="fr-new", d=path(*corner)))
    return parts


def _body(printed: Card, standing: Standing | None) -> list[Element]:
    """The texts of the card, a bar beside each: full where the text has an effect, hollow where it has none."""
    texts = _texts(printed, standing)
    room = HIGH - _BODY - (_FOOT if standing else 26)
    size, blocks = _set([words for words, _ in texts], room)
    parts, top = [], float(_BODY)
    for (_, kind), broken in zip(texts, blocks, strict=True):
        parts += _block(broken, size, top, kind, standing)
        top += len(broken) * size * _LEADING + _BETWEEN
    return parts


def _texts(printed: Card, standing: Standing | None) -> list[tuple[str, str]]:
    """Bonus and penalty, as far as there are any; one that has taken on a penalty needs its own text no more."""
    penalty = penalty_of(printed.name, standing)
    bonus = printed.bonus_text if penalty == printed.penalty_text else ""
    return [(words, kind) for words, kind in ((bonus, "good"), (penalty, "bad")) if words]


def _set(texts: list[str], room: float) -> tuple[int, list[tuple[str, ...]]]:
    """The largest size in which the texts fit below each other, and their lines."""
    sizes = [size for size in _TEXT_SIZES if _height(texts, size) <= room]
    size = sizes[0] if sizes else _TEXT_SIZES[-1]
    return size, [lines(words, size, _ROOM) for words in texts]


def _height(texts: list[str], size: int) -> float:
    rows = sum(len(lines(words, size, _ROOM)) for words in texts)
    return rows * size * _LEADING + _BETWEEN * (len(texts) - 1)


def _block(broken: tuple[str, ...], size: int, top: float, kind: str, standing: Standing | None) -> list[Element]:
    acts = standing is not None and (standing.helps if kind == "good" else standing.harms)
    cleared = kind == "bad" and standing is not None and standing.cleared
    struck = kind == "bad" and standing is not None and standing.struck
    words = "fr-sans" + (" fr-struck" if cleared else " fr-soft" if standing and not acts else "")
    high = len(broken) * size * _LEADING
    bar = f"fr-bar fr-{kind}" + " fr-idle" * (not acts)
    rows = [element("rect", class_=bar, x=8, y=top + 2, width=4, height=high - 3, rx=2)]
    for row, line in enumerate(broken):
        down = top + size * (0.9 + row * _LEADING)
        parts = _with_struck(line) if struck else [line]
        rows.append(element("text", *parts, class_=f"fr-t{size} {words}", x=17, y=down))
    return rows


def _with_struck(line: str) -> list[str]:
    """The line with the word Army struck out wherever it is, in the singular or the plural."""
    parts = re.split(f"({STRUCK}|Armies)", line)
    return [
        element("tspan", part, class_="fr-struck") if place % 2 else part for place, part in enumerate(parts) if part
    ]


def _foot(standing: Standing | None, mark: Mark) -> list[Element]:
    """What the card gives: bonus and penalty, and all its points in a frame at the right."""
    if standing is None:
        return [text(mark.words, 9, HIGH - 11, 14, "fr-sans fr-italic fr-soft")] if mark.words else []
    if standing.blanked:
        words = blanked_words(standing)
        size, _ = largest(words, (15, 14, 13), WIDE - 18, 1, SANS_BOLD)
        shown = cut(words, size, WIDE - 18, font=SANS_BOLD)[0]
        return [text(shown, 9, HIGH - 12, size, "fr-sans fr-bold fr-bad")]
    total = signed(standing.points, plus="")
    wide = max(36, width(total, 18, SERIF_BOLD) + 14)
    parts = [
        element("path", class_="fr-sum", d=rounded(wide, 24, 6, WIDE - 7 - wide, HIGH - 30)),
        text(total, WIDE - 7 - wide / 2, HIGH - 11.5, 18, "fr-bold fr-mid"),
    ]
    return parts + _gains(standing, WIDE - 7 - wide - 6)


def _gains(standing: Standing, right: float) -> list[Element]:
    parts, left = [], 8.0
    for points, kind in ((standing.bonus, "good"), (standing.penalty, "bad")):
        if points:
            wide = width(signed(points), 15, SANS_BOLD) + 14
            parts.append(element("path", class_=f"fr-{kind}", d=rounded(wide, 24, 12, left, HIGH - 30)))
            parts.append(text(signed(points), left + wide / 2, HIGH - 12.5, 15, "fr-sans fr-bold fr-mid fr-on"))
            left += wide + 5
    note = "cleared" if standing.cleared else "Army struck" if standing.struck else ""
    if note and right - left > width(note, 14):
        parts.append(text(note, left + 2, HIGH - 13, 14, "fr-sans fr-italic fr-soft"))
    return parts


# Smaller forms

_TALL: Final = 60  # a chip as high as this has its name at the top and a note of several lines under it
_BLOCK: Final = 36
_TAG_HIGH: Final = 22
_TAG_WITH_STRENGTH: Final = 140


def chip(
    name: str,
    standing: Standing | None = None,
    mark: Mark = NO_MARK,
    place: Place = CORNER,
    note: str = "",
    badge: str = "",
) -> Element:
    """A card as a chip: strength, emblem and name, a note under it if any, its points or a badge with others."""
    told = (label(name, standing, mark), note and f"{note}.", badge and f"{badge} for you.")
    words = " ".join(part for part in told if part)
    wide, high = place.size
    parts = (
        element("title", words),
        element("rect", class_="fr-face", width=wide, height=high, rx=7),
        element("g", *_chip_art(name, standing, place.size, note, badge), class_=_suit_class(name, standing)),
        *([element("path", class_="fr-last", d=rounded(wide - 4, high - 4, 5.5, 2, 2))] if mark.new else []),
        ring(wide, high, 7),
    )
    return _pointed(parts, words, place)


@lru_cache(maxsize=1024)
def _chip_art(
    name: str, standing: Standing | None, size: tuple[float, float], note: str, badge: str
) -> tuple[Element, ...]:
    wide, high = size
    if standing is None:
        printed, room = BY_NAME[name], width(badge, 15, SANS_BOLD) + 10 if badge else 0
        block = _chip_block(printed.suit, printed.strength, high)
        return (*block, *_chip_text(name, note, wide - 6 - room, size), *_badge(badge, room, size))
    total = signed(standing.points, plus="")
    right = wide - 6 - width(total, 19, SERIF_BOLD) - 5
    if standing.name != name:
        note = note or f"as {standing.name}"
    body = [*_chip_block(standing.suit, strength_of(name, standing), high), *_chip_text(name, note, right, size)]
    if standing.blanked:
        middle, rise = (24, 15) if high >= _TALL else (high / 2, high / 2 - 6)
        cross = path("M", _BLOCK + 5, middle + rise, "L", right, middle - rise)
        body = [element("g", *body, class_="fr-off"), element("path", class_="fr-cross", d=cross)]
    down = 26 if high >= _TALL else high / 2 + 6
    points = text(total, wide - 6, down, 19, "fr-bold fr-far" + " fr-bad" * standing.blanked)
    return (*body, points, *([_cleared(high)] if standing.cleared and not standing.blanked else []))


def _badge(points: str, room: float, size: tuple[float, float]) -> list[Element]:
    """Points that something would bring, at the right of a chip."""
    if not points:
        return []
    left, middle = size[0] - 4 - room, size[1] / 2
    return [
        element(
            "path", class_="fr-good" if points.startswith("+") else "fr-bad", d=rounded(room, 22, 11, left, middle - 11)
        ),
        text(points, left + room / 2, middle + 5, 15, "fr-sans fr-bold fr-mid fr-on"),
    ]


def _cleared(high: float) -> Element:
    """A tick for a penalty that is gone: in the block under the emblem, or in the corner of a low chip."""
    across, down = (_BLOCK / 2, high - 15) if high >= _TALL else (_BLOCK - 8, 9)
    tick = path("M", across - 5, down, "l", 4, 4, "l", 6, -9)
    return element("path", class_="fr-clear", d=tick)


def _chip_block(suit: str, strength: int, high: float) -> list[Element]:
    arc = ("a", 6.3, 6.3, 0, 0, 1)
    shape = path("M", _BLOCK, 0.7, "V", high - 0.7, "H", 7, *arc, -6.3, -6.3, "V", 7, *arc, 6.3, -6.3, "z")
    middle = min(high, _TALL - 4) / 2
    return [
        element("path", class_="fr-tone", d=shape),
        text(str(strength), _BLOCK / 2, middle - 3, 19, "fr-bold fr-mid fr-on"),
        emblem(suit, _BLOCK / 2, middle + 11, 18, "fr-emblem fr-on"),
    ]


def _chip_text(name: str, note: str, right: float, size: tuple[float, float]) -> list[Element]:
    """The name up to `right`, and a note under it: a line or two in a low chip, as many as fit in a tall one."""
    wide, high = size
    return _tall_text(name, note, right, (wide - 6, high)) if high >= _TALL else _low_text(name, note, right, high)


_NAME_SIZES: Final = (17, 16, 15, 14, 13, 12)
_BESIDE: Final = _BLOCK + 6  # where the name of a chip begins


def _low_text(name: str, note: str, right: float, high: float) -> list[Element]:
    room = right - _BESIDE
    small, under = largest(note, (15, 14, 13, 12), room, 1)
    under = cut(note, small, room, 2) if note else ()
    letters, broken = largest(name, _NAME_SIZES[len(under) :], room, 1 if under else 2, SANS_BOLD)
    more = (len(broken) - 1) * letters * 1.1 + len(under) * small * 1.05
    return _rows(broken, under, (letters, small), high / 2 + letters * 0.35 - more / 2)


def _tall_text(name: str, note: str, right: float, edge: tuple[float, float]) -> list[Element]:
    letters, broken = largest(name, _NAME_SIZES, right - _BESIDE, 2, SANS_BOLD)
    # The points stand beside the name, so that the note has all the width.
    room, high = edge[0] - _BESIDE, edge[1] - 31 - (len(broken) - 1) * letters * 1.1
    fitting = [size for size in (15, 14, 13) if len(lines(note, size, room)) * size * _LEADING <= high]
    small = fitting[0] if fitting else 13
    return _rows(broken, cut(note, small, room, int(high / (small * _LEADING))), (letters, small), 24)


def _rows(broken: tuple[str, ...], under: tuple[str, ...], sizes: tuple[int, int], top: float) -> list[Element]:
    letters, small = sizes
    step, leading = letters * 1.1, small * (_LEADING if len(under) > 1 else 1)
    down = top + (len(broken) - 1) * step + small + 2
    names = [text(line, _BESIDE, top + row * step, letters, "fr-sans fr-bold") for row, line in enumerate(broken)]
    return names + [
        text(line, _BESIDE, down + row * leading, small, "fr-sans fr-soft") for row, line in enumerate(under)
    ]


def tag(name: str, place: Place, room: float) -> Element:
    """A card as a line of text, 22 high: strength where there is room for it, emblem, name."""
    printed = BY_NAME[name]
    strong = room >= _TAG_WITH_STRENGTH
    block = 48 if strong else 24
    size, _ = largest(name, (15, 14, 13, 12), room - block - 6, 1)
    shown = cut(name, size, room - block - 6)[0]
    parts = (
        element("title", label(name)),
        element("rect", class_="fr-face", width=room, height=_TAG_HIGH, rx=5),
        element(
            "g",
            element("path", class_="fr-tone", d=rounded(block, _TAG_HIGH, 5)),
            *([text(str(printed.strength), 14, 16.5, 15, "fr-bold fr-mid fr-on")] if strong else []),
            emblem(printed.suit, block - 12, 11, 17, "fr-emblem fr-on"),
            text(shown, block + 5, 16, size, "fr-sans"),
            class_=suit_class(printed.suit),
        ),
        ring(room, _TAG_HIGH, 5),
    )
    return _pointed(parts, label(name), place)


# A card alone


def card_alone(
    name: str, standing: Standing | None = None, *, compact: bool = False, theme: str = "auto", styled: bool = True
) -> str:
    """A card, or its chip, as an SVG document, as wide as its place; a page with many needs the style only once."""
    if theme not in THEMES:
        raise ValueError(f"Unknown theme {theme!r}: take one of {', '.join(THEMES)}.")
    wide, high = (CHIP_WIDE, CHIP_HIGH) if compact else (WIDE, HIGH)
    place = Place((2, 2))
    return document(
        wide + 4,
        high + 4,
        chip(name, standing, place=place) if compact else card(name, standing, place=place),
        title=name,
        description=label(name, standing),
        style=STYLE if styled else "",
        class_=f"rt-board rt-{NAME} rt-{theme}",
        role="group",
    )
