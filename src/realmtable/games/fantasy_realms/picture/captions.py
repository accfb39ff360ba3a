"""What a view says in words: whose turn it is, how near the end is, who won; for banners, screen readers, terminals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from realmtable.games.fantasy_realms import INFO

View = Mapping[str, Any]

SEATS: Final = INFO.seat_names
HAND: Final = 7

_DOING: Final = {
    "draw": ("Draw a card, or take a discard", "{} draws a card"),
    "setup": ("Draw two cards, or take one", "{} draws two cards, or takes one"),
    "discard": ("Drop a card", "{} drops a card"),
    "necromancer": ("Your Necromancer may draw three cards", "{}'s Necromancer may draw three cards"),
    "keep": ("Keep one of the three cards", "{} keeps one of three cards"),
}


def name(view: View, seat: int) -> str:
    """A seat's name as the viewer reads it."""
    return "You" if seat == view["viewer"] else SEATS[seat]


def listed(words: Sequence[str]) -> str:
    """Words with commas and an "and".

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def counted(how_many: int, what: str) -> str:
    """A number and a noun.

    >>> counted(1, "card"), counted(0, "card")
    ('1 card', '0 cards')
    """
    return f"{how_many} {what}{'' if how_many == 1 else 's'}"


def headline(view: View) -> str:
    """Who is to do what, or who won, in a few words."""
    if view["scores"] is not None:
        return _won(view)
    if view["phase"] == "trade":
        return f"Trading: {sum(view['ready'])} of {view['seats']} ready"
    seat, doing = view["seat"], _doing(view)
    if seat is None or doing is None:
        return "Dealing"
    yours, theirs = doing
    return f"Your turn: {yours[0].lower() + yours[1:]}" if seat == view["viewer"] else theirs.format(SEATS[seat])


def _doing(view: View) -> tuple[str, str] | None:
    seat, phase = view["seat"], view["phase"]
    setting_up = phase == "draw" and seat is not None and view["counts"][seat] < HAND
    return _DOING.get("setup" if setting_up else phase)


def _won(view: View) -> str:
    first = [seat for seat in range(view["seats"]) if view["ranking"][seat] == 1]
    names, total = [name(view, seat) for seat in first], view["scores"][first[0]]["total"]
    if len(names) > 1:
        return f"{listed(names)} share the first place with {total}"
    return f"{names[0]} {'win' if first[0] == view['viewer'] else 'wins'} with {total}"


def to_come(view: View) -> int:
    """How many more discards may end the game; 0 where discards do not."""
    return max(view["limit"] - len(view["discard"]), 0) if view["limit"] else 0


def warning(view: View) -> str:
    """That the end is near, if it is."""
    if not view["last_turns"] or view["scores"] is not None:
        return ""
    if not (more := to_come(view)):
        return "Last turns: full hands end the game"
    return f"Last turns: {counted(more, 'more discard')} end{'s' if more == 1 else ''} the game"


def describe(view: View) -> str:
    """The whole table in sentences, for those who do not see it."""
    if view["scores"] is not None:
        return " ".join(f"{part}." for part in (headline(view), *_totals(view)))
    parts = [headline(view), warning(view), _own(view)]
    parts += [seat_words(view, seat) for seat in range(view["seats"]) if seat != view["viewer"]]
    parts += [_discards(view), *_offers(view)]
    return " ".join(f"{part}." for part in parts if part)


def _own(view: View) -> str:
    if view["hand"] is None:
        return ""
    held = f"You hold {listed(view['hand']) if view['hand'] else 'no cards'}"
    return held if view["worth"] is None else f"{held}, now worth {view['worth']['total']}"


def seat_words(view: View, seat: int) -> str:
    """A seat in words: its cards as far as everybody knows them, and what it is doing."""
    said = [f"{SEATS[seat]} has {counted(view['counts'][seat], 'card')}"]
    if view["known"][seat]:
        said.append(f"among them {listed(view['known'][seat])}")
    said += ["to act"] * (seat == view["seat"]) + ["ready"] * bool(view["ready"][seat])
    return ", ".join(said)


def _discards(view: View) -> str:
    if view["limit"] is None:
        return ""
    cards = [entry["card"] for entry in view["discard"]]
    where = f"In the discard area, {len(cards)} of {view['limit']}"
    return f"{where}: {listed(cards)}" if cards else f"{where}: nothing"


def _offers(view: View) -> Iterable[str]:
    offers = [f"{entry['card']} by {name(view, entry['seat'])}" for entry in view["offers"]]
    return [f"On offer: {listed(offers)}"] if offers else []


def _totals(view: View) -> Iterable[str]:
    return [
        f"{name(view, seat)} {view['scores'][seat]['total']} for {listed(_held(view, seat))}" for seat in order(view)
    ]


def order(view: View) -> list[int]:
    """The seats at the end, the best realm first."""
    return sorted(range(view["seats"]), key=lambda seat: (view["ranking"][seat], seat))


def _held(view: View, seat: int) -> list[str]:
    return [entry["card"] for entry in view["scores"][seat]["cards"]]
