"""Advice in Chaos Realms: the gain of trades, the least useful cards, and the Necromancer's eighth card."""

from __future__ import annotations

import re
from itertools import combinations
from random import Random

import pytest

from realmtable.games.fantasy_realms.bots import trade_advice
from realmtable.games.fantasy_realms.bots.advice import advise_view
from realmtable.games.fantasy_realms.bots.trade_advice import MAX_TRADES_SHOWN, best_of_three
from realmtable.games.fantasy_realms.scoring.score import best_worth
from tests.fantasy_realms.helpers import ids
from tests.fantasy_realms.test_advice import TRADING, rows, view

CHAOS = "phase=trade options=variant=chaos"
NECROMANCER = (
    "hands=Necromancer,Queen,Knights,Rangers,Candle,Forest,Bell-Tower{drawn}"
    "/Mountain,Cavern,Princess,Empress,Sword-of-Keth,Basilisk,Hydra/Dragon,Forge,Wildfire,Lightning,Magic-Wand,Island,Swamp"
    " phase={phase} options=variant=chaos known=Necromancer end=time"
)


# ---- trading


def test_trades_are_listed_with_their_immediate_gain() -> None:
    text = f"{TRADING} known=King,Dragon offers=Dragon,King bids=Candle>Dragon seen=Candle//"
    found = advise_view(view(text), Random(1))
    assert set(rows(found)) == {"King (Azure) for Mountain", "Accept Candle for your Dragon"}
    hand = "Mountain, Cavern, Bell Tower, Forest, Basilisk, Dragon, Beastmaster"
    now = best_worth(ids(hand))
    accepted = rows(found)["Accept Candle for your Dragon"]
    assert accepted["value"] == best_worth(ids(hand.replace("Dragon", "Candle"))) - now
    assert (accepted["move"], accepted["shown"], accepted["span"]) == ("accept Candle for Dragon", "−74", "")
    bids = {given: best_worth(ids(hand.replace(given, "King"))) - now for given in hand.split(", ")}
    assert rows(found)["King (Azure) for Mountain"]["value"] == max(bids.values())
    missed = [choice["words"] for choice in found["charts"][1]["choices"]]
    worths = [best_worth(ids(f"{hand}, ".replace(f"{name.split(',')[0]}, ", "")[:-2])) for name in missed]
    assert worths == sorted(worths, reverse=True)
    assert "Dragon, on offer" in missed
    assert (found["move"], found["words"]) == ("offer Mountain", "Offer Mountain")
    assert found["reason"] == "No open trade helps your hand now; Mountain gives 9 points and may tempt others."


def test_a_trade_that_helps_is_the_best_and_a_bid_is_made_once() -> None:
    offers = f"{TRADING} known=King,Dragon offers=Dragon,King"
    found = advise_view(view(offers, 2), Random(1))
    assert found["move"] == "bid Candle for Dragon"
    assert found["reason"] == "Your hand would be worth 177 instead of 154."
    assert [choice["best"] for choice in found["charts"][0]["choices"]] == [True, False]
    again = advise_view(view(f"{offers} bids=Candle>Dragon seen=Candle//", 2), Random(1))
    made = rows(again)["Dragon (Scarlet) for Candle, already bid"]
    assert (made["move"], made["best"]) == ("", False)
    assert again["reason"].startswith("No other open trade helps")
    waiting = advise_view(view(f"{offers},Candle,Lightning bids=Candle>Dragon seen=//".replace(
        "known=King,Dragon", "known=King,Dragon,Candle,Lightning"), 2), Random(1))  # fmt: skip
    assert (waiting["move"], waiting["words"]) == ("ready", "Ready: no more trades")
    assert waiting["reason"].startswith("Everything that helps you is already bid or on offer")


def test_without_offers_one_learns_what_one_misses_least() -> None:
    found = advise_view(view(TRADING), Random(1))
    assert [chart["title"] for chart in found["charts"]] == ["Which cards can you spare?"]
    texts = {choice["text"] for choice in found["charts"][0]["choices"]}
    assert all(re.fullmatch(r"gives \d+ points?|gives nothing|costs \d+", text) for text in texts)


def test_useless_and_harmful_cards_are_described_as_such() -> None:
    hands = "hands=King,Wildfire,Dragon,Knights,Queen,Princess,Rangers/Candle,Smoke,Forge,Forest,Island,Hydra,Swamp"
    text = f"{hands}/Mountain,Lightning,Cavern,Magic-Wand,Enchantress,Basilisk,Empress {CHAOS}"
    found = rows(advise_view(view(text), Random(1)))
    assert (found["King"]["text"], found["Dragon"]["text"]) == ("gives nothing", "costs 10")
    assert found["Dragon"]["value"] == 10


def test_a_ready_player_is_advised_to_return() -> None:
    found = advise_view(view(f"{TRADING} known=King offers=King ready=1"), Random(1))
    assert (found["move"], found["words"]) == ("active", "Trade again")
    assert all(choice["move"] == "" for chart in found["charts"] for choice in chart["choices"])


def test_of_many_offers_the_best_are_shown() -> None:
    names = "King,Queen,Princess,Knights,Empress,Rangers,Sword-of-Keth,Candle,Forge,Wildfire"
    found = advise_view(view(f"{TRADING} known={names} offers={names}"), Random(1))
    assert len(found["charts"][0]["choices"]) == MAX_TRADES_SHOWN


# ---- the eighth card


def test_the_eighth_card_to_keep_is_the_one_that_scores_most() -> None:
    found = advise_view(view(NECROMANCER.format(drawn=",Smoke,King,Unicorn", phase="keep")), Random(1))
    assert (found["move"], found["words"]) == ("keep King", "Keep King")
    assert len(found["charts"][0]["choices"]) == 3
    assert "With King your hand is worth" in found["reason"]


def test_three_cards_are_drawn_for_the_necromancer_if_they_help_on_average() -> None:
    found = advise_view(view(NECROMANCER.format(drawn="", phase="necromancer")), Random(1))
    assert (found["move"], found["words"]) == ("deck", "Draw three cards")
    draw, leave = found["charts"][0]["choices"]
    assert leave["move"] == "leave"
    assert draw["low"] <= draw["value"] <= draw["high"]


def test_leaving_is_best_where_every_card_harms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trade_advice, "best_worth", lambda hand, *_: -len(hand))
    found = advise_view(view(NECROMANCER.format(drawn="", phase="necromancer")), Random(1))
    assert (found["move"], found["words"]) == ("leave", "Stay at seven cards")
    assert found["charts"][0]["choices"][0]["best"]


def test_the_best_of_three_is_reckoned_as_all_draws_say() -> None:
    gains = sorted([-4, 0, 0, 3, 5, 5, 9, 20, 31])
    best = sorted(max(drawn) for drawn in combinations(gains, 3))
    mean, low, high = best_of_three(gains)
    assert mean == pytest.approx(sum(best) / len(best))
    assert (low, high) == (best[len(best) // 10], best[len(best) * 9 // 10 - 1])
