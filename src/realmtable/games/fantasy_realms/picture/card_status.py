"""What a card gives in a hand and what is said of it, for the picture and for the terminal alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, WILD, Card
from realmtable.games.fantasy_realms.phrases import format_signed


class CardStatus(NamedTuple):
    """What a card gives in a hand, as `score.as_json` tells it, and what its texts do there."""

    card: str
    name: str  # as it counts
    suit: str  # as it counts; Wild too where that is no suit (S3)
    strength: int
    bonus: int
    penalty: int
    points: int
    blanked: bool
    sentence: str
    blanked_by: tuple[str, ...]
    cleared: bool  # whether its penalty is gone
    struck: bool  # whether a word of its penalty is
    helps: bool  # whether its bonus has any effect
    harms: bool  # whether its penalty has


class CardMark(NamedTuple):
    """What else is shown on a card: a word or two, and whether it has just come."""

    words: str = ""
    new: bool = False


NO_MARK: Final = CardMark()
STRUCK_WORD: Final = "Army"
STRIKERS: Final = frozenset(
    card.name for card in CARDS if any(line.get("strike") == STRUCK_WORD for line in card.bonus)
)


def card_statuses(worth: Mapping[str, Any] | None) -> dict[str, CardStatus]:
    """What each card of a scored hand gives, by its printed name; nothing where no score is known."""
    if worth is None:
        return {}
    entries = worth["cards"]
    harms = {name for entry in entries for name in entry["blanked_by"] if name != entry["card"]}
    helps = {name for entry in entries for name in entry["cleared_by"]} | set(worth["choices"])
    helps |= {"Necromancer"} if worth["eighth"] else set()
    return {entry["card"]: _make_status(entry, entry["card"] in helps, entry["card"] in harms) for entry in entries}


def _make_status(entry: Mapping[str, Any], helps: bool, harms: bool) -> CardStatus:
    live, cleared_by = not entry["blanked"], set(entry["cleared_by"])
    return CardStatus(
        **{key: entry[key] for key in CardStatus._fields[:9]} | {"suit": entry["suit"] or WILD},
        blanked_by=tuple(entry["blanked_by"]),
        cleared=bool(cleared_by - STRIKERS),
        struck=bool(cleared_by & STRIKERS),
        helps=live and (helps or entry["bonus"] > 0),
        harms=live and (harms or entry["penalty"] < 0),
    )


def display_strength(name: str, standing: CardStatus | None) -> int:
    """The strength to show: as it counts or, where the card counts for nothing, as printed."""
    return BY_NAME[name].strength if standing is None or standing.blanked else standing.strength


def display_penalty(name: str, standing: CardStatus | None) -> str:
    """The text of the penalty that a card has: its own, or that of the card whose place it takes (S2)."""
    copies = any(line.get("copy") == "hand" for line in BY_NAME[name].bonus)
    return BY_NAME[standing.name if standing and copies else name].penalty_text


# Words


def describe_card(name: str, standing: CardStatus | None = None, mark: CardMark = NO_MARK) -> str:
    """All of a card in words.

    >>> describe_card("Bell Tower")
    'Bell Tower, Land, strength 8. +15 with a Wizard.'
    """
    card = BY_NAME[name]
    head = ", ".join([*_name_parts(card, standing), *["new"] * mark.new, *[mark.words] * bool(mark.words)])
    parts = [f"{head}, strength {display_strength(name, standing)}.", card.bonus_text, display_penalty(name, standing)]
    if standing:
        parts += [f"Now {describe_points(standing)}.", standing.sentence]
    return " ".join(part for part in parts if part)


def describe_points(standing: CardStatus) -> str:
    """How many points a card gives, in words."""
    return "1 point" if standing.points == 1 else f"{format_signed(standing.points, plus='')} points"


def _name_parts(card: Card, standing: CardStatus | None) -> list[str]:
    if standing is None:
        return [card.name, card.suit]
    if standing.name != card.name:
        return [f"{card.name} as {standing.name}", standing.suit]
    return [card.name, standing.suit, *([f"was {card.suit}"] if standing.suit != card.suit else [])]


def describe_blanking(standing: CardStatus) -> str:
    """By whom a card is blanked; one that nobody blanks says why in its text."""
    others = [name for name in standing.blanked_by if name != standing.card]
    if others:
        return f"blanked by {' and '.join(others)}"
    return "blanked by itself" if standing.blanked_by else "blanked"
