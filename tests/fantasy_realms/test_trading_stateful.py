"""Chaos trading with any steps in any order: no card is lost or duplicated, and a simple model agrees."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from realmtable.engine.errors import GameOver, Refused
from realmtable.engine.protocol import CLOCK, player_seats
from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.state import State, Step
from tests.fantasy_realms.helpers import ALL, GAME, table

seats_at_table = st.integers(0, 6)
picks = st.integers(0, 10**6)


class Trading(RuleBasedStateMachine):
    """Seven clients that send what they like, legal or not; the model keeps sets of cards, offers and bids."""

    verbs: ClassVar = st.sampled_from(["offer", "withdraw", "bid", "cancel", "accept", "refuse", "active"])

    @initialize(seats=st.integers(3, 7))
    def begin(self, seats: int) -> None:
        self.state: State = table(seats, "chaos", max_steps=200)
        self.hands = [set(hand) for hand in self.state.hands]
        self.offers: set[int] = set()
        self.bids: set[tuple[int, int]] = set()
        self.ready = [False] * seats

    def trading(self) -> bool:
        return self.state.phase == "trade"

    @precondition(trading)
    @rule(seat=seats_at_table, verb=verbs, pick=picks)
    def takes_a_legal_step(self, seat: int, verb: str, pick: int) -> None:
        steps = [step for step in GAME.legal_moves(self.state, seat) if step.verb == verb]
        if steps:
            self.play(seat, steps[pick % len(steps)])

    @precondition(trading)
    @rule(seat=seats_at_table, verb=verbs, one=st.integers(0, len(CARDS) - 1), other=st.integers(0, len(CARDS) - 1))
    def tries_something(self, seat: int, verb: str, one: int, other: int) -> None:
        step = Step(verb, one, other if verb in ("bid", "cancel", "accept", "refuse") else -1)
        legal = step in GAME.legal_moves(self.state, seat)
        before = self.state
        try:
            self.play(seat, step)
        except Refused:
            assert not legal
            assert self.state is before
        else:
            assert legal

    @precondition(trading)
    @rule(seat=seats_at_table)
    def is_ready(self, seat: int) -> None:
        if seat in player_seats(GAME.to_move(self.state)):
            self.play(seat, Step("ready"))

    @precondition(lambda self: self.trading() and self.state.steps > 30)
    @rule()
    def time_is_up(self) -> None:
        self.state = GAME.play(self.state, CLOCK, Step("time"))

    @precondition(lambda self: self.state.phase in ("necromancer", "keep"))
    @rule(pick=picks)
    def the_necromancer_chooses(self, pick: int) -> None:
        acting = GAME.to_move(self.state)[0]
        steps = GAME.legal_moves(self.state, acting) or [outcome.move for outcome in GAME.chance(self.state)]
        self.state = GAME.play(self.state, acting, steps[pick % len(steps)])

    @precondition(lambda self: self.state.phase == "over")
    @rule(seat=seats_at_table)
    def nothing_is_played_any_more(self, seat: int) -> None:
        with pytest.raises(GameOver):
            GAME.play(self.state, seat, Step("ready"))

    def play(self, seat: int, step: Step) -> None:
        self.state = GAME.play(self.state, seat, step)
        self.follow(seat, step)

    def follow(self, seat: int, step: Step) -> None:
        """What the rules say of a step, on the model."""
        bid = (step.card, step.other)
        if step.verb == "offer":
            self.offers.add(step.card)
        elif step.verb == "withdraw":
            self.offers.remove(step.card)
            self.bids = {bid for bid in self.bids if bid[1] != step.card}
        elif step.verb == "bid":
            self.bids.add(bid)
        elif step.verb in ("cancel", "refuse"):
            self.bids.remove(bid)
        elif step.verb == "accept":
            self.trade(seat, *bid)
        else:
            self.ready[seat] = step.verb == "ready"

    def trade(self, owner: int, given: int, offered: int) -> None:
        bidder = next(seat for seat, hand in enumerate(self.hands) if given in hand)
        self.hands[owner] ^= {given, offered}
        self.hands[bidder] ^= {given, offered}
        self.offers -= {given, offered}
        self.bids = {bid for bid in self.bids if not {given, offered} & set(bid)}
        self.ready[bidder] = False

    @invariant()
    def no_card_is_lost_or_doubled(self) -> None:
        held = [card for hand in self.state.hands for card in hand]
        assert len(held) == len(set(held))
        assert set(held) | set(self.state.deck) == ALL
        assert len(held) + len(self.state.deck) == len(ALL)

    @invariant()
    def the_model_agrees(self) -> None:
        if self.trading():
            assert [set(hand) for hand in self.state.hands] == self.hands
            assert [len(hand) for hand in self.state.hands] == [7] * len(self.hands)
            assert set(self.state.offers) == self.offers
            assert set(self.state.bids) == self.bids
            assert list(self.state.ready) == self.ready
        else:
            assert [set(hand[:7]) for hand in self.state.hands] == self.hands

    @invariant()
    def everybody_can_write_it_down(self) -> None:
        assert GAME.decode(GAME.encode(self.state)) == self.state


Trading.TestCase.settings = settings(
    max_examples=settings().max_examples // 2,
    stateful_step_count=60,
    phases=[Phase.explicit, Phase.generate],
    deadline=None,
)
TestTrading = pytest.mark.long(Trading.TestCase)
