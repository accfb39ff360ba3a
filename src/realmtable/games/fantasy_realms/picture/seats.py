"""Draw the other players as plates: name, hand size, known cards, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.picture.captions import SEAT_NAMES, describe_seat
from realmtable.games.fantasy_realms.picture.card_group import CardPlacement
from realmtable.games.fantasy_realms.picture.chip import draw_tag
from realmtable.games.fantasy_realms.picture.style import round_rectangle, text_element, translate
from realmtable.kit.svg import Attributes, Element, element, parted_group, path
from realmtable.kit.text_metrics import SANS_BOLD, fit_text, text_width

GAP: Final = 8
_MAX_PER_ROW: Final = 3
_TYPE: Final = 23  # 11 pixels on a phone
_MIN_END_WIDTH: Final = 180  # reserved for the end of the banner
_HEAD_HEIGHT: Final = 38
_TAG_STEP: Final = 38  # a known card and the gap below it
_MIN_TAG_WIDTH: Final = 180
_MAX_TAG_WIDTH: Final = 270


def draw_seats(view: View, top: float, left: float, room: float) -> tuple[list[Element], float]:
    """Draw a plate for every seat but the viewer's, in one or two rows; return them and where they end."""
    seats = [seat for seat in range(view["seats"]) if seat != view["viewer"]]
    seats.sort(key=lambda seat: (seat - (view["viewer"] or 0)) % view["seats"])  # in turn order
    in_row = len(seats) if len(seats) <= _MAX_PER_ROW else (len(seats) + 1) // 2
    wide = (room - GAP * (in_row - 1)) / in_row
    tag_rows = 3 if len(seats) <= _MAX_PER_ROW else 2
    high = _HEAD_HEIGHT + tag_rows * _TAG_STEP + 3
    parts = []
    for place, seat in enumerate(seats):
        row, column = divmod(place, in_row)
        at = left + column * (wide + GAP), top + row * (high + GAP)
        parts.append(_seat_plate(view, seat, at, (wide, high), tag_rows))
    rows = -(-len(seats) // in_row)
    return parts, top + rows * (high + GAP)


def _seat_plate(view: View, seat: int, at: tuple[float, float], size: tuple[float, float], rows: int) -> Element:
    wide, high = size
    turn = " fr-turn" * (seat == view["seat"])
    parts = [
        element("rect", class_="fr-plate" + turn, width=wide, height=high, rx=8),
        seat_sign(seat, 17, 18),
        text_element(SEAT_NAMES[seat], 31, 27, _TYPE, "fr-bold"),
        *_hand_count(view["counts"][seat], wide - 9),
        element("g", *([ready_sign(wide - 60, 18)] if view["ready"][seat] else [])),
        *_tags_of_known_cards(view["known"][seat], wide, rows),
    ]
    own: Attributes = {"class_": "fr-seat", "transform": translate(*at), "role": "img", "data_details": "true"}
    return parted_group(f"seat {seat}", parts, {**own, "aria_label": describe_seat(view, seat)})


def seat_sign(seat: int, across: float, down: float) -> Element:
    """Draw a small shield in the seat's colour."""
    shape = path(
        "M", across - 8, down - 9, "h", 16, "v", 8, "c", 0, 6, -4, 9, -8, 11, "c", -4, -2, -8, -5, -8, -11, "z"
    )
    return element("path", class_=f"fr-shield fr-shield{seat}", d=shape)


def ready_sign(across: float, down: float) -> Element:
    """Draw a tick for a seat that wants no more trades."""
    return element("path", class_="fr-tick", d=path("M", across - 7, down, "l", 5, 6, "l", 9, -12))


def _hand_count(count: int, right: float) -> list[Element]:
    """Draw a small card back and the number of cards."""
    return [
        element("path", class_="fr-back", d=round_rectangle(13, 19, 2.5, right - 13, 8.5)),
        text_element(str(count), right - 19, 27, _TYPE, "fr-bold fr-far"),
    ]


def _tags_of_known_cards(cards: Sequence[str], wide: float, rows: int) -> list[Element]:
    """Draw the known cards, in columns if there are many, as far as there is room; the label lists all of them."""
    columns = max(1, min(-(-len(cards) // rows), int((wide - 10) / _MIN_TAG_WIDTH)))
    room, space = (wide - 16 - 6 * (columns - 1)) / columns, columns * rows
    shown = cards if len(cards) <= space else cards[: space - 1]
    spots = [(8 + place // rows * (room + 6), _HEAD_HEIGHT + place % rows * _TAG_STEP) for place in range(space)]
    parts = [
        draw_tag(card, CardPlacement(spot), min(room, _MAX_TAG_WIDTH)) for card, spot in zip(shown, spots, strict=False)
    ]
    if len(shown) < len(cards):
        across, down = spots[len(shown)]
        parts.append(text_element(f"and {len(cards) - len(shown)} more", across + 6, down + 25, _TYPE, "fr-italic"))
    return parts


def draw_banner(view: View, words: str, warning: str, right: float) -> list[Element]:
    """Draw the line at the top: what is happening, and a warning of the end or the turn number."""
    if warning:
        end = text_element(warning, right, 31, 17, "fr-bold fr-far fr-bad")
    else:
        end = text_element(_turn_caption(view), right, 31, 16, "fr-far fr-soft")
    room = right - 16 - max(text_width(warning, 17, SANS_BOLD), _MIN_END_WIDTH) - 16
    size, _ = fit_text(words, (21, 20, 19, 18, 17, 16, 15), room, 1, SANS_BOLD)
    return [text_element(words, 16, 32, size, "fr-bold"), end]


def _turn_caption(view: View) -> str:
    if view["limit"] is None:
        return "Chaos Realms"
    return f"Turn {view['turn']}" if view["scores"] is None else f"Ended after turn {view['turn']}"
