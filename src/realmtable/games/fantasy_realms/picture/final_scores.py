"""Draw and list the end of a game: every realm, best first, with the points of each card.

A page may reveal it beat by beat (docs/design/complete-games.md): realm by realm from last place to first, one card per
beat, and then the ranking.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from realmtable.engine.protocol import ScoreBreakdown, ScoreLine, View
from realmtable.games.fantasy_realms.cards import WILD
from realmtable.games.fantasy_realms.picture.captions import headline, seat_name, seats_by_rank
from realmtable.games.fantasy_realms.picture.card_group import CardPlacement
from realmtable.games.fantasy_realms.picture.card_status import card_statuses, describe_points, name_with_change
from realmtable.games.fantasy_realms.picture.chip import draw_chip
from realmtable.games.fantasy_realms.picture.seats import seat_sign
from realmtable.games.fantasy_realms.picture.style import round_rectangle, text_element, translate
from realmtable.games.fantasy_realms.scoring.card_arrays import SCORING_OPTIONS
from realmtable.kit.svg import Element, element

REVEAL_NAME: Final = "the scoring"  # what a page calls the reveal

_PLATE_WIDTH: Final = 120  # the plate with name and total to the left of a realm
_CHIPS_PER_ROW: Final = 4
_MIN_CHIP_HEIGHT: Final = 46
_MAX_CHIP_HEIGHT: Final = 124  # when few realms leave room for sentences
_SENTENCE_CHIP_HEIGHT: Final = 76  # from this height, a chip explains its points
_GAP: Final = 6
_REALM_GAP: Final = 12


class _RealmLayout(NamedTuple):
    """The width of all realms and the height of their chips."""

    room: float
    chip: float

    @property
    def height(self) -> float:
        return 2 * self.chip + _GAP


def draw_realms(view: View, top: float, left: float, room: float, high: float) -> tuple[list[Element], float]:
    """Draw all realms by rank in about the given height; return them and where they end."""
    seats = seats_by_rank(view)
    shape = _RealmLayout(
        room, min(_MAX_CHIP_HEIGHT, max(_MIN_CHIP_HEIGHT, (high / len(seats) - _REALM_GAP - _GAP) / 2))
    )
    step, beats = shape.height + _REALM_GAP, _first_beats(view)
    parts = [_realm(view, seat, (left, top + place * step), shape, beats[seat]) for place, seat in enumerate(seats)]
    return parts, top + len(seats) * step


def _first_beats(view: View) -> dict[int, int]:
    seats = seats_by_rank(view)[::-1]
    cards = [len(view["scores"][seat]["cards"]) for seat in seats]
    return dict(zip(seats, accumulate(cards, initial=1), strict=False))


def last_beat(view: View) -> int:
    """Return the beat at which everything is counted and the ranking appears."""
    return 1 + sum(len(score["cards"]) for score in view["scores"])


def _realm(view: View, seat: int, at: tuple[float, float], shape: _RealmLayout, beat: int) -> Element:
    score, rank = view["scores"][seat], view["ranking"][seat]
    plate = round_rectangle(_PLATE_WIDTH, shape.height, 8)
    won = [element("path", class_="fr-won", d=plate, data_beat=last_beat(view))] if rank == 1 else []
    return element(
        "g",
        element("path", class_="fr-plate", d=plate),
        *won,
        *_plate(view, seat, shape.height / 2 - 46, beat),
        *_cards(score, shape, beat, f"{seat_name(view, seat)}: {score['total']} points."),
        transform=translate(*at),
        role="group",
        aria_label=f"{seat_name(view, seat)}, place {rank}, {score['total']} points, strengths {score['strength']}",
    )


def _plate(view: View, seat: int, top: float, beat: int) -> list[Element]:
    score, rank, last = view["scores"][seat], view["ranking"][seat], last_beat(view)
    place = _ordinal(rank) + " place" if rank > 1 else "Winner"
    head = element("g", seat_sign(seat, 18, top + 17), text_element(seat_name(view, seat), 33, top + 23, 18, "fr-bold"))
    ranked = text_element(place, _PLATE_WIDTH / 2, top + 82, 15, "fr-mid fr-bold")
    return [
        element("g", head, data_beat=beat),
        _total(score, top + 60, beat),
        element("g", ranked, data_beat=last, data_say=f"{headline(view)}."),
    ]


def _total(score: View, down: float, beat: int) -> Element:
    """Draw the total, with its running value after each card."""
    counts = " ".join(str(total) for total in accumulate(entry["points"] for entry in score["cards"]))
    drawn = text_element(str(score["total"]), _PLATE_WIDTH / 2, down, 34, "fr-bold fr-mid")
    return element("g", drawn, data_beat=beat, data_counts=counts)


def _ordinal(rank: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(rank, f"{rank}th")


def _cards(score: View, shape: _RealmLayout, beat: int, sum_words: str) -> list[Element]:
    """Draw the cards, each with its beat; the last one announces the total."""
    wide = (shape.room - _PLATE_WIDTH - _GAP * _CHIPS_PER_ROW) / _CHIPS_PER_ROW
    parts, known = [], card_statuses(score)
    for place, (card, status) in enumerate(known.items()):
        spot = (
            _PLATE_WIDTH + _GAP + place % _CHIPS_PER_ROW * (wide + _GAP),
            place // _CHIPS_PER_ROW * (shape.chip + _GAP),
        )
        note = status.sentence if shape.chip >= _SENTENCE_CHIP_HEIGHT else ""
        drawn = draw_chip(card, status, CardPlacement(spot, size=(wide, shape.chip)), note)
        announcement = sum_words if place == len(known) - 1 else None
        caption = f"{name_with_change(status)}: {describe_points(status)}. {status.sentence}"
        parts.append(element("g", drawn, data_beat=beat + place, data_caption=caption, data_say=announcement))
    return parts


# ---- score by score, for pages that list the cards and link to the scoring page


def tallies(view: View) -> list[ScoreBreakdown]:
    """Return the breakdown of every realm, by rank; empty while the game is running."""
    if view["scores"] is None:
        return []
    return [_tally(view, seat) for seat in seats_by_rank(view)]


def _tally(view: View, seat: int) -> ScoreBreakdown:
    score = view["scores"][seat]
    lines = [
        ScoreLine(name_with_change(status), status.points, status.sentence, status.blanked)
        for status in card_statuses(score).values()
    ]
    return ScoreBreakdown(seat, view["ranking"][seat], score["total"], tuple(lines), tuple(_scoring_query(view, score)))


def _scoring_query(view: View, score: View) -> Iterator[tuple[str, str]]:
    """Yield the query from which `score_sheet.read` restores this realm and its choices."""
    yield "hand", ",".join(score["hand"])
    if view["discard"]:
        yield "discard", ",".join(entry["card"] for entry in view["discard"])
    for chooser, chosen in score["choices"].items():
        card, *suit = [chosen] if isinstance(chosen, str) else chosen
        yield "choose", f"{chooser}={card}" + "".join(f":{each or WILD}" for each in suit)
    if score["eighth"]:
        yield "choose", f"Necromancer={score['eighth']}"
    for pair in view["options"]:
        if pair.partition("=")[0] in SCORING_OPTIONS:
            yield "option", pair
