"""The consistency checker finds each kind of fault, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from bench.chaos_realms_consistency import ConsistencyChecker, delivery_delays, find_refusal_fault

CARDS = [[f"card {seat} {number}" for number in range(7)] for seat in range(3)]


def make_view(seat: int, **changed: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    plain: dict[str, Any] = {
        "viewer": seat,
        "phase": "trade",
        "hand": CARDS[seat],
        "offers": [{"card": CARDS[0][0], "seat": 0}],
        "ready": [False] * 3,
        "known": [[CARDS[0][0]], [], []],
        "bids": [],
    }
    return {**plain, **changed}


def make_checker(*views: dict[str, Any]) -> ConsistencyChecker:
    found = ConsistencyChecker(3)
    for view in views:
        found.add_view(5, view)
    return found


def test_a_market_in_order_has_no_faults() -> None:
    found = make_checker(make_view(0), make_view(1), make_view(1), make_view(2))
    assert found.faults == {}
    assert (found.joined, found.compared, len(found.dealt)) == (1, 3, 21)
    assert found.last_hands() == CARDS


def test_what_is_dealt_is_not_looked_at() -> None:
    assert make_checker(make_view(0, phase="deal", hand=[])).moments == {}


BID = {"seat": 1, "card": CARDS[1][0], "for": CARDS[0][0]}


@pytest.mark.parametrize(
    ("views", "fault"),
    [
        ((make_view(0), make_view(1, hand=[*CARDS[1][:6], CARDS[0][0]])), "a card is in two hands"),
        ((make_view(0, hand=[*CARDS[0][:6], CARDS[0][0]]),), "a hand holds a card twice"),
        ((make_view(0, hand=CARDS[0][:6]),), "a hand has lost or gained a card"),
        ((make_view(0), make_view(1, ready=[True, False, False])), "two seats see different markets"),
        ((make_view(0), make_view(0, hand=["another", *CARDS[0][1:]])), "a seat was shown two things after one step"),
        (
            (make_view(0, bids=[{**BID, "card": "none"}]), make_view(1)),
            "a bid offers a card that the bidder does not hold",
        ),
    ],
)
def test_every_kind_of_fault_is_found(views: tuple[dict[str, Any], ...], fault: str) -> None:
    assert fault in make_checker(*views).faults


@pytest.mark.parametrize(
    ("knowing", "fault"),
    [({1}, "a bid is not shown to the owner"), ({0}, "a bid is not shown to the owner"),
     ({0, 1, 2}, "a bid is shown to another seat"), ({0, 1}, None)],
)  # fmt: skip
def test_a_bid_is_shown_to_its_bidder_and_the_owner_alone(knowing: set[int], fault: str | None) -> None:
    found = ConsistencyChecker(3)
    found.compare_bids([make_view(seat, bids=[BID] if seat in knowing else []) for seat in range(3)])
    assert list(found.faults) == ([fault] if fault else [])


def test_bids_may_come_and_go_between_two_public_steps() -> None:
    assert make_checker(make_view(1), make_view(1, bids=[BID])).faults == {}


def test_a_card_that_is_nowhere_is_lost() -> None:
    found = make_checker(*map(make_view, range(3)))
    for seat in range(3):
        found.add_view(6, make_view(seat, hand=["new", *CARDS[0][1:]]) if seat == 0 else make_view(seat))
    assert found.faults == {"a card is lost": 1}


def test_the_necromancers_card_comes_on_top() -> None:
    found = make_checker(*map(make_view, range(3)))
    for seat in range(3):
        found.add_view(6, make_view(seat, phase="over", hand=[*CARDS[seat], *["eighth"] * (seat == 1)]))
    assert found.faults == {}


@pytest.mark.parametrize(
    ("status", "answer", "wrong"),
    [
        (409, {"error": {"code": "IllegalMove", "message": "You do not hold King."}}, False),
        (422, {"error": {"code": "BadNotation", "message": "There is no such card."}}, False),
        (409, {"error": {"code": "IllegalMove", "message": ""}}, True),
        (409, {"error": {"message": "You do not hold King."}}, True),
        (500, {"error": {"code": "Oops", "message": "Something went wrong."}}, True),
        (429, {"error": {"code": "RateLimited", "message": "That was too often."}}, True),
        (409, None, True),
    ],
)
def test_a_refusal_has_its_status_a_code_and_a_sentence(
    status: int, answer: dict[str, Any] | None, wrong: bool
) -> None:
    assert bool(find_refusal_fault(status, answer, limited=False)) == wrong


def test_too_many_requests_are_refused_only_where_there_are_limits() -> None:
    answer = {"error": {"code": "RateLimited", "message": "That was too often."}}
    assert find_refusal_fault(429, answer, limited=True) == ""


def test_a_step_has_arrived_when_the_last_has_seen_it() -> None:
    shown = [[(4, 1.0), (6, 2.0)], [(5, 1.5)]]
    assert delivery_delays([(0.5, 5), (0.5, 6)], shown) == [1.5]  # only the first seat was shown 6
