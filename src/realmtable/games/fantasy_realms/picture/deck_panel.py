"""Draw the tab Deck: the cards that others are known to hold, and by suit those that the viewer has not seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import Panel, View
from realmtable.games.fantasy_realms.cards import CARDS, SUITS, WILD
from realmtable.games.fantasy_realms.picture.captions import SEAT_NAMES
from realmtable.games.fantasy_realms.picture.card_group import CardPlacement
from realmtable.games.fantasy_realms.picture.chip import TAG_HEIGHT, draw_tag, tag_width
from realmtable.games.fantasy_realms.picture.emblems import draw_emblem
from realmtable.games.fantasy_realms.picture.seats import seat_sign
from realmtable.games.fantasy_realms.picture.style import STYLE_NAME, suit_class, text_element
from realmtable.kit.svg import SVG_NAMESPACE, Element, element

_WIDTH: Final = 400  # about as wide as the tab, so that type keeps its size
_LEFT: Final = 30
_GAP: Final = 5
_TYPE: Final = 15


class _Row(NamedTuple):
    """A sign and the cards behind it, in as many lines as they need."""

    sign: Element
    cards: Sequence[str]


def deck_panel(view: View) -> list[Panel]:
    """Return the panel."""
    return [Panel("deck", translate("Deck"), str(view["deck"]), svg=_draw(view))]


def known_hands(view: View) -> list[list[str]]:
    """Return the cards that the viewer knows each seat to hold: those everyone knows, and those bid to the viewer."""
    bids = [(bid["seat"], bid["card"]) for bid in (*view["bids"], *view["refused"])]
    return [
        list(dict.fromkeys([*cards, *(card for bidder, card in bids if bidder == seat)]))
        for seat, cards in enumerate(view["known"])
    ]


def unseen_cards(view: View) -> list[str]:
    """Return the cards that may be in the deck or hidden in a hand, in the order of the list."""
    shown = known_hands(view) if view["scores"] is None else [score["hand"] for score in view["scores"]]
    seen = {*(view["hand"] or ()), *(entry["card"] for entry in view["discard"]), *chain(*shown)}
    return [card.name for card in CARDS if card.name not in seen]


def _draw(view: View) -> str:
    unseen = unseen_cards(view)
    known = known_hands(view) if view["scores"] is None else []
    held = [
        _Row(element("g", seat_sign(seat, 13, 14), role="img", aria_label=SEAT_NAMES[seat]), cards)
        for seat, cards in enumerate(known)
        if seat != view["viewer"] and cards
    ]
    hidden = len(unseen) - view["deck"]
    words = translate_count("Not seen: {count} card", "Not seen: {count} cards", len(unseen))
    where = translate("{deck} in the deck, {hidden} in hands", deck=view["deck"], hidden=hidden) if hidden > 0 else ""
    suits = [
        _Row(
            element("g", draw_emblem(suit, 13, 14, 20), class_=suit_class(suit), role="img", aria_label=suit),
            [card.name for card in CARDS if card.suit == suit and card.name in unseen],
        )
        for suit in (*SUITS, WILD)
    ]
    parts: list[Element] = []
    top = 0.0
    if held:
        parts += _caption(translate("In other hands"), "", top)
        top = _add_rows(parts, held, top + 30) + 10
    parts += _caption(words, where, top)
    bottom = _add_rows(parts, [row for row in suits if row.cards], top + 30)
    return element(
        "svg",
        *parts,
        xmlns=SVG_NAMESPACE,
        viewBox=f"0 0 {_WIDTH} {bottom:g}",
        class_=f"rt-board rt-{STYLE_NAME} rt-auto",
        role="group",
        aria_label=translate("The deck and the cards known in other hands"),
    )


def _caption(words: str, more: str, top: float) -> list[Element]:
    parts = [text_element(words, 2, top + 20, _TYPE + 1, "fr-bold")]
    return [*parts, text_element(more, _WIDTH - 2, top + 20, _TYPE, "fr-far fr-soft")] if more else parts


def _add_rows(parts: list[Element], rows: Sequence[_Row], top: float) -> float:
    """Add rows below each other; return where they end."""
    for row in rows:
        parts.append(element("g", row.sign, transform=f"translate(0 {top:g})"))
        last = top
        for name, left, down in _flow(row.cards, top):
            parts.append(draw_tag(name, CardPlacement((left, down))))
            last = down
        top = last + TAG_HEIGHT + _GAP + 2
    return top


def _flow(cards: Sequence[str], top: float) -> Iterator[tuple[str, float, float]]:
    """Yield where each card is, line by line."""
    left = float(_LEFT)
    for name in cards:
        if left > _LEFT and left + tag_width(name) > _WIDTH:
            left, top = float(_LEFT), top + TAG_HEIGHT + _GAP
        yield name, left, top
        left += tag_width(name) + _GAP
