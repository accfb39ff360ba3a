"""What a card gives in a hand and what is said of it, for the picture and for the terminal alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, WILD, Card


class Standing(NamedTuple):
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


class Mark(NamedTuple):
    """What else is shown on a card: a word or two, and whether it has just come."""

    words: str = ""
    new: bool = False


NO_MARK: Final = Mark()
STRUCK: Final = "Army"
STRIKERS: Final = frozenset(card.name for card in CARDS if any(line.get("strike") == STRUCK for line in card.bonus))


def standings(worth: Mapping[str, Any] | None) -> dict[str, Standing]:
    """What each card of a scored hand gives, by its printed name; nothing where no score is known."""
    if worth is None:
        return {}
    entries = worth["cards"]
    harms = {name for entry in entries for name in entry["blanked_by"] if name != entry["card"]}
    helps = {name for entry in entries for name in entry["cleared_by"]} | set(worth["choices"])
    helps |= {"Necromancer"} if worth["eighth"] else set()
    return {entry["card"]: _standing(entry, entry["card"] in helps, entry["card"] in harms) for entry in entries}


def _standing(entry: Mapping[str, Any], helps: bool, harms: bool) -> Standing:
    live, cleared_by = not entry["blanked"], set(entry["cleared_by"])
    return Standing(
        **{key: entry[key] for key in Standing._fields[:9]} | {"suit": entry["suit"] or WILD},
        blanked_by=tuple(entry["blanked_by"]),
        cleared=bool(cleared_by - STRIKERS),
        struck=bool(cleared_by & STRIKERS),
        helps=live and (helps or entry["bonus"] > 0),
        harms=live and (harms or entry["penalty"] < 0),
    )


def strength_of(name: str, standing: Standing | None) -> int:
    """The strength to show: as it counts or, where the card counts for nothing, as printed."""
    return BY_NAME[name].strength if standing is None or standing.blanked else standing.strength


def penalty_of(name: str, standing: Standing | None) -> str:
    """The text of the penalty that a card has: its own, or that of the card whose place it takes (S2)."""
    copies = any(line.get("copy") == "hand" for line in BY_NAME[name].bonus)
    return BY_NAME[standing.name if standing and copies else name].penalty_text


# Words


def label(name: str, standing: Standing | None = None, mark: Mark = NO_MARK) -> str:
    """All of a card in words.

    >>> label("Bell Tower")
    'Bell Tower, Land, strength 8. +15 with a Wizard.'
    """
    card = BY_NAME[name]
    head = ", ".join([*_names(card, standing), *["new"] * mark.new, *[mark.words] * bool(mark.words)])
    parts = [f"{head}, strength {strength_of(name, standing)}.", card.bonus_text, penalty_of(name, standing)]
    if standing:
        parts += [f"Now {points_words(standing)}.", standing.sentence]
    return " ".join(part for part in parts if part)


def points_words(standing: Standing) -> str:
    """How many points a card gives, in words."""
    return "1 point" if standing.points == 1 else f"{signed(standing.points, plus='')} points"


def _names(card: Card, standing: Standing | None) -> list[str]:
    if standing is None:
        return [card.name, card.suit]
    if standing.name != card.name:
        return [f"{card.name} as {standing.name}", standing.suit]
    return [card.name, standing.suit, *([f"was {card.suit}"] if standing.suit != card.suit else [])]


def blanked_words(standing: Standing) -> str:
    """By whom a card is blanked; one that nobody blanks says why in its text."""
    others = [name for name in standing.blanked_by if name != standing.card]
    if others:
        return f"blanked by {' and '.join(others)}"
    return "blanked by itself" if standing.blanked_by else "blanked"


def signed(points: int, plus: str = "+") -> str:
    """Points with their sign, the minus a long one.

    >>> signed(50), signed(-8), signed(7, plus="")
    ('+50', '−8', '7')
    """
    return f"{plus}{points}" if points >= 0 else f"−{-points}"
