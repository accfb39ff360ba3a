"""The end of a game: every realm laid out, the best first, with the points of each card."""

from __future__ import annotations

from typing import Final

from realmtable.games.fantasy_realms.card_picture import Place, chip
from realmtable.games.fantasy_realms.look import moved, rounded, text
from realmtable.games.fantasy_realms.plates import seat_sign
from realmtable.games.fantasy_realms.standing import standings
from realmtable.games.fantasy_realms.telling import View, name, order
from realmtable.kit.svg import Element, element

_SIDE: Final = 120  # the plate with name and total at the left of a realm
_IN_ROW: Final = 4
_LEAST: Final = 46  # how high a chip must be,
_MOST: Final = 124  # and how high it may become where few realms leave room for sentences
_TALK: Final = 76  # a chip as high as this says how its points came about
_GAP: Final = 6
_BETWEEN: Final = 12


def realms(view: View, top: float, left: float, room: float, high: float) -> tuple[list[Element], float]:
    """All realms by rank in about so much height, and where they end."""
    seats = order(view)
    chip_high = min(_MOST, max(_LEAST, (high / len(seats) - _BETWEEN - _GAP) / 2))
    step = 2 * chip_high + _GAP + _BETWEEN
    parts = [_realm(view, seat, (left, top + place * step), room, chip_high) for place, seat in enumerate(seats)]
    return parts, top + len(seats) * step


def _realm(view: View, seat: int, at: tuple[float, float], room: float, chip_high: float) -> Element:
    told, rank = view["scores"][seat], view["ranking"][seat]
    high = 2 * chip_high + _GAP
    kind = "fr-won" if rank == 1 else "fr-plate"
    return element(
        "g",
        element("path", class_=kind, d=rounded(_SIDE, high, 8)),
        *_plate(view, seat, high / 2 - 46),
        *_cards(told, room, chip_high),
        transform=moved(*at),
        role="group",
        aria_label=f"{name(view, seat)}, place {rank}, {told['total']} points, strengths {told['strength']}",
    )


def _plate(view: View, seat: int, top: float) -> list[Element]:
    told, rank = view["scores"][seat], view["ranking"][seat]
    return [
        seat_sign(seat, 18, top + 17),
        text(name(view, seat), 33, top + 23, 18, "fr-bold"),
        text(str(told["total"]), _SIDE / 2, top + 60, 34, "fr-bold fr-mid"),
        text(_ordinal(rank) + " place" if rank > 1 else "Winner", _SIDE / 2, top + 82, 15, "fr-sans fr-mid fr-bold"),
    ]


def _ordinal(rank: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(rank, f"{rank}th")


def _cards(told: View, room: float, high: float) -> list[Element]:
    wide = (room - _SIDE - _GAP * _IN_ROW) / _IN_ROW
    known = standings(told)
    parts = []
    for place, card in enumerate(known):
        spot = _SIDE + _GAP + place % _IN_ROW * (wide + _GAP), place // _IN_ROW * (high + _GAP)
        note = known[card].sentence if high >= _TALK else ""
        parts.append(chip(card, known[card], place=Place(spot, size=(wide, high)), note=note))
    return parts
