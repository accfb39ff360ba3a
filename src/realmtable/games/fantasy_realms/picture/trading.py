"""Chaos Realms while all trade: what everybody has on offer, row by row, then the bids that the viewer may see.

Things stay where they are while others come and go, for who taps at a lively table must not hit what has just come
there: a seat has its row, and in it a card has its place by its number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from realmtable.games.fantasy_realms.bots.swap_values import MOST_SHOWN, Bid, best_swap, gain, shown_bids
from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.picture.captions import SEATS, View, counted, name, seat_words
from realmtable.games.fantasy_realms.picture.card import Place, chip, tag
from realmtable.games.fantasy_realms.picture.card_status import Mark, signed
from realmtable.games.fantasy_realms.picture.seats import ready_sign, seat_sign
from realmtable.games.fantasy_realms.picture.style import moved, ring, rounded, text
from realmtable.kit.svg import Element, element, path

ROW: Final = 52  # a seat's row
_HIGH: Final = 46
_SIDE: Final = 126  # the plate at the left of a row
_IN_ROW: Final = 4
_GAP: Final = 6
_LINES: Final = (0.5, 23.5)  # of tags in a row
_GOT_ROWS: Final = MOST_SHOWN // 2  # of bids for the viewer's cards
_BUTTON: Final = 56

Key = TypeVar("Key")


def market(view: View, top: float, left: float, room: float) -> tuple[list[Element], float]:
    """A row for every seat, the viewer's last, then the bids; and where they end."""
    viewer = view["viewer"]
    seats = [seat for seat in range(view["seats"]) if seat != viewer]
    seats += [] if viewer is None else [viewer]
    parts = [_row(view, seat, (left, top + place * ROW), room) for place, seat in enumerate(seats)]
    bottom = top + len(seats) * ROW
    if viewer is None:
        return parts, bottom
    parts.append(_got(view, (left, bottom), room))
    parts.append(_mine(view, (left, bottom + _GOT_ROWS * ROW), room))
    return parts, bottom + (_GOT_ROWS + 1) * ROW


def _row(view: View, seat: int, at: tuple[float, float], room: float) -> Element:
    offered = [entry["card"] for entry in view["offers"] if entry["seat"] == seat]
    known = [card for card in view["known"][seat] if card not in offered and seat != view["viewer"]]
    return element(
        "g",
        element("path", class_="fr-cloth", d=rounded(room, _HIGH, 8)),
        element("path", class_="fr-plate", d=rounded(_SIDE, _HIGH, 8)),
        seat_sign(seat, 20, 24),
        *_named(view, seat),
        *_laid(view, seat, offered, known, room),
        transform=moved(*at),
        role="group",
        aria_label=seat_words(view, seat) if seat != view["viewer"] else f"You offer {counted(len(offered), 'card')}",
    )


def _named(view: View, seat: int) -> list[Element]:
    """The name on a plate, and whether that seat is ready."""
    if not view["ready"][seat]:
        return [text(name(view, seat), 36, 29, 18, "fr-bold")]
    return [
        text(name(view, seat), 36, 21, 18, "fr-bold"),
        text("ready", 36, 38, 15, "fr-sans fr-soft"),
        ready_sign(_SIDE - 18, 24),
    ]


def _laid(view: View, seat: int, offered: Sequence[str], known: Sequence[str], room: float) -> list[Element]:
    """Chips for what is on offer, tags where it is much; what is known besides is told as far as there is room."""
    lefts, wide = _columns(room, _IN_ROW)
    if len(offered) > _IN_ROW:
        spots = [(left, line) for line in _LINES for left in lefts]
        parts = [tag(card, Place(spot, f"offer:{card}"), wide) for card, spot in zip(offered, spots, strict=False)]
        return parts + [tag(card, Place(spot), wide) for card, spot in zip(known, spots[len(offered) :], strict=False)]
    places = _placed({card: BY_NAME[card].id for card in offered}, _IN_ROW)
    parts = [
        _offered(view, seat, card, Place((lefts[place], 0), f"offer:{card}", (wide, _HIGH)))
        for card, place in places.items()
    ]
    free = [left for place, left in enumerate(lefts) if place not in places.values()]
    lines = (12.0,) if len(known) <= len(free) else _LINES
    spots = [(left, line) for left in free for line in lines]
    return parts + [tag(card, Place(spot), wide) for card, spot in zip(known, spots, strict=False)]


