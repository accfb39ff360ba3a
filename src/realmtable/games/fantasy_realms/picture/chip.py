"""Draw a card in a smaller form: as a chip with name, emblem and strength, or as a line of text.

Its label always includes what the picture leaves out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.picture.card_group import CardPlacement, Frame, card_group, draw_in_suit
from realmtable.games.fantasy_realms.picture.card_status import CardStatus, describe_card, describe_change
from realmtable.games.fantasy_realms.picture.emblems import draw_emblem
from realmtable.games.fantasy_realms.picture.style import round_rectangle, suit_class, text_element
from realmtable.kit.svg import Element, element, path
from realmtable.kit.text_metrics import LEADING, SANS_BOLD, fit_text, text_width, truncate_text, wrap_text
from realmtable.kit.wording import format_signed

_TALL_CHIP_HEIGHT: Final = 60  # from this height, a chip has its name at the top and a note of several lines below
_BLOCK_WIDTH: Final = 36
_BECAME_WIDTH: Final = 24  # of the block with the suit that a card became
_TEXT_LEFT: Final = _BLOCK_WIDTH + 6  # where a chip's name begins
TAG_HEIGHT: Final = 27
_TAG_BLOCK: Final = 26
_TAG_TYPE: Final = 15


def draw_chip(name: str, status: CardStatus | None, place: CardPlacement, note: str = "") -> Element:
    """Draw a card as a chip: strength, emblem and name, an optional note below, and its points."""
    words = " ".join(part for part in (describe_card(name, status), note and f"{note}.") if part)
    art = draw_in_suit(name, _chip_art(name, status, place.size, note))
    return card_group(name, Frame(*place.size, 7), (art,), words, place, status)


@lru_cache(maxsize=1024)
def _chip_art(name: str, status: CardStatus | None, size: tuple[float, float], note: str) -> tuple[Element, ...]:
    wide, high = size
    block = _chip_block(BY_NAME[name].suit, BY_NAME[name].strength, high)
    if status is None:
        return (*block, *_chip_text(name, note, wide - 6, size))
    total = format_signed(status.points, plus="")
    right = wide - 6 - text_width(total, 19, SANS_BOLD) - 5
    if change := describe_change(status):
        note = note or change
        block.append(_became(status.suit, high))
    body = [*block, *_chip_text(name, note, right, size, _TEXT_LEFT + _BECAME_WIDTH * bool(change))]
    if status.blanked:
        middle, rise = (24, 15) if high >= _TALL_CHIP_HEIGHT else (high / 2, high / 2 - 6)
        cross = path("M", _BLOCK_WIDTH + 5, middle + rise, "L", right, middle - rise)
        body = [element("path", class_="fr-cross", d=cross), element("g", *body, class_="fr-off")]
    down = 26 if high >= _TALL_CHIP_HEIGHT else high / 2 + 6
    points = text_element(total, wide - 6, down, 19, "fr-bold fr-far" + " fr-bad" * status.blanked)
    return (*body, points, *([_clear_tick(high)] if status.cleared and not status.blanked else []))


def _clear_tick(high: float) -> Element:
    """Draw a tick for a cleared penalty: below the emblem, or in the corner of a low chip."""
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


def _became(suit: str, high: float) -> Element:
    """Draw a block with the suit that a card became next to that with its printed one."""
    parts = [
        element(
            "path",
            class_="fr-tone",
            d=path("M", _BLOCK_WIDTH + 1, 0.7, "h", _BECAME_WIDTH, "v", high - 1.4, "h", -_BECAME_WIDTH, "z"),
        ),
        draw_emblem(
            suit, _BLOCK_WIDTH + 1 + _BECAME_WIDTH / 2, min(high, _TALL_CHIP_HEIGHT - 4) / 2, 18, "fr-emblem fr-on"
        ),
    ]
    return element("g", *parts, class_=suit_class(suit))


def _chip_text(
    name: str, note: str, right: float, size: tuple[float, float], left: float = _TEXT_LEFT
) -> list[Element]:
    """Draw the name up to `right` and a note below: one or two lines in a low chip, as many as fit in a tall one."""
    wide, high = size
    if high >= _TALL_CHIP_HEIGHT:
        return _tall_text(name, note, (left, right), (wide - 6, high))
    return _low_text(name, note, (left, right), high)


_NAME_SIZES: Final = (17, 16, 15)


def _low_text(name: str, note: str, span: tuple[float, float], high: float) -> list[Element]:
    left, right = span
    room = right - left
    small, under = fit_text(note, (16, 15), room, 1)
    under = truncate_text(note, small, room, 2) if note else ()
    letters, _ = fit_text(name, _NAME_SIZES, room, 1 if under else 2, SANS_BOLD)
    lines = truncate_text(name, letters, room, 1 if under else 2, SANS_BOLD)
    more = (len(lines) - 1) * letters * 1.1 + len(under) * small * 1.05
    return _chip_text_rows(left, lines, under, (letters, small), high / 2 + letters * 0.35 - more / 2)


def _tall_text(name: str, note: str, span: tuple[float, float], edge: tuple[float, float]) -> list[Element]:
    left, right = span
    letters, lines = fit_text(name, _NAME_SIZES, right - left, 2, SANS_BOLD)
    # The points are next to the name, so the note gets the full width.
    room, high = edge[0] - left, edge[1] - 31 - (len(lines) - 1) * letters * 1.1
    small = 16 if len(wrap_text(note, 16, room)) * 16 * LEADING <= high else 15
    shown = truncate_text(note, small, room, int(high / (small * LEADING)))
    return _chip_text_rows(left, lines, shown, (letters, small), 24)


def _chip_text_rows(
    left: float, lines: tuple[str, ...], under: tuple[str, ...], sizes: tuple[int, int], top: float
) -> list[Element]:
    letters, small = sizes
    step, leading = letters * 1.1, small * (LEADING if len(under) > 1 else 1)
    down = top + (len(lines) - 1) * step + small + 2
    names = [text_element(line, left, top + row * step, letters, "fr-bold") for row, line in enumerate(lines)]
    return names + [text_element(line, left, down + row * leading, small, "fr-soft") for row, line in enumerate(under)]


def tag_width(name: str) -> float:
    """Return the width of a card as a line of text."""
    return _TAG_BLOCK + 12 + text_width(name, _TAG_TYPE)


def draw_tag(name: str, place: CardPlacement) -> Element:
    """Draw a card as a line of text, `tag_width` wide and `TAG_HEIGHT` high: its strength and its name."""
    printed, wide = BY_NAME[name], tag_width(name)
    art = [
        element("path", class_="fr-tone", d=round_rectangle(_TAG_BLOCK, TAG_HEIGHT, 5)),
        text_element(str(printed.strength), _TAG_BLOCK / 2, 19, _TAG_TYPE, "fr-bold fr-mid fr-on"),
        text_element(name, _TAG_BLOCK + 6, 19, _TAG_TYPE),
    ]
    return card_group(name, Frame(wide, TAG_HEIGHT, 5), (draw_in_suit(name, art),), describe_card(name), place)
