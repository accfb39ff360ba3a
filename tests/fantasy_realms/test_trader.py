"""Trading bots: they take what helps, refuse what does not, show one card at a time, and finish."""

from __future__ import annotations

from functools import cache
from random import Random
from statistics import fmean
from typing import Any

import pytest

from realmtable.engine.match import Match
from realmtable.games.fantasy_realms.bots.hand_values import HandValues, mask_of
from realmtable.games.fantasy_realms.bots.trader import MAX_OFFERS, NECROMANCER_POINTS, choose_trade_step
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS
from realmtable.games.fantasy_realms.scoring.score import best_worth
from realmtable.games.fantasy_realms.state import Step
from tests.fantasy_realms.example_views import offers, view
from tests.fantasy_realms.helpers import GAME

HAND = ["Mountain", "Cavern", "Bell Tower", "Forest", "Basilisk", "Dragon", "Beastmaster"]


class Prices:
    """A judge to whom each card has its price, whatever else is held; what is not named is worth 10."""

    def __init__(self, **prices: int) -> None:
        self.prices = {BY_NAME[name.replace("_", " ")].id: price for name, price in prices.items()}

    def worth(self, hand: int) -> int:
        return sum(self.prices.get(card.id, 10) for card in CARDS if hand >> card.id & 1)


class Tastes:
    """An evaluation with a random value for each pair of cards."""

    def __init__(self, seed: int) -> None:
        rng = Random(seed)
        self.likes = [[rng.randrange(-9, 20) for _ in CARDS] for _ in CARDS]
        self.worth = cache(self._worth)

    def _worth(self, hand: int) -> int:
        held = [card.id for card in CARDS if hand >> card.id & 1]
        return sum(self.likes[one][two] for one in held for two in held if one <= two)


def step(verb: str, card: str, other: str = "") -> Step:
    return Step(verb, BY_NAME[card].id, BY_NAME[other].id) if other else Step(verb, BY_NAME[card].id)


