"""Chaos Realms clause by clause: offers, bids, trades, ready players, the clock and the Necromancer (X)."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import IllegalMove, NotYourTurn
from realmtable.engine.protocol import CHANCE, CLOCK
from realmtable.games.fantasy_realms.scoring.score import best_score
from realmtable.games.fantasy_realms.state import State, Step
from tests.fantasy_realms.helpers import (
    GAME,
    card,
    clause,
    expect_refusal,
    hand,
    legal,
    play,
    random_game,
    start,
    table,
)

# Scarlet holds Mountain, Cavern, Bell Tower, Forest, ...; Azure Great Flood, Island, ...; Amber Air Elemental,
# Wildfire, Candle, ...; with four or more Jade holds the Necromancer.


def play_chaos(*texts: str, seats: int = 3, **options: int) -> State:
    return play(table(seats, "chaos", **options), *texts)


def offers(state: State) -> list[str]:
    return [offer["card"] for offer in GAME.view(state, None)["offers"]]


def bids(state: State, viewer: int | None) -> list[str]:
    return [f"{bid['card']} for {bid['for']}" for bid in GAME.view(state, viewer)["bids"]]


def test_x1_seven_cards_are_dealt_from_the_first_seat_on_and_no_one_draws_or_discards() -> None:
    state = play(start(3, "chaos"), "King", "Queen")
    assert ([hand(state, seat) for seat in range(3)], state.first) == ([["King"], ["Queen"], []], None)
    state = play_chaos()
    assert ([len(cards) for cards in state.hands], state.phase) == ([7, 7, 7], "trade")
    for text in ("1 deck", "2 take King", "3 drop Candle"):
        assert clause(state, text) == "X1"


def test_x2_all_trade_at_once() -> None:
    assert GAME.to_move(play_chaos()) == (0, 1, 2, CLOCK)
    assert legal(play_chaos(), 1) == [
        *sorted([f"offer {name}" for name in hand(play_chaos(), 1)], key=card_order),
        "ready",
    ]


def card_order(text: str) -> int:
    return card(text.removeprefix("offer "))


def test_x2_an_offer_is_seen_by_all_and_can_be_taken_back() -> None:
    state = play_chaos("1 offer Forest")
    for viewer in (None, 0, 1, 2):
        assert GAME.view(state, viewer)["offers"] == [{"card": "Forest", "seat": 0}]
        assert GAME.view(state, viewer)["known"] == [["Forest"], [], []]
    state = play(state, "1 withdraw Forest")
    assert (offers(state), GAME.view(state, None)["known"][0]) == ([], ["Forest"])  # it was seen


def test_x2_a_bid_is_seen_by_the_owner_alone_and_can_be_called_back() -> None:
    state = play_chaos("1 offer Forest", "2 bid Island for Forest")
    assert [bids(state, viewer) for viewer in (None, 0, 1, 2)] == [[], ["Island for Forest"], ["Island for Forest"], []]
    assert bids(play(state, "2 cancel Island for Forest"), 0) == []


def test_x2_the_owner_accepts_or_refuses() -> None:
    state = play_chaos("1 offer Forest", "2 bid Island for Forest")
    assert {"accept Island for Forest", "refuse Island for Forest"} <= set(legal(state, 0))
    refusal = play(state, "1 refuse Island for Forest")
    assert (bids(refusal, 1), offers(refusal)) == ([], ["Forest"])
    assert "bid Island for Forest" in legal(refusal, 1)
    assert [len(GAME.view(refusal, viewer)["refused"]) for viewer in (None, 0, 1, 2)] == [0, 1, 1, 0]
    again = play(refusal, "2 bid Island for Forest")
    assert (bids(again, 0), again.refused) == (["Island for Forest"], ())
    trade = play(state, "1 accept Island for Forest")
    assert "Island" in hand(trade, 0)
    assert "Forest" in hand(trade, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 offer Island", "You do not hold Island"),
        ("1 withdraw Cavern", "You have no Cavern on offer"),
        ("1 withdraw Candle", "You have no Candle on offer"),
        ("2 bid Cavern for Forest", "You do not hold Cavern"),
        ("2 bid Island for Candle", "Candle is not on offer"),
        ("1 bid Cavern for Forest", "Forest is yours"),
        ("2 cancel Rainstorm for Forest", "You have not bid Rainstorm for Forest"),
        ("1 accept Rainstorm for Forest", "No one has bid you Rainstorm for Forest"),
        ("3 accept Island for Forest", "No one has bid you Island for Forest"),
        ("1 refuse Rainstorm for Forest", "No one has bid you Rainstorm"),
    ],
)
def test_x2_invalid_offers_and_bids_are_refused_without_revealing_hands(text: str, words: str) -> None:
    error = expect_refusal(play_chaos("1 offer Forest", "2 bid Island for Forest"), text)
    assert error.clause == "X2"
    assert words in error.sentence


def test_x3_a_trade_exchanges_two_cards_and_voids_what_else_hung_on_them() -> None:
    state = play_chaos(
        "1 offer Forest", "2 offer Island", "2 offer Smoke", "3 offer Candle",
        "2 bid Island for Forest", "2 bid Smoke for Forest", "2 bid Island for Candle", "2 bid Smoke for Candle",
        "3 bid Wildfire for Island", "1 bid Forest for Candle", "1 bid Cavern for Smoke",
    )  # fmt: skip
    state = play(state, "1 accept Island for Forest")
    assert hand(state, 0) == [
        "Mountain",
        "Cavern",
        "Bell Tower",
        "Earth Elemental",
        "Fountain of Life",
        "Swamp",
        "Island",
    ]
    assert "Forest" in hand(state, 1)
    assert "Island" not in hand(state, 1)
    assert offers(state) == ["Smoke", "Candle"]
    assert bids(state, 1) == ["Smoke for Candle", "Cavern for Smoke"]
    assert bids(state, 2) == ["Smoke for Candle"]


REFUSED = ("1 offer Forest", "2 offer Smoke", "2 bid Island for Forest", "1 refuse Island for Forest")


@pytest.mark.parametrize(
    ("steps", "left"),
    [
        (("3 offer Candle", "3 bid Wildfire for Smoke"), 1),
        (("1 withdraw Forest",), 0),
        (("3 bid Wildfire for Smoke", "2 accept Wildfire for Smoke"), 0),
        (("3 bid Wildfire for Forest", "1 accept Wildfire for Forest"), 0),
        (("time",), 0),
    ],
)
def test_x2_a_refusal_is_shown_until_the_card_is_withdrawn_or_one_of_the_two_trades(
    steps: tuple[str, ...], left: int
) -> None:
    state = play_chaos(*REFUSED, *steps)
    assert len(state.refused) == left
    assert GAME.decode(GAME.encode(state)) == state


def test_x3_bids_for_a_card_that_is_taken_back_are_void() -> None:
    state = play_chaos("1 offer Forest", "2 bid Island for Forest", "1 withdraw Forest", "1 offer Forest")
    assert bids(state, 0) == []


def test_x4_a_card_is_on_offer_once_and_may_be_bid_for_several() -> None:
    state = play_chaos("1 offer Forest", "3 offer Candle", "2 bid Island for Forest", "2 bid Island for Candle")
    assert clause(state, "1 offer Forest") == "X4"
    assert clause(state, "2 bid Island for Forest") == "X4"
    assert bids(state, 1) == ["Island for Forest", "Island for Candle"]


def test_x4_a_card_on_offer_can_be_bid_too() -> None:
    state = play_chaos("1 offer Forest", "2 offer Island", "2 bid Island for Forest", "1 bid Forest for Island")
    assert bids(state, 0) == ["Island for Forest", "Forest for Island"]
    state = play(state, "2 accept Forest for Island")
    assert (offers(state), bids(state, 0)) == ([], [])


def test_x5_a_ready_player_can_only_become_active_again() -> None:
    state = play_chaos("1 offer Forest", "2 bid Island for Forest", "1 ready")
    assert GAME.to_move(state) == (1, 2, CLOCK)
    assert GAME.view(state, None)["ready"] == [True, False, False]
    assert legal(state, 0) == ["active"]
    assert clause(state, "1 accept Island for Forest") == clause(state, "1 ready") == "X5"
    assert clause(state, "2 active") == "X5"
    assert GAME.to_move(play(state, "1 active", "1 accept Island for Forest")) == (0, 1, 2, CLOCK)


def test_x5_offers_and_bids_of_the_ready_stand_and_accepting_makes_them_active() -> None:
    state = play_chaos("1 offer Forest", "2 bid Island for Forest", "2 ready")
    state = play(state, "3 bid Candle for Forest", "1 accept Island for Forest")
    assert (GAME.to_move(state), "Forest" in hand(state, 1)) == ((0, 1, 2, CLOCK), True)


def test_x6_trading_ends_when_the_clock_says_so() -> None:
    state = play_chaos("1 offer Forest", "2 bid Island for Forest")
    assert GAME.legal_moves(state, CLOCK) == [Step("time")]
    assert (GAME.clock_s(state), GAME.clock_phase(state)) == (300, "Trading")
    assert GAME.count_seats(state) == 3
    ended = play(state, "time")
    assert (ended.offers, ended.bids) == ((), ())
    assert "Island" in hand(ended, 1)
    outcome = GAME.outcome(ended)
    assert outcome is not None
    assert (outcome.reason, outcome.text[-25:]) == ("time", " when trading time is up.")
    with pytest.raises(IllegalMove, match="X6"):
        GAME.play(state, CLOCK, Step("ready"))
    with pytest.raises(IllegalMove, match="X6"):
        GAME.play(state, 0, Step("time"))
    with pytest.raises(NotYourTurn):
        GAME.play(state, CHANCE, Step("time"))
    assert GAME.legal_moves(table(), CLOCK) == GAME.legal_moves(state, CHANCE) == []


def test_x6_trading_ends_when_all_are_ready() -> None:
    state = play_chaos("1 ready", "2 ready")
    assert GAME.outcome(state) is None
    outcome = GAME.outcome(play(state, "3 ready"))
    assert outcome is not None
    assert outcome.reason == "all_ready"


def test_x6_trading_ends_after_its_last_step() -> None:
    state = play_chaos(*("1 offer Forest", "1 withdraw Forest") * 4, "1 ready", max_steps=10)
    assert (GAME.outcome(state), GAME.view(state, None)["steps"]) == (None, None)
    ended = play(state, "1 active")
    outcome = GAME.outcome(ended)
    assert outcome is not None
    assert outcome.reason == "max_steps"
    assert GAME.view(ended, None)["steps"] == 10


def necromancer_state() -> State:
    return play_chaos("time", seats=4)


def test_x7_the_necromancer_may_draw_three_cards_and_must_keep_one() -> None:
    state = necromancer_state()
    assert (state.phase, GAME.to_move(state), legal(state)) == ("necromancer", (3,), ["deck", "leave"])
    assert clause(state, "keep King") == "X7"
    assert clause(state, "take King") == "X1"
    assert clause(state, "offer Collector") == "X6"
    state = play(state, "deck", "King", "Queen", "Dragon")
    assert legal(state) == ["keep King", "keep Queen", "keep Dragon"]
    assert clause(state, "leave") == clause(state, "keep Collector") == "X7"
    view = GAME.view(state, 3)
    assert (view["drawn"], view["deck"], view["worth"]["total"]) == (
        ["King", "Queen", "Dragon"], 22, best_score(state.hands[3][:7], (), state.options).total,
    )  # fmt: skip
    ended = play(state, "keep Queen")
    assert hand(ended, 3)[-1] == "Queen"
    assert len(hand(ended, 3)) == 8
    assert (GAME.view(ended, None)["deck"], ended.phase) == (22, "over")


def test_x7_the_necromancer_may_leave_it() -> None:
    ended = play(necromancer_state(), "leave")
    assert (len(hand(ended, 3)), ended.phase) == (7, "over")


def test_x7_without_the_necromancer_no_one_chooses_and_the_choice_comes_after_trading() -> None:
    assert play_chaos("time").phase == "over"
    assert clause(play_chaos(seats=4), "4 leave") == clause(play_chaos(seats=4), "4 keep King") == "X7"


def test_x8_the_realm_worth_most_wins() -> None:
    for seed in range(3):
        *_, (state, _, _) = random_game(start(4, "chaos", max_steps=40), seed)
        outcome = GAME.outcome(state)
        assert outcome is not None
        scores = [best_score(cards, (), state.options) for cards in state.hands]
        order = [(-score.total, score.strength) for score in scores]
        assert outcome.ranking == tuple(1 + sorted(order).index(own) for own in order)
