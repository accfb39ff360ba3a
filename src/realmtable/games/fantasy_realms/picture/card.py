"""Draw a card in full from plain data: what is printed on it and, where known, what it gives in a hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from realmtable.games.fantasy_realms.cards import BY_NAME, WILD, Card
from realmtable.games.fantasy_realms.picture.card_group import (
    CHIP_HEIGHT,
    CHIP_WIDTH,
    DEFAULT_PLACEMENT,
    CardPlacement,
    card_group,
    card_suit_class,
)
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
from realmtable.games.fantasy_realms.picture.chip import draw_chip
from realmtable.games.fantasy_realms.picture.emblems import draw_emblem
from realmtable.games.fantasy_realms.picture.style import (
    STYLE,
    STYLE_NAME,
    round_rectangle,
    selection_ring,
    text_element,
    translate,
)
from realmtable.kit.picture_style import check_theme
from realmtable.kit.svg import Element, document, element, path
from realmtable.kit.text_metrics import (
    LEADING,
    SANS_BOLD,
    fit_text,
    text_width,
    truncate_text,
    wrap_text,
)
from realmtable.kit.wording import format_signed

CARD_WIDTH: Final = 188  # of a full card
CARD_HEIGHT: Final = 244

_HEAD_HEIGHT: Final = 50
_BODY_TOP: Final = 79  # where the card text begins
_FOOT_HEIGHT: Final = 34
_TEXT_WIDTH: Final = CARD_WIDTH - 17 - 6
_TEXT_SIZES: Final = (20, 19, 18, 17, 16, 15, 14)
_TEXT_GAP: Final = 9  # between bonus and penalty


def draw_card(
    name: str, status: CardStatus | None = None, mark: CardMark = NO_MARK, place: CardPlacement = DEFAULT_PLACEMENT
) -> Element:
    """Draw a full card, `CARD_WIDTH` by `CARD_HEIGHT`; with a handle it can be clicked."""
    words = describe_card(name, status, mark)
    parts = (
        element("rect", class_="fr-face", width=CARD_WIDTH, height=CARD_HEIGHT, rx=10),
        element("g", *_art(name, status, mark), class_=card_suit_class(name, status)),
        selection_ring(CARD_WIDTH, CARD_HEIGHT, 10),
    )
    return card_group(name, parts, words, place, status)


@lru_cache(maxsize=1024)
def _art(name: str, status: CardStatus | None, mark: CardMark) -> tuple[Element, ...]:
    printed = BY_NAME[name]
    suit = status.suit if status else printed.suit
    parts = [
        draw_emblem(suit, CARD_WIDTH - 56, CARD_HEIGHT - 62, 100, "fr-mark"),
        *_head(printed, status),
        *_suit_line(printed, suit, mark, status),
        *draw_texts(printed, status, _BODY_TOP, CARD_HEIGHT - _BODY_TOP - (_FOOT_HEIGHT if status else 26)),
    ]
    if status and status.blanked:
        parts = [element("path", class_="fr-cross", d=_CROSS), element("g", *parts, class_="fr-off")]
    return (*parts, *_foot(status, mark))


_CROSS: Final = path(
    "M", 12, 62, "L", CARD_WIDTH - 12, CARD_HEIGHT - 36, "M", CARD_WIDTH - 12, 62, "L", 12, CARD_HEIGHT - 36
)


def _head(printed: Card, status: CardStatus | None) -> list[Element]:
    band = path(
        "M", 10, 0.7, "h", CARD_WIDTH - 20, "a", 9.3, 9.3, 0, 0, 1, 9.3, 9.3, "V", _HEAD_HEIGHT, "H", 0.7, "V", 10
    )
    block = path("M", _HEAD_HEIGHT, 0.7, "V", _HEAD_HEIGHT, "H", 0.7, "V", 10, "a", 9.3, 9.3, 0, 0, 1, 9.3, -9.3, "z")
    return [
        element("path", class_="fr-head", d=band + "a9.3 9.3 0 0 1 9.3-9.3z"),
        element("path", class_="fr-tone", d=block),
        text_element(str(display_strength(printed.name, status)), 25, 36, 30, "fr-bold fr-mid fr-on"),
        *_name(printed, status),
    ]


def _name(printed: Card, status: CardStatus | None) -> list[Element]:
    left, room = _HEAD_HEIGHT + 8, CARD_WIDTH - _HEAD_HEIGHT - 14
    copied = status is not None and status.name != printed.name
    size, lines = fit_text(printed.name, (20, 19, 18, 17, 16, 15, 14), room, 1 if copied else 2, SANS_BOLD)
    if status is not None and copied:
        line = fit_text(f"as {status.name}", (17, 16, 15, 14, 13, 12), room, 1)
        return [
            text_element(printed.name, left, 21, size, "fr-bold"),
            text_element(f"as {status.name}", left, 41, line[0], "fr-italic"),
        ]
    top = 25 + size * 0.34 - (len(lines) - 1) * size * 0.54
    return [text_element(line, left, top + row * size * 1.08, size, "fr-bold") for row, line in enumerate(lines)]


def _suit_line(printed: Card, suit: str, mark: CardMark, status: CardStatus | None) -> list[Element]:
    parts = [draw_emblem(suit, 20, 65, 20), text_element(suit, 36, 70, 16, "fr-bold fr-tone")]
    if mark.words and status:
        parts.append(text_element(mark.words, CARD_WIDTH - 9, 70, 14, "fr-far fr-bold fr-soft"))
    elif printed.suit not in (suit, WILD):
        after = 36 + text_width(suit, 16, SANS_BOLD) + 5
        parts.append(text_element(f"was {printed.suit}", after, 70, 14, "fr-italic fr-soft"))
    return parts


def draw_texts(
    printed: Card, status: CardStatus | None, top: float, room: float, sizes: Sequence[int] = _TEXT_SIZES
) -> list[Element]:
    """Draw the card's texts, as large as fits, each with a bar: filled if the text has an effect, hollow if not."""
    texts = _texts(printed, status)
    size, blocks = _fit_texts([words for words, _ in texts], room, sizes)
    parts: list[Element] = []
    for (_, kind), lines in zip(texts, blocks, strict=True):
        parts += _text_block(lines, size, top, kind, status)
        top += len(lines) * size * LEADING + _TEXT_GAP
    return parts


