"""One card as a picture, from plain data: what is printed on it and, where known, what it gives in a hand.

A card is drawn in full (`draw_card`), as a chip with name, emblem and strength (`draw_chip`) or as a line of text
(`draw_tag`). The label and the title always hold what the picture leaves out.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from realmtable.games.fantasy_realms.cards import BY_NAME, WILD, Card
from realmtable.games.fantasy_realms.phrases import format_signed
from realmtable.games.fantasy_realms.picture.card_status import (
    NO_MARK,
    STRUCK_WORD,
    CardMark,
    CardStatus,
    describe_blanking,
    describe_card,
    display_penalty,
    display_strength,
)
from realmtable.games.fantasy_realms.picture.emblems import draw_emblem
from realmtable.games.fantasy_realms.picture.style import (
    STYLE,
    STYLE_NAME,
    round_rectangle,
    selection_ring,
    suit_class,
    text_element,
    translate,
)
from realmtable.games.fantasy_realms.picture.text_metrics import (
    SANS_BOLD,
    SERIF_BOLD,
    fit_text,
    text_width,
    truncate_text,
    wrap_text,
)
from realmtable.kit.realm_style import THEMES
from realmtable.kit.svg import Element, document, element, path

CARD_WIDTH: Final = 188  # a card in full
CARD_HEIGHT: Final = 244
CHIP_WIDTH: Final = 160
CHIP_HEIGHT: Final = 46

_HEAD_HEIGHT: Final = 50
_BODY_TOP: Final = 79  # where the text of the card begins
_FOOT_HEIGHT: Final = 34
_TEXT_WIDTH: Final = CARD_WIDTH - 17 - 6
_TEXT_SIZES: Final = (20, 19, 18, 17, 16, 15, 14)
_LEADING: Final = 1.16
_TEXT_GAP: Final = 9  # the texts of a card


class CardPlacement(NamedTuple):
    """Where a card lies: its upper left corner, the handle by which it can be pointed at if any, a chip's size."""

    at: tuple[float, float] = (0, 0)
    handle: str | None = None
    size: tuple[float, float] = (CHIP_WIDTH, CHIP_HEIGHT)


DEFAULT_PLACEMENT: Final = CardPlacement()


# The card in full


def draw_card(
    name: str, standing: CardStatus | None = None, mark: CardMark = NO_MARK, place: CardPlacement = DEFAULT_PLACEMENT
) -> Element:
    """A card in full, `CARD_WIDTH` by `CARD_HEIGHT`; with a handle it can be pointed at."""
    words = describe_card(name, standing, mark)
    parts = (
        element("title", words),
        element("rect", class_="fr-face", width=CARD_WIDTH, height=CARD_HEIGHT, rx=10),
        element("g", *_art(name, standing, mark), class_=_suit_class(name, standing)),
        selection_ring(CARD_WIDTH, CARD_HEIGHT, 10),
    )
    return _card_group(parts, words, place)


def _suit_class(name: str, standing: CardStatus | None) -> str:
    return suit_class(standing.suit if standing else BY_NAME[name].suit)


def _card_group(parts: tuple[Element, ...], words: str, place: CardPlacement) -> Element:
    """The parts in their place. Classes that a page changes are those of this group alone."""
    role = {"role": "img"} if place.handle is None else {"role": "button", "tabindex": -1, "data_handle": place.handle}
    return element("g", *parts, class_="fr-card", transform=translate(*place.at), **role, aria_label=words)


@lru_cache(maxsize=1024)
def _art(name: str, standing: CardStatus | None, mark: CardMark) -> tuple[Element, ...]:
    printed = BY_NAME[name]
    suit = standing.suit if standing else printed.suit
    parts = [
        draw_emblem(suit, CARD_WIDTH - 56, CARD_HEIGHT - 62, 100, "fr-mark"),
        *_head(printed, standing),
        *_suit_line(printed, suit, mark, standing),
        *_body(printed, standing),
    ]
    if standing and standing.blanked:
        parts = [element("g", *parts, class_="fr-off"), element("path", class_="fr-cross", d=_CROSS)]
    return (*parts, *_foot(standing, mark))


_CROSS: Final = path(
    "M", 12, 62, "L", CARD_WIDTH - 12, CARD_HEIGHT - 36, "M", CARD_WIDTH - 12, 62, "L", 12, CARD_HEIGHT - 36
)


