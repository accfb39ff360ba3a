"""What a view says in words: whose turn it is, how near the end is, who won; for banners, screen readers, terminals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms import INFO
from realmtable.games.fantasy_realms.cards import HAND_SIZE
from realmtable.games.fantasy_realms.phrases import format_count, join_with_and

SEAT_NAMES: Final = INFO.seat_names


_ACTIVITY_WORDS: Final = {
    "draw": ("Draw a card, or take a discard", "{} draws a card"),
    "setup": ("Draw two cards, or take one", "{} draws two cards, or takes one"),
    "discard": ("Drop a card", "{} drops a card"),
    "necromancer": ("Your Necromancer may draw three cards", "{}'s Necromancer may draw three cards"),
    "keep": ("Keep one of the three cards", "{} keeps one of three cards"),
}


def seat_name(view: View, seat: int) -> str:
    """A seat's name as the viewer reads it."""
    return "You" if seat == view["viewer"] else SEAT_NAMES[seat]


def headline(view: View) -> str:
    """Who is to do what, or who won, in a few words."""
    if view["scores"] is not None:
        return _winner_text(view)
    if view["phase"] == "trade":
        return f"Trading: {sum(view['ready'])} of {view['seats']} ready"
    seat, doing = view["seat"], _activity_words(view)
    if seat is None or doing is None:
        return "Dealing"
    yours, theirs = doing
    return f"Your turn: {yours[0].lower() + yours[1:]}" if seat == view["viewer"] else theirs.format(SEAT_NAMES[seat])


def _activity_words(view: View) -> tuple[str, str] | None:
    seat, phase = view["seat"], view["phase"]
    setting_up = phase == "draw" and seat is not None and view["counts"][seat] < HAND_SIZE
    return _ACTIVITY_WORDS.get("setup" if setting_up else phase)


def _winner_text(view: View) -> str:
    first = [seat for seat in range(view["seats"]) if view["ranking"][seat] == 1]
    names, total = [seat_name(view, seat) for seat in first], view["scores"][first[0]]["total"]
    if len(names) > 1:
        return f"{join_with_and(names)} share the first place with {total}"
    return f"{names[0]} {'win' if first[0] == view['viewer'] else 'wins'} with {total}"


def discards_left(view: View) -> int:
    """How many more discards may end the game; 0 where discards do not."""
    return max(view["limit"] - len(view["discard"]), 0) if view["limit"] else 0


def end_warning(view: View) -> str:
    """That the end is near, if it is."""
    if not view["last_turns"] or view["scores"] is not None:
        return ""
    if not (more := discards_left(view)):
        return "Last turns: full hands end the game"
    return f"Last turns: {format_count(more, 'more discard')} end{'s' if more == 1 else ''} the game"


def describe(view: View) -> str:
    """The whole table in sentences, for those who do not see it."""
    if view["scores"] is not None:
        return " ".join(f"{part}." for part in (headline(view), *_totals_texts(view)))
    parts = [headline(view), end_warning(view), _own_hand_text(view)]
    parts += [describe_seat(view, seat) for seat in range(view["seats"]) if seat != view["viewer"]]
    parts += [_discards_text(view), *_offers_text(view)]
    return " ".join(f"{part}." for part in parts if part)


def _own_hand_text(view: View) -> str:
    if view["hand"] is None:
        return ""
    held = f"You hold {join_with_and(view['hand']) if view['hand'] else 'no cards'}"
    return held if view["worth"] is None else f"{held}, now worth {view['worth']['total']}"


def describe_seat(view: View, seat: int) -> str:
    """A seat in words: its cards as far as everybody knows them, and what it is doing."""
    said = [f"{SEAT_NAMES[seat]} has {format_count(view['counts'][seat], 'card')}"]
    if view["known"][seat]:
        said.append(f"among them {join_with_and(view['known'][seat])}")
    said += ["to act"] * (seat == view["seat"]) + ["ready"] * bool(view["ready"][seat])
    return ", ".join(said)


def _discards_text(view: View) -> str:
    if view["limit"] is None:
        return ""
    cards = [entry["card"] for entry in view["discard"]]
    where = f"In the discard area, {len(cards)} of {view['limit']}"
    return f"{where}: {join_with_and(cards)}" if cards else f"{where}: nothing"


def _offers_text(view: View) -> Iterable[str]:
    offers = [f"{entry['card']} by {seat_name(view, entry['seat'])}" for entry in view["offers"]]
    return [f"On offer: {join_with_and(offers)}"] if offers else []


def _totals_texts(view: View) -> Iterable[str]:
    return [
        f"{seat_name(view, seat)} {view['scores'][seat]['total']} for {join_with_and(_realm_cards(view, seat))}"
        for seat in seats_by_rank(view)
    ]


def seats_by_rank(view: View) -> list[int]:
    """The seats at the end, the best realm first."""
    return sorted(range(view["seats"]), key=lambda seat: (view["ranking"][seat], seat))


def _realm_cards(view: View, seat: int) -> list[str]:
    return [entry["card"] for entry in view["scores"][seat]["cards"]]
