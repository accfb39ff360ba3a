"""The table as a picture (SVG) and as lines for a terminal, from the view alone.

One picture serves a wide screen and a phone: nearly square, the own hand in two rows of four at the bottom, in letters
that can still be read at half the size.
"""

from __future__ import annotations

from typing import Final

from realmtable.games.fantasy_realms.picture.captions import (
    HAND,
    SEATS,
    View,
    counted,
    describe,
    headline,
    to_come,
    warning,
)
from realmtable.games.fantasy_realms.picture.card import HIGH, WIDE, Place, card, chip
from realmtable.games.fantasy_realms.picture.card_status import Mark, Standing, standings
from realmtable.games.fantasy_realms.picture.emblems import emblem
from realmtable.games.fantasy_realms.picture.final_scores import SHOW, last_beat, realms
from realmtable.games.fantasy_realms.picture.seats import banner, plates
from realmtable.games.fantasy_realms.picture.style import NAME, STYLE, moved, ring, rounded, text
from realmtable.games.fantasy_realms.picture.terminal import sketch
from realmtable.games.fantasy_realms.picture.trading import market
from realmtable.kit.realm_style import THEMES
from realmtable.kit.svg import Element, document, element

__all__ = ["draw", "sketch"]

_WIDTH: Final = 800
_LEFT: Final = 12
_ROOM: Final = _WIDTH - 2 * _LEFT
_TOP: Final = 46  # under the banner
_IN_ROW: Final = 4
_GAP: Final = 8
_END_HIGH: Final = 800  # of all realms at the end, if they are few

_DECK_WIDE: Final = 104
_CHIP_HIGH: Final = 46
_CHIP_STEP: Final = 52


def draw(view: View, theme: str = "auto") -> str:
    """The picture as a complete SVG document; `theme` is one of `realm_style.THEMES`."""
    if theme not in THEMES:
        raise ValueError(f"Unknown theme {theme!r}: take one of {', '.join(THEMES)}.")
    parts, bottom = _table(view)
    high = bottom + 6
    paper = element("rect", class_="rt-paper", x=0.5, y=0.5, width=_WIDTH - 1, height=high - 1, rx=9)
    return document(
        _WIDTH,
        high,
        paper,
        *_banner(view),
        *parts,
        title=f"Fantasy Realms: {headline(view)}",
        description=describe(view),
        style=STYLE,
        class_=f"rt-board rt-{NAME} rt-{theme}",
        role="group",
        data_show=None if view["scores"] is None else SHOW,
    )


def _banner(view: View) -> list[Element]:
    """The line above all; who won is told there when all is counted."""
    words, end = banner(view, headline(view), warning(view), _WIDTH - 16)
    return [words if view["scores"] is None else element("g", words, data_beat=last_beat(view)), end]


def _table(view: View) -> tuple[list[Element], float]:
    """What is under the banner, and where it ends."""
    if view["scores"] is not None:
        return realms(view, _TOP, _LEFT, _ROOM, _END_HIGH)
    if view["phase"] == "trade":
        parts, bottom = market(view, _TOP, _LEFT, _ROOM)
    else:
        parts, bottom = plates(view, _TOP, _LEFT, _ROOM)
        middle, bottom = _middle(view, bottom)
        parts += middle
    if view["hand"] is None:
        return parts, bottom
    held, bottom = _hand(view, bottom)
    return parts + held, bottom


# The middle: the deck and what lies beside it


def _middle(view: View, top: float) -> tuple[list[Element], float]:
    if view["limit"] is None:
        return _drawn_three(view, top)
    if view["hand"] is None and view["limit"] < _FULL_LIMIT:
        return _open_area(view, top)
    rows = _rows(view)
    high = 34 + rows * _CHIP_STEP
    spots = _spots(rows * _IN_ROW, top + 28)
    parts = [_cloth(top, high), *_area_words(view, top), _deck(view, _LEFT + 12, top + 12, high - 24)]
    parts += [
        element("path", class_="fr-place", d=rounded(_CHIP_WIDE, _CHIP_HIGH, 7, *spot))
        for spot in spots[len(view["discard"]) : view["limit"]]
    ]
    parts.append(_discards(view, spots))
    return parts, top + high + _GAP


_FULL_LIMIT: Final = 12  # with so many discards there is no room to show them in full
_CHIP_WIDE: Final = (_ROOM - _DECK_WIDE - 24 - 12 - 3 * 6) / _IN_ROW


