"""Chaos Realms while all trade: what everybody has on offer, row by row, and the bids that the viewer may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from realmtable.games.fantasy_realms.card_picture import Place, chip, tag
from realmtable.games.fantasy_realms.look import moved, rounded, text
from realmtable.games.fantasy_realms.plates import ready_sign, seat_sign
from realmtable.games.fantasy_realms.standing import Mark
from realmtable.games.fantasy_realms.telling import SEATS, View, counted, name, seat_words
from realmtable.kit.svg import Element, element

ROW: Final = 52  # a seat's row
_HIGH: Final = 46
_SIDE: Final = 138  # the plate at the left of a row
_IN_ROW: Final = 4
_BIDS: Final = 3  # in a row, of which there are two


def market(view: View, top: float, left: float, room: float) -> tuple[list[Element], float]:
    """A row for every seat, the viewer's last, then the bids; and where they end."""
    viewer = view["viewer"]
    seats = [seat for seat in range(view["seats"]) if seat != viewer]
    seats += [] if viewer is None else [viewer]
    parts = [_row(view, seat, (left, top + place * ROW), room) for place, seat in enumerate(seats)]
    bottom = top + len(seats) * ROW
    if viewer is None:
        return parts, bottom
    return parts + _bids(view, bottom + 2, left, room), bottom + 2 * ROW + 24


def _row(view: View, seat: int, at: tuple[float, float], room: float) -> Element:
    offered = [entry["card"] for entry in view["offers"] if entry["seat"] == seat]
    known = [card for card in view["known"][seat] if card not in offered and seat != view["viewer"]]
    return element(
        "g",
        element("path", class_="fr-cloth", d=rounded(room, _HIGH, 8)),
        element("path", class_="fr-plate", d=rounded(_SIDE, _HIGH, 8)),
        seat_sign(seat, 20, 24),
        text(name(view, seat), 36, 29, 18, "fr-bold"),
        *([ready_sign(_SIDE - 16, 23)] if view["ready"][seat] else []),
        *_laid(view, seat, offered, known, room),
        transform=moved(*at),
        role="group",
        aria_label=seat_words(view, seat) if seat != view["viewer"] else f"You offer {counted(len(offered), 'card')}",
    )


def _laid(view: View, seat: int, offered: Sequence[str], known: Sequence[str], room: float) -> list[Element]:
    """Chips for what is on offer, tags for what is known besides; all as tags in two lines where they are many."""
    wide = (room - _SIDE - 6 * (_IN_ROW + 1)) / _IN_ROW
    lefts = [_SIDE + 6 + column * (wide + 6) for column in range(_IN_ROW)]
    if len(offered) + len(known) > _IN_ROW:
        spots = [(left, line) for line in (0.5, 23.5) for left in lefts]
        handles = [f"offer:{card}" for card in offered] + [None] * len(known)
        return [
            tag(card, Place(spot, handle), wide)
            for card, spot, handle in zip([*offered, *known], spots, handles, strict=False)
        ]
    whose = "yours, on offer" if seat == view["viewer"] else f"on offer by {SEATS[seat]}"
    parts = [
        chip(card, mark=Mark(whose), place=Place((left, 0), f"offer:{card}", (wide, _HIGH)))
        for card, left in zip(offered, lefts, strict=False)
    ]
    return parts + [
        tag(card, Place((left, 12)), wide) for card, left in zip(known, lefts[len(offered) :], strict=False)
    ]


# Bids


def _bids(view: View, top: float, left: float, room: float) -> list[Element]:
    """The viewer's bids and those for the viewer's cards, first these; what has no room is offered as a button."""
    bids = sorted(view["bids"], key=lambda bid: bid["seat"] == view["viewer"])
    space = 2 * _BIDS
    shown = bids if len(bids) <= space else bids[: space - 1]
    wide = (room - 6 * (_BIDS - 1)) / _BIDS
    spots = [(left + place % _BIDS * (wide + 6), top + 20 + place // _BIDS * ROW) for place in range(space)]
    parts = [text(_bid_line(view, bids), left + 4, top + 13, 16, "fr-sans fr-soft")]
    parts += [_bid(view, bid, spot, wide) for bid, spot in zip(shown, spots, strict=False)]
    if len(shown) < len(bids):
        across, down = spots[-1]
        parts.append(text(f"and {len(bids) - len(shown)} more below", across + 10, down + 28, 16, "fr-sans fr-italic"))
    return parts


def _bid_line(view: View, bids: Sequence[dict[str, Any]]) -> str:
    got = sum(bid["seat"] != view["viewer"] for bid in bids)
    if not bids:
        return "No bids: point at a card on offer, then at your card for it; or at your card, to offer it"
    return f"Bids: {got} for your cards, {len(bids) - got} of yours"


def _bid(view: View, bid: dict[str, Any], at: tuple[float, float], wide: float) -> Element:
    owners = {entry["card"]: entry["seat"] for entry in view["offers"]}
    mine = bid["seat"] == view["viewer"]
    whose = SEATS[owners[bid["for"]]] + "'s" if mine else "your"
    note = f"{'you bid' if mine else SEATS[bid['seat']]}, for {whose} {bid['for']}"
    return chip(bid["card"], place=Place(at, f"bid:{bid['card']}:{bid['for']}", (wide, _HIGH)), note=note)
