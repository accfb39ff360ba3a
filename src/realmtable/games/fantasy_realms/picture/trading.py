"""Draw trading in Chaos Realms: one row per seat with its offers, then the bids the viewer may see.

Things keep their place while others come and go, so that a tap at a lively table does not hit something that has just
appeared: each seat has its row, and a card's number decides its place in the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.picture.captions import SEAT_NAMES, describe_seat, seat_name
from realmtable.games.fantasy_realms.picture.card import CardPlacement, draw_chip, draw_tag
from realmtable.games.fantasy_realms.picture.card_status import CardMark
from realmtable.games.fantasy_realms.picture.seats import ready_sign, seat_sign
from realmtable.games.fantasy_realms.picture.style import round_rectangle, selection_ring, text_element, translate
from realmtable.games.fantasy_realms.scoring.swap_values import (
    MAX_SHOWN_BIDS,
    BidData,
    best_swap,
    bid_gain,
    bids_to_show,
)
from realmtable.games.fantasy_realms.wording import format_count, format_signed
from realmtable.kit.svg import Element, element, path

ROW_HEIGHT: Final = 52  # of a seat
_CHIP_HEIGHT: Final = 46
_PLATE_WIDTH: Final = 126  # the plate on the left of a row
_OFFERS_PER_ROW: Final = 4
_GAP: Final = 6
_TAG_TOPS: Final = (0.5, 23.5)  # of tags in a row
_RECEIVED_ROWS: Final = MAX_SHOWN_BIDS // 2  # of bids for the viewer's cards
_BUTTON_WIDTH: Final = 56

Key = TypeVar("Key")


def draw_trading(view: View, top: float, left: float, room: float) -> tuple[list[Element], float]:
    """Draw a row for every seat, the viewer's last, then the bids; return them and where they end."""
    viewer = view["viewer"]
    seats = [seat for seat in range(view["seats"]) if seat != viewer]
    seats += [] if viewer is None else [viewer]
    parts = [_seat_row(view, seat, (left, top + place * ROW_HEIGHT), room) for place, seat in enumerate(seats)]
    bottom = top + len(seats) * ROW_HEIGHT
    if viewer is None:
        return parts, bottom
    parts.append(_bids_for_viewer(view, (left, bottom), room))
    parts.append(_own_bids(view, (left, bottom + _RECEIVED_ROWS * ROW_HEIGHT), room))
    return parts, bottom + (_RECEIVED_ROWS + 1) * ROW_HEIGHT


def _seat_row(view: View, seat: int, at: tuple[float, float], room: float) -> Element:
    offered = [entry["card"] for entry in view["offers"] if entry["seat"] == seat]
    known = [card for card in view["known"][seat] if card not in offered and seat != view["viewer"]]
    return element(
        "g",
        element("path", class_="fr-cloth", d=round_rectangle(room, _CHIP_HEIGHT, 8)),
        element("path", class_="fr-plate", d=round_rectangle(_PLATE_WIDTH, _CHIP_HEIGHT, 8)),
        seat_sign(seat, 20, 24),
        *_name_plate(view, seat),
        *_offers_row(view, seat, offered, known, room),
        transform=translate(*at),
        role="group",
        aria_label=describe_seat(view, seat)
        if seat != view["viewer"]
        else f"You offer {format_count(len(offered), 'card')}",
    )


def _name_plate(view: View, seat: int) -> list[Element]:
    """Draw a seat's name and whether it is ready."""
    if not view["ready"][seat]:
        return [text_element(seat_name(view, seat), 36, 29, 18, "fr-bold")]
    return [
        text_element(seat_name(view, seat), 36, 21, 18, "fr-bold"),
        text_element("ready", 36, 38, 15, "fr-soft"),
        ready_sign(_PLATE_WIDTH - 18, 24),
    ]


def _offers_row(view: View, seat: int, offered: Sequence[str], known: Sequence[str], room: float) -> list[Element]:
    """Draw offers as chips, or as tags if there are many, then as many other known cards as fit."""
    lefts, wide = _columns(room, _OFFERS_PER_ROW)
    if len(offered) > _OFFERS_PER_ROW:
        spots = [(left, line) for line in _TAG_TOPS for left in lefts]
        parts = [
            draw_tag(card, CardPlacement(spot, f"offer:{card}"), wide)
            for card, spot in zip(offered, spots, strict=False)
        ]
        return parts + [
            draw_tag(card, CardPlacement(spot), wide) for card, spot in zip(known, spots[len(offered) :], strict=False)
        ]
    places = _assign_places({card: BY_NAME[card].id for card in offered}, _OFFERS_PER_ROW)
    parts = [
        _offer_chip(view, seat, card, CardPlacement((lefts[place], 0), f"offer:{card}", (wide, _CHIP_HEIGHT)))
        for card, place in places.items()
    ]
    free = [left for place, left in enumerate(lefts) if place not in places.values()]
    lines = (12.0,) if len(known) <= len(free) else _TAG_TOPS
    spots = [(left, line) for left in free for line in lines]
    return parts + [draw_tag(card, CardPlacement(spot), wide) for card, spot in zip(known, spots, strict=False)]


