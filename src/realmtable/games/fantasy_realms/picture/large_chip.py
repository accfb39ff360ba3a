"""Draw cards as chips with large type, for a table that is lively and must be readable on a phone.

A picture is 800 units wide and a phone 390 pixels, so `MIN_TYPE` is 11 pixels there. The text of a card is left out:
pages show it large when it is pointed at or tapped.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.picture.card_group import CardPlacement, Frame, card_group, draw_in_suit
from realmtable.games.fantasy_realms.picture.card_status import CardMark, CardStatus, describe_card, describe_change
from realmtable.games.fantasy_realms.picture.emblems import draw_emblem
from realmtable.games.fantasy_realms.picture.style import round_rectangle, suit_class, text_element
from realmtable.kit.svg import Element, element
from realmtable.kit.text_metrics import SANS_BOLD, fit_text, truncate_text
from realmtable.kit.wording import format_signed

MIN_TYPE: Final = 23
HAND_CHIP_SIZE: Final = (188, 112)
_TYPES: Final = (25, 24, MIN_TYPE)
_BLOCK_WIDTH: Final = 44
_BADGE_WIDTH: Final = 52
_TALL: Final = 80  # from this height, a chip has room for two lines of its name and a note
_SHORT_MARKS: Final = {"on offer": "offer", "bid": "bid"}


def draw_hand_chip(name: str, status: CardStatus | None, mark: CardMark, place: CardPlacement) -> Element:
    """Draw a card of the viewer's hand: strength, emblem, points and name; `HAND_CHIP_SIZE` is its size."""
    art = draw_in_suit(name, _hand_chip_art(name, status, mark))
    return card_group(name, Frame(*HAND_CHIP_SIZE, 10), (art,), describe_card(name, status, mark), place, status)


@lru_cache(maxsize=512)
def _hand_chip_art(name: str, status: CardStatus | None, mark: CardMark) -> tuple[Element, ...]:
    wide, high = HAND_CHIP_SIZE
    suit = BY_NAME[name].suit
    size, lines = fit_text(name, _TYPES, wide - 12, 2, SANS_BOLD)
    top = 72 if len(lines) > 1 else 86
    parts = [
        element("path", class_="fr-tone", d=round_rectangle(_BLOCK_WIDTH, 42, 8, 5, 5)),
        text_element(str(BY_NAME[name].strength), 27, 35, 26, "fr-bold fr-mid fr-on"),
        draw_emblem(suit, 68, 26, 26),
        *(text_element(line, 8, top + row * 26, size, "fr-bold") for row, line in enumerate(lines)),
    ]
    if status and status.blanked:
        parts = [
            element("path", class_="fr-cross", d=f"M8 {high - 8}L{wide - 8} 8"),
            element("g", *parts, class_="fr-off"),
        ]
    words = _SHORT_MARKS.get(mark.words, "")
    if status and describe_change(status) and not words:  # its label says more
        became = element("g", draw_emblem(status.suit, 120, 26, 26), class_=suit_class(status.suit))
        parts += [text_element("→", 83, 33, MIN_TYPE, "fr-bold"), became]
    parts += [text_element(words, 90, 33, MIN_TYPE, "fr-italic fr-soft")] if words else []
    if status:
        kind = "fr-bold fr-far" + " fr-bad" * (status.blanked or status.points < 0)
        parts.append(text_element(format_signed(status.points, plus=""), wide - 9, 34, 26, kind))
    return tuple(parts)


# ---- on the market


def draw_market_chip(name: str, place: CardPlacement, mark: CardMark, note: str = "", badge: str = "") -> Element:
    """Draw a card on offer or bid: its strength or a badge, its name, and a note below it."""
    wide, high = place.size
    sentences = (describe_card(name, None, mark), note and f"{note}.", badge and f"{badge} for you.")
    new = [element("path", class_="fr-last", d=round_rectangle(wide - 4, high - 4, 5.5, 2, 2))] if mark.new else []
    parts = (draw_in_suit(name, _market_chip_art(name, place.size, note, badge)), *new)
    return card_group(name, Frame(wide, high, 7), parts, " ".join(part for part in sentences if part), place)


@lru_cache(maxsize=1024)
def _market_chip_art(name: str, size: tuple[float, float], note: str, badge: str) -> tuple[Element, ...]:
    wide, high = size
    left = 5 + (_BADGE_WIDTH if badge else _BLOCK_WIDTH)
    room = wide - left - 4
    notes = truncate_text(note, MIN_TYPE, room) if note else ()
    most = 2 if not note or high >= _TALL else 1
    letters, _ = fit_text(name, _TYPES, room, most)
    names = truncate_text(name, letters, room, most)
    top = high / 2 + 8 - 12.5 * (len(names) + len(notes) - 1)
    lines = [*((line, letters, "") for line in names), *((line, MIN_TYPE, "fr-soft") for line in notes)]
    texts = (text_element(line, left, top + 25 * row, size, kind) for row, (line, size, kind) in enumerate(lines))
    return (*_block(name, high, badge), *texts)


def _block(name: str, high: float, badge: str) -> list[Element]:
    """Draw the coloured block on the left: the strength and the emblem, or what the card would gain."""
    kind = "fr-tone" if not badge else "fr-good" if badge.startswith("+") else "fr-bad"
    wide = _BADGE_WIDTH if badge else _BLOCK_WIDTH
    parts = [element("path", class_=kind, d=round_rectangle(wide - 4, high - 6, 6, 3, 3))]
    if badge:
        return [*parts, text_element(badge, _BADGE_WIDTH / 2 + 1, high / 2 + 8, MIN_TYPE, "fr-bold fr-mid fr-on")]
    return [
        *parts,
        text_element(str(BY_NAME[name].strength), 23, high / 2 - 1, 24, "fr-bold fr-mid fr-on"),
        draw_emblem(BY_NAME[name].suit, 23, high / 2 + 14, 20, "fr-emblem fr-on"),
    ]
