"""Parse the effect language of `data/cards.toml` into selectors and lines; `scoring/card_arrays.py` encodes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from realmtable.games.fantasy_realms.cards import BY_NAME, SUITS, WILD, Card

ALL_SUITS: Final = (*SUITS, WILD)
NO_SUIT: Final = len(ALL_SUITS)  # the suit of a card without one

# What a line does. Those up to DIFFER give points.
ADD, STRENGTHS, STRONGEST, RUNS, SETS, DIFFER, CLEAR, CLEAR_ONE, STRIKE, BLANK, BLANKED_UNLESS, BLANKED_IF = range(12)


@dataclass(frozen=True)
class Selector:
    """A choice of cards by suit and name."""

    suits: frozenset[str] = frozenset()  # includes the card itself
    others: frozenset[str] = frozenset()  # excludes the card itself
    names: frozenset[str] = frozenset()
    spared: Mapping[str, frozenset[str]] = field(default_factory=dict)  # name -> suits in which it is not selected
    everything: bool = False  # includes cards without a suit
    text: str = field(default="", compare=False)  # as in the file

    def is_empty(self) -> bool:
        """Whether it can select no card."""
        return not (self.suits or self.others or self.names or self.everything)

    def without_suit(self, suit: str) -> Selector:
        """Return a copy with the word for a suit struck out; a selector of all cards does not name any suit."""
        if self.everything:
            return self
        return Selector(self.suits - {suit}, self.others - {suit}, self.names, self.spared, self.everything)

    def matches_suit(self, name: str, suit: str | None) -> bool:
        """Whether it selects a card by its suit; None stands for a card without a suit."""
        if suit in self.spared.get(name, ()) or (suit is None and name in self.spared):
            return False
        return self.everything if suit is None else suit in self.suits or suit in self.others


@dataclass(frozen=True)
class EffectLine:
    """One line of a bonus or penalty."""

    verb: int
    points: int = 0
    of: Selector | None = None  # cards it counts, clears, strikes or blanks, or whose presence matters
    held: tuple[Selector, ...] = ()  # one card of each must be present
    lacking: Selector | None = None  # none of these may be present
    rewards: tuple[int, ...] = ()  # for three, four, ... of a kind
    word: str = ""  # the suit it strikes


def parse_selector(text: str) -> Selector:
    """Parse a choice of cards.

    >>> sorted(parse_selector("Army or other Beast or Queen").names)
    ['Queen']
    >>> sorted(parse_selector("all except Flame, Dragon").suits)[:3]
    ['Army', 'Artifact', 'Beast']
    """
    if text.split(maxsplit=1)[0] == "all":
        return _parse_all_selector(text)
    suits: set[str] = set()
    others: set[str] = set()
    names: set[str] = set()
    spared: dict[str, frozenset[str]] = {}
    for term in text.split(" or "):
        kind, _, excepted = term.partition(" except ")
        word = kind.removeprefix("other ")
        if word in SUITS:
            (others if kind != word else suits).add(word)
            spared.update({_check_card_name(name): frozenset({word}) for name in excepted.split(", ") if name})
        else:
            names.add(_check_card_name(word))
    return Selector(frozenset(suits), frozenset(others), frozenset(names), spared, text=text)


def _parse_all_selector(text: str) -> Selector:
    excepted = [word for word in text.removeprefix("all").removeprefix(" except ").split(", ") if word]
    spared = {_check_card_name(word): frozenset(ALL_SUITS) for word in excepted if word not in SUITS}
    return Selector(frozenset(ALL_SUITS) - set(excepted), spared=spared, everything=True, text=text)


def _check_card_name(name: str) -> str:
    if name not in BY_NAME:
        raise ValueError(f"cards.toml names {name}, which is neither a suit nor a card.")
    return name


def parse_line(entry: Mapping[str, Any]) -> EffectLine | None:
    """Parse a line of the file; return None for powers that give no points (copy, change, eighth)."""
    if "points" in entry:
        return _parse_points(entry)
    if "strength" in entry:
        return EffectLine(STRENGTHS if entry["strength"] == "all" else STRONGEST, of=parse_selector(entry["of"]))
    for key, verb in (("runs", RUNS), ("sets", SETS)):
        if key in entry:
            return EffectLine(verb, rewards=tuple(entry[key]))
    if "differ" in entry:
        return EffectLine(DIFFER, entry["differ"])
    for key, verb in (("clear", CLEAR), ("clear_one", CLEAR_ONE), ("blank", BLANK)):
        if key in entry:
            return EffectLine(verb, of=parse_selector(entry[key]))
    if "strike" in entry:
        return EffectLine(STRIKE, of=parse_selector(entry["from"]), word=entry["strike"])
    if "blanked" in entry:
        return EffectLine(
            BLANKED_UNLESS if entry["blanked"] == "unless" else BLANKED_IF, of=parse_selector(entry["held"])
        )
    if entry.keys() & {"copy", "change", "eighth"}:
        return None
    raise ValueError(f"cards.toml has a line with no known effect: {dict(entry)}.")


def _parse_points(entry: Mapping[str, Any]) -> EffectLine:
    return EffectLine(
        ADD,
        entry["points"],
        of=parse_selector(entry["each"]) if "each" in entry else None,
        held=tuple(parse_selector(text) for text in entry.get("with", ())),
        lacking=parse_selector(entry["without"]) if "without" in entry else None,
    )


def bonus_lines(card: Card) -> list[EffectLine]:
    """Return the lines of a card's bonus; of those that give points, only the best counts."""
    return [line for entry in card.bonus if (line := parse_line(entry)) is not None]


def penalty_lines(card: Card) -> list[EffectLine]:
    """Return the lines of a card's penalty; all of them count."""
    return [line for entry in card.penalty if (line := parse_line(entry)) is not None]


def card_power(card: Card, key: str) -> Any:  # noqa: ANN401 - whatever value the file has
    """Return the value of `copy`, `suits`, `change` or `eighth` in a card's bonus, or None."""
    return next((entry[key] for entry in card.bonus if key in entry), None)