def _rows(view: View) -> int:
    """Rows of discards: all that end the game, and in the game for two those that come on top of them."""
    return max(3, -(-len(view["discard"]) // _IN_ROW))


def _spots(how_many: int, top: float) -> list[tuple[float, float]]:
    left = _LEFT + 12 + _DECK_WIDE + 12
    return [
        (left + place % _IN_ROW * (_CHIP_WIDE + 6), top + place // _IN_ROW * _CHIP_STEP) for place in range(how_many)
    ]


def _cloth(top: float, high: float) -> Element:
    return element("path", class_="fr-cloth", d=rounded(_ROOM, high, 10, _LEFT, top))


def _area_words(view: View, top: float) -> list[Element]:
    more = to_come(view)
    end = "" if view["last_turns"] else f"{more} more and the game ends"
    left = _LEFT + _DECK_WIDE + 26
    return [
        text(f"Discard area: {len(view['discard'])} of {view['limit']}", left, top + 19, 16, "fr-sans fr-bold"),
        text(end, _WIDTH - _LEFT - 12, top + 19, 15, "fr-sans fr-far fr-soft"),
    ]


def _discards(view: View, spots: list[tuple[float, float]]) -> Element:
    newest = len(view["discard"]) - 1
    chips = [
        chip(
            entry["card"],
            mark=Mark(f"dropped by {SEATS[entry['seat']]}", new=place == newest),
            place=Place(spots[place], f"discard:{entry['card']}", (_CHIP_WIDE, _CHIP_HIGH)),
        )
        for place, entry in enumerate(view["discard"])
    ]
    return element("g", *chips, role="group", aria_label="Discard area")


def _deck(view: View, left: float, top: float, high: float) -> Element:
    wide, middle = _DECK_WIDE, high / 2
    words = f"Deck, {counted(view['deck'], 'card')}"
    return element(
        "g",
        element("title", words),
        element("rect", class_="fr-back", width=wide, height=high, rx=9),
        element(
            "g",
            element("path", class_="fr-back-line", d=rounded(wide - 12, high - 12, 5, 6, 6)),
            emblem("Leader", wide / 2, middle - 28, 40, "fr-back-emblem"),
            text(str(view["deck"]), wide / 2, middle + 26, 30, "fr-bold fr-mid fr-on-back"),
            text("in the deck", wide / 2, middle + 46, 15, "fr-sans fr-mid fr-on-back"),
        ),
        ring(wide, high, 9),
        class_="fr-card",
        transform=moved(left, top),
        role="button",
        tabindex=-1,
        data_handle="deck",
        aria_label=words,
    )


def _open_area(view: View, top: float) -> tuple[list[Element], float]:
    """For spectators: the discards in full, the deck in the first place."""
    places = [
        (_LEFT + 3 + at % _IN_ROW * (WIDE + 6), top + 8 + at // _IN_ROW * (HIGH + _GAP)) for at in range(3 * _IN_ROW)
    ]
    high = 3 * (HIGH + _GAP) + 8
    parts = [_cloth(top, high), _deck(view, places[0][0] + 42, places[0][1] + 24, HIGH - 48)]
    spots = places[1 : view["limit"] + 1]
    for entry, spot in zip(view["discard"], spots, strict=False):
        mark = Mark(f"dropped by {SEATS[entry['seat']]}")
        parts.append(card(entry["card"], None, mark, Place(spot, f"discard:{entry['card']}")))
    parts += [
        element("path", class_="fr-place", d=rounded(WIDE, HIGH, 10, *spot)) for spot in spots[len(view["discard"]) :]
    ]
    return parts, top + high + _GAP


def _drawn_three(view: View, top: float) -> tuple[list[Element], float]:
    """Chaos Realms after trading: the deck, and the three cards that a Necromancer has drawn from it."""
    parts = [_cloth(top, HIGH + 16), _deck(view, _LEFT + 12, top + 8, HIGH)]
    spots = [(_LEFT + _DECK_WIDE + 48 + place * (WIDE + _GAP), top + 8) for place in range(3)]
    for name, spot in zip(view["drawn"] if view["phase"] == "keep" else (), spots, strict=False):
        parts.append(card(name, None, Mark(new=True), Place(spot, f"hand:{name}")))
    return parts, top + HIGH + 16 + _GAP


# The hand


def _hand(view: View, top: float) -> tuple[list[Element], float]:
    """The viewer's cards in two rows of four, with what they are worth now."""
    known = standings(view["worth"])
    aside = set(view["drawn"]) if view["phase"] == "keep" else set()
    cards = [name for name in view["hand"] if name not in aside]
    rows = max(2, -(-len(cards) // _IN_ROW))
    left = _LEFT + (_ROOM - _IN_ROW * WIDE - 3 * _GAP) / 2
    spots = [
        (left + place % _IN_ROW * (WIDE + _GAP), top + 30 + place // _IN_ROW * (HIGH + _GAP))
        for place in range(rows * _IN_ROW)
    ]
    drawn = [
        card(name, known.get(name), _hand_mark(view, name), Place(spot, f"hand:{name}"))
        for name, spot in zip(cards, spots, strict=False)
    ]
    held = element("g", *drawn, role="group", aria_label="Your hand")
    return [*_hand_words(view, top), *_free(view, cards, spots, known), held], spots[-1][1] + HIGH + _GAP


def _hand_mark(view: View, name: str) -> Mark:
    offered = any(entry["card"] == name for entry in view["offers"])
    bid = any(entry["card"] == name for entry in view["bids"])
    words = "on offer" if offered else "bid" if bid else ""
    return Mark(words, new=name in view["drawn"])


def _hand_words(view: View, top: float) -> list[Element]:
    parts = [text(f"Your realm, {SEATS[view['viewer']]}", _LEFT + 4, top + 21, 19, "fr-bold")]
    if view["worth"] is not None:
        parts.append(text(f"worth {view['worth']['total']} now", _WIDTH - _LEFT - 4, top + 21, 19, "fr-bold fr-far"))
    return parts


def _free(view: View, cards: list[str], spots: list[tuple[float, float]], known: dict[str, Standing]) -> list[Element]:
    """Places of the hand that are empty; the eighth shows the card that the Necromancer would take now."""
    eighth = view["worth"]["eighth"] if view["worth"] else None
    if eighth and len(cards) == HAND:
        return [card(eighth, known.get(eighth), Mark("eighth card"), Place(spots[HAND]))]
    full = HAND if view["limit"] is None else HAND + 1
    return [element("path", class_="fr-place", d=rounded(WIDE, HIGH, 10, *spot)) for spot in spots[len(cards) : full]]
