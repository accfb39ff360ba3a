"""Parse hands as people write them, on the command line, in a file or on a page, and refuse mistakes by name.

Nothing here needs the kernels, so a file can be checked before deciding whether to compile them.
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
    cards_matching,
    find_card,
    names_of,
    normalise_name,
)
from realmtable.games.fantasy_realms.effect_parser import card_power
from realmtable.games.fantasy_realms.options import PRESETS, FantasyOptions
from realmtable.kit.wording import format_count

MAX_HAND_SIZE: Final = HAND_SIZE + 1  # with the card about to be discarded, or the Necromancer's (S8, X7)
SIZE_RULE: Final = (
    "At the end of a game, a hand has seven cards, or eight with the Necromancer;"
    " hands of one to eight cards can be scored."
)
NO_CHOICE: Final = "none"  # leaves a choice unused
MAX_LIST_LENGTH: Final = 4000  # characters

_BETWEEN_CARDS: Final = re.compile(r"[,;\n\r\t]")
_BEFORE_SUIT: Final = re.compile(r"\s*(?::|→|\bto\b)\s*", re.IGNORECASE)

FixedChoice = CardId | tuple[CardId, str] | None  # a card, the Book's card and suit, or unused


class Question(NamedTuple):
    """A hand to score, with the choices that the user fixed."""

    hand: tuple[CardId, ...]
    discard: tuple[CardId, ...] = ()
    fixed_choices: tuple[tuple[CardId, FixedChoice], ...] = ()  # by the choosing card
    options: FantasyOptions = FantasyOptions()


def read(
    hand: str | Sequence[str],
    discard: str | Sequence[str] = (),
    choose: Iterable[str] = (),
    options: Sequence[str] = (),
) -> Question:
    """Parse a question: lists of names, choices like ``Mirage=Rainstorm``, options like ``ring=together``.

    >>> question = read("king; Qu, bell", choose=())
    >>> names_of(question.hand)
    ['King', 'Queen', 'Bell Tower']
    """
    held, discarded = parse_cards(hand), parse_cards(discard)
    check_hand(held, discarded)
    values = parse_pairs(FantasyOptions, [pair for pair in options if pair])
    return Question(
        held, discarded, parse_fixed_choices(choose, held), make_options(FantasyOptions, PRESETS, None, values)
    )


# ---- cards


def parse_cards(text: str | Sequence[str]) -> tuple[CardId, ...]:
    """Parse a list of cards with any separators; refuse unknown names."""
    whole = text if isinstance(text, str) else "\n".join(text)
    if len(whole) > MAX_LIST_LENGTH:
        raise BadInput(f"A list of cards may have at most {MAX_LIST_LENGTH:,} characters.")
    return tuple(find_card(name).id for name in _BETWEEN_CARDS.split(whole) if name.strip())


def list_known_cards(text: str) -> list[str]:
    """Return the full names of the cards in a list that can be read; skip the rest.

    >>> list_known_cards("king, nobody, Qu")
    ['King', 'Queen']
    """
    names = dict.fromkeys(_BETWEEN_CARDS.split(text[:MAX_LIST_LENGTH]))
    matches = [cards_matching(name) for name in names]  # no guessing at unknown names, which is slow
    return list(dict.fromkeys(cards[0].name for cards in matches if len(cards) == 1))


def check_hand(hand: Sequence[CardId], discard: Sequence[CardId] = ()) -> None:
    """Refuse a hand that is empty or too large, and duplicate cards."""
    if not hand:
        raise BadInput("Name the cards of the hand, separated by commas.")
    check_size(hand)
    for place, cards in (("the hand", hand), ("the discard area", discard)):
        twice = next((card for card in cards if cards.count(card) > 1), None)
        if twice is not None:
            raise BadInput(f"{CARDS[twice].name} appears twice in {place}; there is only one.")
    both = next((card for card in hand if card in discard), None)
    if both is not None:
        raise BadInput(f"{CARDS[both].name} is both in the hand and in the discard area; there is only one.")


def check_size(hand: Sequence[CardId]) -> None:
    """Refuse a hand with more cards than a player can hold."""
    if len(hand) > MAX_HAND_SIZE:
        raise BadInput(describe_unusual_size(hand))


def describe_unusual_size(hand: Sequence[CardId]) -> str:
    """Say what is unusual about the size of a hand; return "" for seven cards, or eight with a Necromancer (S8, X7)."""
    size = len(hand)
    if size == HAND_SIZE or (size == MAX_HAND_SIZE and any(card_power(CARDS[card], "eighth") for card in hand)):
        return ""
    return f"This hand has {format_count(size, 'card')}. {SIZE_RULE}"


# ---- choices


def choice_kind(card: Card) -> str:
    """Return what a card chooses when scored: "copy", "change", "clear_one", "eighth" or ""."""
    return next((key for key in ("copy", "change", "clear_one", "eighth") if card_power(card, key)), "")


class Choices(NamedTuple):
    """The choices made when a hand is scored."""

    eighth: CardId | None = None  # the card the Necromancer takes (S8)
    copies: tuple[tuple[CardId, CardId], ...] = ()  # a Wild card and what it becomes (S2, S3)
    book: tuple[CardId, str] | None = None  # the card the Book of Changes changes, and its new suit (S4)
    island: CardId | None = None  # the card Island clears (S5)

    def of(self, chooser: CardId) -> FixedChoice:
        """Return what a card has chosen."""
        kind = choice_kind(CARDS[chooser])
        if kind == "copy":
            return dict(self.copies).get(chooser)
        return {"change": self.book, "clear_one": self.island, "eighth": self.eighth}[kind]


def parse_fixed_choices(texts: Iterable[str], hand: Sequence[CardId]) -> tuple[tuple[CardId, FixedChoice], ...]:
    """Parse fixed choices like ``Mirage=Rainstorm``."""
    choices: dict[CardId, FixedChoice] = {}
    for text in texts:
        chooser, choice = _parse_fixed_choice(text)
        if chooser not in hand:
            raise BadInput(f"{CARDS[chooser].name} is not in the hand, so there is nothing to choose for it.")
        if chooser in choices:
            raise BadInput(f"{CARDS[chooser].name} has two choices; give only one.")
        choices[chooser] = choice
    return tuple(choices.items())


def _parse_fixed_choice(text: str) -> tuple[CardId, FixedChoice]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise BadInput(f"Write a choice as CARD=CHOICE, like Mirage=Rainstorm, not {text[:40]}.")
    chooser = find_card(name)
    kind = choice_kind(chooser)
    if not kind:
        known = ", ".join(card.name for card in CARDS if choice_kind(card))
        raise BadInput(f"{chooser.name} has no choice to make; cards with choices are {known}.")
    if normalise_name(value) == NO_CHOICE:
        return chooser.id, None
    return chooser.id, _parse_card_and_suit(chooser, value) if kind == "change" else find_card(value).id


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
        raise BadInput(f"{parts[1][:40] or 'Nothing'} is not a suit; choose one of {', '.join(SUITS)}.")
    return find_card(parts[0]).id, (exact or found)[0]


def format_fixed_choice(choice: FixedChoice) -> str:
    """Format a choice as `read` takes it."""
    if choice is None:
        return NO_CHOICE
    return f"{CARDS[choice[0]].name}:{choice[1] or WILD}" if isinstance(choice, tuple) else CARDS[choice].name


def question_to_texts(question: Question) -> Mapping[str, list[str]]:
    """Return the arguments of `read` that restore a question, in full names, for links."""
    return {
        "hand": names_of(question.hand),
        "discard": names_of(question.discard),
        "choose": [
            f"{CARDS[chooser].name}={format_fixed_choice(choice)}" for chooser, choice in question.fixed_choices
        ],
        "options": as_pairs(question.options),
    }
