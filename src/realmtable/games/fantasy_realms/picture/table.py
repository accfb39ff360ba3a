"""Draw the table as SVG, and as lines for a terminal, from the view alone.

One picture serves both wide screens and phones: it is nearly square, the discard area is above the viewer's hand of two
rows of four cards. Its large type is readable at half size, on a phone; type of 15 units is 13 pixels high where the
picture has 690. The seats are chips of the page, and what is known of other hands is in a tab.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.cards import HAND_SIZE
from realmtable.games.fantasy_realms.picture.captions import (
    SEAT_NAMES,
    describe,
    discards_left,
    headline,
    worth_text,
)
from realmtable.games.fantasy_realms.picture.card import CARD_HEIGHT, CARD_WIDTH, draw_card
from realmtable.games.fantasy_realms.picture.card_group import CardPlacement
from realmtable.games.fantasy_realms.picture.card_status import CardMark, CardStatus, card_statuses
from realmtable.games.fantasy_realms.picture.emblems import draw_emblem
from realmtable.games.fantasy_realms.picture.final_scores import REVEAL_NAME, draw_realms, last_beat
from realmtable.games.fantasy_realms.picture.hand_card import HAND_CARD_HEIGHT, draw_hand_card
from realmtable.games.fantasy_realms.picture.large_chip import (
    HAND_CHIP_SIZE,
    MIN_TYPE,
    draw_hand_chip,
    draw_market_chip,
)
from realmtable.games.fantasy_realms.picture.style import (
    STYLE,
    STYLE_NAME,
    round_rectangle,
    selection_ring,
    text_element,
)
from realmtable.games.fantasy_realms.picture.style import translate as move_by
from realmtable.games.fantasy_realms.picture.terminal import sketch
from realmtable.games.fantasy_realms.picture.trading import GAIN_LEGEND, TRADING_TIPS, draw_bids, draw_offers
from realmtable.kit.picture_style import check_theme
from realmtable.kit.svg import Element, clickable, document, element, name_parts, parted_group
from realmtable.kit.text_metrics import SANS_BOLD, fit_text
from realmtable.kit.wording import format_count

__all__ = ["draw", "sketch"]

_WIDTH: Final = 800
_LEFT: Final = 12
_CONTENT_WIDTH: Final = _WIDTH - 2 * _LEFT
_TOP: Final = 8
_BANNER_HEIGHT: Final = 40
_CARDS_PER_ROW: Final = 4
_GAP: Final = 8
_FINAL_HEIGHT: Final = 740  # of all realms at the end, if there are few

_DECK_WIDTH: Final = 104
_CHIPS_PER_ROW: Final = 3
_CHIP_HEIGHT: Final = 54
_CHIP_STEP: Final = 59


def draw(view: View, theme: str = "auto") -> str:
    """Return the picture as a complete SVG document; `theme` is one of `picture_style.THEMES`."""
    check_theme(theme)
    parts, bottom = _table_parts(view)
    high = bottom + 6
    paper = element("rect", class_="rt-paper", x=0.5, y=0.5, width=_WIDTH - 1, height=high - 1, rx=9)
    return document(
        _WIDTH,
        high,
        {"paper": paper, **name_parts(_banner(view), "banner"), **name_parts(parts, "table")},
        title=f"Fantasy Realms: {headline(view)}",
        description=describe(view),
        style=STYLE,
        class_=f"rt-board rt-{STYLE_NAME} rt-{theme}",
        role="group",
        data_show=None if view["scores"] is None else REVEAL_NAME,
        data_tips=TRADING_TIPS if view["phase"] == "trade" and view["hand"] is not None else None,
    )


def _banner(view: View) -> list[Element]:
    """Draw the line at the top: of trading, and at the end the winner once everything is counted."""
    if view["phase"] == "trade":
        legend = text_element(GAIN_LEGEND, _WIDTH - 12, 31, MIN_TYPE, "fr-far fr-soft")
        return [text_element(headline(view), 16, 31, 25, "fr-bold"), *([] if view["hand"] is None else [legend])]
    if view["scores"] is None:
        return []
    size, _ = fit_text(headline(view), (21, 20, 19, 18, 17, 16, 15), _WIDTH - 32, 1, SANS_BOLD)
    return [element("g", text_element(headline(view), 16, 30, size, "fr-bold"), data_beat=last_beat(view))]


def _table_parts(view: View) -> tuple[list[Element], float]:
    """Draw everything below the banner; return it and where it ends."""
    if view["scores"] is not None:
        return draw_realms(view, _BANNER_HEIGHT, _LEFT, _CONTENT_WIDTH, _FINAL_HEIGHT)
    if view["phase"] == "trade":
        return _trading_parts(view)
    parts, bottom = _middle(view, _TOP)
    if view["hand"] is None:
        return parts, bottom
    held, bottom = _hand(view, bottom)
    return parts + held, bottom


def _trading_parts(view: View) -> tuple[list[Element], float]:
    """Draw offers, the viewer's hand and bids, in large type."""
    parts, bottom = draw_offers(view, _BANNER_HEIGHT, _LEFT, _CONTENT_WIDTH)
    if view["hand"] is None:
        return parts, bottom
    held, bottom = _trading_hand(view, bottom)
    bids, bottom = draw_bids(view, bottom, _LEFT, _CONTENT_WIDTH)
    return parts + held + bids, bottom


