"""What a player knows, read from their view. Bots and advice use nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from realmtable.engine.protocol import Seat, View
from realmtable.games.fantasy_realms.bots.hand_values import Cards, mask_of
from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE, CardId, ids_of


@dataclass(frozen=True)
class Knowledge:
    """A view as numbers."""

    seat: Seat
    seats: int
    hand: tuple[CardId, ...]
    discard: tuple[CardId, ...]
    held: tuple[Cards, ...]  # per seat: cards everyone knows it holds
    unseen: tuple[CardId, ...]  # in the deck or hidden in another hand
    limit: int  # discards that end the game
    needed: int  # cards the hand still lacks (W1)

    @property
    def opponents_cards(self) -> Cards:
        """The cards everyone knows other players hold."""
        return sum(mask for seat, mask in enumerate(self.held) if seat != self.seat)


def read_knowledge(view: View) -> Knowledge:
    """Return what the viewer knows; the viewer must have a seat."""
    hand, discard = ids_of(view["hand"]), ids_of([entry["card"] for entry in view["discard"]])
    held = tuple(mask_of(ids_of(names)) for names in view["known"])
    open_cards = mask_of(hand) | mask_of(discard) | mask_of(ids_of([name for names in view["known"] for name in names]))
    unseen = tuple(card.id for card in CARDS if not open_cards >> card.id & 1)
    limit = 0 if view["limit"] is None else view["limit"]
    needed = max(0, HAND_SIZE - len(hand))
    return Knowledge(view["viewer"], view["seats"], hand, discard, held, unseen, limit, needed)