def _columns(room: float, count: int) -> tuple[list[float], float]:
    """Where the columns right of a plate begin, and how wide they are."""
    wide = (room - _SIDE - _GAP * (count + 1)) / count
    return [_SIDE + _GAP + column * (wide + _GAP) for column in range(count)], wide


def _offered(view: View, seat: int, card: str, place: Place) -> Element:
    """A card on offer; to others it says what it would do to their score, if it helps."""
    new = view["offers"][-1]["card"] == card
    if seat == view["viewer"]:
        return chip(card, mark=Mark("yours, on offer", new=new), place=place)
    swap, whose = best_swap(view, card), f"on offer by {SEATS[seat]}"
    if swap is None or swap.points <= 0:
        return chip(card, mark=Mark(whose, new=new), place=place)
    mark = Mark(f"{whose}, best for your {swap.give}", new=new)
    return chip(card, mark=mark, place=place, badge=signed(swap.points))


def _placed(wishes: Mapping[Key, int], count: int) -> dict[Key, int]:
    """A place of so many for each: the one that its number says, or the next free one; the first come first.

    >>> _placed({"a": 5, "b": 9, "c": 7}, 4)
    {'a': 1, 'b': 2, 'c': 3}
    """
    places: dict[Key, int] = {}
    for key, number in wishes.items():
        taken = set(places.values())
        places[key] = next(place % count for place in range(number, number + count) if place % count not in taken)
    return places


# Bids


def _got(view: View, at: tuple[float, float], room: float) -> Element:
    """The best bids for the viewer's cards, each with a tick and a cross to tap; a tap at the plate shows more."""
    shown, count = shown_bids(view, mine=False), sum(bid["seat"] != view["viewer"] for bid in view["bids"])
    lefts, wide = _columns(room, 2)
    parts = []
    for place, spot in _placed({place: _number(bid) for place, bid in enumerate(shown)}, MOST_SHOWN).items():
        row, column = divmod(spot, 2)
        parts += _deal(view, shown[place], (lefts[column], row * ROW), wide)
    if not count:
        parts += [text(words, lefts[0] + 4, 38 + 26 * row, 16, "fr-sans fr-soft") for row, words in enumerate(_ADVICE)]
    plate = _plate(["Bids for you:", str(count)], ROW + _HIGH, "bids", count - len(shown))
    return _shelf(parts, plate, at, (room, ROW + _HIGH), f"Bids for your cards: {count}")


_ADVICE: Final = ("Point at a card on offer, then at yours for it.", "Point at a card of yours to offer it.")


def _mine(view: View, at: tuple[float, float], room: float) -> Element:
    """The viewer's best bids; one that is pointed at is called back, and a tap at the plate offers the others."""
    shown, count = shown_bids(view, mine=True), sum(bid["seat"] == view["viewer"] for bid in view["bids"])
    lefts, wide = _columns(room, MOST_SHOWN)
    places = _placed({place: _number(bid) for place, bid in enumerate(shown)}, MOST_SHOWN)
    parts = [_bid(view, bid, (lefts[places[place]], 0), wide) for place, bid in enumerate(shown)]
    plate = _plate([f"Your bids: {count}"], _HIGH, "your_bids", count - len(shown))
    return _shelf(parts, plate, at, (room, _HIGH), f"Your bids: {count}")


def _shelf(
    parts: Sequence[Element], plate: Element, at: tuple[float, float], size: tuple[float, float], words: str
) -> Element:
    """A row of things beside their plate."""
    cloth = element("path", class_="fr-cloth", d=rounded(*size, 8))
    return element("g", cloth, plate, *parts, transform=moved(*at), role="group", aria_label=words)