def _texts(printed: Card, status: CardStatus | None) -> list[tuple[str, str]]:
    """Return the card's bonus and penalty, if any; a card with a copied penalty no longer needs its own bonus text."""
    penalty = display_penalty(printed.name, status)
    bonus = printed.bonus_text if penalty == printed.penalty_text else ""
    return [(words, kind) for words, kind in ((bonus, "good"), (penalty, "bad")) if words]


def _fit_texts(texts: list[str], room: float, sizes: Sequence[int]) -> tuple[int, list[tuple[str, ...]]]:
    """Return the largest of some font sizes at which the texts fit below each other, and their lines."""
    size = next((size for size in sizes if _texts_height(texts, size) <= room), sizes[-1])
    return size, [wrap_text(words, size, _TEXT_WIDTH) for words in texts]


def _texts_height(texts: list[str], size: int) -> float:
    rows = sum(len(wrap_text(words, size, _TEXT_WIDTH)) for words in texts)
    return rows * size * LEADING + _TEXT_GAP * (len(texts) - 1)


def _text_block(lines: tuple[str, ...], size: int, top: float, kind: str, status: CardStatus | None) -> list[Element]:
    acts = status is not None and (status.helps if kind == "good" else status.harms)
    cleared = kind == "bad" and status is not None and status.cleared
    struck = kind == "bad" and status is not None and status.struck
    words = " fr-struck" if cleared else " fr-soft" if status and not acts else ""
    high = len(lines) * size * LEADING
    bar = f"fr-bar fr-{kind}" + " fr-idle" * (not acts)
    rows = [element("rect", class_=bar, x=8, y=top + 2, width=4, height=high - 3, rx=2)]
    for row, line in enumerate(lines):
        down = top + size * (0.9 + row * LEADING)
        parts = _strike_word(line) if struck else [line]
        rows.append(element("text", *parts, class_=f"fr-t{size}{words}", x=17, y=down))
    return rows


