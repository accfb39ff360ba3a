"""Draw trading in Chaos Realms: one row per seat with its offers, and below the hand the bids the viewer may see.

Things keep their place while others come and go, so that a tap at a lively table does not hit something that has just
appeared: each seat has its row, a card's number decides its place in the row, and the hand is above the bids. All type
is at least `MIN_TYPE` high, so that it can be read on a phone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.picture.captions import SEAT_NAMES, describe_seat, seat_name
from realmtable.games.fantasy_realms.picture.card_group import CardPlacement
from realmtable.games.fantasy_realms.picture.card_status import CardMark
from realmtable.games.fantasy_realms.picture.large_chip import MIN_TYPE, draw_market_chip
from realmtable.games.fantasy_realms.picture.seats import ready_sign, seat_sign
from realmtable.games.fantasy_realms.picture.style import round_rectangle, selection_ring, text_element, translate
from realmtable.games.fantasy_realms.scoring.choice_values import (
    MAX_SHOWN_BIDS,
    BidData,
    bid_gain,
    bids_to_show,
)
from realmtable.kit.svg import Element, clickable, element, path
from realmtable.kit.wording import format_count, format_signed

_GAP: Final = 4
_CHIP_HEIGHT: Final = 56
_ROW_HEIGHT: Final = _CHIP_HEIGHT + _GAP
_PLATE_WIDTH: Final = 126  # the plate on the left of a seat's row
_OFFERS_PER_ROW: Final = 3
_BIDS_PER_ROW: Final = 2
_TITLE_HEIGHT: Final = 34
_BUTTON_SIZE: Final = 84  # 40 pixels on a phone, for a finger
_BID_HEIGHT: Final = _BUTTON_SIZE + _GAP

# What pages show a player who has never traded before: a title and sentences.
TRADING_TIPS: Final = (
    "How trading works"
    "|Offer: tap one of your cards twice. Everyone sees your offers."
    "|Bid: tap a card on offer, then the card you would give for it. Only its owner sees your bid. "
    "It is open until they answer or you withdraw it."
    "|Faded cards are not on offer, but everyone knows who has them."
    "|Answer: tap the tick next to a bid to swap the two cards, or the cross to refuse."
    "|Ready: press it when you like your realm. Trading ends when everyone is ready or the time is up."
    "|Time: the clock at the top is already running."
)

GAIN_LEGEND: Final = "On a bid: what you would gain"

Key = TypeVar("Key")


def draw_offers(view: View, top: float, left: float, room: float) -> tuple[list[Element], float]:
    """Draw the offers of every seat, the viewer's last; return them and where they end."""
    viewer = view["viewer"]
    seats = [seat for seat in range(view["seats"]) if seat != viewer]
    parts = []
    for seat in seats + ([] if viewer is None else [viewer]):
        row, high = _seat_row(view, seat, (left, top), room)
        parts.append(row)
        top += high
    return parts, top


