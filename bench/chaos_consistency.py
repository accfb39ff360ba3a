"""What seven players see, joined from outside: is every card in exactly one hand, and do all see the same market?

Nothing here knows the rules or the server; a ledger is fed with views and notes what cannot be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

HAND_SIZE = 7
MIN_SENTENCE_LENGTH = 12  # characters that a sentence has at least
REFUSAL_STATUSES = (409, 422)  # what a step may be refused with; 429 where limits are on

View = Mapping[str, Any]


PRIVATE_VERBS = ("bid", "cancel", "refuse")  # steps that only two seats know of


class SeatView(NamedTuple):
    """What one seat saw at one moment: its cards, what everybody may see, and the bids it is told of."""

    hand: frozenset[str]
    held: int
    market: tuple[Any, ...]
    bids: frozenset[tuple[int, str, str]]  # who bids which card for which
    trading: bool


def extract_seat_view(view: View) -> SeatView:
    """The parts of a view that can be compared."""
    market = (
        view["phase"],
        tuple((entry["card"], entry["seat"]) for entry in view["offers"]),
        tuple(view["ready"]),
        tuple(tuple(cards) for cards in view["known"]),
    )
    bids = frozenset((entry["seat"], entry["card"], entry["for"]) for entry in view["bids"])
    return SeatView(frozenset(view["hand"]), len(view["hand"]), market, bids, view["phase"] == "trade")


def count_public_moves(lines: Sequence[Mapping[str, Any]]) -> int:
    """How many steps of a list of moves everybody knows of: all seats count them alike.

    >>> count_public_moves([{"text": "offer Forest, bid Island for Cavern"}, {"text": "ready"}])
    2
    """
    return sum(not step.startswith(PRIVATE_VERBS) for line in lines for step in line["text"].split(", "))


class ConsistencyChecker:
    """All that the players at one table saw, by public step and seat. `faults` says what cannot be."""

    def __init__(self, seats: int = 7) -> None:
        self.seats = seats
        self.moments: dict[int, dict[int, SeatView]] = {}
        self.dealt: frozenset[str] = frozenset()  # all cards in hands, once all seats have shown theirs
        self.joined = 0  # public steps that were seen by every seat
        self.compared = 0  # pairs of seats at one public step
        self.faults: Counter[str] = Counter()

    def add_view(self, step: int, view: View) -> None:
        """A seat sees the table after a public step; during the deal there is nothing to compare."""
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
        self._count_fault(seen.trading and seen.held != HAND_SIZE, "a hand has lost or won a card")

    def _check_pair(self, one: tuple[int, SeatView], two: tuple[int, SeatView]) -> None:
        self.compared += 1
        (seat, mine), (other, theirs) = one, two
        self._count_fault(bool(mine.hand & theirs.hand), "a card is in two hands")
        self._count_fault(mine.market != theirs.market, "two seats see different markets")
        for bidder, card, _ in mine.bids | theirs.bids:
            held = theirs.hand if bidder == other else mine.hand if bidder == seat else {card}
            self._count_fault(card not in held, "a bid is of a card that the bidder does not hold")

    def compare_bids(self, views: Sequence[View]) -> None:
        """Compare what all seats see while nobody acts: only its bidder and the owner of the card see a bid."""
        seen = {int(view["viewer"]): extract_seat_view(view) for view in views}
        for bid in frozenset().union(*(each.bids for each in seen.values())):
            bidder, _, offer = bid
            for seat, each in seen.items():
                concerned = seat == bidder or offer in each.hand
                self._count_fault(concerned and bid not in each.bids, "a bid is not shown to the owner")
                self._count_fault(not concerned and bid in each.bids, "a bid is shown to somebody else")

    def _check_all_seats(self, moment: Mapping[int, SeatView]) -> None:
        self.joined += 1
        held = frozenset().union(*(seen.hand for seen in moment.values()))
        self.dealt = self.dealt or held
        trading = all(seen.trading for seen in moment.values())
        self._count_fault(held != self.dealt if trading else not held >= self.dealt, "a card is lost")

    def last_hands(self) -> list[list[str]]:
        """The cards that each seat saw in its hand last, in the order of their names."""
        found: list[list[str]] = [[] for _ in range(self.seats)]
        for step in sorted(self.moments):
            for seat, seen in self.moments[step].items():
                found[seat] = sorted(seen.hand)
        return found


def find_refusal_fault(status: int, answer: Mapping[str, Any] | None, *, limited: bool) -> str:
    """What is wrong with a refusal: empty if it has the right status, a code and a sentence."""
    if status not in REFUSAL_STATUSES and not (limited and status == 429):
        return f"an action was answered with {status}"
    error = (answer or {}).get("error", {})
    message = str(error.get("message", ""))
    if not error.get("code") or len(message) < MIN_SENTENCE_LENGTH or not message.endswith("."):
        return f"a refusal with {status} has no code or sentence: {message[:60]!r}"
    return ""


def delivery_delays(sent: Sequence[tuple[float, int]], seen: Sequence[Sequence[tuple[int, float]]]) -> list[float]:
    """How long each sent step (moment, public step it was) took until the last seat's stream had shown it.

    `seen` lists for every seat the public steps its stream showed with their moments, rising. Steps that a seat was
    never shown are left out.

    >>> delivery_delays([(1.0, 5)], [[(4, 0.5), (5, 1.2)], [(7, 1.5)]])
    [0.5]
    """
    found = []
    for moment, step in sent:
        firsts = [next((at for shown, at in seat if shown >= step), None) for seat in seen]
        if all(first is not None for first in firsts):
            found.append(max(first for first in firsts if first is not None) - moment)
    return found
