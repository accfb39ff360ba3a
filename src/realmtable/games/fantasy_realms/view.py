"""What a viewer may know of a state, as plain data, and the clicks that make a step."""

from __future__ import annotations

from typing import Any, Final

from realmtable.engine.options import as_pairs
from realmtable.engine.protocol import HandlePath, Seat, View
from realmtable.games.fantasy_realms import rules
from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE, CardId, names_of
from realmtable.games.fantasy_realms.notation import BARE_VERBS, format_move
from realmtable.games.fantasy_realms.outcome import outcome, score_hands, turn
from realmtable.games.fantasy_realms.scoring.choice_values import is_bid_shown
from realmtable.games.fantasy_realms.scoring.quick_score import quick_score
from realmtable.games.fantasy_realms.scoring.score import score_to_json
from realmtable.games.fantasy_realms.state import DISCARD_LIMITS, Bid, State, Step


def view(state: State, viewer: Seat | None) -> dict[str, Any]:
    """Return the state as a viewer may know it; chance and the clock see what spectators see."""
    if viewer is not None and viewer < 0:
        viewer = None
    return {
        "viewer": viewer,
        "variant": state.variant,
        "phase": state.phase,
        "seats": len(state.hands),
        "seat": state.seat,
        "turn": turn(state).number,
        "first": state.first,
        "hand": None if viewer is None else names_of(state.hands[viewer]),
        "drawn": names_of(state.turn_cards) if viewer is not None and viewer == state.seat else [],
        "counts": [len(hand) for hand in state.hands],
        "known": [names_of([card for card in state.known if card in hand]) for hand in state.hands],
        "discard": [{"card": CARDS[card].name, "seat": seat} for card, seat in state.discard],
        "deck": state.deck_size,
        **_limit_data(state),
        "moves": {} if viewer is None else _moves_data(state, viewer),
        **_trade_data(state, viewer),
        "worth": None if viewer is None else _worth_data(state, viewer),
        **_result_data(state),
        "options": as_pairs(state.options),
    }


def _limit_data(state: State) -> dict[str, Any]:
    limit = DISCARD_LIMITS.get(state.variant)
    near = limit is not None and limit - len(state.discard) < len(state.hands)
    return {"limit": limit, "last_turns": near}


def _moves_data(state: State, viewer: Seat) -> dict[str, Any]:
    """Return the viewer's legal steps: a flag for each bare verb, else a list of cards; `bid` lists its targets."""
    steps = rules.legal_moves(state, viewer)
    if not steps:
        return {}
    moves: dict[str, Any] = {"deck": False, "take": [], "drop": []}
    for step in steps:
        if step.verb in BARE_VERBS:
            moves[step.verb] = True
            continue
        listed = moves.setdefault(step.verb, [])
        names = _card_names(step)
        if names not in listed:
            listed.append(names)
    return moves


def _card_names(step: Step) -> str | list[str]:
    if step.verb in ("accept", "refuse", "cancel"):
        return names_of([step.card, step.other])
    return CARDS[step.other if step.verb == "bid" else step.card].name


def _trade_data(state: State, viewer: Seat | None) -> dict[str, Any]:
    """Return the offers, the bids the viewer may see (X2), the ready seats and, at the end, the number of steps."""
    mine = set() if viewer is None else set(state.hands[viewer])
    return {
        "offers": [{"card": CARDS[card].name, "seat": state.holder(card)} for card in state.offers],
        "bids": [_bid_data(state, bid) for bid in state.bids if mine & set(bid)],
        "refused": [_bid_data(state, bid) for bid in state.refused if mine & set(bid)],
        "ready": list(state.ready) or [False] * len(state.hands),
        "steps": state.steps if state.phase == "over" else None,  # would reveal secret bids
    }


def _bid_data(state: State, bid: Bid) -> dict[str, Any]:
    return {"card": CARDS[bid.card].name, "seat": state.holder(bid.card), "for": CARDS[bid.offer].name}


def _worth_data(state: State, viewer: Seat) -> dict[str, Any] | None:
    """Return what the viewer's hand would score now; the Necromancer's three drawn cards do not count yet.

    If it is not `exact`, the hand has so many choices that it might score even more.
    """
    if state.phase == "deal":
        return None
    hand = state.hands[viewer]
    drawing = state.phase in ("necromancer", "keep")
    score, exact = quick_score(hand[:HAND_SIZE] if drawing else hand, state.open_cards(), state.options)
    return {**score_to_json(score), "exact": exact}


def _result_data(state: State) -> dict[str, Any]:
    ended = outcome(state)
    if ended is None:
        return {"scores": None, "ranking": None}
    scores = [
        {**score_to_json(score), "hand": names_of(hand)}
        for score, hand in zip(score_hands(state), state.hands, strict=True)
    ]
    return {"scores": scores, "ranking": list(ended.ranking)}


# ---- clicks

CONFIRMED_VERBS: Final = ("drop", "keep", "offer", "take")


def handles(view: View, step: Step) -> HandlePath:
    """Return what to click for a step: the deck, a card, a bid; bare verbs are buttons.

    Steps that show a card to others take two clicks: the first selects the card, the second confirms.
    """
    if step.verb == "bid":
        return _card_handle("offer", step.other), _card_handle("hand", step.card)
    if step.verb in ("accept", "refuse", "cancel"):
        return _bid_answer_path(view, step.verb, *names_of([step.card, step.other]))
    where = {
        "take": "discard",
        "drop": "hand",
        "keep": "hand",
        "offer": "hand",
        "withdraw": "offer",
        "draw": "card",
    }.get(step.verb)
    if where is None:
        return (format_move(step).replace(" ", ":"),)
    path = (_card_handle(where, step.card),)
    return path * 2 if step.verb in CONFIRMED_VERBS else path


def _bid_answer_path(view: View, verb: str, card: str, offer: str) -> HandlePath:
    """Return one click, or two for a bid that the picture has no room for."""
    mine = verb == "cancel"
    path = (f"{'bid' if mine else verb}:{card}:{offer}",)
    return path if is_bid_shown(view, card, offer) else ("your_bids" if mine else "bids", *path)


def _card_handle(place: str, card: CardId) -> str:
    return f"{place}:{CARDS[card].name}"