def trading_view(**changed: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    return view(4, variant="chaos", phase="trade", seat=None, first=None, limit=None, hand=HAND, **changed)


def bid(card: str, seat: int, offer: str) -> dict[str, Any]:
    return {"card": card, "seat": seat, "for": offer}


def test_the_bid_that_brings_most_is_accepted() -> None:
    bids = [bid("King", 1, "Forest"), bid("Queen", 2, "Forest"), bid("Swamp", 3, "Forest")]
    seen = trading_view(offers=offers(("Forest", 0)), bids=bids)
    assert choose_trade_step(seen, Prices(King=12, Queen=30, Swamp=10)) == step("accept", "Queen", "Forest")


def test_bids_that_bring_nothing_are_refused_at_once_the_oldest_first() -> None:
    bids = [bid("King", 1, "Forest"), bid("Swamp", 2, "Forest")]
    seen = trading_view(offers=offers(("Forest", 0), ("Queen", 2)), bids=bids)
    assert choose_trade_step(seen, Prices(Queen=40)) == step("refuse", "King", "Forest")


def test_a_good_bid_is_accepted_before_a_bad_one_is_refused() -> None:
    bids = [bid("King", 1, "Forest"), bid("Swamp", 2, "Cavern")]
    seen = trading_view(offers=offers(("Forest", 0), ("Cavern", 0)), bids=bids)
    assert choose_trade_step(seen, Prices(Swamp=12)) == step("accept", "Swamp", "Cavern")


def test_a_ready_bot_returns_to_accept_a_bid_but_not_to_refuse_one() -> None:
    """Becoming active is public: if it only refused the bid, everyone would learn that a secret bid was made."""
    seen = trading_view(
        ready=[True, False, False, False], offers=offers(("Forest", 0)), bids=[bid("King", 1, "Forest")]
    )
    assert choose_trade_step(seen, Prices()) is None
    assert choose_trade_step(seen, Prices(King=40)) == Step("active")


def test_a_refused_bid_is_not_repeated_and_counts_among_the_bids_for_a_card() -> None:
    refused = [bid("Cavern", 0, "Queen")]
    seen = trading_view(offers=offers(("Queen", 2)), refused=refused)
    second = choose_trade_step(seen, Prices(Queen=40, Cavern=3))
    assert second is not None
    assert (second.verb, second.card != BY_NAME["Cavern"].id) == ("bid", True)
    both = trading_view(offers=offers(("Queen", 2)), refused=[*refused, bid("Forest", 0, "Queen")])
    third = choose_trade_step(both, Prices(Queen=40, Cavern=3))
    assert third is not None
    assert third.verb == "offer"


def test_bots_answer_every_bid_and_only_a_refusal_leaves_a_trace() -> None:
    """A person bids Swamp for a bot's card and waits: the bot answers within a few steps of its own."""
    options = GAME.options("chaos")
    state = Match.start(GAME, GAME.initial(4, options), seed="answers").state
    valuer = HandValues(options)

    def act(state: Any) -> Any:  # noqa: ANN401 - a state
        for seat in range(1, 4):
            found = choose_trade_step(GAME.view(state, seat), valuer)
            state = state if found is None else GAME.play(state, seat, found)
        return state

    for _ in range(20):
        state = act(state)
    answered = 0
    for offer in [offer for offer in state.offers if offer not in state.hands[0]][:3]:
        made = GAME.play(state, 0, Step("bid", state.hands[0][0], offer))
        for _ in range(8):
            made = act(made)
        assert not [entry for entry in GAME.view(made, 0)["bids"] if entry["seat"] == 0]
        answered += 1
    assert answered


def test_a_card_that_helps_is_bid_for_with_the_one_that_is_missed_least() -> None:
    seen = trading_view(offers=offers(("King", 1), ("Queen", 2)))
    assert choose_trade_step(seen, Prices(King=20, Queen=40, Cavern=3)) == step("bid", "Cavern", "Queen")


def test_of_equal_ones_the_card_is_bid_that_may_please_the_owner() -> None:
    class Collector(Prices):
        """Cavern is valuable with Swamp, which the owner is known to hold."""

        def worth(self, hand: int) -> int:
            both = mask_of([BY_NAME["Cavern"].id, BY_NAME["Swamp"].id])
            return super().worth(hand) + 5 * (hand & both == both)

    seen = trading_view(offers=offers(("Queen", 2)), known=[[], [], ["Swamp"], []])
    assert choose_trade_step(seen, Collector(Queen=40)) == step("bid", "Cavern", "Queen")


def test_the_same_bid_is_not_made_twice_and_not_too_many_for_one_card() -> None:
    first = [bid("Cavern", 0, "Queen")]
    second = choose_trade_step(trading_view(offers=offers(("Queen", 2)), bids=first), Prices(Queen=40, Cavern=3))
    assert second is not None
    assert (second.verb, second.card != BY_NAME["Cavern"].id) == ("bid", True)
    both = [*first, bid("Forest", 0, "Queen")]
    third = choose_trade_step(trading_view(offers=offers(("Queen", 2)), bids=both), Prices(Queen=40, Cavern=3))
    assert third is not None
    assert third.verb == "offer"


def test_a_bid_that_has_become_a_bad_one_is_called_back() -> None:
    seen = trading_view(offers=offers(("Queen", 2)), bids=[bid("Dragon", 0, "Queen")])
    assert choose_trade_step(seen, Prices(Queen=10, Dragon=50)) == step("cancel", "Dragon", "Queen")


def test_the_necromancer_is_worth_its_possible_eighth_cards() -> None:
    """X7."""
    seen = trading_view(offers=offers(("Necromancer", 2)))
    dear = {name.replace(" ", "_"): 10 + NECROMANCER_POINTS for name in HAND}
    found = choose_trade_step(seen, Prices(Necromancer=11, **dear))
    assert found is not None
    assert (found.verb, found.other) == ("bid", BY_NAME["Necromancer"].id)
    other = choose_trade_step(seen, Prices(Necromancer=10, **dear))
    assert other is not None
    assert other.verb == "offer"


def test_cards_are_shown_one_after_another_those_first_that_are_missed_least() -> None:
    judge, shown = Prices(Forest=1, Dragon=2, Cavern=3, Mountain=4), []
    seen = trading_view()
    while (found := choose_trade_step(seen, judge)) is not None and found.verb != "ready":
        card = CARDS[found.card].name
        laid = [entry["card"] for entry in seen["offers"]]
        if found.verb == "offer":
            shown.append(card)
            laid.append(card)
        else:
            assert found == step("withdraw", laid[0])
            assert len(laid) == MAX_OFFERS
            laid.remove(card)
        seen = trading_view(offers=offers(*((name, 0) for name in laid)), known=[[*shown], [], [], []])
    assert shown[:4] == ["Forest", "Dragon", "Cavern", "Mountain"]
    assert sorted(shown) == sorted(HAND)
    assert len(seen["offers"]) == MAX_OFFERS


def test_a_ready_bot_returns_only_for_points() -> None:
    """X5."""
    ready = [True, False, False, False]
    assert choose_trade_step(trading_view(ready=ready), Prices()) is None
    assert choose_trade_step(trading_view(ready=ready, offers=offers(("Queen", 2))), Prices()) is None
    assert choose_trade_step(trading_view(ready=ready, offers=offers(("Queen", 2))), Prices(Queen=20)) == Step("active")


def trade_to_the_end(state: Any, judge: Any) -> tuple[float, int, int]:  # noqa: ANN401 - a state and what values hands
    """Let the bot that has waited longest act until all are content; return the mean hand, the steps and the trades."""
    asked: dict[int, int] = {}
    steps = trades = 0
    while state.phase == "trade":
        due = [seat for seat, ready in enumerate(state.ready) if not ready or asked.get(seat, -1) < steps]
        if not due:
            break
        seat = min(due, key=lambda seat: (asked.get(seat, -1), seat))
        asked[seat] = steps
        if (chosen := choose_trade_step(GAME.view(state, seat), judge)) is not None:
            state, steps, trades = GAME.play(state, seat, chosen), steps + 1, trades + (chosen.verb == "accept")
    return fmean(judge.worth(mask_of(hand)) for hand in state.hands), steps, trades


@pytest.mark.parametrize("seed", [0, 1])
def test_seven_bots_alone_come_to_an_end_whatever_they_like(seed: int) -> None:
    judge: Any = Tastes(seed)
    state = Match.start(GAME, GAME.initial(7, GAME.options("chaos")), seed=f"tastes {seed}").state
    before = sum(judge.worth(mask_of(hand)) for hand in state.hands) / 7
    mean, steps, trades = trade_to_the_end(state, judge)
    assert steps < 1000
    assert trades > 3
    assert mean > before + 20


def test_trading_makes_hands_better_by_the_real_score() -> None:
    options = GAME.options("chaos")
    state = Match.start(GAME, GAME.initial(3, options), seed="real").state
    before = [best_worth(hand) for hand in state.hands]
    mean, _, _ = trade_to_the_end(state, HandValues(options))
    assert mean > sum(before) / 3 + 10
