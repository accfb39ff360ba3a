"""Draw a card in a smaller form: as a chip with name, emblem and strength, or as a line of text.

Its label always includes what the picture leaves out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.picture.card_group import CardPlacement, Frame, card_group, draw_in_suit
from realmtable.games.fantasy_realms.picture.card_status import CardStatus, describe_card, display_strength
from realmtable.games.fantasy_realms.picture.emblems import draw_emblem
from realmtable.games.fantasy_realms.picture.style import round_rectangle, text_element
from realmtable.kit.svg import Element, element, path
from realmtable.kit.text_metrics import LEADING, SANS_BOLD, fit_text, text_width, truncate_text, wrap_text
from realmtable.kit.wording import format_signed

_TALL_CHIP_HEIGHT: Final = 60  # from this height, a chip has its name at the top and a note of several lines below
_BLOCK_WIDTH: Final = 36
_TAG_HEIGHT: Final = 35
_TAG_TYPE: Final = 23  # 11 pixels on a phone
_EMBLEM_TAG_WIDTH: Final = 270


def draw_chip(name: str, status: CardStatus | None, place: CardPlacement, note: str = "") -> Element:
    """Draw a card as a chip: strength, emblem and name, an optional note below, and its points."""
    words = " ".join(part for part in (describe_card(name, status), note and f"{note}.") if part)
    art = draw_in_suit(name, status, _chip_art(name, status, place.size, note))
    return card_group(name, Frame(*place.size, 7), (art,), words, place, status)


@lru_cache(maxsize=1024)
def _chip_art(name: str, status: CardStatus | None, size: tuple[float, float], note: str) -> tuple[Element, ...]:
    wide, high = size
    if status is None:
        printed = BY_NAME[name]
        return (*_chip_block(printed.suit, printed.strength, high), *_chip_text(name, note, wide - 6, size))
    total = format_signed(status.points, plus="")
    right = wide - 6 - text_width(total, 19, SANS_BOLD) - 5
    if status.name != name:
        note = note or f"as {status.name}"
    body = [*_chip_block(status.suit, display_strength(name, status), high), *_chip_text(name, note, right, size)]
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


def _chip_text(name: str, note: str, right: float, size: tuple[float, float]) -> list[Element]:
    """Draw the name up to `right` and a note below: one or two lines in a low chip, as many as fit in a tall one."""
    wide, high = size
    if high >= _TALL_CHIP_HEIGHT:
        return _tall_text(name, note, right, (wide - 6, high))
    return _low_text(name, note, right, high)


_NAME_SIZES: Final = (17, 16, 15, 14, 13, 12)
_CHIP_TEXT_LEFT: Final = _BLOCK_WIDTH + 6  # where a chip's name begins


def _low_text(name: str, note: str, right: float, high: float) -> list[Element]:
    room = right - _CHIP_TEXT_LEFT
    small, under = fit_text(note, (15, 14, 13, 12), room, 1)
    under = truncate_text(note, small, room, 2) if note else ()
    letters, lines = fit_text(name, _NAME_SIZES[len(under) :], room, 1 if under else 2, SANS_BOLD)
    more = (len(lines) - 1) * letters * 1.1 + len(under) * small * 1.05
    return _chip_text_rows(lines, under, (letters, small), high / 2 + letters * 0.35 - more / 2)


def _tall_text(name: str, note: str, right: float, edge: tuple[float, float]) -> list[Element]:
    letters, lines = fit_text(name, _NAME_SIZES, right - _CHIP_TEXT_LEFT, 2, SANS_BOLD)
    # The points are next to the name, so the note gets the full width.
    room, high = edge[0] - _CHIP_TEXT_LEFT, edge[1] - 31 - (len(lines) - 1) * letters * 1.1
    fitting = [size for size in (15, 14, 13) if len(wrap_text(note, size, room)) * size * LEADING <= high]
    small = fitting[0] if fitting else 13
    return _chip_text_rows(lines, truncate_text(note, small, room, int(high / (small * LEADING))), (letters, small), 24)


def _chip_text_rows(
    lines: tuple[str, ...], under: tuple[str, ...], sizes: tuple[int, int], top: float
) -> list[Element]:
    letters, small = sizes
    step, leading = letters * 1.1, small * (LEADING if len(under) > 1 else 1)
    down = top + (len(lines) - 1) * step + small + 2
    names = [
        text_element(line, _CHIP_TEXT_LEFT, top + row * step, letters, "fr-bold") for row, line in enumerate(lines)
    ]
    return names + [
        text_element(line, _CHIP_TEXT_LEFT, down + row * leading, small, "fr-soft") for row, line in enumerate(under)
    ]


def draw_tag(name: str, place: CardPlacement, room: float) -> Element:
    """Draw a card as a line of text, 35 high: strength, emblem if there is room, name."""
    printed = BY_NAME[name]
    is_wide = room >= _EMBLEM_TAG_WIDTH
    block = 68 if is_wide else 38
    shown = truncate_text(name, _TAG_TYPE, room - block - 6)[0]
    art = [
        element("path", class_="fr-tone", d=round_rectangle(block, _TAG_HEIGHT, 5)),
        text_element(str(printed.strength), 19, 26, _TAG_TYPE, "fr-bold fr-mid fr-on"),
        *([draw_emblem(printed.suit, block - 17, 17.5, 25, "fr-emblem fr-on")] if is_wide else []),
        text_element(shown, block + 4, 25.5, _TAG_TYPE, ""),
    ]
    return card_group(name, Frame(room, _TAG_HEIGHT, 5), (draw_in_suit(name, None, art),), describe_card(name), place)