def _head(printed: Card, standing: CardStatus | None) -> list[Element]:
    band = path(
        "M", 10, 0.7, "h", CARD_WIDTH - 20, "a", 9.3, 9.3, 0, 0, 1, 9.3, 9.3, "V", _HEAD_HEIGHT, "H", 0.7, "V", 10
    )
    block = path("M", _HEAD_HEIGHT, 0.7, "V", _HEAD_HEIGHT, "H", 0.7, "V", 10, "a", 9.3, 9.3, 0, 0, 1, 9.3, -9.3, "z")
    return [
        element("path", class_="fr-head", d=band + "a9.3 9.3 0 0 1 9.3-9.3z"),
        element("path", class_="fr-tone", d=block),
        text_element(str(display_strength(printed.name, standing)), 25, 36, 30, "fr-bold fr-mid fr-on"),
        *_name(printed, standing),
    ]


def _name(printed: Card, standing: CardStatus | None) -> list[Element]:
    left, room = _HEAD_HEIGHT + 8, CARD_WIDTH - _HEAD_HEIGHT - 14
    copied = standing is not None and standing.name != printed.name
    size, broken = fit_text(printed.name, (20, 19, 18, 17, 16, 15, 14), room, 1 if copied else 2, SERIF_BOLD)
    if standing is not None and copied:
        line = fit_text(f"as {standing.name}", (17, 16, 15, 14, 13, 12), room, 1)
        return [
            text_element(printed.name, left, 21, size, "fr-bold"),
            text_element(f"as {standing.name}", left, 41, line[0], "fr-sans fr-italic"),
        ]
    top = 25 + size * 0.34 - (len(broken) - 1) * size * 0.54
    return [text_element(line, left, top + row * size * 1.08, size, "fr-bold") for row, line in enumerate(broken)]


def _suit_line(printed: Card, suit: str, mark: CardMark, standing: CardStatus | None) -> list[Element]:
    parts = [draw_emblem(suit, 20, 65, 20), text_element(suit, 36, 70, 16, "fr-sans fr-bold fr-tone")]
    if mark.words and standing:
        parts.append(text_element(mark.words, CARD_WIDTH - 9, 70, 14, "fr-sans fr-far fr-bold fr-soft"))
    elif printed.suit not in (suit, WILD):
        after = 36 + text_width(suit, 16, SANS_BOLD) + 5
        parts.append(text_element(f"was {printed.suit}", after, 70, 14, "fr-sans fr-italic fr-soft"))
    if mark.new:
        corner = ("M", CARD_WIDTH - 26, 0.7, "h", 16, "a", 9.3, 9.3, 0, 0, 1, 9.3, 9.3, "v", 16, "z")
        parts.append(element("path", class_="fr-new", d=path(*corner)))
    return parts


def _body(printed: Card, standing: CardStatus | None) -> list[Element]:
    """The texts of the card, a bar beside each: full where the text has an effect, hollow where it has none."""
    texts = _texts(printed, standing)
    room = CARD_HEIGHT - _BODY_TOP - (_FOOT_HEIGHT if standing else 26)
    size, blocks = _fit_texts([words for words, _ in texts], room)
    parts, top = [], float(_BODY_TOP)
    for (_, kind), broken in zip(texts, blocks, strict=True):
        parts += _text_block(broken, size, top, kind, standing)
        top += len(broken) * size * _LEADING + _TEXT_GAP
    return parts


def _texts(printed: Card, standing: CardStatus | None) -> list[tuple[str, str]]:
    """Bonus and penalty, as far as there are any; one that has taken on a penalty needs its own text no more."""
    penalty = display_penalty(printed.name, standing)
    bonus = printed.bonus_text if penalty == printed.penalty_text else ""
    return [(words, kind) for words, kind in ((bonus, "good"), (penalty, "bad")) if words]


def _fit_texts(texts: list[str], room: float) -> tuple[int, list[tuple[str, ...]]]:
    """The largest size in which the texts fit below each other, and their lines."""
    sizes = [size for size in _TEXT_SIZES if _texts_height(texts, size) <= room]
    size = sizes[0] if sizes else _TEXT_SIZES[-1]
    return size, [wrap_text(words, size, _TEXT_WIDTH) for words in texts]


