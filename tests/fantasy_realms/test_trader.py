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
from realmtable.games.fantasy_realms.notation import format_move
from realmtable.games.fantasy_realms.scoring.score import best_worth
from realmtable.games.fantasy_realms.state import Step
from tests.example_tables import read_table
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


DEAR = {name.replace(" ", "_"): 10 + NECROMANCER_POINTS for name in HAND}
CHOICES = read_table("""
# what the trader does | offers with their seats | bids | refused bids | prices | its step
accepts the bid that brings most | Forest 0 | King 1 Forest, Queen 2 Forest, Swamp 3 Forest | | King=12 Queen=30 | accept Queen for Forest
refuses what brings nothing at once, the oldest first | Forest 0, Queen 2 | King 1 Forest, Swamp 2 Forest | | Queen=40 | refuse King for Forest
accepts a good bid before refusing a bad one | Forest 0, Cavern 0 | King 1 Forest, Swamp 2 Cavern | | Swamp=12 | accept Swamp for Cavern
bids the card that is missed least | King 1, Queen 2 | | | King=20 Queen=40 Cavern=3 | bid Cavern for Queen
bids another card, not the same again | Queen 2 | Cavern 0 Queen | | Queen=40 Cavern=3 | bid Dragon for Queen
bids no third card for one on offer | Queen 2 | Cavern 0 Queen, Forest 0 Queen | | Queen=40 Cavern=3 | offer Cavern
does not repeat a refused bid | Queen 2 | | Cavern 0 Queen | Queen=40 Cavern=3 | bid Dragon for Queen
counts refused bids among those for a card | Queen 2 | | Cavern 0 Queen, Forest 0 Queen | Queen=40 Cavern=3 | offer Cavern
cancels a bid that has turned bad | Queen 2 | Dragon 0 Queen | | Dragon=50 | cancel Dragon for Queen
values the Necromancer's eighth card (X7) | Necromancer 2 | | | DEAR Necromancer=11 | bid Dragon for Necromancer
values it no more than that | Necromancer 2 | | | DEAR | offer Mountain
# Becoming active is public: if it only refused the bid, everyone would learn that a secret bid was made.
does not return to refuse a bid | READY Forest 0 | King 1 Forest | | | nothing
returns to accept one (X5) | READY Forest 0 | King 1 Forest | | King=40 | active
does not return for nothing (X5) | READY Queen 2 | | | | nothing
returns to bid (X5) | READY Queen 2 | | | Queen=20 | active
""")  # noqa: E501 - a row is one example


@pytest.mark.parametrize(("offered", "bids", "refused", "prices", "expected"), [row[1:] for row in CHOICES],
                         ids=[row[0] for row in CHOICES])  # fmt: skip
def test_a_trader_chooses(offered: str, bids: str, refused: str, prices: str, expected: str) -> None:
    is_ready = offered.startswith("READY ")
    pairs = [each.split() for each in offered.removeprefix("READY ").split(", ")]
    made, turned_down = (
        [bid(card, int(seat), offer) for card, seat, offer in map(str.split, filter(None, text.split(", ")))]
        for text in (bids, refused)
    )
    dear = DEAR if "DEAR" in prices else {}
    given = {name: int(price) for name, price in (each.split("=") for each in prices.replace("DEAR", "").split())}
    seen = trading_view(
        offers=offers(*((card, int(seat)) for card, seat in pairs)),
        bids=made,
        refused=turned_down,
        ready=[is_ready, False, False, False],
    )
    found = choose_trade_step(seen, Prices(**dear, **given))
    assert ("nothing" if found is None else format_move(found)) == expected


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


def test_of_equal_ones_the_card_is_bid_that_may_please_the_owner() -> None:
    class Collector(Prices):
        """Cavern is valuable with Swamp, which the owner is known to hold."""

        def worth(self, hand: int) -> int:
            both = mask_of([BY_NAME["Cavern"].id, BY_NAME["Swamp"].id])
            return super().worth(hand) + 5 * (hand & both == both)

    seen = trading_view(offers=offers(("Queen", 2)), known=[[], [], ["Swamp"], []])
    assert choose_trade_step(seen, Collector(Queen=40)) == step("bid", "Cavern", "Queen")


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


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 1])
def test_seven_bots_alone_come_to_an_end_whatever_they_like(seed: int) -> None:
    judge: Any = Tastes(seed)
    state = Match.start(GAME, GAME.initial(7, GAME.options("chaos")), seed=f"tastes {seed}").state
    before = sum(judge.worth(mask_of(hand)) for hand in state.hands) / 7
    mean, steps, trades = trade_to_the_end(state, judge)
    assert steps < 1000
    assert trades > 3
    assert mean > before + 20


@pytest.mark.long
def test_trading_makes_hands_better_by_the_real_score() -> None:
    options = GAME.options("chaos")
    state = Match.start(GAME, GAME.initial(3, options), seed="real").state
    before = [best_worth(hand) for hand in state.hands]
    mean, _, _ = trade_to_the_end(state, HandValues(options))
    assert mean > sum(before) / 3 + 10
