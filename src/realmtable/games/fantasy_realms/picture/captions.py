"""Describe a view in words for banners, screen readers and terminals: whose turn it is, the last turns, who won."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms import INFO
from realmtable.games.fantasy_realms.cards import HAND_SIZE
from realmtable.kit.wording import format_count, join_words

SEAT_NAMES: Final = INFO.seat_names
_ACTIVITY_WORDS: Final = {
    "draw": ("Draw a card or take a discard", "{} draws a card"),
    "setup": ("Draw two cards or take one", "{} draws two cards or takes one"),
    "discard": ("Discard a card", "{} discards a card"),
    "necromancer": ("Your Necromancer may draw three cards", "{}'s Necromancer may draw three cards"),
    "keep": ("Keep one of the three cards", "{} keeps one of three cards"),
}


def seat_name(view: View, seat: int) -> str:
    """Return a seat's name, or "You" for the viewer's own seat."""
    return "You" if seat == view["viewer"] else SEAT_NAMES[seat]


def headline(view: View) -> str:
    """Say in a few words who is to do what, or who won."""
    if view["scores"] is not None:
        return _winner_text(view)
    if view["phase"] == "trade":
        return f"Trading: {sum(view['ready'])} of {view['seats']} ready"
    seat, activity = view["seat"], _activity_words(view)
    if seat is None or activity is None:
        return "Dealing"
    yours, theirs = activity
    return f"Your turn: {yours[0].lower() + yours[1:]}" if seat == view["viewer"] else theirs.format(SEAT_NAMES[seat])


def _activity_words(view: View) -> tuple[str, str] | None:
    seat, phase = view["seat"], view["phase"]
    setting_up = phase == "draw" and seat is not None and view["counts"][seat] < HAND_SIZE
    return _ACTIVITY_WORDS.get("setup" if setting_up else phase)


def _winner_text(view: View) -> str:
    first = [seat for seat in range(view["seats"]) if view["ranking"][seat] == 1]
    names, total = [seat_name(view, seat) for seat in first], view["scores"][first[0]]["total"]
    if len(names) > 1:
        return f"{join_words(names)} share first place with {total}"
    return f"{names[0]} {'win' if first[0] == view['viewer'] else 'wins'} with {total}"


def discards_left(view: View) -> int:
    """Return how many more discards end the game; 0 if discards do not."""
    return max(view["limit"] - len(view["discard"]), 0) if view["limit"] else 0


def end_warning(view: View) -> str:
    """Announce the last turns, or return ""."""
    if not view["last_turns"] or view["scores"] is not None:
        return ""
    if not (more := discards_left(view)):
        return "Last turns: full hands end the game"
    return f"Last turns: {format_count(more, 'more discard')} end{'s' if more == 1 else ''} the game"


def describe(view: View) -> str:
    """Describe the whole table in sentences, for screen readers."""
    if view["scores"] is not None:
        return " ".join(f"{part}." for part in (headline(view), *_totals_texts(view)))
    parts = [headline(view), end_warning(view), _own_hand_text(view)]
    parts += [describe_seat(view, seat) for seat in range(view["seats"]) if seat != view["viewer"]]
    parts += [_discards_text(view), *_offers_text(view)]
    return " ".join(f"{part}." for part in parts if part)


def _own_hand_text(view: View) -> str:
    if view["hand"] is None:
        return ""
    text = f"You hold {join_words(view['hand']) if view['hand'] else 'no cards'}"
    return text if view["worth"] is None else f"{text}, now {worth_text(view['worth'])}"


def worth_text(worth: Mapping[str, Any]) -> str:
    """Say what a hand is worth; one with very many choices may be worth more than was found.

    >>> worth_text({"total": 90, "exact": True}), worth_text({"total": 90, "exact": False})
    ('worth 90', 'worth 90 or more')
    """
    return f"worth {worth['total']}{'' if worth['exact'] else ' or more'}"


def describe_seat(view: View, seat: int) -> str:
    """Describe a seat: its cards as far as everyone knows them, and what it is doing."""
    parts = [f"{SEAT_NAMES[seat]} has {format_count(view['counts'][seat], 'card')}"]
    if view["known"][seat]:
        parts.append(f"including {join_words(view['known'][seat])}")
    parts += ["to act"] * (seat == view["seat"]) + ["ready"] * bool(view["ready"][seat])
    return ", ".join(parts)


def _discards_text(view: View) -> str:
    if view["limit"] is None:
        return ""
    cards = [entry["card"] for entry in view["discard"]]
    start = f"Discard area, {len(cards)} of {view['limit']}"
    return f"{start}: {join_words(cards)}" if cards else f"{start}: empty"


def _offers_text(view: View) -> Iterable[str]:
    offers = [f"{entry['card']} by {seat_name(view, entry['seat'])}" for entry in view["offers"]]
    return [f"On offer: {join_words(offers)}"] if offers else []


def _totals_texts(view: View) -> Iterable[str]:
    realms = {seat: [entry["card"] for entry in view["scores"][seat]["cards"]] for seat in seats_by_rank(view)}
    return [
        f"{seat_name(view, seat)} {view['scores'][seat]['total']} for {join_words(cards)}"
        for seat, cards in realms.items()
    ]


def seats_by_rank(view: View) -> list[int]:
    """Return the seats by rank, best realm first."""
    return sorted(range(view["seats"]), key=lambda seat: (view["ranking"][seat], seat))