def _texts_height(texts: list[str], size: int) -> float:
    rows = sum(len(wrap_text(words, size, _TEXT_WIDTH)) for words in texts)
    return rows * size * _LEADING + _TEXT_GAP * (len(texts) - 1)


def _text_block(
    broken: tuple[str, ...], size: int, top: float, kind: str, standing: CardStatus | None
) -> list[Element]:
    acts = standing is not None and (standing.helps if kind == "good" else standing.harms)
    cleared = kind == "bad" and standing is not None and standing.cleared
    struck = kind == "bad" and standing is not None and standing.struck
    words = "fr-sans" + (" fr-struck" if cleared else " fr-soft" if standing and not acts else "")
    high = len(broken) * size * _LEADING
    bar = f"fr-bar fr-{kind}" + " fr-idle" * (not acts)
    rows = [element("rect", class_=bar, x=8, y=top + 2, width=4, height=high - 3, rx=2)]
    for row, line in enumerate(broken):
        down = top + size * (0.9 + row * _LEADING)
        parts = _strike_word(line) if struck else [line]
        rows.append(element("text", *parts, class_=f"fr-t{size} {words}", x=17, y=down))
    return rows


def _strike_word(line: str) -> list[str]:
    """The line with the word Army struck out wherever it is, in the singular or the plural."""
    parts = re.split(f"({STRUCK_WORD}|Armies)", line)
    return [
        element("tspan", part, class_="fr-struck") if place % 2 else part for place, part in enumerate(parts) if part
    ]


def _foot(standing: CardStatus | None, mark: CardMark) -> list[Element]:
    """What the card gives: bonus and penalty, and all its points in a frame at the right."""
    if standing is None:
        return [text_element(mark.words, 9, CARD_HEIGHT - 11, 14, "fr-sans fr-italic fr-soft")] if mark.words else []
    if standing.blanked:
        words = describe_blanking(standing)
        size, _ = fit_text(words, (15, 14, 13), CARD_WIDTH - 18, 1, SANS_BOLD)
        shown = truncate_text(words, size, CARD_WIDTH - 18, font=SANS_BOLD)[0]
        return [text_element(shown, 9, CARD_HEIGHT - 12, size, "fr-sans fr-bold fr-bad")]
    total = format_signed(standing.points, plus="")
    wide = max(36, text_width(total, 18, SERIF_BOLD) + 14)
    parts = [
        element("path", class_="fr-sum", d=round_rectangle(wide, 24, 6, CARD_WIDTH - 7 - wide, CARD_HEIGHT - 30)),
        text_element(total, CARD_WIDTH - 7 - wide / 2, CARD_HEIGHT - 11.5, 18, "fr-bold fr-mid"),
    ]
    return parts + _point_badges(standing, CARD_WIDTH - 7 - wide - 6)


def _point_badges(standing: CardStatus, right: float) -> list[Element]:
    parts, left = [], 8.0
    for points, kind in ((standing.bonus, "good"), (standing.penalty, "bad")):
        if points:
            wide = text_width(format_signed(points), 15, SANS_BOLD) + 14
            parts.append(element("path", class_=f"fr-{kind}", d=round_rectangle(wide, 24, 12, left, CARD_HEIGHT - 30)))
            parts.append(
                text_element(
                    format_signed(points), left + wide / 2, CARD_HEIGHT - 12.5, 15, "fr-sans fr-bold fr-mid fr-on"
                )
            )
            left += wide + 5
    note = "cleared" if standing.cleared else "Army struck" if standing.struck else ""
    if note and right - left > text_width(note, 14):
        parts.append(text_element(note, left + 2, CARD_HEIGHT - 13, 14, "fr-sans fr-italic fr-soft"))
    return parts


# Smaller forms

_TALL_CHIP_HEIGHT: Final = 60  # a chip as high as this has its name at the top and a note of several lines under it
_BLOCK_WIDTH: Final = 36
_TAG_HEIGHT: Final = 22
_STRENGTH_TAG_WIDTH: Final = 140


