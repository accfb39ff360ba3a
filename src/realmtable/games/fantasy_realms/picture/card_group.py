"""Group the parts of a card, in every form of it: where it is drawn, and what pages need to know about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.picture.card_status import CardStatus, describe_now
from realmtable.games.fantasy_realms.picture.style import selection_ring, suit_class, translate
from realmtable.kit.svg import Attributes, Element, clickable, element, parted_group

CHIP_WIDTH: Final = 160
CHIP_HEIGHT: Final = 46


class CardPlacement(NamedTuple):
    """Where a card is drawn: its top left corner, its handle if it can be clicked, and the size of a chip."""

    at: tuple[float, float] = (0, 0)
    handle: str | None = None
    size: tuple[float, float] = (CHIP_WIDTH, CHIP_HEIGHT)


class Frame(NamedTuple):
    """The size of a card as it is drawn, and the radius of its corners."""

    wide: float
    high: float
    radius: float


def card_group(
    name: str,
    frame: Frame,
    parts: tuple[Element, ...],
    words: str,
    place: CardPlacement,
    status: CardStatus | None = None,
) -> Element:
    """Group the parts of a card on its face, at its place. Pages change the classes of this group only.

    They also show the card with this name large, with what it gives now.
    """
    wide, high, radius = frame
    face = element("rect", class_="fr-face", width=wide, height=high, rx=radius)
    role: Attributes = {"role": "img"} if place.handle is None else clickable(place.handle)
    own: Attributes = {
        "class_": "fr-card",
        "transform": translate(*place.at),
        **role,
        "data_card": name,
        "data_now": describe_now(status, "This card:") if status else None,
        "aria_label": words,
    }
    whole = (face, *parts, selection_ring(*frame))
    return parted_group(place.handle or f"{name} {translate(*place.at)}", whole, own)


def draw_in_suit(name: str, parts: Iterable[Element]) -> Element:
    """Draw parts in the colours of a card's printed suit."""
    return element("g", *parts, class_=card_suit_class(name))


def card_suit_class(name: str) -> str:
    """Return the class that gives a card the colours of its printed suit."""
    return suit_class(BY_NAME[name].suit)
