"""Hands as people write them, on the command line, in a file or on a page: read forgivingly, refused by name.

Nothing here needs the rules, so that a file can be looked through before it is decided how they shall run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from realmtable.engine.errors import BadInput
from realmtable.engine.options import as_pairs, make_options, parse_pairs
from realmtable.games.fantasy_realms.cards import (
    CARDS,
    HAND_SIZE,
    SUITS,
    WILD,
    Card,
    CardId,
    card_named,
    cards_matching,
    names_of,
    normalise_name,
)
from realmtable.games.fantasy_realms.effects import card_power
from realmtable.games.fantasy_realms.options import PRESETS, FantasyOptions
from realmtable.games.fantasy_realms.phrases import format_count

MAX_HAND_SIZE: Final = HAND_SIZE + 1  # with the card about to be discarded, or the Necromancer's (S8, X7)
SIZE_RULE: Final = (
    "At the end of a game a hand has seven cards, or eight with the Necromancer;"
    " hands of one to eight cards can be scored."
)
NO_CHOICE: Final = "none"  # the choice not to choose
MAX_LIST_LENGTH: Final = 4000  # characters of a list of cards

_BETWEEN_CARDS: Final = re.compile(r"[,;\n\r\t]")
_BEFORE_SUIT: Final = re.compile(r"\s*(?::|→|\bto\b)\s*", re.IGNORECASE)

FixedChoice = CardId | tuple[CardId, str] | None  # a card, the Book's card and suit, or nothing


class Question(NamedTuple):
    """A hand to be scored, with choices that are fixed by hand."""

    hand: tuple[CardId, ...]
    discard: tuple[CardId, ...] = ()
    fixed_choices: tuple[tuple[CardId, FixedChoice], ...] = ()  # by the card that chooses
    options: FantasyOptions = FantasyOptions()


def read(
    hand: str | Sequence[str],
    discard: str | Sequence[str] = (),
    choose: Iterable[str] = (),
    options: Sequence[str] = (),
) -> Question:
    """A question from texts: lists of names, choices like ``Mirage=Rainstorm``, options like ``ring=together``.

    >>> question = read("king; Qu, bell", choose=())
    >>> names_of(question.hand)
    ['King', 'Queen', 'Bell Tower']
    """
    held, away = parse_cards(hand), parse_cards(discard)
    check_hand(held, away)
    values = parse_pairs(FantasyOptions, [pair for pair in options if pair])
    return Question(held, away, parse_fixed_choices(choose, held), make_options(FantasyOptions, PRESETS, None, values))


# ---- cards


def parse_cards(text: str | Sequence[str]) -> tuple[CardId, ...]:
    """The cards of a list, whatever is between their names; a name that is none is refused."""
    whole = text if isinstance(text, str) else "\n".join(text)
    if len(whole) > MAX_LIST_LENGTH:
        raise BadInput(f"A list of cards has at most {MAX_LIST_LENGTH:,} characters.")
    return tuple(card_named(name).id for name in _BETWEEN_CARDS.split(whole) if name.strip())


def readable(text: str) -> list[str]:
    """The full names of those cards of a list that can be read; the rest is passed over.

    >>> readable("king, nobody, Qu")
    ['King', 'Queen']
    """
    names = dict.fromkeys(_BETWEEN_CARDS.split(text[:MAX_LIST_LENGTH]))
    matches = [cards_matching(name) for name in names]  # without a guess at those that match nothing: that takes long
    return list(dict.fromkeys(cards[0].name for cards in matches if len(cards) == 1))


def check_hand(hand: Sequence[CardId], discard: Sequence[CardId] = ()) -> None:
    """Refuse a hand that is empty or too large, and a card that is there twice."""
    if not hand:
        raise BadInput("Name the cards of the hand, with commas between them.")
    check_size(hand)
    for place, cards in (("the hand", hand), ("the discard area", discard)):
        twice = next((card for card in cards if cards.count(card) > 1), None)
        if twice is not None:
            raise BadInput(f"{CARDS[twice].name} is twice in {place}; there is only one.")
    both = next((card for card in hand if card in discard), None)
    if both is not None:
        raise BadInput(f"{CARDS[both].name} is in the hand and in the discard area; there is only one.")


def check_size(hand: Sequence[CardId]) -> None:
    """Refuse a hand with more cards than anybody can hold."""
    if len(hand) > MAX_HAND_SIZE:
        raise BadInput(describe_unusual_size(hand))


def describe_unusual_size(hand: Sequence[CardId]) -> str:
    """What is unusual about the size of a hand, in words; nothing about seven cards, or eight (S8, X7)."""
    size = len(hand)
    if size == HAND_SIZE or (size == MAX_HAND_SIZE and any(card_power(CARDS[card], "eighth") for card in hand)):
        return ""
    return f"This hand has {format_count(size, 'card')}. {SIZE_RULE}"


# ---- choices


def choice_kind(card: Card) -> str:
    """What a card chooses at the scoring: "copy", "change", "clear_one", "eighth" or nothing."""
    return next((key for key in ("copy", "change", "clear_one", "eighth") if card_power(card, key)), "")


def parse_fixed_choices(texts: Iterable[str], hand: Sequence[CardId]) -> tuple[tuple[CardId, FixedChoice], ...]:
    """The choices that texts like ``Mirage=Rainstorm`` fix."""
    wishes: dict[CardId, FixedChoice] = {}
    for text in texts:
        chooser, wish = _parse_fixed_choice(text)
        if chooser not in hand:
            raise BadInput(f"{CARDS[chooser].name} is not in the hand, so there is nothing to choose for it.")
        if chooser in wishes:
            raise BadInput(f"The choice of {CARDS[chooser].name} is made twice.")
        wishes[chooser] = wish
    return tuple(wishes.items())


def _parse_fixed_choice(text: str) -> tuple[CardId, FixedChoice]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise BadInput(f"Write a choice as CARD=CHOICE, like Mirage=Rainstorm, not {text[:40]}.")
    chooser = card_named(name)
    kind = choice_kind(chooser)
    if not kind:
        known = ", ".join(card.name for card in CARDS if choice_kind(card))
        raise BadInput(f"{chooser.name} chooses nothing; choices are made by {known}.")
    if normalise_name(value) == NO_CHOICE:
        return chooser.id, None
    return chooser.id, _parse_card_and_suit(chooser, value) if kind == "change" else card_named(value).id


def _parse_card_and_suit(chooser: Card, value: str) -> tuple[CardId, str]:
    parts = _BEFORE_SUIT.split(value)
    if len(parts) != 2:  # noqa: PLR2004 - a card and a suit
        raise BadInput(f"{chooser.name} needs a card and a suit, like {chooser.name}=Bell Tower:Wizard.")
    found = [
        suit
        for suit in (*SUITS, WILD)
        if normalise_name(parts[1]) and normalise_name(suit).startswith(normalise_name(parts[1]))
    ]
    exact = [suit for suit in found if normalise_name(suit) == normalise_name(parts[1])]
    if len(exact or found) != 1:
        raise BadInput(f"{parts[1][:40] or 'Nothing'} is none of the suits: {', '.join(SUITS)}.")
    return card_named(parts[0]).id, (exact or found)[0]


def format_fixed_choice(wish: FixedChoice) -> str:
    """A choice as `read` takes it."""
    if wish is None:
        return NO_CHOICE
    return f"{CARDS[wish[0]].name}:{wish[1] or WILD}" if isinstance(wish, tuple) else CARDS[wish].name


def question_to_texts(question: Question) -> Mapping[str, list[str]]:
    """The arguments of `read` that give a question again, in full names: what a link to it holds."""
    return {
        "hand": names_of(question.hand),
        "discard": names_of(question.discard),
        "choose": [f"{CARDS[chooser].name}={format_fixed_choice(wish)}" for chooser, wish in question.fixed_choices],
        "options": as_pairs(question.options),
    }