def _seat_row(view: View, seat: int, at: tuple[float, float], room: float) -> tuple[Element, float]:
    """Draw a seat's offers in as many lines as they need, and other cards it is known to have where there is room."""
    offered = [entry["card"] for entry in view["offers"] if entry["seat"] == seat]
    known = [card for card in view["known"][seat] if card not in offered and seat != view["viewer"]]
    lines = max(1, -(-len(offered) // _OFFERS_PER_ROW))
    high = lines * _ROW_HEIGHT
    row = element(
        "g",
        element("path", class_="fr-cloth", d=round_rectangle(room, high - _GAP, 8)),
        element("path", class_="fr-plate", d=round_rectangle(_PLATE_WIDTH, high - _GAP, 8)),
        seat_sign(seat, 18, 17),
        *([ready_sign(_PLATE_WIDTH - 20, 17)] if view["ready"][seat] else []),
        text_element(seat_name(view, seat), 8, 46, MIN_TYPE, "fr-bold"),
        *_offers_row(view, seat, offered, known, (room, lines)),
        transform=translate(*at),
        role="group",
        aria_label=describe_seat(view, seat)
        if seat != view["viewer"]
        else f"You offer {format_count(len(offered), 'card')}",
    )
    return row, high


def _offers_row(
    view: View, seat: int, offered: Sequence[str], known: Sequence[str], size: tuple[float, int]
) -> list[Element]:
    room, lines = size
    lefts, wide = _columns(room, _OFFERS_PER_ROW, _PLATE_WIDTH + _GAP)
    spots = [(left, line * _ROW_HEIGHT) for line in range(lines) for left in lefts]
    places = _assign_places({card: BY_NAME[card].id for card in offered}, len(spots))
    chip = wide, _CHIP_HEIGHT
    chips = {
        place: (card, _offer_chip(view, seat, card, CardPlacement(spots[place], f"offer:{card}", chip)))
        for card, place in places.items()
    }
    free = [place for place in range(len(spots)) if place not in chips]
    quiet = {
        place: (card, _known_card(card, CardPlacement(spots[place], size=chip)))
        for card, place in zip(known, free, strict=False)
    }
    return [_slots(f"offers {seat}", spots, chips | quiet)]


_NOT_OFFERED: Final = "not on offer"


def _known_card(card: str, place: CardPlacement) -> Element:
    """Draw a card that a seat is known to have, without a frame that would make it look like an offer."""
    mark = CardMark("known, but not on offer")
    return element("g", draw_market_chip(card, place, mark, _NOT_OFFERED), class_="fr-quiet")


def _slots(name: str, spots: Sequence[tuple[float, float]], parts: Mapping[int, tuple[str, Element]]) -> Element:
    """Group parts, drawn at their spots, with a key each.

    A page can keep a part where it is while others come and go; a single picture does not know what was there before.
    """
    kept = [element("g", part, data_slot=place, data_key=key) for place, (key, part) in parts.items()]
    return element("g", *kept, data_slots=name, data_spots=" ".join(f"{left:g},{top:g}" for left, top in spots))


def _columns(room: float, count: int, first: float = 0) -> tuple[list[float], float]:
    """Return where the columns from `first` on begin, and their width."""
    wide = (room - first - _GAP * (count - 1)) / count
    return [first + column * (wide + _GAP) for column in range(count)], wide


def _offer_chip(view: View, seat: int, card: str, place: CardPlacement) -> Element:
    """Draw a card on offer. What it would bring is advice, which players have to ask for."""
    new = view["offers"][-1]["card"] == card
    words = "yours, on offer" if seat == view["viewer"] else f"on offer by {SEAT_NAMES[seat]}"
    return draw_market_chip(card, place, CardMark(words, new=new))


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


def draw_bids(view: View, top: float, left: float, room: float) -> tuple[list[Element], float]:
    """Draw the best bids for the viewer's cards, then the viewer's latest bids; return them and where they end."""
    received, high = _draw_received_bids(view, (left, top), room)
    if not any(bid["seat"] == view["viewer"] for bid in view["bids"]):
        return [received], top + high
    made, below = _draw_own_bids(view, (left, top + high), room)
    return [received, made], top + high + below


def _draw_received_bids(view: View, at: tuple[float, float], room: float) -> tuple[Element, float]:
    """Draw bids with a tick and a cross each; tapping the number of the others shows them."""
    shown, count = bids_to_show(view, mine=False), sum(bid["seat"] != view["viewer"] for bid in view["bids"])
    lefts, wide = _columns(room, _BIDS_PER_ROW)
    parts = _title(f"Bids for your cards: {count}", "bids", count - len(shown), room)
    places = _assign_places({place: _bid_number(bid) for place, bid in enumerate(shown)}, MAX_SHOWN_BIDS)
    spots = _bid_spots(lefts, MAX_SHOWN_BIDS, _BID_HEIGHT)
    drawn = {
        spot: (_bid_key(shown[place]), element("g", *_bid_with_buttons(view, shown[place], spots[spot], wide)))
        for place, spot in places.items()
    }
    parts.append(_slots("bids", spots, drawn))
    if not count:
        parts += [
            text_element(words, 8, _TITLE_HEIGHT + 30 + 32 * row, MIN_TYPE, "fr-soft")
            for row, words in enumerate(_HINTS)
        ]
    high = _TITLE_HEIGHT + MAX_SHOWN_BIDS // _BIDS_PER_ROW * _BID_HEIGHT
    return _group(parts, at, (room, high), f"Bids for your cards: {count}"), high


_HINTS: Final = ("Tap one of your cards twice to offer it.", "Tap a card on offer, then the card you bid for it.")


_NO_ANSWER: Final = "No answer yet. Tap one to withdraw it."


def _draw_own_bids(view: View, at: tuple[float, float], room: float) -> tuple[Element, float]:
    """Draw the viewer's latest bids; tapping one cancels it, and tapping the number of the others shows them."""
    shown, count = bids_to_show(view, mine=True), sum(bid["seat"] == view["viewer"] for bid in view["bids"])
    lefts, wide = _columns(room, _BIDS_PER_ROW)
    parts = _title(f"Your bids: {count}", "your_bids", count - len(shown), room)
    parts.append(text_element(_NO_ANSWER, 172, 25, MIN_TYPE, "fr-soft"))
    spots = _bid_spots(lefts, len(shown), _ROW_HEIGHT)
    chips = {place: (_bid_key(bid), _own_bid_chip(view, bid, spots[place], wide)) for place, bid in enumerate(shown)}
    parts.append(_slots("own bids", spots, chips))
    high = _TITLE_HEIGHT + -(-len(shown) // _BIDS_PER_ROW) * _ROW_HEIGHT
    return _group(parts, at, (room, high), f"Your bids: {count}"), high


def _group(parts: Sequence[Element], at: tuple[float, float], size: tuple[float, float], words: str) -> Element:
    cloth = element("path", class_="fr-cloth", d=round_rectangle(size[0], size[1] - _GAP, 8))
    return element("g", cloth, *parts, transform=translate(*at), role="group", aria_label=words)


def _title(words: str, handle: str, more: int, room: float) -> list[Element]:
    """Draw the title of a list, and a button if there is more than the list shows."""
    parts = [text_element(words, 8, 25, MIN_TYPE, "fr-bold")]
    if not more:
        return parts
    button = element(
        "g",
        element("rect", class_="fr-plate", width=120, height=30, rx=8),
        text_element(f"{more} more", 60, 23, MIN_TYPE, "fr-mid"),
        selection_ring(120, 30, 8),
        class_="fr-card",
        transform=translate(room - 124, 1),
        **clickable(handle),
        aria_label=f"{words}, {more} more",
    )
    return [*parts, button]


def _bid_spots(lefts: Sequence[float], count: int, high: float) -> list[tuple[float, float]]:
    """Return the places of a list of bids, row by row."""
    spots = (divmod(place, _BIDS_PER_ROW) for place in range(count))
    return [(lefts[column], _TITLE_HEIGHT + row * high) for row, column in spots]


def _bid_key(bid: BidData) -> str:
    return f"{bid['card']} for {bid['for']}"


def _bid_number(bid: BidData) -> int:
    return BY_NAME[bid["card"]].id + BY_NAME[bid["for"]].id


def _bid_with_buttons(view: View, bid: BidData, at: tuple[float, float], wide: float) -> list[Element]:
    """Draw a card bid to the viewer, with buttons to accept or refuse it."""
    across, down = at
    room = wide - 2 * (_BUTTON_SIZE + _GAP)
    place = CardPlacement(at, size=(room, _BUTTON_SIZE))
    return [
        draw_market_chip(bid["card"], place, CardMark(f"bid by {SEAT_NAMES[bid['seat']]}"), f"for {bid['for']}"),
        element("g", seat_sign(bid["seat"], across + room - 16, down + _BUTTON_SIZE - 18), aria_hidden="true"),
        _accept_button(view, bid, (across + room + _GAP, down)),
        _button(
            "refuse",
            bid,
            (across + room + _BUTTON_SIZE + 2 * _GAP, down),
            element("path", class_="fr-cross", d=_CROSS),
        ),
    ]


_CROSS: Final = path("M", _BUTTON_SIZE / 2 - 12, _BUTTON_SIZE / 2 - 12, "l", 24, 24, "m", 0, -24, "l", -24, 24)


def _accept_button(view: View, bid: BidData, at: tuple[float, float]) -> Element:
    """Draw a tick with what accepting would gain; green if it helps."""
    gain = bid_gain(view, bid)
    helps = gain is None or gain > 0
    middle = _BUTTON_SIZE / 2 if gain is None else 28
    tick = path("M", _BUTTON_SIZE / 2 - 13, middle, "l", 9, 9, "l", 17, -19)
    parts = [element("path", class_="fr-clear" if helps else "fr-tick", d=tick)]
    if helps:
        parts.insert(
            0, element("path", class_="fr-good", d=round_rectangle(_BUTTON_SIZE - 2, _BUTTON_SIZE - 2, 7, 1, 1))
        )
    if gain is not None:
        kind = "fr-on" if helps else "fr-bad"
        parts.append(text_element(format_signed(gain), _BUTTON_SIZE / 2, 69, MIN_TYPE, f"fr-bold fr-mid {kind}"))
    return _button("accept", bid, at, *parts, more="" if gain is None else f", {format_signed(gain)} for you")


def _button(verb: str, bid: BidData, at: tuple[float, float], *parts: Element, more: str = "") -> Element:
    words = f"{verb.capitalize()} {bid['card']} for {bid['for']}{more}"
    return element(
        "g",
        element("title", words),
        element("rect", class_="fr-face", width=_BUTTON_SIZE, height=_BUTTON_SIZE, rx=8),
        *parts,
        selection_ring(_BUTTON_SIZE, _BUTTON_SIZE, 8),
        class_="fr-card",
        transform=translate(*at),
        **clickable(f"{verb}:{bid['card']}:{bid['for']}"),
        aria_label=words,
    )


def _own_bid_chip(view: View, bid: BidData, at: tuple[float, float], wide: float) -> Element:
    owners = {entry["card"]: entry["seat"] for entry in view["offers"]}
    note, gain = f"for {bid['for']}", bid_gain(view, bid)
    mark = CardMark(f"your bid for {SEAT_NAMES[owners[bid['for']]]}'s {bid['for']}")
    badge = "" if gain is None else format_signed(gain)
    place = CardPlacement(at, f"bid:{bid['card']}:{bid['for']}", (wide, _CHIP_HEIGHT))
    return draw_market_chip(bid["card"], place, mark, note, badge)
