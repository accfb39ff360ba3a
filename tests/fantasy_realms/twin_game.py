"""The slow twin of the course of the game: the chapters P, W, X and N of RULES.md in plain Python.

Written from the documents alone and importing nothing of the product. Steps are texts as N1 and N2 write them; whoever
takes one is a seat, or `CHANCE` where cards are dealt, drawn or the first seat is found, or `CLOCK` in trading.
"""

from __future__ import annotations

from typing import Final

from tests.fantasy_realms.twin_cards import CARDS, NECROMANCER
from tests.fantasy_realms.twin_scoring import SCORING_OPTIONS, best_realm

Actor = int | str
Bid = tuple[str, str]  # the card that is bid, the card on offer

CHANCE: Final = "chance"
CLOCK: Final = "clock"
FULL: Final = 7  # cards in a full hand

DEFAULTS: Final[dict[str, bool | int | str]] = {
    "variant": "standard",
    "free_first_discards": False,
    "max_turns": 300,
    "trading_s": 300,
    "max_steps": 2000,
    **SCORING_OPTIONS,
}
SEATS: Final = {"standard": range(2, 7), "two_player": range(2, 3), "chaos": range(3, 8)}


class TwinGame:
    """One playing of the game, from nothing at all to the places. `play` changes it."""

    def __init__(self, seats: int, options: dict[str, bool | int | str]) -> None:
        self.options = DEFAULTS | options
        self.seats = seats
        self.chaos = self.options["variant"] == "chaos"
        self.deck = set(CARDS)
        self.hands: list[set[str]] = [set() for _ in range(seats)]
        self.discard: set[str] = set()
        # What comes next: first, deal, begin, draw, drop, trade, raise (X7: deck or leave), keep, over.
        self.phase = "deal" if self.chaos else "first"
        self.seat = 0  # the seat that is dealt to or has the turn
        self.drawn: set[str] = set()  # what was drawn in this turn
        self.turns = 0  # P5: turns that are over
        self.offers: set[str] = set()
        self.bids: set[Bid] = set()
        self.ready = [False] * seats
        self.trading_steps = 0

    @classmethod
    def start(cls, seats: int, options: dict[str, bool | int | str] | None = None) -> TwinGame:
        """A game that is about to begin; options that are not given are as RULES.md has them."""
        game = cls(seats, options or {})
        if set(game.options) != set(DEFAULTS) or seats not in SEATS[str(game.options["variant"])]:
            raise ValueError(f"No such game: {seats} seats, {options}.")
        return game

    def acting(self) -> list[Actor]:
        """Who may act: the seats first."""
        if self.phase == "over":
            return []
        if self.phase == "trade":
            return [*range(self.seats), CLOCK]
        return [CHANCE] if self.phase in ("first", "deal", "draw") else [self.seat]

    def chance(self) -> list[str]:
        """All that may happen where chance acts."""
        if self.phase == "first":
            return [f"first {seat + 1}" for seat in range(self.seats)]
        return sorted(self.deck) if self.phase in ("deal", "draw") else []

    def steps(self, actor: Actor) -> list[str]:
        """All steps of a seat, of chance or of the clock; none where it does not act."""
        if actor not in self.acting():
            return []
        if actor == CHANCE:
            return self.chance()
        if actor == CLOCK:
            return ["time"]
        return sorted(self._trading_steps(int(actor)) if self.phase == "trade" else self._turn_steps())

    def play(self, actor: Actor, text: str) -> None:
        """Take a step; ValueError if it is none of `steps`."""
        if text not in self.steps(actor):
            raise ValueError(f"{actor} cannot play {text} now.")
        if actor == CLOCK:
            self._end_trading()
        elif actor == CHANCE:
            self._play_chance(text)
        elif self.phase == "trade":
            self._trade(int(actor), text)
        else:
            self._play_turn(text)

    def is_over(self) -> bool:
        return self.phase == "over"

    # Chance: the first seat, the deal (N2) and draws.

    def _play_chance(self, text: str) -> None:
        if self.phase == "first":
            self.seat = int(text.removeprefix("first ")) - 1
            self.phase = "begin" if self.seats == 2 else "deal"
            return
        self.deck.remove(text)
        if self.phase == "deal":
            self._deal(text)
            return
        self.drawn.add(text)
        if not self.chaos:
            self.hands[self.seat].add(text)
        if len(self.drawn) == self._number_to_draw():
            self.phase = "keep" if self.chaos else "drop"

    def _deal(self, card: str) -> None:
        self.hands[self.seat].add(card)
        self.seat = (self.seat + 1) % self.seats
        if all(len(hand) == FULL for hand in self.hands):
            self.phase = "trade" if self.chaos else "begin"

    def _number_to_draw(self) -> int:
        if self.chaos:
            return 3  # X7
        return 2 if self._is_setup_turn() else 1

    def _is_setup_turn(self) -> bool:
        """W1: whether the seat began its turn with fewer than seven cards."""
        return len(self.hands[self.seat] - self.drawn) < FULL

    # P and W: turns. X7: the Necromancer's turn.

    def _turn_steps(self) -> list[str]:
        if self.phase == "raise":
            return ["deck", "leave"]
        if self.phase == "keep":
            return [f"keep {card}" for card in self.drawn]
        if self.phase == "begin":
            return ["deck", *(f"take {card}" for card in self.discard)]
        if self._is_setup_turn() and not self.options["free_first_discards"]:
            return [f"drop {card}" for card in self.drawn]
        return [f"drop {card}" for card in self.hands[self.seat]]

    def _play_turn(self, text: str) -> None:
        word, _, card = text.partition(" ")
        hand = self.hands[self.seat]
        if word == "deck":
            self.phase = "draw"
        elif word == "leave":
            self.phase = "over"
        elif word == "keep":
            hand.add(card)
            self.phase = "over"
        elif word == "take":
            self._take(card)
        else:
            hand.remove(card)
            self.discard.add(card)
            self._end_turn()

    def _take(self, card: str) -> None:
        gathering = self._is_setup_turn()
        self.discard.remove(card)
        self.hands[self.seat].add(card)
        if gathering:  # W1: it is kept, and nothing is put away for it
            self._end_turn()
        else:
            self.drawn.add(card)
            self.phase = "drop"

    def _end_turn(self) -> None:
        self.turns += 1
        self.drawn = set()
        self.seat = (self.seat + 1) % self.seats
        over = self._has_enough_discards() or self.turns == self.options["max_turns"]
        self.phase = "over" if over else "begin"

    def _has_enough_discards(self) -> bool:
        if self.seats == 2:  # W3
            return all(len(hand) == FULL for hand in self.hands) and len(self.discard) >= 12
        return len(self.discard) == 10  # P4

    # X: trading.

    def _owner(self, card: str) -> int:
        return next(seat for seat, hand in enumerate(self.hands) if card in hand)

    def _trading_steps(self, seat: int) -> list[str]:
        if self.ready[seat]:
            return ["active"]
        hand = self.hands[seat]
        steps = ["ready"]
        steps += [f"offer {card}" for card in hand if card not in self.offers]
        steps += [f"withdraw {card}" for card in hand if card in self.offers]
        steps += [f"bid {card} for {offer}" for card, offer in self._possible_bids(seat)]
        steps += [f"cancel {card} for {offer}" for card, offer in self.bids if card in hand]
        for word in ("accept", "refuse"):
            steps += [f"{word} {card} for {offer}" for card, offer in self.bids if offer in hand]
        return steps

    def _possible_bids(self, seat: int) -> list[Bid]:
        hand = self.hands[seat]
        bids = [(card, offer) for card in hand for offer in self.offers if offer not in hand]
        return [bid for bid in bids if bid not in self.bids]

    def _trade(self, seat: int, text: str) -> None:
        word, _, rest = text.partition(" ")
        card, _, offer = rest.partition(" for ")
        if word in ("ready", "active"):
            self.ready[seat] = word == "ready"
        elif word == "offer":
            self.offers.add(card)
        elif word == "withdraw":
            self._withdraw(card)
        elif word == "bid":
            self.bids.add((card, offer))
        elif word == "accept":
            self._exchange(card, offer)
        else:
            self.bids.remove((card, offer))
        self.trading_steps += 1
        if all(self.ready) or self.trading_steps == self.options["max_steps"]:
            self._end_trading()

    def _withdraw(self, card: str) -> None:
        """X2: bids are for cards on offer, so they go with the offer."""
        self.offers.remove(card)
        self.bids = {(bid, offer) for bid, offer in self.bids if offer != card}

    def _exchange(self, card: str, offer: str) -> None:
        """X3, X5: both cards change hands, nothing else stands with or for them, and the bidder is active."""
        bidder, owner = self._owner(card), self._owner(offer)
        self.hands[bidder] ^= {card, offer}
        self.hands[owner] ^= {card, offer}
        self.offers -= {card, offer}
        self.bids = {bid for bid in self.bids if not {card, offer} & set(bid)}
        self.ready[bidder] = False

    def _end_trading(self) -> None:
        self.offers, self.bids = set(), set()
        holders = [seat for seat, hand in enumerate(self.hands) if NECROMANCER in hand]
        self.phase = "raise" if holders else "over"
        self.seat = holders[0] if holders else 0

    # P6: the end.

    def _worth(self, hand: set[str]) -> tuple[int, int]:
        """The most a hand is worth, and the lowest sum of P6 with which it is worth as much."""
        return best_realm(hand, None if self.chaos else self.discard, self.options)

    def points(self) -> list[int]:
        """What each seat's hand is worth, with the best choices."""
        return [self._worth(hand)[0] for hand in self.hands]

    def places(self) -> list[int]:
        """The place of each seat; whoever shares one, shares the better."""
        worths = [self._worth(hand) for hand in self.hands]
        keys = [(-points, strength) for points, strength in worths]
        return [1 + sum(other < key for other in keys) for key in keys]
