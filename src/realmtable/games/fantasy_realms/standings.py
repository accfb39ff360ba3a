"""Who is ahead, and which cards are used: what experiments ask of a game of Fantasy Realms."""

from __future__ import annotations

from typing import Final

from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.notation import BARE_VERBS, CARD_VERBS
from realmtable.games.fantasy_realms.scoring.score import best_worth
from realmtable.games.fantasy_realms.state import State, Step

HUNDRED: Final = 100


def standings(state: State) -> list[int]:
    """Return what each realm is worth now, without the cards of the current turn, of which one must go."""
    return [
        best_worth(
            hand if state.phase == "over" else hand[: state.size_before_turn(seat)],
            state.open_cards(),
            state.options,
        )
        for seat, hand in enumerate(state.hands)
    ]


def count_gains(state: State) -> dict[str, list[int]]:
    """Return how many hundreds of points each realm is worth."""
    return {"hundred points": [max(0, worth) // HUNDRED for worth in standings(state)]}


def name_uses(step: Step) -> list[str]:
    """Name the card that a step takes, drops, offers or keeps; of trades, only what is done."""
    if step.verb in CARD_VERBS:
        return [f"{step.verb} {CARDS[step.card].name}"]
    return [] if step.verb in BARE_VERBS and step.verb != "deck" else [step.verb]


def name_holdings(state: State) -> list[list[str]]:
    """Name the cards in each hand."""
    return [[f"end with {CARDS[card].name}" for card in hand] for hand in state.hands]
