"""Draw every card once, by suit, for the page that shows them all."""

from __future__ import annotations

from functools import cache

from realmtable.engine.protocol import CardGallery, GalleryCard, GalleryGroup
from realmtable.games.fantasy_realms.cards import CARDS, SUITS, WILD
from realmtable.games.fantasy_realms.picture.card import draw_card_without_style
from realmtable.games.fantasy_realms.picture.card_status import describe_card
from realmtable.games.fantasy_realms.picture.style import STYLE


@cache
def gallery() -> CardGallery:
    """Return all cards as printed."""
    return CardGallery(STYLE, tuple(GalleryGroup(suit, _cards_of(suit)) for suit in (*SUITS, WILD)))


def _cards_of(suit: str) -> tuple[GalleryCard, ...]:
    return tuple(
        GalleryCard(card.name, draw_card_without_style(card.name), describe_card(card.name))
        for card in CARDS
        if card.suit == suit
    )
