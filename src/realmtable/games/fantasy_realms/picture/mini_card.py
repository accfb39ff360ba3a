"""Draw a card as small as it can be told: its strength and the emblem of its suit, for the news."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.picture.card_group import card_suit_class
from realmtable.games.fantasy_realms.picture.emblems import draw_emblem
from realmtable.games.fantasy_realms.picture.style import STYLE_NAME, round_rectangle, text_element
from realmtable.kit.svg import SVG_NAMESPACE, element

_WIDTH: Final = 40
_HEIGHT: Final = 54


@lru_cache(maxsize=64)
def draw_mini_card(name: str) -> str:
    """Return a card as a whole SVG document; the styles of the board apply."""
    card = BY_NAME[name]
    head = element("path", class_="fr-tone", d=round_rectangle(_WIDTH - 6, 22, 3, 3, 3))
    parts = (
        element("rect", class_="fr-face", width=_WIDTH, height=_HEIGHT, rx=5),
        head,
        text_element(str(card.strength), _WIDTH / 2, 20, 18, "fr-bold fr-mid fr-on"),
        draw_emblem(card.suit, _WIDTH / 2, 39, 22),
    )
    return element(
        "svg",
        element("g", *parts, class_=card_suit_class(name)),
        xmlns=SVG_NAMESPACE,
        viewBox=f"-8 -1 {_HEIGHT + 2} {_HEIGHT + 2}",
        class_=f"rt-board rt-{STYLE_NAME} rt-auto",
    )
