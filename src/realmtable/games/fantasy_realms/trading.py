"""Trading in Chaos Realms (X2 to X6): public offers, secret bids, and which seat knows which cards.

`known` and `seen` hold only what is certain. They must depend only on what the knowing seats can see: a set that shrank
only when a hidden card moved would reveal the move.
"""

from __future__ import annotations

from dataclasses import replace

from realmtable.engine.protocol import CLOCK, Seat
from realmtable.games.fantasy_realms.cards import CardId
from realmtable.games.fantasy_realms.state import (
    NECROMANCER,
    Bid,
    Cards,
    State,
    Step,
    as_sorted_tuple,
    remove_card,
    replace_at,
)


def legal_moves(state: State, seat: Seat) -> list[Step]:
    """Return every legal step of a seat during trading."""
    if seat == CLOCK:
        return [Step("time")]
    if not 0 <= seat < len(state.hands):
        return []
    return [Step("active")] if state.ready[seat] else sorted(_trading_steps(state, seat))


def _trading_steps(state: State, seat: Seat) -> list[Step]:
    hand = state.hands[seat]
    theirs = [offer for offer in state.offers if offer not in hand]
    steps = [Step("withdraw" if card in state.offers else "offer", card) for card in hand]
    steps += [Step("bid", card, offer) for card in hand for offer in theirs if (card, offer) not in state.bids]
    steps += [Step("cancel", *bid) for bid in state.bids if bid.card in hand]
    steps += [Step(verb, *bid) for bid in state.bids if bid.offer in hand for verb in ("accept", "refuse")]
    return [*steps, Step("ready")]


def play(state: State, seat: Seat, step: Step) -> State:
    """Return the state after a legal step, ending trading where X6 says so."""
    if seat == CLOCK:
        return _end_trading(state, "time")
    state = _STEP_HANDLERS[step.verb](replace(state, steps=state.steps + 1), seat, step)
    if all(state.ready):
        return _end_trading(state, "all_ready")
    return _end_trading(state, "max_steps") if state.steps >= state.options.max_steps else state


def _offer(state: State, _: Seat, step: Step) -> State:
    known = as_sorted_tuple({*state.known, step.card})
    return replace(
        state, offers=(*state.offers, step.card), known=known, seen=_private_knowledge(known, state.hands, state.seen)
    )


def _withdraw(state: State, _: Seat, step: Step) -> State:
    """Withdraw a card; bids for it become void (X2)."""
    bids, refused = (tuple(bid for bid in made if bid.offer != step.card) for made in (state.bids, state.refused))
    return replace(state, offers=remove_card(state.offers, step.card), bids=bids, refused=refused)


def _bid(state: State, _: Seat, step: Step) -> State:
    owner = state.holder(step.other)
    assert owner is not None  # noqa: S101 - a card on offer is in a hand
    seen = replace_at(state.seen, owner, (*state.seen[owner], step.card))
    bid = Bid(step.card, step.other)
    refused = tuple(other for other in state.refused if other != bid)
    return replace(
        state, bids=(*state.bids, bid), refused=refused, seen=_private_knowledge(state.known, state.hands, seen)
    )


def _remove_bid(state: State, _: Seat, step: Step) -> State:
    bids = tuple(bid for bid in state.bids if bid != (step.card, step.other))
    return replace(state, bids=bids)


def _refuse(state: State, seat: Seat, step: Step) -> State:
    """Refuse a bid; its bidder and the owner see that it was refused, so that a bot need not remember it."""
    return replace(_remove_bid(state, seat, step), refused=(*state.refused, Bid(step.card, step.other)))


def _set_ready(state: State, seat: Seat, step: Step) -> State:
    return replace(state, ready=replace_at(state.ready, seat, step.verb == "ready"))


def _accept(state: State, owner: Seat, step: Step) -> State:
    """Exchange two cards, void every other offer and bid involving them, and make the bidder active (X3, X5)."""
    bidder = state.holder(step.card)
    assert bidder is not None  # noqa: S101 - a bid card is in a hand
    hands = replace_at(state.hands, owner, (*remove_card(state.hands[owner], step.other), step.card))
    hands = replace_at(hands, bidder, (*remove_card(state.hands[bidder], step.card), step.other))
    traded = (step.card, step.other)
    known = _outsider_knowledge(state, state.known, bidder, step.card, _visible_cards(state, bidder, None))
    seen = tuple(_knowledge_after_trade(state, seat, owner, bidder, step) for seat in range(len(hands)))
    return replace(
        state,
        hands=hands,
        offers=tuple(card for card in state.offers if card not in traded),
        bids=tuple(bid for bid in state.bids if bid.card not in traded and bid.offer not in traded),
        refused=tuple(bid for bid in state.refused if not {*map(state.holder, bid)} & {owner, bidder}),
        ready=replace_at(state.ready, bidder, value=False),
        known=known,
        seen=_private_knowledge(known, hands, seen),
    )


# ---- who knows what


def _private_knowledge(known: Cards, hands: tuple[Cards, ...], certain: tuple[Cards, ...]) -> tuple[Cards, ...]:
    """Return what each seat knows beyond public knowledge and its own hand."""
    return tuple(as_sorted_tuple({*cards} - {*known, *hands[seat]}) for seat, cards in enumerate(certain))


def _knowledge_after_trade(state: State, seat: Seat, owner: Seat, bidder: Seat, step: Step) -> Cards:
    """Return all that a seat knows after a trade: the two traders know both cards, others what they can infer."""
    certain = as_sorted_tuple({*state.known, *state.seen[seat]})
    if seat in (owner, bidder):
        return (*certain, step.card, step.other)
    return _outsider_knowledge(state, certain, bidder, step.card, _visible_cards(state, bidder, seat))


def _visible_cards(state: State, bidder: Seat, seat: Seat | None) -> set[CardId]:
    """Return the bidder's cards that a seat (None: everyone) can see: on offer, or bid for one of the seat's cards."""
    own_cards = () if seat is None else state.hands[seat]
    visible = {*state.offers, *(bid.card for bid in state.bids if bid.offer in own_cards)}
    return visible & set(state.hands[bidder])


def _outsider_knowledge(state: State, certain: Cards, bidder: Seat, given: CardId, visible: set[CardId]) -> Cards:
    """Return what outsiders still know for certain after a bidder gave a card for one on offer.

    They see who traded and where the card on offer went. If the given card was visible, they see that too. Otherwise
    any card they knew in the bidder's hand may be the one given, so only the bidder's visible cards remain certain.
    That each of the others is now with one of the two traders, and what follows from counting, is not tracked.
    """
    if given in visible:
        return certain if given in certain else as_sorted_tuple({*certain, given})
    return as_sorted_tuple({card for card in certain if card not in state.hands[bidder] or card in visible})


def _end_trading(state: State, reason: str) -> State:
    """End trading; if a seat holds the Necromancer it chooses next, which makes the holder public."""
    state = replace(state, offers=(), bids=(), refused=(), reason=reason)
    if state.holder(NECROMANCER) is None:
        return replace(state, phase="over")
    known = as_sorted_tuple({*state.known, NECROMANCER})
    return replace(state, phase="necromancer", known=known, seen=_private_knowledge(known, state.hands, state.seen))


_STEP_HANDLERS = {
    "offer": _offer, "withdraw": _withdraw, "bid": _bid, "cancel": _remove_bid, "refuse": _refuse,
    "accept": _accept, "ready": _set_ready, "active": _set_ready,
}  # fmt: skip
