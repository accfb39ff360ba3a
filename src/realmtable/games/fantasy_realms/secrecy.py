"""What viewers learn from a step, and sampling of states that fit what a seat knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.fantasy_realms import INFO
from realmtable.games.fantasy_realms.cards import CARDS, CardId
from realmtable.games.fantasy_realms.notation import format_move
from realmtable.games.fantasy_realms.state import Cards, State, Step, as_sorted_tuple

LAST_STEP_TEXT = "…"  # a hidden step whose only visible effect is that trading ends


def text_for_viewer(state: State, seat: Seat, step: Step, viewer: Seat | None) -> str:
    """Return the text of a step as far as a viewer may know it; empty if they learn nothing (X2)."""
    if seat == CHANCE and step.verb == "draw":
        return format_move(step) if viewer is not None and viewer == drawing_seat(state) else "a card"
    if step.verb in ("bid", "cancel", "refuse", "accept"):
        between = (state.holder(step.card), state.holder(step.other))
        if viewer is None or viewer not in between:
            return _public_trade_text(state, step) if step.verb == "accept" else _secret_step_text(state)
    if step.verb == "keep" and viewer != seat:
        return "keep a card"
    return format_move(step)


def _secret_step_text(state: State) -> str:
    """Return the text of a step between two other seats: nothing, unless it ends trading (X6)."""
    return LAST_STEP_TEXT if state.steps + 1 >= state.options.max_steps else ""


def _public_trade_text(state: State, step: Step) -> str:
    """Describe a trade as everyone sees it: who gave a card for the one on offer, but not which card."""
    bidder = state.holder(step.card)
    assert bidder is not None  # noqa: S101 - a bid card is in a hand
    return f"accept a card of {INFO.seat_names[bidder]} for {CARDS[step.other].name}"


def drawing_seat(state: State) -> Seat:
    """Return the seat that gets the card chance draws."""
    if state.seat is not None:
        return state.seat
    return ((state.first or 0) + sum(map(len, state.hands))) % len(state.hands)


def resample(state: State, seat: Seat, rng: Random) -> State:
    """Return a random state that fits what a seat knows: its hand, the discard area and where it has seen cards go.

    Every unseen card is equally likely to be anywhere. Bids between other seats are dropped, because this seat has not
    seen them; so is what other seats know about each other's cards, apart from open and refused bids.
    """
    if state.phase == "over":
        return state  # all hands are public
    swaps = _sample_swaps(state, seat, rng)
    hands = tuple(tuple(swaps.get(card, card) for card in hand) for hand in state.hands)
    mine = set(state.hands[seat])
    bids, refused = (tuple(bid for bid in made if mine & set(bid)) for made in (state.bids, state.refused))
    return _restore_bid_knowledge(replace(state, hands=hands, bids=bids, refused=refused), seat)


def _sample_swaps(state: State, seat: Seat, rng: Random) -> Mapping[CardId, CardId]:
    """Map each card hidden from the seat to the card that replaces it; cards it knows keep their places."""
    certain = {*state.hands[seat], *state.known, *(state.seen[seat] if state.seen else ())}
    hidden = [card for hand in state.hands for card in hand if card not in certain]
    pool = sorted({*hidden, *state.deck})
    return dict(zip(hidden, rng.sample(pool, len(hidden)), strict=True))


def _restore_bid_knowledge(state: State, seat: Seat) -> State:
    """Let other seats know the cards bid to them; this seat keeps all it knows."""
    if not state.seen:
        return state
    seen = tuple(cards if other == seat else _cards_bid_to(state, other) for other, cards in enumerate(state.seen))
    return replace(state, seen=seen)


def _cards_bid_to(state: State, owner: Seat) -> Cards:
    bid = {bid.card for bid in (*state.bids, *state.refused) if bid.offer in state.hands[owner]}
    return as_sorted_tuple(bid - set(state.known))
