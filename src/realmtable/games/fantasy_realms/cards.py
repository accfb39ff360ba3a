"""Load the cards from `data/cards.toml` and find them by the names people type (C1, N3)."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from realmtable.engine.errors import BadInput
from realmtable.kit.wording import join_words

CardId = int  # index into CARDS

WILD: Final = "Wild"
HAND_SIZE: Final = 7
MAX_NAME_LENGTH: Final = 60


@dataclass(frozen=True)
class Card:
    """One card."""

    id: CardId
    name: str
    suit: str
    strength: int
    bonus: tuple[Mapping[str, Any], ...]  # lines in the effect language, as in the file
    penalty: tuple[Mapping[str, Any], ...]
    bonus_text: str  # for people; empty if there is none
    penalty_text: str
    aliases: tuple[str, ...]  # names in older printings


def _load_cards() -> tuple[tuple[str, ...], tuple[Card, ...]]:
    text = resources.files(__package__).joinpath("data/cards.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    cards = tuple(_make_card(number, entry) for number, entry in enumerate(data["card"]))
    return tuple(data["suits"]), cards


def _make_card(number: CardId, entry: dict[str, Any]) -> Card:
    return Card(
        number,
        entry["name"],
        entry["suit"],
        entry["strength"],
        tuple(entry.get("bonus", ())),
        tuple(entry.get("penalty", ())),
        entry.get("bonus_text", ""),
        entry.get("penalty_text", ""),
        tuple(entry.get("aliases", ())),
    )


SUITS, CARDS = _load_cards()  # suits exclude Wild; cards are in file order
BY_NAME: Final[Mapping[str, Card]] = {card.name: card for card in CARDS}


def normalise_name(text: str) -> str:
    """Strip case, accents and everything but letters and digits, so that people need not type exactly.

    >>> normalise_name("Doppelgänger"), normalise_name("  BOOK of-Changes ")
    ('doppelganger', 'bookofchanges')
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in plain if letter.isalnum() and not unicodedata.combining(letter))


@cache
def _cards_by_name() -> dict[str, Card]:
    return {normalise_name(name): card for card in CARDS for name in (card.name, *card.aliases)}


def find_card(text: str) -> Card:
    """Return the card with this name, older name or unambiguous beginning of a name; raise `BadInput` otherwise.

    >>> find_card("doppelg").name, find_card("Celestial Knights").name
    ('Doppelgänger', 'Knights')
    """
    wanted, shown = normalise_name(text[:MAX_NAME_LENGTH]), " ".join(text.split())[:MAX_NAME_LENGTH]
    found = cards_matching(text)
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInput(
            f"{shown} could be {join_words(sorted(card.name for card in found), 'or')}: type more of the name."
        )
    close = _close_names(wanted)
    raise BadInput(
        f"There is no card {shown or 'without a name'}"
        + (f"; did you mean {join_words(close, 'or')}?" if close else ".")
    )


def cards_matching(text: str) -> list[Card]:
    """Return the card with this name or older name, or every card whose name begins with it."""
    wanted, names = normalise_name(text[:MAX_NAME_LENGTH]), _cards_by_name()
    if wanted in names:
        return [names[wanted]]
    found = {card.name: card for name, card in names.items() if wanted and name.startswith(wanted)}
    return list(found.values())


def _close_names(wanted: str) -> list[str]:
    from difflib import get_close_matches  # noqa: PLC0415 - needed only for typos

    names = _cards_by_name()
    return sorted({names[name].name for name in get_close_matches(wanted, names, n=3, cutoff=0.7)})


def card_name(card: CardId) -> str:
    """The name of a card."""
    return CARDS[card].name


def names_of(cards: Sequence[CardId]) -> list[str]:
    """The names of cards."""
    return [CARDS[card].name for card in cards]


def ids_of(names: Sequence[str]) -> tuple[CardId, ...]:
    """The ids of cards, given their exact names."""
    return tuple(BY_NAME[name].id for name in names)