def _columns(room: float, count: int) -> tuple[list[float], float]:
    """Return where the columns to the right of a plate begin, and their width."""
    wide = (room - _PLATE_WIDTH - _GAP * (count + 1)) / count
    return [_PLATE_WIDTH + _GAP + column * (wide + _GAP) for column in range(count)], wide


def _offer_chip(view: View, seat: int, card: str, place: CardPlacement) -> Element:
    """Draw a card on offer; other players see what it would gain them, if it helps."""
    new = view["offers"][-1]["card"] == card
    if seat == view["viewer"]:
        return draw_chip(card, mark=CardMark("yours, on offer", new=new), place=place)
    swap, owner = best_swap(view, card), f"on offer by {SEAT_NAMES[seat]}"
    if swap is None or swap.points <= 0:
        return draw_chip(card, mark=CardMark(owner, new=new), place=place)
    mark = CardMark(f"{owner}, best for your {swap.give}", new=new)
    return draw_chip(card, mark=mark, place=place, badge=format_signed(swap.points))


def _assign_places(preferences: Mapping[Key, int], count: int) -> dict[Key, int]:
    """Assign each key one of `count` places: that of its number, or the next free one, first come, first served.

    >>> _assign_places({"a": 5, "b": 9, "c": 7}, 4)
    {'a': 1, 'b': 2, 'c': 3}
    """
    places: dict[Key, int] = {}
    for key, number in preferences.items():
        taken = set(places.values())
        places[key] = next(place % count for place in range(number, number + count) if place % count not in taken)
    return places


# ---- bids


def _bids_for_viewer(view: View, at: tuple[float, float], room: float) -> Element:
    """Draw the best bids for the viewer's cards, each with a tick and a cross; tapping the plate shows more."""
    shown, count = bids_to_show(view, mine=False), sum(bid["seat"] != view["viewer"] for bid in view["bids"])
    lefts, wide = _columns(room, 2)
    parts = []
    for place, spot in _assign_places(
        {place: _bid_number(bid) for place, bid in enumerate(shown)}, MAX_SHOWN_BIDS
    ).items():
        row, column = divmod(spot, 2)
        parts += _bid_with_buttons(view, shown[place], (lefts[column], row * ROW_HEIGHT), wide)
    if not count:
        parts += [text_element(words, lefts[0] + 4, 38 + 26 * row, 16, "fr-soft") for row, words in enumerate(_HINTS)]
    plate = _plate(["Bids for you:", str(count)], ROW_HEIGHT + _CHIP_HEIGHT, "bids", count - len(shown))
    return _row_with_plate(parts, plate, at, (room, ROW_HEIGHT + _CHIP_HEIGHT), f"Bids for your cards: {count}")


_HINTS: Final = ("Click a card on offer, then the card you bid for it.", "Click one of your cards to offer it.")


def _own_bids(view: View, at: tuple[float, float], room: float) -> Element:
    """Draw the viewer's latest bids; tapping one cancels it, and tapping the plate shows the others."""
    shown, count = bids_to_show(view, mine=True), sum(bid["seat"] == view["viewer"] for bid in view["bids"])
    lefts, wide = _columns(room, MAX_SHOWN_BIDS)
    places = _assign_places({place: _bid_number(bid) for place, bid in enumerate(shown)}, MAX_SHOWN_BIDS)
    parts = [_own_bid_chip(view, bid, (lefts[places[place]], 0), wide) for place, bid in enumerate(shown)]
    plate = _plate([f"Your bids: {count}"], _CHIP_HEIGHT, "your_bids", count - len(shown))
    return _row_with_plate(parts, plate, at, (room, _CHIP_HEIGHT), f"Your bids: {count}")


def _row_with_plate(
    parts: Sequence[Element], plate: Element, at: tuple[float, float], size: tuple[float, float], words: str
) -> Element:
    """Draw a row of elements next to their plate."""
    cloth = element("path", class_="fr-cloth", d=round_rectangle(*size, 8))
    return element("g", cloth, plate, *parts, transform=translate(*at), role="group", aria_label=words)


