"""One moment of a game of Fantasy Realms, and what can be read off it.

Little is stored, so that little can contradict: the deck is what nobody holds, in no order, and whose turn it is
follows from the turns taken. The owner of an offer or a bid is who holds its card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from realmtable.engine.errors import BadOptions
from realmtable.engine.protocol import Seat, format_player_counts
from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE, CardId, card_named
from realmtable.games.fantasy_realms.options import FantasyOptions

NECROMANCER_DRAW: Final = 3  # cards that the Necromancer shows in Chaos Realms (X7)
NO_CARD: Final = -1  # where a step names no card
NECROMANCER: Final[CardId] = card_named("Necromancer").id
DISCARD_LIMITS: Final = {"standard": 10, "two_player": 12}  # cards in the discard area that end it (P4, W3)
SEATS_BY_VARIANT: Final = {"standard": range(2, 7), "two_player": range(2, 3), "chaos": range(3, 8)}
PHASES: Final = ("deal", "draw", "discard", "trade", "necromancer", "keep", "over")
REASONS: Final = ("full_discard", "max_turns", "time", "all_ready", "max_steps")  # why a game, or its trading, is over

Cards = tuple[CardId, ...]


class Step(NamedTuple):
    """One step: its word, the card (with `first` the seat) and, for a bid, the card on offer it is for."""

    verb: str
    card: CardId = NO_CARD
    other: CardId = NO_CARD


class Bid(NamedTuple):
    """A card that is bid for a card on offer."""

    card: CardId
    offer: CardId


@dataclass(frozen=True)
class State:
    """One moment of a game."""

    options: FantasyOptions
    hands: tuple[Cards, ...]  # per seat, in the order the cards came; those of the present turn are last
    discard: tuple[tuple[CardId, Seat], ...] = ()  # oldest first, with who dropped it
    phase: str = "deal"
    first: Seat | None = None  # the starting seat, once chance has named it (P1)
    turns: int = 0  # complete ones
    owed: int = 0  # cards that chance still draws for who acts
    known: Cards = ()  # rising: cards in hands of which everybody knows whose
    reason: str = ""  # one of REASONS, once the game or its trading is over
    offers: Cards = ()  # in the order they were made
    bids: tuple[Bid, ...] = ()  # in the order they were made
    ready: tuple[bool, ...] = ()  # per seat; empty but in Chaos Realms
    steps: int = 0  # of trading
    seen: tuple[Cards, ...] = ()  # per seat, rising: cards of others that it alone knows of; empty but in Chaos Realms

    @property
    def variant(self) -> str:
        """The rules it is played by: two players play the standard game by W."""
        named = self.options.variant
        return "two_player" if len(self.hands) == 2 else named  # noqa: PLR2004 - as the name says

    @property
    def seat(self) -> Seat | None:
        """Whose turn it is."""
        if self.phase in ("draw", "discard"):
            assert self.first is not None  # noqa: S101 - chance names it first
            return (self.first + self.turns) % len(self.hands)
        return self.holder(NECROMANCER) if self.phase in ("necromancer", "keep") else None

    def holder(self, card: CardId) -> Seat | None:
        """Who holds a card."""
        return next((seat for seat, hand in enumerate(self.hands) if card in hand), None)

    def size_before_turn(self, seat: Seat) -> int:
        """How many cards a hand holds without those of the present turn."""
        if self.variant != "two_player" or self.first is None:
            return HAND_SIZE
        taken = (self.turns + (seat == self.first)) // 2  # the starting seat is one turn ahead (W1)
        return min(HAND_SIZE, taken)

    @property
    def in_setup(self) -> bool:
        """Whether who acts still gathers seven cards (W1)."""
        return self.seat is not None and self.size_before_turn(self.seat) < HAND_SIZE

    @property
    def turn_cards(self) -> Cards:
        """What who acts has drawn or taken in this turn and still holds."""
        return () if self.seat is None else self.hands[self.seat][self.size_before_turn(self.seat) :]

    @property
    def deck(self) -> list[CardId]:
        """The cards that lie in the deck, rising; when the Necromancer has chosen, also those that went out (X7)."""
        gone = {card for hand in self.hands for card in hand} | {card for card, _ in self.discard}
        return [card.id for card in CARDS if card.id not in gone]

    @property
    def deck_size(self) -> int:
        """How many cards lie in the deck."""
        kept = any(len(hand) == HAND_SIZE + 1 for hand in self.hands)
        gone = NECROMANCER_DRAW - 1 if kept and self.phase == "over" else 0  # X7: two went out of the game
        return len(CARDS) - sum(map(len, self.hands)) - len(self.discard) - gone

    def open_cards(self) -> list[CardId]:
        """The cards of the discard area, oldest first."""
        return [card for card, _ in self.discard]


def replace_at(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:  # noqa: ANN401 - of any kind
    """A tuple with one value changed."""
    return (*values[:index], value, *values[index + 1 :])


def remove_card(cards: Cards, card: CardId) -> Cards:
    """Cards without one of them."""
    return tuple(other for other in cards if other != card)


def as_sorted_tuple(cards: set[CardId]) -> Cards:
    """A set of cards as a state keeps it."""
    return tuple(sorted(cards))


def first_state(seats: int, options: FantasyOptions) -> State:
    """The state before the deal; `BadOptions` where the variant is not for so many."""
    fitting = SEATS_BY_VARIANT[options.variant]
    if seats not in fitting:
        name = {"standard": "Fantasy Realms", "two_player": "The two-player game", "chaos": "Chaos Realms"}
        raise BadOptions(f"{name[options.variant]} is for {format_player_counts(fitting)} players, not {seats}.")
    empty: tuple[Cards, ...] = ((),) * seats
    if options.variant == "chaos":
        return State(options, empty, ready=(False,) * seats, seen=empty)
    return State(options, empty)
