"""The effect language of `data/cards.toml`, read into selectors and lines that `tables.py` lays out for the kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from realmtable.games.fantasy_realms.cards import BY_NAME, SUITS, WILD, Card

ALL_SUITS: Final = (*SUITS, WILD)
NO_SUIT: Final = len(ALL_SUITS)  # the suit of a card that has none

# What a line does. The first four need no penalty to be counted last: they give points.
ADD, STRENGTHS, STRONGEST, RUNS, SETS, DIFFER, CLEAR, CLEAR_ONE, STRIKE, BLANK, BLANKED_UNLESS, BLANKED_IF = range(12)


@dataclass(frozen=True)
class Selector:
    """A choice of cards: which suits and names are meant."""

    suits: frozenset[str] = frozenset()  # the card itself, too
    others: frozenset[str] = frozenset()  # but not the card itself
    names: frozenset[str] = frozenset()
    spared: Mapping[str, frozenset[str]] = field(default_factory=dict)  # name -> suits in which it is not meant
    everything: bool = False  # cards without a suit, too
    text: str = field(default="", compare=False)  # as the file has it

    def is_empty(self) -> bool:
        """Whether no card can be meant."""
        return not (self.suits or self.others or self.names or self.everything)

    def without_suit(self, suit: str) -> Selector:
        """The same with the word for a suit struck out; who blanks all cards does not name it."""
        if self.everything:
            return self
        return Selector(self.suits - {suit}, self.others - {suit}, self.names, self.spared, self.everything)

    def matches_suit(self, name: str, suit: str | None) -> bool:
        """Whether a card is meant for its suit; None is the suit of a card without one."""
        if suit in self.spared.get(name, ()) or (suit is None and name in self.spared):
            return False
        return self.everything if suit is None else suit in self.suits or suit in self.others


@dataclass(frozen=True)
class EffectLine:
    """One line of a bonus or penalty."""

    verb: int
    points: int = 0
    of: Selector | None = None  # whom it counts, clears, strikes or blanks, or whose presence decides
    held: tuple[Selector, ...] = ()  # one of each must be there
    lacking: Selector | None = None  # none of these may be there
    rewards: tuple[int, ...] = ()  # for three, four ... of something
    word: str = ""  # the suit that is struck


def parse_selector(text: str) -> Selector:
    """The choice of cards that a text means.

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
    """A line of the file; None where it is a power that points do not come from (copy, change, eighth)."""
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
    raise ValueError(f"cards.toml has a line that says nothing known: {dict(entry)}.")


def _parse_points(entry: Mapping[str, Any]) -> EffectLine:
    return EffectLine(
        ADD,
        entry["points"],
        of=parse_selector(entry["each"]) if "each" in entry else None,
        held=tuple(parse_selector(text) for text in entry.get("with", ())),
        lacking=parse_selector(entry["without"]) if "without" in entry else None,
    )


def bonus_lines(card: Card) -> list[EffectLine]:
    """The lines of a card's bonus; the best of those that give points counts."""
    return [found for entry in card.bonus if (found := parse_line(entry)) is not None]


def penalty_lines(card: Card) -> list[EffectLine]:
    """The lines of a card's penalty; all of them count."""
    return [found for entry in card.penalty if (found := parse_line(entry)) is not None]


def card_power(card: Card, key: str) -> Any:  # noqa: ANN401 - what the file has behind the key
    """What a card's bonus says of `copy`, `suits`, `change` or `eighth`; None where it says nothing."""
    return next((entry[key] for entry in card.bonus if key in entry), None)