def draw_chip(
    name: str,
    standing: CardStatus | None = None,
    mark: CardMark = NO_MARK,
    place: CardPlacement = DEFAULT_PLACEMENT,
    note: str = "",
    badge: str = "",
) -> Element:
    """A card as a chip: strength, emblem and name, a note under it if any, its points or a badge with others."""
    told = (describe_card(name, standing, mark), note and f"{note}.", badge and f"{badge} for you.")
    words = " ".join(part for part in told if part)
    wide, high = place.size
    parts = (
        element("title", words),
        element("rect", class_="fr-face", width=wide, height=high, rx=7),
        element("g", *_chip_art(name, standing, place.size, note, badge), class_=_suit_class(name, standing)),
        *([element("path", class_="fr-last", d=round_rectangle(wide - 4, high - 4, 5.5, 2, 2))] if mark.new else []),
        selection_ring(wide, high, 7),
    )
    return _card_group(parts, words, place)


@lru_cache(maxsize=1024)
def _chip_art(
    name: str, standing: CardStatus | None, size: tuple[float, float], note: str, badge: str
) -> tuple[Element, ...]:
    wide, high = size
    if standing is None:
        printed, room = BY_NAME[name], text_width(badge, 15, SANS_BOLD) + 10 if badge else 0
        block = _chip_block(printed.suit, printed.strength, high)
        return (*block, *_chip_text(name, note, wide - 6 - room, size), *_badge(badge, room, size))
    total = format_signed(standing.points, plus="")
    right = wide - 6 - text_width(total, 19, SERIF_BOLD) - 5
    if standing.name != name:
        note = note or f"as {standing.name}"
    body = [*_chip_block(standing.suit, display_strength(name, standing), high), *_chip_text(name, note, right, size)]
    if standing.blanked:
        middle, rise = (24, 15) if high >= _TALL_CHIP_HEIGHT else (high / 2, high / 2 - 6)
        cross = path("M", _BLOCK_WIDTH + 5, middle + rise, "L", right, middle - rise)
        body = [element("g", *body, class_="fr-off"), element("path", class_="fr-cross", d=cross)]
    down = 26 if high >= _TALL_CHIP_HEIGHT else high / 2 + 6
    points = text_element(total, wide - 6, down, 19, "fr-bold fr-far" + " fr-bad" * standing.blanked)
    return (*body, points, *([_clear_tick(high)] if standing.cleared and not standing.blanked else []))


def _badge(points: str, room: float, size: tuple[float, float]) -> list[Element]:
    """Points that something would bring, at the right of a chip."""
    if not points:
        return []
    left, middle = size[0] - 4 - room, size[1] / 2
    return [
        element(
            "path",
            class_="fr-good" if points.startswith("+") else "fr-bad",
            d=round_rectangle(room, 22, 11, left, middle - 11),
        ),
        text_element(points, left + room / 2, middle + 5, 15, "fr-sans fr-bold fr-mid fr-on"),
    ]


def _clear_tick(high: float) -> Element:
    """A tick for a penalty that is gone: in the block under the emblem, or in the corner of a low chip."""
    across, down = (_BLOCK_WIDTH / 2, high - 15) if high >= _TALL_CHIP_HEIGHT else (_BLOCK_WIDTH - 8, 9)
    tick = path("M", across - 5, down, "l", 4, 4, "l", 6, -9)
    return element("path", class_="fr-clear", d=tick)


def _chip_block(suit: str, strength: int, high: float) -> list[Element]:
    arc = ("a", 6.3, 6.3, 0, 0, 1)
    shape = path("M", _BLOCK_WIDTH, 0.7, "V", high - 0.7, "H", 7, *arc, -6.3, -6.3, "V", 7, *arc, 6.3, -6.3, "z")
    middle = min(high, _TALL_CHIP_HEIGHT - 4) / 2
    return [
        element("path", class_="fr-tone", d=shape),
        text_element(str(strength), _BLOCK_WIDTH / 2, middle - 3, 19, "fr-bold fr-mid fr-on"),
        draw_emblem(suit, _BLOCK_WIDTH / 2, middle + 11, 18, "fr-emblem fr-on"),
    ]


def _chip_text(name: str, note: str, right: float, size: tuple[float, float]) -> list[Element]:
    """The name up to `right`, and a note under it: a line or two in a low chip, as many as fit in a tall one."""
    wide, high = size
    return (
        _tall_text(name, note, right, (wide - 6, high))
        if high >= _TALL_CHIP_HEIGHT
        else _low_text(name, note, right, high)
    )


