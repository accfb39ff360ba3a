"""Combine what seven players see: is every card in exactly one hand, and do all see the same market?

Nothing here knows the rules or the server; a checker receives views and records contradictions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

HAND_SIZE = 7
MIN_SENTENCE_LENGTH = 12  # characters
REFUSAL_STATUSES = (409, 422)  # for refused steps; also 429 under rate limits

View = Mapping[str, Any]


PRIVATE_VERBS = ("bid", "cancel", "refuse")  # only two seats know of these steps


class SeatView(NamedTuple):
    """What one seat saw at one moment: its cards, the public market, and the bids it may know of."""

    hand: frozenset[str]
    held: int
    market: tuple[Any, ...]
    bids: frozenset[tuple[int, str, str]]  # bidder, card bid, card wanted
    trading: bool


def extract_seat_view(view: View) -> SeatView:
    """Extract the parts of a view that can be compared."""
    market = (
        view["phase"],
        tuple((entry["card"], entry["seat"]) for entry in view["offers"]),
        tuple(view["ready"]),
        tuple(tuple(cards) for cards in view["known"]),
    )
    bids = frozenset((entry["seat"], entry["card"], entry["for"]) for entry in view["bids"])
    return SeatView(frozenset(view["hand"]), len(view["hand"]), market, bids, view["phase"] == "trade")


def count_public_moves(lines: Sequence[Mapping[str, Any]]) -> int:
    """Count the steps of a move list that everyone knows of; the number is the same for all seats.

    >>> count_public_moves([{"text": "offer Forest, bid Island for Cavern"}, {"text": "ready"}])
    2
    """
    return len(public_moves(lines))


def public_moves(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the steps in a list of moves that everyone may know of."""
    steps = (step for line in lines for step in line["text"].split(", "))
    return [step for step in steps if not step.startswith(PRIVATE_VERBS)]


class PublicMoveCounter:
    """Counts the public steps of a game from scenes, which have only the latest lines."""

    def __init__(self) -> None:
        self._lines: dict[int, Mapping[str, Any]] = {}  # all lines seen while the game ran, by their first step

    def count(self, scene: Mapping[str, Any]) -> int:
        """Return the number of public steps before a scene.

        >>> counter = PublicMoveCounter()
        >>> begun = [{"text": "offer Forest", "steps": [1, 1]}, {"text": "ready", "steps": [2, 2]}]
        >>> counter.count({"status": "running", "lines": begun})
        2
        >>> counter.count({"status": "running", "lines": [{"text": "ready", "steps": [2, 2]}]})
        2
        >>> counter.count({"status": "over", "lines": [{"text": "ready, active, ready", "steps": [7, 9]}]})
        4
        """
        lines = scene["lines"]
        if scene["status"] == "over":  # steps have other numbers, since those that were secret are now counted
            known, latest = public_moves([self._lines[first] for first in sorted(self._lines)]), public_moves(lines)
            sizes = range(min(len(known), len(latest)) + 1)
            overlap = max(size for size in sizes if known[len(known) - size :] == latest[:size])
            return len(known) + len(latest) - overlap
        for line in lines:
            first, last = line["steps"]
            if first not in self._lines or last >= self._lines[first]["steps"][1]:
                self._lines[first] = line
        start = lines[0]["steps"][0] if lines else 0
        return count_public_moves([*(line for first, line in self._lines.items() if first < start), *lines])


