"""The state of a game of Fantasy Realms.

It stores as little as possible, so that it cannot contradict itself: the deck is every card not elsewhere, in no order;
whose turn it is follows from the number of turns taken; and an offer or bid belongs to the holder of its card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from realmtable.engine.errors import BadOptions
from realmtable.engine.protocol import Seat, format_player_counts
from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE, CardId, find_card
from realmtable.games.fantasy_realms.options import FantasyOptions

NECROMANCER_DRAW: Final = 3  # cards the Necromancer draws in Chaos Realms (X7)
NO_CARD: Final = -1  # for steps that name no card
NECROMANCER: Final[CardId] = find_card("Necromancer").id
DISCARD_LIMITS: Final = {"standard": 10, "two_player": 12}  # discards that end the game (P4, W3)
SEATS_BY_VARIANT: Final = {"standard": range(2, 7), "two_player": range(2, 3), "chaos": range(3, 8)}
PHASES: Final = ("deal", "draw", "discard", "trade", "necromancer", "keep", "over")
REASONS: Final = ("full_discard", "max_turns", "time", "all_ready", "max_steps")  # why the game or trading ended

Cards = tuple[CardId, ...]


class Step(NamedTuple):
    """A step: its verb, its card (for `first`, the seat) and, for a bid, the card on offer."""

    verb: str
    card: CardId = NO_CARD
    other: CardId = NO_CARD


class Bid(NamedTuple):
    """A card bid for a card on offer."""

    card: CardId
    offer: CardId


@dataclass(frozen=True)
class State:
    """The state of a game."""

    options: FantasyOptions
    hands: tuple[Cards, ...]  # per seat, in order of arrival; cards of the current turn come last
    discard: tuple[tuple[CardId, Seat], ...] = ()  # oldest first, with the seat that discarded it
    phase: str = "deal"
    first: Seat | None = None  # the starting seat, once chosen (P1)
    turns: int = 0  # completed turns
    owed: int = 0  # cards chance has yet to draw for the acting seat
    known: Cards = ()  # ascending: cards whose holder everyone knows
    reason: str = ""  # one of REASONS, once the game or trading is over
    offers: Cards = ()  # in the order they were made
    bids: tuple[Bid, ...] = ()  # in the order they were made
    refused: tuple[Bid, ...] = ()  # refused bids, until the card is withdrawn or either player trades
    ready: tuple[bool, ...] = ()  # per seat; Chaos Realms only
    steps: int = 0  # trading steps taken
    seen: tuple[Cards, ...] = ()  # per seat, ascending: other hands' cards it knows beyond `known`; Chaos Realms only

    @property
    def variant(self) -> str:
        """The variant in effect: with two players, the standard game follows W."""
        named = self.options.variant
        return "two_player" if len(self.hands) == 2 else named  # noqa: PLR2004 - as the name says

    @property
    def seat(self) -> Seat | None:
        """The seat whose turn it is, or None."""
        if self.phase in ("draw", "discard"):
            assert self.first is not None  # noqa: S101 - chosen before any turn
            return (self.first + self.turns) % len(self.hands)
        return self.holder(NECROMANCER) if self.phase in ("necromancer", "keep") else None

    def holder(self, card: CardId) -> Seat | None:
        """Return the seat that holds a card, or None."""
        return next((seat for seat, hand in enumerate(self.hands) if card in hand), None)

    def size_before_turn(self, seat: Seat) -> int:
        """Return the size of a hand without the cards of the current turn."""
        if self.variant != "two_player" or self.first is None:
            return HAND_SIZE
        taken = (self.turns + (seat == self.first)) // 2  # the starting seat is one turn ahead (W1)
        return min(HAND_SIZE, taken)

    @property
    def in_setup(self) -> bool:
        """Whether the acting seat is still collecting seven cards (W1)."""
        return self.seat is not None and self.size_before_turn(self.seat) < HAND_SIZE

    @property
    def turn_cards(self) -> Cards:
        """The cards the acting seat drew or took this turn and still holds."""
        return () if self.seat is None else self.hands[self.seat][self.size_before_turn(self.seat) :]

    @property
    def deck(self) -> list[CardId]:
        """The cards in the deck, ascending; after the Necromancer's choice, also those removed from the game (X7)."""
        gone = {card for hand in self.hands for card in hand} | {card for card, _ in self.discard}
        return [card.id for card in CARDS if card.id not in gone]

    @property
    def deck_size(self) -> int:
        """The number of cards in the deck."""
        has_eighth = any(len(hand) == HAND_SIZE + 1 for hand in self.hands)
        gone = NECROMANCER_DRAW - 1 if has_eighth and self.phase == "over" else 0  # X7: two cards left the game
        return len(CARDS) - sum(map(len, self.hands)) - len(self.discard) - gone

    def open_cards(self) -> list[CardId]:
        """Return the cards in the discard area, oldest first."""
        return [card for card, _ in self.discard]


def replace_at(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:  # noqa: ANN401 - values of any type
    """Return a copy of a tuple with one value replaced."""
    return (*values[:index], value, *values[index + 1 :])


def remove_card(cards: Cards, card: CardId) -> Cards:
    """Return the cards without one of them."""
    return tuple(other for other in cards if other != card)


def as_sorted_tuple(cards: set[CardId]) -> Cards:
    """Return a set of cards in the form the state stores."""
    return tuple(sorted(cards))


def first_state(seats: int, options: FantasyOptions) -> State:
    """Return the state before the deal; raise `BadOptions` if the variant does not allow this many seats."""
    allowed = SEATS_BY_VARIANT[options.variant]
    if seats not in allowed:
        name = {"standard": "Fantasy Realms", "two_player": "The two-player game", "chaos": "Chaos Realms"}
        raise BadOptions(f"{name[options.variant]} is for {format_player_counts(allowed)} players, not {seats}.")
    empty: tuple[Cards, ...] = ((),) * seats
    if options.variant == "chaos":
        return State(options, empty, ready=(False,) * seats, seen=empty)
    return State(options, empty)