def _strike_word(line: str) -> list[str]:
    """Strike out every "Army" or "Armies" in a line."""
    parts = re.split(f"({STRUCK_WORD}|Armies)", line)
    return [
        element("tspan", part, class_="fr-struck") if place % 2 else part for place, part in enumerate(parts) if part
    ]


def _foot(status: CardStatus | None, mark: CardMark) -> list[Element]:
    """Draw what the card gives: bonus and penalty, and its total points in a frame on the right."""
    if status is None:
        return [text_element(mark.words, 9, CARD_HEIGHT - 11, 14, "fr-italic fr-soft")] if mark.words else []
    if status.blanked:
        words = describe_blanking(status)
        size, _ = fit_text(words, (15, 14, 13), CARD_WIDTH - 18, 1, SANS_BOLD)
        shown = truncate_text(words, size, CARD_WIDTH - 18, font=SANS_BOLD)[0]
        return [text_element(shown, 9, CARD_HEIGHT - 12, size, "fr-bold fr-bad")]
    total = format_signed(status.points, plus="")
    wide = max(36, text_width(total, 18, SANS_BOLD) + 14)
    parts = [
        element("path", class_="fr-sum", d=round_rectangle(wide, 24, 6, CARD_WIDTH - 7 - wide, CARD_HEIGHT - 30)),
        text_element(total, CARD_WIDTH - 7 - wide / 2, CARD_HEIGHT - 11.5, 18, "fr-bold fr-mid"),
    ]
    return parts + _point_badges(status, CARD_WIDTH - 7 - wide - 6)


def _point_badges(status: CardStatus, right: float) -> list[Element]:
    parts, left = [], 8.0
    for points, kind in ((status.bonus, "good"), (status.penalty, "bad")):
        if points:
            wide = text_width(format_signed(points), 15, SANS_BOLD) + 14
            parts.append(element("path", class_=f"fr-{kind}", d=round_rectangle(wide, 24, 12, left, CARD_HEIGHT - 30)))
            parts.append(
                text_element(format_signed(points), left + wide / 2, CARD_HEIGHT - 12.5, 15, "fr-bold fr-mid fr-on")
            )
            left += wide + 5
    note = "cleared" if status.cleared else "Army struck" if status.struck else ""
    if note and right - left > text_width(note, 14):
        parts.append(text_element(note, left + 2, CARD_HEIGHT - 13, 14, "fr-italic fr-soft"))
    return parts


# ---- a single card


def draw_card_document(
    name: str, status: CardStatus | None = None, *, compact: bool = False, theme: str = "auto", styled: bool = True
) -> str:
    """Return a card or its chip as an SVG document; a page with many of them needs only one to be `styled`."""
    check_theme(theme)
    wide, high = (CHIP_WIDTH, CHIP_HEIGHT) if compact else (CARD_WIDTH, CARD_HEIGHT)
    place = CardPlacement((2, 2))
    return document(
        wide + 4,
        high + 4,
        {"card": draw_chip(name, status, place=place) if compact else draw_card(name, status, place=place)},
        title=name,
        description=describe_card(name, status),
        style=STYLE if styled else "",
        class_=f"rt-board rt-{STYLE_NAME} rt-{theme}",
        role="group",
    )


def draw_card_without_style(name: str) -> str:
    """Return a card as printed for a page that has the style, in the page's theme."""
    words = describe_card(name)
    parts = (
        element("rect", class_="fr-face", x=1, y=1, width=CARD_WIDTH, height=CARD_HEIGHT, rx=10),
        element("g", *_art(name, None, NO_MARK), class_=card_suit_class(name, None), transform=translate(1, 1)),
    )
    box = f"0 0 {CARD_WIDTH + 2} {CARD_HEIGHT + 2}"
    return element("svg", *parts, viewBox=box, class_=f"rt-board rt-{STYLE_NAME} rt-auto", role="img", aria_label=words)
