"""The rules of play: who acts, which steps are legal and what they do (P, W, X7; trading is in `trading`)."""

from __future__ import annotations

from dataclasses import replace

from realmtable.engine.errors import GameOver, IllegalMove, NotYourTurn
from realmtable.engine.protocol import CHANCE, CLOCK, ChanceOutcome, Seat
from realmtable.games.fantasy_realms import trading
from realmtable.games.fantasy_realms.cards import HAND_SIZE, CardId
from realmtable.games.fantasy_realms.refusals import refusal_reason
from realmtable.games.fantasy_realms.state import (
    DISCARD_LIMITS,
    NECROMANCER_DRAW,
    State,
    Step,
    as_sorted_tuple,
    remove_card,
    replace_at,
)


def to_move(state: State) -> tuple[Seat, ...]:
    """Return the seats that may act: while trading, the clock and every seat that is not ready."""
    if state.phase == "over":
        return ()
    if state.phase == "deal" or state.owed:
        return (CHANCE,)
    if state.phase == "trade":
        return (*(seat for seat, ready in enumerate(state.ready) if not ready), CLOCK)
    assert state.seat is not None  # noqa: S101 - every other phase is a seat's turn
    return (state.seat,)


def legal_moves(state: State, seat: Seat) -> list[Step]:
    """Return every legal step of a seat; while trading, a ready seat may become active again (X5)."""
    if state.phase == "trade":
        return trading.legal_moves(state, seat)
    return _turn_steps(state) if to_move(state) == (seat,) and seat != CHANCE else []


def _turn_steps(state: State) -> list[Step]:
    assert state.seat is not None  # noqa: S101 - checked by the caller
    if state.phase == "draw":
        return [Step("deck"), *(Step("take", card) for card in sorted(state.open_cards()))]
    if state.phase == "discard":
        free = not state.in_setup or state.options.free_first_discards  # W1
        cards = state.hands[state.seat] if free else state.turn_cards
        return [Step("drop", card) for card in sorted(cards)]
    if state.phase == "necromancer":
        return [Step("deck"), Step("leave")]
    return [Step("keep", card) for card in sorted(state.turn_cards)]


def chance(state: State) -> list[ChanceOutcome]:
    """Return the outcomes of chance: any starting seat, then any card in the deck."""
    if to_move(state) != (CHANCE,):
        return []
    if state.phase == "deal" and state.first is None and state.variant != "chaos":
        return [ChanceOutcome(Step("first", seat), 1) for seat in range(len(state.hands))]
    return [ChanceOutcome(Step("draw", card), 1) for card in state.deck]


def play(state: State, seat: Seat, step: Step) -> State:
    """Return the state after a step."""
    acting = to_move(state)
    if not acting:
        raise GameOver("The game is over.")
    legal = [outcome.move for outcome in chance(state)] if seat == CHANCE else legal_moves(state, seat)
    if step in legal:
        if state.phase == "trade":
            return trading.play(state, seat, step)
        return _STEP_HANDLERS[step.verb](state, seat, step)
    if not legal:
        waits_for_chance = acting == (CHANCE,)
        raise NotYourTurn("Wait for the cards to be drawn." if waits_for_chance else "It is another player's turn.")
    raise IllegalMove(*refusal_reason(state, seat, step))


# ---- chance


def _set_first_seat(state: State, _: Seat, step: Step) -> State:
    phase = "draw" if state.variant == "two_player" else "deal"  # W1: no cards are dealt
    return replace(state, first=step.card, phase=phase)


def _draw(state: State, _: Seat, step: Step) -> State:
    if state.phase == "deal":
        return _deal_card(state, step.card)
    assert state.seat is not None  # noqa: S101 - a seat is drawing
    held = _give_card(state, state.seat, step.card)
    after = {"draw": "discard", "necromancer": "keep"}[state.phase]
    return replace(held, owed=state.owed - 1, phase=state.phase if state.owed > 1 else after)


def _deal_card(state: State, card: CardId) -> State:
    seats, dealt = len(state.hands), sum(map(len, state.hands))
    state = _give_card(state, ((state.first or 0) + dealt) % seats, card)
    if dealt + 1 < HAND_SIZE * seats:
        return state
    return replace(state, phase="trade" if state.variant == "chaos" else "draw")


def _give_card(state: State, seat: Seat, card: CardId) -> State:
    return replace(state, hands=replace_at(state.hands, seat, (*state.hands[seat], card)))


# ---- a turn


def _draw_from_deck(state: State, _: Seat, __: Step) -> State:
    if state.phase == "necromancer":
        return replace(state, owed=NECROMANCER_DRAW)
    return replace(state, owed=2 if state.in_setup else 1)


def _take(state: State, seat: Seat, step: Step) -> State:
    in_setup = state.in_setup
    discard = tuple(entry for entry in state.discard if entry[0] != step.card)
    known = as_sorted_tuple({*state.known, step.card})  # C2
    state = replace(_give_card(state, seat, step.card), discard=discard, known=known)
    return _end_turn(state) if in_setup else replace(state, phase="discard")


def _drop(state: State, seat: Seat, step: Step) -> State:
    hands = replace_at(state.hands, seat, remove_card(state.hands[seat], step.card))
    discard, known = (*state.discard, (step.card, seat)), remove_card(state.known, step.card)
    return _end_turn(replace(state, hands=hands, discard=discard, known=known))


def _end_turn(state: State) -> State:
    """Start the next turn, or end the game (P4, P5, W3)."""
    state = replace(state, turns=state.turns + 1, phase="draw")
    hands_full = all(len(hand) == HAND_SIZE for hand in state.hands)
    if hands_full and len(state.discard) >= DISCARD_LIMITS[state.variant]:
        return replace(state, phase="over", reason="full_discard")
    return replace(state, phase="over", reason="max_turns") if state.turns >= state.options.max_turns else state


# ---- the Necromancer's choice in Chaos Realms (X7)


def _keep(state: State, seat: Seat, step: Step) -> State:
    hand = (*state.hands[seat][:HAND_SIZE], step.card)
    return replace(state, hands=replace_at(state.hands, seat, hand), phase="over")


def _leave(state: State, _: Seat, __: Step) -> State:
    return replace(state, phase="over")


_STEP_HANDLERS = {
    "first": _set_first_seat, "draw": _draw, "deck": _draw_from_deck, "take": _take, "drop": _drop,
    "keep": _keep, "leave": _leave,
}  # fmt: skip