def _plate(lines: Sequence[str], high: float, handle: str, more: int) -> Element:
    """Draw the title of a row; it can be clicked if there is more than the row shows."""
    texts = [*lines, f"{more} more"] if more else lines
    top = high / 2 + 5.5 - 10 * (len(texts) - 1)
    parts = [
        text_element(words, 12, top + 20 * row, 16, "" + " fr-bold" * (row > 0)) for row, words in enumerate(texts)
    ]
    back = element("rect", class_="fr-plate", width=_PLATE_WIDTH, height=high, rx=8)
    if not more:
        return element("g", back, *parts)
    return element(
        "g",
        back,
        *parts,
        selection_ring(_PLATE_WIDTH, high, 8),
        class_="fr-card",
        role="button",
        tabindex=-1,
        data_handle=handle,
        aria_label=" ".join(texts),
    )


def _bid_number(bid: BidData) -> int:
    return BY_NAME[bid["card"]].id + BY_NAME[bid["for"]].id


def _bid_with_buttons(view: View, bid: BidData, at: tuple[float, float], wide: float) -> list[Element]:
    """Draw a card bid to the viewer, with buttons to accept or refuse it."""
    across, down = at
    room = wide - 2 * (_BUTTON_WIDTH + _GAP)
    place = CardPlacement(at, size=(room, _CHIP_HEIGHT))
    return [
        draw_chip(bid["card"], place=place, note=f"{SEAT_NAMES[bid['seat']]}, for {bid['for']}"),
        _accept_button(view, bid, (across + room + _GAP, down)),
        _button(
            "refuse",
            bid,
            (across + room + _BUTTON_WIDTH + 2 * _GAP, down),
            element("path", class_="fr-cross", d=_CROSS),
        ),
    ]


_CROSS: Final = path("M", _BUTTON_WIDTH / 2 - 9, _CHIP_HEIGHT / 2 - 9, "l", 18, 18, "m", 0, -18, "l", -18, 18)


def _accept_button(view: View, bid: BidData, at: tuple[float, float]) -> Element:
    """Draw a tick with what accepting would gain; green if it helps."""
    gain = bid_gain(view, bid)
    helps = gain is None or gain > 0
    middle = _CHIP_HEIGHT / 2 if gain is None else 14
    tick = path("M", _BUTTON_WIDTH / 2 - 10, middle, "l", 7, 7, "l", 13, -15)
    parts = [element("path", class_="fr-clear" if helps else "fr-tick", d=tick)]
    if helps:
        parts.insert(
            0, element("path", class_="fr-good", d=round_rectangle(_BUTTON_WIDTH - 2, _CHIP_HEIGHT - 2, 7, 1, 1))
        )
    if gain is not None:
        kind = "fr-on" if helps else "fr-bad"
        parts.append(text_element(format_signed(gain), _BUTTON_WIDTH / 2, 40, 17, f"fr-bold fr-mid {kind}"))
    return _button("accept", bid, at, *parts, more="" if gain is None else f", {format_signed(gain)} for you")


def _button(verb: str, bid: BidData, at: tuple[float, float], *parts: Element, more: str = "") -> Element:
    words = f"{verb.capitalize()} {bid['card']} for {bid['for']}{more}"
    return element(
        "g",
        element("title", words),
        element("rect", class_="fr-face", width=_BUTTON_WIDTH, height=_CHIP_HEIGHT, rx=8),
        *parts,
        selection_ring(_BUTTON_WIDTH, _CHIP_HEIGHT, 8),
        class_="fr-card",
        transform=translate(*at),
        role="button",
        tabindex=-1,
        data_handle=f"{verb}:{bid['card']}:{bid['for']}",
        aria_label=words,
    )


def _own_bid_chip(view: View, bid: BidData, at: tuple[float, float], wide: float) -> Element:
    owners = {entry["card"]: entry["seat"] for entry in view["offers"]}
    note, gain = f"for {bid['for']}", bid_gain(view, bid)
    mark = CardMark(f"your bid for {SEAT_NAMES[owners[bid['for']]]}'s {bid['for']}")
    badge = "" if gain is None else format_signed(gain)
    place = CardPlacement(at, f"bid:{bid['card']}:{bid['for']}", (wide, _CHIP_HEIGHT))
    return draw_chip(bid["card"], mark=mark, place=place, note=note, badge=badge)
