"""The end of a game: every realm laid out, the best first, with the points of each card.

A page may let it unfold by the beats its parts carry (docs/adding-a-game.md): realm by realm from the last to the
first, a card a beat, and the ranking when all is counted.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Final, NamedTuple

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.picture.captions import headline, seat_name, seats_by_rank
from realmtable.games.fantasy_realms.picture.card import CardPlacement, draw_chip
from realmtable.games.fantasy_realms.picture.card_status import CardStatus, card_statuses, describe_points
from realmtable.games.fantasy_realms.picture.seats import seat_sign
from realmtable.games.fantasy_realms.picture.style import round_rectangle, text_element, translate
from realmtable.kit.svg import Element, element

REVEAL_NAME: Final = "the scoring"  # what a page calls the unfolding

_PLATE_WIDTH: Final = 120  # the plate with name and total at the left of a realm
_CHIPS_PER_ROW: Final = 4
_MIN_CHIP_HEIGHT: Final = 46  # how high a chip must be,
_MAX_CHIP_HEIGHT: Final = 124  # and how high it may become where few realms leave room for sentences
_SENTENCE_CHIP_HEIGHT: Final = 76  # a chip as high as this says how its points came about
_GAP: Final = 6
_REALM_GAP: Final = 12


class _RealmLayout(NamedTuple):
    """How wide all realms are, and how high a chip in them."""

    room: float
    chip: float

    @property
    def height(self) -> float:
        """How high a realm is."""
        return 2 * self.chip + _GAP


def draw_realms(view: View, top: float, left: float, room: float, high: float) -> tuple[list[Element], float]:
    """All realms by rank in about so much height, and where they end."""
    seats = seats_by_rank(view)
    shape = _RealmLayout(
        room, min(_MAX_CHIP_HEIGHT, max(_MIN_CHIP_HEIGHT, (high / len(seats) - _REALM_GAP - _GAP) / 2))
    )
    step, beats = shape.height + _REALM_GAP, _first_beats(view)
    parts = [_realm(view, seat, (left, top + place * step), shape, beats[seat]) for place, seat in enumerate(seats)]
    return parts, top + len(seats) * step


def _first_beats(view: View) -> dict[int, int]:
    """By seat, the beat of its first card."""
    seats = seats_by_rank(view)[::-1]
    cards = [len(view["scores"][seat]["cards"]) for seat in seats]
    return dict(zip(seats, accumulate(cards, initial=1), strict=False))


def last_beat(view: View) -> int:
    """The beat at which everything is counted and the ranking shows."""
    return 1 + sum(len(told["cards"]) for told in view["scores"])


def _realm(view: View, seat: int, at: tuple[float, float], shape: _RealmLayout, beat: int) -> Element:
    told, rank = view["scores"][seat], view["ranking"][seat]
    plate = round_rectangle(_PLATE_WIDTH, shape.height, 8)
    won = [element("path", class_="fr-won", d=plate, data_beat=last_beat(view))] if rank == 1 else []
    return element(
        "g",
        element("path", class_="fr-plate", d=plate),
        *won,
        *_plate(view, seat, shape.height / 2 - 46, beat),
        *_cards(told, shape, beat, f"{seat_name(view, seat)}: {told['total']} points."),
        transform=translate(*at),
        role="group",
        aria_label=f"{seat_name(view, seat)}, place {rank}, {told['total']} points, strengths {told['strength']}",
    )


def _plate(view: View, seat: int, top: float, beat: int) -> list[Element]:
    told, rank, last = view["scores"][seat], view["ranking"][seat], last_beat(view)
    place = _ordinal(rank) + " place" if rank > 1 else "Winner"
    head = element("g", seat_sign(seat, 18, top + 17), text_element(seat_name(view, seat), 33, top + 23, 18, "fr-bold"))
    ranked = text_element(place, _PLATE_WIDTH / 2, top + 82, 15, "fr-sans fr-mid fr-bold")
    return [
        element("g", head, data_beat=beat),
        _total(told, top + 60, beat),
        element("g", ranked, data_beat=last, data_say=f"{headline(view)}."),
    ]


def _total(told: View, down: float, beat: int) -> Element:
    """The total, and what it is after each card."""
    counts = " ".join(str(total) for total in accumulate(entry["points"] for entry in told["cards"]))
    drawn = text_element(str(told["total"]), _PLATE_WIDTH / 2, down, 34, "fr-bold fr-mid")
    return element("g", drawn, data_beat=beat, data_counts=counts)


def _ordinal(rank: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(rank, f"{rank}th")


def _cards(told: View, shape: _RealmLayout, beat: int, sum_words: str) -> list[Element]:
    """The cards, each with its beat; at the last one the total is said."""
    wide = (shape.room - _PLATE_WIDTH - _GAP * _CHIPS_PER_ROW) / _CHIPS_PER_ROW
    parts, known = [], card_statuses(told)
    for place, (card, standing) in enumerate(known.items()):
        spot = (
            _PLATE_WIDTH + _GAP + place % _CHIPS_PER_ROW * (wide + _GAP),
            place // _CHIPS_PER_ROW * (shape.chip + _GAP),
        )
        note = standing.sentence if shape.chip >= _SENTENCE_CHIP_HEIGHT else ""
        drawn = draw_chip(card, standing, place=CardPlacement(spot, size=(wide, shape.chip)), note=note)
        said = sum_words if place == len(known) - 1 else None
        parts.append(
            element("g", drawn, data_beat=beat + place, data_told=_card_caption(card, standing), data_say=said)
        )
    return parts


def _card_caption(card: str, standing: CardStatus) -> str:
    return f"{card}: {describe_points(standing)}. {standing.sentence}"