_NAME_SIZES: Final = (17, 16, 15, 14, 13, 12)
_CHIP_TEXT_LEFT: Final = _BLOCK_WIDTH + 6  # where the name of a chip begins


def _low_text(name: str, note: str, right: float, high: float) -> list[Element]:
    room = right - _CHIP_TEXT_LEFT
    small, under = fit_text(note, (15, 14, 13, 12), room, 1)
    under = truncate_text(note, small, room, 2) if note else ()
    letters, broken = fit_text(name, _NAME_SIZES[len(under) :], room, 1 if under else 2, SANS_BOLD)
    more = (len(broken) - 1) * letters * 1.1 + len(under) * small * 1.05
    return _chip_text_rows(broken, under, (letters, small), high / 2 + letters * 0.35 - more / 2)


def _tall_text(name: str, note: str, right: float, edge: tuple[float, float]) -> list[Element]:
    letters, broken = fit_text(name, _NAME_SIZES, right - _CHIP_TEXT_LEFT, 2, SANS_BOLD)
    # The points stand beside the name, so that the note has all the width.
    room, high = edge[0] - _CHIP_TEXT_LEFT, edge[1] - 31 - (len(broken) - 1) * letters * 1.1
    fitting = [size for size in (15, 14, 13) if len(wrap_text(note, size, room)) * size * _LEADING <= high]
    small = fitting[0] if fitting else 13
    return _chip_text_rows(
        broken, truncate_text(note, small, room, int(high / (small * _LEADING))), (letters, small), 24
    )


def _chip_text_rows(
    broken: tuple[str, ...], under: tuple[str, ...], sizes: tuple[int, int], top: float
) -> list[Element]:
    letters, small = sizes
    step, leading = letters * 1.1, small * (_LEADING if len(under) > 1 else 1)
    down = top + (len(broken) - 1) * step + small + 2
    names = [
        text_element(line, _CHIP_TEXT_LEFT, top + row * step, letters, "fr-sans fr-bold")
        for row, line in enumerate(broken)
    ]
    return names + [
        text_element(line, _CHIP_TEXT_LEFT, down + row * leading, small, "fr-sans fr-soft")
        for row, line in enumerate(under)
    ]


def draw_tag(name: str, place: CardPlacement, room: float) -> Element:
    """A card as a line of text, 22 high: strength where there is room for it, emblem, name."""
    printed = BY_NAME[name]
    strong = room >= _STRENGTH_TAG_WIDTH
    block = 48 if strong else 24
    size, _ = fit_text(name, (15, 14, 13, 12), room - block - 6, 1)
    shown = truncate_text(name, size, room - block - 6)[0]
    parts = (
        element("title", describe_card(name)),
        element("rect", class_="fr-face", width=room, height=_TAG_HEIGHT, rx=5),
        element(
            "g",
            element("path", class_="fr-tone", d=round_rectangle(block, _TAG_HEIGHT, 5)),
            *([text_element(str(printed.strength), 14, 16.5, 15, "fr-bold fr-mid fr-on")] if strong else []),
            draw_emblem(printed.suit, block - 12, 11, 17, "fr-emblem fr-on"),
            text_element(shown, block + 5, 16, size, "fr-sans"),
            class_=suit_class(printed.suit),
        ),
        selection_ring(room, _TAG_HEIGHT, 5),
    )
    return _card_group(parts, describe_card(name), place)


# A card alone


def draw_card_document(
    name: str, standing: CardStatus | None = None, *, compact: bool = False, theme: str = "auto", styled: bool = True
) -> str:
    """A card, or its chip, as an SVG document, as wide as its place; a page with many needs the style only once."""
    if theme not in THEMES:
        raise ValueError(f"Unknown theme {theme!r}: take one of {', '.join(THEMES)}.")
    wide, high = (CHIP_WIDTH, CHIP_HEIGHT) if compact else (CARD_WIDTH, CARD_HEIGHT)
    place = CardPlacement((2, 2))
    return document(
        wide + 4,
        high + 4,
        draw_chip(name, standing, place=place) if compact else draw_card(name, standing, place=place),
        title=name,
        description=describe_card(name, standing),
        style=STYLE if styled else "",
        class_=f"rt-board rt-{STYLE_NAME} rt-{theme}",
        role="group",
    )