# ---- the middle: the deck and the cards next to it


def _middle(view: View, top: float) -> tuple[list[Element], float]:
    if view["limit"] is None:
        return _necromancer_cards(view, top)
    if view["hand"] is None and view["limit"] < _COMPACT_LIMIT:
        return _spectator_discards(view, top)
    rows = _discard_rows(view)
    high = 36 + rows * _CHIP_STEP
    left = _LEFT + 12 + _DECK_WIDTH + 12
    spots = _grid((rows, _CHIPS_PER_ROW), left, top + 32, (_CHIP_WIDTH + 6, _CHIP_STEP))
    parts = [_area_background(top, high), *_discard_caption(view, top), _deck(view, _LEFT + 12, top + 12, high - 24)]
    parts += _empty(spots[len(view["discard"]) : view["limit"]], _CHIP_WIDTH, _CHIP_HEIGHT, 7)
    parts.append(_discards(view, spots))
    return parts, top + high + _GAP


_COMPACT_LIMIT: Final = 12  # from this many discards, there is no room for full cards
_CHIP_WIDTH: Final = (_CONTENT_WIDTH - _DECK_WIDTH - 24 - 12 - (_CHIPS_PER_ROW - 1) * 6) / _CHIPS_PER_ROW


def _discard_rows(view: View) -> int:
    """Return the rows of discards: enough for those that end the game, more if two players go beyond them."""
    count: int = max(len(view["discard"]), view["limit"])
    return -(-count // _CHIPS_PER_ROW)


Spots = list[tuple[float, float]]


def _grid(size: tuple[int, int], left: float, top: float, steps: tuple[float, float]) -> Spots:
    """Return the places of some rows and columns, row by row."""
    rows, columns = size
    return [(left + column * steps[0], top + row * steps[1]) for row in range(rows) for column in range(columns)]


def _empty(spots: Spots, wide: float, high: float, radius: float) -> list[Element]:
    """Draw empty places for cards."""
    return [element("path", class_="fr-place", d=round_rectangle(wide, high, radius, *spot)) for spot in spots]


def _area_background(top: float, high: float) -> Element:
    return element("path", class_="fr-cloth", d=round_rectangle(_CONTENT_WIDTH, high, 10, _LEFT, top))


def _discard_caption(view: View, top: float) -> list[Element]:
    more = discards_left(view)
    end = translate_count("the game ends after {count} more", "the game ends after {count} more", more)
    if not more:
        end = translate("full hands end the game")
    kind = "fr-far fr-bold fr-bad" if view["last_turns"] else "fr-far fr-soft"
    left = _LEFT + _DECK_WIDTH + 26
    return [
        text_element(f"Discard area: {len(view['discard'])} of {view['limit']}", left, top + 22, MIN_TYPE, "fr-bold"),
        text_element(end, _WIDTH - _LEFT - 12, top + 22, MIN_TYPE, kind),
    ]


def _discards(view: View, spots: Spots) -> Element:
    newest = len(view["discard"]) - 1
    chips = [
        draw_market_chip(
            entry["card"],
            CardPlacement(spots[place], f"discard:{entry['card']}", (_CHIP_WIDTH, _CHIP_HEIGHT)),
            CardMark(f"discarded by {SEAT_NAMES[entry['seat']]}", new=place == newest),
        )
        for place, entry in enumerate(view["discard"])
    ]
    return parted_group("discard", chips, {"role": "group", "aria_label": "Discard area"})


def _deck(view: View, left: float, top: float, high: float) -> Element:
    wide, middle = _DECK_WIDTH, high / 2
    words = f"Deck, {format_count(view['deck'], 'card')}"
    return element(
        "g",
        element("title", words),
        element("rect", class_="fr-back", width=wide, height=high, rx=9),
        element(
            "g",
            element("path", class_="fr-back-line", d=round_rectangle(wide - 12, high - 12, 5, 6, 6)),
            draw_emblem("Leader", wide / 2, middle - 28, 40, "fr-back-emblem"),
            text_element(str(view["deck"]), wide / 2, middle + 26, 30, "fr-bold fr-mid fr-on-back"),
            text_element("in deck", wide / 2, middle + 52, MIN_TYPE, "fr-mid fr-on-back"),
        ),
        selection_ring(wide, high, 9),
        class_="fr-card",
        transform=move_by(left, top),
        **clickable("deck"),
        data_button="Draw three cards" if view["phase"] == "necromancer" else None,
        aria_label=words,
    )


def _spectator_discards(view: View, top: float) -> tuple[list[Element], float]:
    """Draw the deck, then the discards as full cards, for spectators."""
    places = _grid((3, _CARDS_PER_ROW), _LEFT + 3, top + 8, (CARD_WIDTH + 6, CARD_HEIGHT + _GAP))
    high = 3 * (CARD_HEIGHT + _GAP) + 8
    parts = [_area_background(top, high), _deck(view, places[0][0] + 42, places[0][1] + 24, CARD_HEIGHT - 48)]
    spots = places[1 : view["limit"] + 1]
    for entry, spot in zip(view["discard"], spots, strict=False):
        mark = CardMark(f"discarded by {SEAT_NAMES[entry['seat']]}")
        parts.append(draw_card(entry["card"], mark, CardPlacement(spot, f"discard:{entry['card']}")))
    parts += _empty(spots[len(view["discard"]) :], CARD_WIDTH, CARD_HEIGHT, 10)
    return parts, top + high + _GAP


def _necromancer_cards(view: View, top: float) -> tuple[list[Element], float]:
    """Draw the deck after trading in Chaos Realms, and the three cards the Necromancer drew."""
    parts = [_area_background(top, HAND_CARD_HEIGHT + 16), _deck(view, _LEFT + 12, top + 8, HAND_CARD_HEIGHT)]
    spots = _grid((1, 3), _LEFT + _DECK_WIDTH + 48, top + 8, (CARD_WIDTH + _GAP, 0))
    for name, spot in zip(view["drawn"] if view["phase"] == "keep" else (), spots, strict=False):
        parts.append(draw_hand_card(name, None, CardMark(new=True), CardPlacement(spot, f"hand:{name}")))
    return parts, top + HAND_CARD_HEIGHT + 16 + _GAP


# ---- the hand


_HAND_GROUP: Final = {"role": "group", "aria_label": "Your hand"}


def _hand(view: View, top: float) -> tuple[list[Element], float]:
    """Draw the viewer's cards in two rows of four, with what they are worth now."""
    known = card_statuses(view["worth"])
    not_kept = set(view["drawn"]) if view["phase"] == "keep" else set()
    cards = [name for name in view["hand"] if name not in not_kept]
    rows = max(2, -(-len(cards) // _CARDS_PER_ROW))
    left = _LEFT + (_CONTENT_WIDTH - _CARDS_PER_ROW * CARD_WIDTH - 3 * _GAP) / 2
    spots = _grid((rows, _CARDS_PER_ROW), left, top + 30, (CARD_WIDTH + _GAP, HAND_CARD_HEIGHT + _GAP))
    drawn = [
        draw_hand_card(name, known.get(name), _hand_mark(view, name), CardPlacement(spot, f"hand:{name}"))
        for name, spot in zip(cards, spots, strict=False)
    ]
    held = parted_group("hand", drawn, _HAND_GROUP)
    caption = _hand_caption(view, f"Your realm, {SEAT_NAMES[view['viewer']]}", top + 22)
    bottom = spots[-1][1] + HAND_CARD_HEIGHT + _GAP
    return [*caption, *_empty_places(view, cards, spots, known), held], bottom


def _trading_hand(view: View, top: float) -> tuple[list[Element], float]:
    """Draw the viewer's cards in large type, without their texts."""
    known, (wide, high) = card_statuses(view["worth"]), HAND_CHIP_SIZE
    step = (_CONTENT_WIDTH - wide) / (_CARDS_PER_ROW - 1)
    chips = []
    for place, name in enumerate(view["hand"]):
        row, column = divmod(place, _CARDS_PER_ROW)
        spot = CardPlacement((_LEFT + column * step, top + 36 + row * (high + _GAP)), f"hand:{name}")
        chips.append(draw_hand_chip(name, known.get(name), _hand_mark(view, name), spot))
    held = parted_group("hand", chips, _HAND_GROUP)
    return [*_hand_caption(view, "Your realm", top + 26), held], top + 36 + 2 * (high + _GAP)


def _hand_mark(view: View, name: str) -> CardMark:
    offered = any(entry["card"] == name for entry in view["offers"])
    bid = any(entry["card"] == name for entry in view["bids"])
    words = "on offer" if offered else "bid" if bid else ""
    return CardMark(words, new=name in view["drawn"])


def _hand_caption(view: View, words: str, down: float) -> list[Element]:
    parts = [text_element(words, _LEFT + 4, down, MIN_TYPE, "fr-bold")]
    if view["worth"] is not None:
        worth = f"{worth_text(view['worth'])} now"
        parts.append(text_element(worth, _WIDTH - _LEFT - 4, down, MIN_TYPE, "fr-bold fr-far"))
    return parts


def _empty_places(view: View, cards: list[str], spots: Spots, known: dict[str, CardStatus]) -> list[Element]:
    """Draw the empty places of the hand; the eighth shows the card the Necromancer would take now."""
    eighth = view["worth"]["eighth"] if view["worth"] else None
    if eighth and len(cards) == HAND_SIZE:
        return [draw_hand_card(eighth, known.get(eighth), CardMark("eighth card"), CardPlacement(spots[HAND_SIZE]))]
    full = HAND_SIZE if view["limit"] is None else HAND_SIZE + 1
    return _empty(spots[len(cards) : full], CARD_WIDTH, HAND_CARD_HEIGHT, 10)
