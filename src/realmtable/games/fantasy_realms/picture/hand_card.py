"""Draw a card of the viewer's hand: name, strength and points in type that a phone can show, and its texts.

A picture is 800 units wide and a phone 390 pixels, so type of 23 units is 11 pixels there. The texts get what room is
left; pages show the card large when it is pointed at or tapped.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.picture.card import CARD_WIDTH, draw_texts
from realmtable.games.fantasy_realms.picture.card_group import CardPlacement, Frame, card_group, draw_in_suit
from realmtable.games.fantasy_realms.picture.card_status import (
    CardMark,
    CardStatus,
    describe_blanking,
    describe_card,
    describe_change,
)
from realmtable.games.fantasy_realms.picture.emblems import draw_emblem
from realmtable.games.fantasy_realms.picture.large_chip import MIN_TYPE
from realmtable.games.fantasy_realms.picture.style import round_rectangle, suit_class, text_element
from realmtable.kit.svg import Element, element, path
from realmtable.kit.text_metrics import SANS_BOLD, fit_text, text_width, truncate_text
from realmtable.kit.wording import format_signed

HAND_CARD_HEIGHT: Final = 226  # two rows of them and what is above fit on a phone, and on a screen of 768 lines

_BLOCK_SIZE: Final = 46  # of the block with the strength
_NAME_TOP: Final = 74  # baseline of the first line of the name
_NAME_STEP: Final = 25
_FOOT_HEIGHT: Final = 32
_NAME_SIZES: Final = (25, 24, MIN_TYPE)
_TEXT_SIZES: Final = range(MIN_TYPE, 14, -1)  # 15 units are 13 pixels on a screen of 768 lines
_FRAME: Final = Frame(CARD_WIDTH, HAND_CARD_HEIGHT, 10)
_CROSS: Final = path("M", 12, HAND_CARD_HEIGHT - 12, "L", CARD_WIDTH - 12, 56)


def draw_hand_card(name: str, status: CardStatus | None, mark: CardMark, place: CardPlacement) -> Element:
    """Draw a card of the hand: as wide as a full card, but `HAND_CARD_HEIGHT` high."""
    foot = _foot(status, mark)
    text = draw_in_suit(name, _text(name, status, has_foot=bool(foot)))
    parts = (text, draw_in_suit(name, [*_points(status, mark), *foot]))
    return card_group(name, _FRAME, parts, describe_card(name, status, mark), place, status)


@lru_cache(maxsize=1024)
def _text(name: str, status: CardStatus | None, *, has_foot: bool) -> tuple[Element, ...]:
    names, body_top = _name(name, status)
    room = HAND_CARD_HEIGHT - body_top - (_FOOT_HEIGHT if has_foot else 6)
    parts = [
        draw_emblem(BY_NAME[name].suit, CARD_WIDTH - 56, HAND_CARD_HEIGHT - 62, 100, "fr-mark"),
        *_head(name),
        *names,
        *draw_texts(BY_NAME[name], status, body_top, room, _TEXT_SIZES),
    ]
    if status and status.blanked:
        return element("path", class_="fr-cross", d=_CROSS), element("g", *parts, class_="fr-off")
    return tuple(parts)


def _points(status: CardStatus | None, mark: CardMark) -> list[Element]:
    parts = []
    if status:
        kind = "fr-bold fr-far" + " fr-bad" * (status.blanked or status.points < 0)
        parts.append(text_element(format_signed(status.points, plus=""), CARD_WIDTH - 9, 37, 30, kind))
    if mark.new:
        corner = ("M", CARD_WIDTH - 26, 0.7, "h", 16, "a", 9.3, 9.3, 0, 0, 1, 9.3, 9.3, "v", 16, "z")
        parts.append(element("path", class_="fr-new", d=path(*corner)))
    return parts


def _head(name: str) -> list[Element]:
    """Draw the printed strength in a block, and the emblem with the name of the printed suit next to it."""
    left, size, suit = _BLOCK_SIZE + 11, _BLOCK_SIZE, BY_NAME[name].suit
    return [
        element("path", class_="fr-tone", d=round_rectangle(size, size, 8, 5, 5)),
        text_element(str(BY_NAME[name].strength), 5 + size / 2, 38, 29, "fr-bold fr-mid fr-on"),
        draw_emblem(suit, left + 11, 18, 24),
        text_element(suit, left, 48, 17, "fr-bold fr-tone"),
    ]


def _name(name: str, status: CardStatus | None) -> tuple[list[Element], float]:
    """Draw the name and, below it, what the card became; return the lines and where the texts begin."""
    size, lines = fit_text(name, _NAME_SIZES, CARD_WIDTH - 14, 2, SANS_BOLD)
    rows = [text_element(line, 8, _NAME_TOP + row * _NAME_STEP, size, "fr-bold") for row, line in enumerate(lines)]
    if status is not None and (words := describe_change(status)):
        down = _NAME_TOP + len(rows) * _NAME_STEP
        size, _ = fit_text(words, (21, 20, 19, 18, 17, 16, 15), CARD_WIDTH - 8, 1)
        shown = truncate_text(words, size, CARD_WIDTH - 8)[0]
        ribbon = element("rect", class_="fr-tone", x=1, y=down - 19, width=CARD_WIDTH - 2, height=27)
        text = text_element(shown, 5, down + 1, size, "fr-on")
        rows.append(element("g", ribbon, text, class_=suit_class(status.suit)))
    return rows, _NAME_TOP + (len(rows) - 1) * _NAME_STEP + 11


def _foot(status: CardStatus | None, mark: CardMark) -> tuple[Element, ...]:
    """Draw what changes the points: bonus and penalty, or what blanks the card; nothing if it gives its strength."""
    down = HAND_CARD_HEIGHT - 9
    if mark.words:
        return (text_element(mark.words, 9, down, MIN_TYPE, "fr-bold fr-soft"),)
    if status is None:
        return ()
    if status.blanked:
        size, _ = fit_text(words := describe_blanking(status), (MIN_TYPE, 20, 18, 16, 15), CARD_WIDTH - 8, 1)
        shown = truncate_text(words, size, CARD_WIDTH - 8)[0]
        return (text_element(shown, 5, down, size, "fr-bad"),)
    return tuple(_badges(status))


def _badges(status: CardStatus) -> list[Element]:
    parts, left = [], 7.0
    for points, kind in ((status.bonus, "good"), (status.penalty, "bad")):
        if points:
            words = format_signed(points)
            wide = text_width(words, MIN_TYPE, SANS_BOLD) + 16
            parts.append(
                element("path", class_=f"fr-{kind}", d=round_rectangle(wide, 27, 13, left, HAND_CARD_HEIGHT - 32))
            )
            parts.append(
                text_element(words, left + wide / 2, HAND_CARD_HEIGHT - 10.5, MIN_TYPE, "fr-bold fr-mid fr-on")
            )
            left += wide + 5
    note = "cleared" if status.cleared else "Army struck" if status.struck else ""
    if note and CARD_WIDTH - 6 - left > text_width(note, 17):
        parts.append(text_element(note, left + 2, HAND_CARD_HEIGHT - 11, 17, "fr-italic fr-soft"))
    return parts