class ConsistencyChecker:
    """Everything the players at one table saw, by public step and seat. `faults` counts the contradictions."""

    def __init__(self, seats: int = 7) -> None:
        self.seats = seats
        self.moments: dict[int, dict[int, SeatView]] = {}
        self.dealt: frozenset[str] = frozenset()  # all cards in hands, once every seat has been seen
        self.joined = 0  # public steps seen by every seat
        self.compared = 0  # pairs of seats compared
        self.faults: Counter[str] = Counter()

    def add_view(self, step: int, view: View) -> None:
        """Add a seat's view after a public step. Views during the deal are ignored."""
        if view["phase"] == "deal":
            return
        seat, seen = int(view["viewer"]), extract_seat_view(view)
        moment = self.moments.setdefault(step, {})
        known = moment.get(seat)
        if known is not None:  # bids may have come and gone between two public steps
            self._count_fault(known != seen._replace(bids=known.bids), "a seat was shown two things after one step")
            return
        self._check_hand(seen)
        for other, theirs in moment.items():
            self._check_pair((seat, seen), (other, theirs))
        moment[seat] = seen
        if len(moment) == self.seats:
            self._check_all_seats(moment)

    def _count_fault(self, wrong: bool, what: str) -> None:
        self.faults[what] += wrong
        self.faults = +self.faults

    def _check_hand(self, seen: SeatView) -> None:
        self._count_fault(len(seen.hand) != seen.held, "a hand holds a card twice")
        self._count_fault(seen.trading and seen.held != HAND_SIZE, "a hand has lost or gained a card")

    def _check_pair(self, one: tuple[int, SeatView], two: tuple[int, SeatView]) -> None:
        self.compared += 1
        (seat, mine), (other, theirs) = one, two
        self._count_fault(bool(mine.hand & theirs.hand), "a card is in two hands")
        self._count_fault(mine.market != theirs.market, "two seats see different markets")
        for bidder, card, _ in mine.bids | theirs.bids:
            held = theirs.hand if bidder == other else mine.hand if bidder == seat else {card}
            self._count_fault(card not in held, "a bid offers a card that the bidder does not hold")

    def compare_bids(self, views: Sequence[View]) -> None:
        """Check, while no seat acts, that only its bidder and the owner of the wanted card see a bid."""
        seen = {int(view["viewer"]): extract_seat_view(view) for view in views}
        for bid in frozenset().union(*(seat_view.bids for seat_view in seen.values())):
            bidder, _, offer = bid
            for seat, seat_view in seen.items():
                may_know = seat == bidder or offer in seat_view.hand
                self._count_fault(may_know and bid not in seat_view.bids, "a bid is not shown to the owner")
                self._count_fault(not may_know and bid in seat_view.bids, "a bid is shown to another seat")

    def _check_all_seats(self, moment: Mapping[int, SeatView]) -> None:
        self.joined += 1
        held = frozenset().union(*(seen.hand for seen in moment.values()))
        self.dealt = self.dealt or held
        trading = all(seen.trading for seen in moment.values())
        self._count_fault(held != self.dealt if trading else not held >= self.dealt, "a card is lost")

    def last_hands(self) -> list[list[str]]:
        """Return the hand that each seat saw last, sorted by name."""
        hands: list[list[str]] = [[] for _ in range(self.seats)]
        for step in sorted(self.moments):
            for seat, seen in self.moments[step].items():
                hands[seat] = sorted(seen.hand)
        return hands


def find_refusal_fault(status: int, answer: Mapping[str, Any] | None, *, limited: bool) -> str:
    """Say what is wrong with a refusal; return "" if it has the right status, a code and a sentence."""
    if status not in REFUSAL_STATUSES and not (limited and status == 429):
        return f"an action was answered with {status}"
    error = (answer or {}).get("error", {})
    message = str(error.get("message", ""))
    if not error.get("code") or len(message) < MIN_SENTENCE_LENGTH or not message.endswith("."):
        return f"a refusal with {status} has no code or sentence: {message[:60]!r}"
    return ""


def delivery_delays(sent: Sequence[tuple[float, int]], seen: Sequence[Sequence[tuple[int, float]]]) -> list[float]:
    """Return how long each sent step (time, number of the public step) took to reach the last seat's stream.

    `seen` lists for every seat the public steps its stream showed, with their times, in ascending order. Steps that a
    seat was never shown are skipped.

    >>> delivery_delays([(1.0, 5)], [[(4, 0.5), (5, 1.2)], [(7, 1.5)]])
    [0.5]
    """
    delays = []
    for moment, step in sent:
        firsts = [next((at for shown, at in seat if shown >= step), None) for seat in seen]
        if all(first is not None for first in firsts):
            delays.append(max(first for first in firsts if first is not None) - moment)
    return delays