def _plate(lines: Sequence[str], high: float, handle: str, more: int) -> Element:
    """What a row is about; it can be pointed at where there is more than the row shows."""
    said = [*lines, f"{more} more"] if more else lines
    top = high / 2 + 5.5 - 10 * (len(said) - 1)
    parts = [text(words, 12, top + 20 * row, 16, "fr-sans" + " fr-bold" * (row > 0)) for row, words in enumerate(said)]
    back = element("rect", class_="fr-plate", width=_SIDE, height=high, rx=8)
    if not more:
        return element("g", back, *parts)
    return element(
        "g",
        back,
        *parts,
        ring(_SIDE, high, 8),
        class_="fr-card",
        role="button",
        tabindex=-1,
        data_handle=handle,
        aria_label=" ".join(said),
    )


def _number(bid: Bid) -> int:
    return BY_NAME[bid["card"]].id + BY_NAME[bid["for"]].id


def _deal(view: View, bid: Bid, at: tuple[float, float], wide: float) -> list[Element]:
    """A card that is bid to the viewer, and the buttons to take it or not."""
    across, down = at
    room = wide - 2 * (_BUTTON + _GAP)
    place = Place(at, size=(room, _HIGH))
    return [
        chip(bid["card"], place=place, note=f"{SEATS[bid['seat']]}, for {bid['for']}"),
        _accept(view, bid, (across + room + _GAP, down)),
        _button(
            "refuse", bid, (across + room + _BUTTON + 2 * _GAP, down), element("path", class_="fr-cross", d=_CROSS)
        ),
    ]


_CROSS: Final = path("M", _BUTTON / 2 - 9, _HIGH / 2 - 9, "l", 18, 18, "m", 0, -18, "l", -18, 18)


def _accept(view: View, bid: Bid, at: tuple[float, float]) -> Element:
    """A tick to tap, with what that would bring; green if it helps."""
    brings = gain(view, bid)
    helps = brings is None or brings > 0
    middle = _HIGH / 2 if brings is None else 14
    tick = path("M", _BUTTON / 2 - 10, middle, "l", 7, 7, "l", 13, -15)
    parts = [element("path", class_="fr-clear" if helps else "fr-tick", d=tick)]
    if helps:
        parts.insert(0, element("path", class_="fr-good", d=rounded(_BUTTON - 2, _HIGH - 2, 7, 1, 1)))
    if brings is not None:
        kind = "fr-on" if helps else "fr-bad"
        parts.append(text(signed(brings), _BUTTON / 2, 40, 17, f"fr-sans fr-bold fr-mid {kind}"))
    return _button("accept", bid, at, *parts, more="" if brings is None else f", {signed(brings)} for you")


def _button(verb: str, bid: Bid, at: tuple[float, float], *parts: Element, more: str = "") -> Element:
    words = f"{verb.capitalize()} {bid['card']} for {bid['for']}{more}"
    return element(
        "g",
        element("title", words),
        element("rect", class_="fr-face", width=_BUTTON, height=_HIGH, rx=8),
        *parts,
        ring(_BUTTON, _HIGH, 8),
        class_="fr-card",
        transform=moved(*at),
        role="button",
        tabindex=-1,
        data_handle=f"{verb}:{bid['card']}:{bid['for']}",
        aria_label=words,
    )


def _bid(view: View, bid: Bid, at: tuple[float, float], wide: float) -> Element:
    owners = {entry["card"]: entry["seat"] for entry in view["offers"]}
    note, brings = f"for {bid['for']}", gain(view, bid)
    mark = Mark(f"your bid for {SEATS[owners[bid['for']]]}'s {bid['for']}")
    badge = "" if brings is None else signed(brings)
    place = Place(at, f"bid:{bid['card']}:{bid['for']}", (wide, _HIGH))
    return chip(bid["card"], mark=mark, place=place, note=note, badge=badge)
