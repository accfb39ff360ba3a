"""What a card gives in a hand, as data and in words, for pictures and terminals alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from realmtable.engine.language import translate
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, WILD
from realmtable.kit.wording import format_signed


class CardStatus(NamedTuple):
    """What a card gives in a hand, as in `score_to_json`, and what its texts do there."""

    card: str
    name: str  # as it counts
    suit: str  # as it counts; Wild even where that is no suit (S3)
    strength: int
    bonus: int
    penalty: int
    points: int
    blanked: bool
    sentence: str
    blanked_by: tuple[str, ...]
    cleared: bool  # its penalty is cleared
    struck: bool  # a word of its penalty is struck
    helps: bool  # its bonus has an effect
    harms: bool  # its penalty has an effect


class CardMark(NamedTuple):
    """What else a card shows: a word or two, and whether it is new."""

    words: str = ""
    new: bool = False


NO_MARK: Final = CardMark()
STRUCK_WORD: Final = "Army"
STRIKERS: Final = frozenset(
    card.name for card in CARDS if any(line.get("strike") == STRUCK_WORD for line in card.bonus)
)


def card_statuses(worth: Mapping[str, Any] | None) -> dict[str, CardStatus]:
    """Return what each card of a scored hand gives, by printed name; empty if there is no score."""
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


def display_penalty(name: str, status: CardStatus | None) -> str:
    """Return the text of a card's penalty: its own, or that of the card it copies (S2)."""
    copies = any(line.get("copy") == "hand" for line in BY_NAME[name].bonus)
    return BY_NAME[status.name if status and copies else name].penalty_text


# ---- words


def describe_card(name: str, status: CardStatus | None = None, mark: CardMark = NO_MARK) -> str:
    """Describe a card completely, as printed and as what it became.

    >>> describe_card("Bell Tower")
    'Bell Tower, Land, strength 8. +15 with a Wizard.'
    """
    card = BY_NAME[name]
    strength = card.strength if status is None or status.blanked else status.strength
    head = ", ".join([*_name_parts(name, status), *["new"] * mark.new, *[mark.words] * bool(mark.words)])
    parts = [f"{head}, strength {strength}.", card.bonus_text, display_penalty(name, status)]
    if status:
        parts.append(describe_now(status))
    return " ".join(part for part in parts if part)


def describe_now(status: CardStatus, opening: str = "Now") -> str:
    """Say what a card gives now, and why, unless that is just its strength."""
    points = f"{opening} {describe_points(status)}."
    return points if status.sentence in ("", f"Strength {status.points}.") else f"{points} {status.sentence}"


def describe_points(status: CardStatus) -> str:
    """Say how many points a card gives."""
    return "1 point" if status.points == 1 else f"{format_signed(status.points, plus='')} points"


def _name_parts(name: str, status: CardStatus | None) -> list[str]:
    """Return the name with what the card became, and its suit unless the change says it."""
    if status is None:
        return [name, BY_NAME[name].suit]
    return [name_with_change(status), *([status.suit] if status.suit == BY_NAME[status.name].suit else [])]


def describe_change(status: CardStatus) -> str:
    """Say what a card counts as that is not printed on it; empty if nothing.

    It may have become another card (S2) or a card of another suit (S4), or both.
    """
    printed, counted = BY_NAME[status.card], BY_NAME[status.name]
    if status.name == status.card and status.suit == printed.suit:
        return ""
    if status.name == status.card:
        return translate("{before} → {after}", before=printed.suit, after=status.suit)
    if status.suit != counted.suit:
        fields = {"name": status.name, "before": counted.suit, "after": status.suit}
        return translate("as {name}, {before} → {after}", **fields)
    if status.strength != printed.strength:
        return translate("as {name}, strength {strength}", name=status.name, strength=status.strength)
    return translate("as {name}", name=status.name)


def name_with_change(status: CardStatus) -> str:
    """Return the name of a card with what it became: "Shapeshifter as Unicorn", "Knights, Army → Artifact"."""
    printed, counted = BY_NAME[status.card], BY_NAME[status.name]
    fields = {"card": status.card, "name": status.name, "before": counted.suit, "after": status.suit}
    if status.name == status.card:
        return status.card if status.suit == printed.suit else translate("{card}, {before} → {after}", **fields)
    if status.suit == counted.suit:
        return translate("{card} as {name}", **fields)
    return translate("{card} as {name}, {before} → {after}", **fields)


def describe_blanking(status: CardStatus) -> str:
    """Say which cards blank a card; for other reasons, see its sentence."""
    others = [name for name in status.blanked_by if name != status.card]
    if others:
        return f"blanked by {' and '.join(others)}"
    return "blanked by itself" if status.blanked_by else "blanked"
