"""Draw cards in full as printed: on the table for spectators, and all of them for the gallery."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from realmtable.engine.protocol import CardGallery, GalleryCard, GalleryGroup
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, SUITS, WILD, Card
from realmtable.games.fantasy_realms.picture.card_group import (
    CardPlacement,
    Frame,
    card_group,
    card_suit_class,
    draw_in_suit,
)
from realmtable.games.fantasy_realms.picture.card_status import (
    STRUCK_WORD,
    CardMark,
    CardStatus,
    describe_card,
    display_penalty,
)
from realmtable.games.fantasy_realms.picture.emblems import draw_emblem
from realmtable.games.fantasy_realms.picture.style import STYLE, STYLE_NAME, text_element, translate
from realmtable.kit.svg import Element, element, path
from realmtable.kit.text_metrics import LEADING, SANS_BOLD, fit_text, truncate_text, wrap_text

CARD_WIDTH: Final = 188  # of a full card
CARD_HEIGHT: Final = 244

_HEAD_HEIGHT: Final = 50
_BODY_TOP: Final = 79  # where the card text begins
_FOOT_HEIGHT: Final = 26
_TEXT_WIDTH: Final = CARD_WIDTH - 17 - 6
_TEXT_SIZES: Final = (20, 19, 18, 17, 16, 15)
_TEXT_GAP: Final = 9  # between bonus and penalty


def draw_card(name: str, mark: CardMark, place: CardPlacement) -> Element:
    """Draw a full card as printed, `CARD_WIDTH` by `CARD_HEIGHT`, with a mark at its foot."""
    foot = text_element(mark.words, 9, CARD_HEIGHT - 10, 16, "fr-italic fr-soft")
    art = draw_in_suit(name, (*_art(name), foot))
    return card_group(name, Frame(CARD_WIDTH, CARD_HEIGHT, 10), (art,), describe_card(name, None, mark), place)


@cache
def _art(name: str) -> tuple[Element, ...]:
    card = BY_NAME[name]
    return (
        draw_emblem(card.suit, CARD_WIDTH - 56, CARD_HEIGHT - 62, 100, "fr-mark"),
        *_head(card),
        draw_emblem(card.suit, 20, 65, 20),
        text_element(card.suit, 36, 70, 16, "fr-bold fr-tone"),
        *draw_texts(card, None, _BODY_TOP, CARD_HEIGHT - _BODY_TOP - _FOOT_HEIGHT),
    )


def _head(card: Card) -> list[Element]:
    band = path(
        "M", 10, 0.7, "h", CARD_WIDTH - 20, "a", 9.3, 9.3, 0, 0, 1, 9.3, 9.3, "V", _HEAD_HEIGHT, "H", 0.7, "V", 10
    )
    block = path("M", _HEAD_HEIGHT, 0.7, "V", _HEAD_HEIGHT, "H", 0.7, "V", 10, "a", 9.3, 9.3, 0, 0, 1, 9.3, -9.3, "z")
    left, room = _HEAD_HEIGHT + 8, CARD_WIDTH - _HEAD_HEIGHT - 14
    size, lines = fit_text(card.name, (20, 19, 18, 17, 16, 15), room, 2, SANS_BOLD)
    top = 25 + size * 0.34 - (len(lines) - 1) * size * 0.54
    return [
        element("path", class_="fr-head", d=band + "a9.3 9.3 0 0 1 9.3-9.3z"),
        element("path", class_="fr-tone", d=block),
        text_element(str(card.strength), 25, 36, 30, "fr-bold fr-mid fr-on"),
        *(text_element(line, left, top + row * size * 1.08, size, "fr-bold") for row, line in enumerate(lines)),
    ]


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
    """Return the largest of some font sizes at which the texts fit below each other, and their lines.

    If none is small enough, the last text ends early; pages show the whole card where the pointer rests.
    """
    size = next((size for size in sizes if _texts_height(texts, size) <= room), sizes[-1])
    blocks = [wrap_text(words, size, _TEXT_WIDTH) for words in texts]
    if blocks and _texts_height(texts, size) > room:
        before = _texts_height(texts[:-1], size) + _TEXT_GAP if texts[1:] else 0
        rows = max(1, int((room - before) / (size * LEADING)))
        blocks[-1] = truncate_text(texts[-1], size, _TEXT_WIDTH, rows)
    return size, blocks


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


# ---- every card once, for the page that shows them all


@cache
def gallery() -> CardGallery:
    """Return all cards as printed, by suit."""
    return CardGallery(STYLE, tuple(GalleryGroup(suit, _cards_of(suit)) for suit in (*SUITS, WILD)))


def _cards_of(suit: str) -> tuple[GalleryCard, ...]:
    return tuple(
        GalleryCard(card.name, _draw_card_without_style(card), describe_card(card.name))
        for card in CARDS
        if card.suit == suit
    )


def _draw_card_without_style(card: Card) -> str:
    """Return a card for a page that has the style, in the page's theme."""
    parts = (
        element("rect", class_="fr-face", x=1, y=1, width=CARD_WIDTH, height=CARD_HEIGHT, rx=10),
        element("g", *_art(card.name), class_=card_suit_class(card.name), transform=translate(1, 1)),
    )
    return element(
        "svg",
        *parts,
        viewBox=f"0 0 {CARD_WIDTH + 2} {CARD_HEIGHT + 2}",
        class_=f"rt-board rt-{STYLE_NAME} rt-auto",
        role="img",
        aria_label=describe_card(card.name),
    )
