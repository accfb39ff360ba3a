"""Draws the trays of both seats above and below a Realm board: a line with a name, a status and counts of pieces.

A tray is as wide as the board and 27 units high. Its counts are set from the right; the status gets the room that is
left; parts that do not fit are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat, View
from realmtable.kit.realm_board.describe import is_active
from realmtable.kit.realm_board.geometry import SEAT_NAMES
from realmtable.kit.realm_board.picture import BOARD, LEFT, TRAY, TRAY_TOPS, PieceDrawing, piece, translate
from realmtable.kit.svg import Attributes, Element, element, parted_group, path

Shape = tuple[str | float, ...]  # path parts after the "M" that positions them

SQUARE: Final[Shape] = ("m", -5, -5, "h", 10, "v", 10, "h", -10, "z")
TRIANGLE: Final[Shape] = ("m", 0, -6.5, "l", 4.2, 12, "h", -8.4, "z")

_MIDDLE: Final = TRAY / 2
_BASELINE: Final = 18.4
_LETTER: Final = 8  # the mean width of a letter
_STATUS_LETTER: Final = 7.2  # the status is not bold
_GAP: Final = 14
_SYMBOL: Final = 18  # the room for a small piece before its count
_HELD: Final = 23  # the room for a piece in hand
_NAME_LEFT: Final = 28


class TrayHead(NamedTuple):
    """The name's part of a tray: a small piece, the status of the seat, and a text at the right end."""

    figure: PieceDrawing
    status: Sequence[str]
    right: str = ""


class TrayCount(NamedTuple):
    """A count of pieces: a small piece, the number and perhaps a word; faded for none."""

    how_many: int
    shape: Shape
    words: str = ""
    seat: int | None = None  # whose pieces they are; by default those of the tray's seat


def wrap_tray(seat: int, *parts: Element, label: str, active: bool) -> Element:
    """Wrap the parts of a seat's tray, highlighted if the seat is active; `label` describes it for screen readers."""
    own: Attributes = {"class_": f"rt-tray rt-seat{seat}", "transform": translate(LEFT, TRAY_TOPS[seat])}
    band = Element("".join(_BAND) if active else "")
    return parted_group(f"tray {seat}", (band, *parts), {**own, "role": "img", "aria_label": label})


def draw_tray(
    view: View,
    seat: Seat,
    head: TrayHead,
    *counts: TrayCount,
    in_hand: Sequence[PieceDrawing] = (),
    facts: Sequence[str],
) -> Element:
    """Draw a seat's tray; screen readers hear the name, the status and `facts`."""
    label = "; ".join([", ".join([SEAT_NAMES[seat], *head.status]), *facts])
    whole_head = head._replace(status=tuple(head.status))
    return _draw_tray(seat, whole_head, counts, tuple(in_hand), label=label, active=is_active(view, seat))


@lru_cache(maxsize=1024)
def _draw_tray(
    seat: Seat,
    head: TrayHead,
    counts: Sequence[TrayCount],
    in_hand: Sequence[PieceDrawing],
    *,
    label: str,
    active: bool,
) -> Element:
    left, right = _right_end(head.right, counts, in_hand)
    return wrap_tray(seat, *_left_end(head, SEAT_NAMES[seat], left), *right, label=label, active=active)


def _right_end(words: str, counts: Sequence[TrayCount], in_hand: Sequence[PieceDrawing]) -> tuple[float, list[Element]]:
    """Draw what is set from the right; return where it starts."""
    left: float = BOARD - 6
    parts: list[Element] = []
    if words:
        parts.append(element("text", words, class_="rt-end rt-name", x=left, y=_BASELINE))
        left -= len(words) * _LETTER + _GAP
    for count in reversed(counts):
        text = f"{count.how_many} {count.words}".rstrip()
        left -= len(text) * _LETTER + _SYMBOL
        parts.append(_draw_count(count, text, left))
        left -= _GAP
    left -= _HELD * len(in_hand)
    return left, parts + _draw_hand(in_hand, left + _HELD / 2)


def _draw_count(count: TrayCount, text: str, left: float) -> Element:
    symbol = element("path", class_="rt-tiny", d=path("M", left + _SYMBOL / 2, _MIDDLE, *count.shape))
    words = element("text", text, x=left + _SYMBOL, y=_BASELINE)
    kinds = [*([f"rt-seat{count.seat}"] if count.seat is not None else []), *([] if count.how_many else ["rt-none"])]
    return element("g", symbol, words, class_=" ".join(kinds)) if kinds else Element(symbol + words)


def _draw_hand(figures: Sequence[PieceDrawing], left: float) -> list[Element]:
    """Draw the pieces in hand; a ring marks the first, which is placed next."""
    ring = [element("circle", class_="rt-next", cx=left, cy=_MIDDLE, r=11.5)] if figures else []
    return ring + [piece(figure, left + _HELD * index, _MIDDLE, 0.55) for index, figure in enumerate(figures)]


def _left_end(head: TrayHead, name: str, end: float) -> list[Element]:
    """Draw the small piece, the name and as much of the status as there is room for."""
    start = _NAME_LEFT + len(name) * _LETTER + 9
    room = max(0, int((end - start) / _STATUS_LETTER))
    return [
        piece(head.figure, 14, _MIDDLE, 0.58),
        element(
            "text",
            element("tspan", name, class_="rt-name"),
            element("tspan", fit_status(head.status, room), class_="rt-words", dx=7),
            x=_NAME_LEFT,
            y=_BASELINE,
        ),
    ]


def fit_status(status: Sequence[str], room: int) -> str:
    """Return as many parts of a status as fit into `room` letters; the first alone may be cut, after a whole word.

    >>> fit_status(["to move", "may accept the offer"], 30), fit_status(["to move", "may accept the offer"], 29)
    ('to move · may accept the offer', 'to move')
    >>> fit_status(["immobilises an Enforcer"], 17), fit_status(["immobilises"], 4), fit_status([], 4)
    ('immobilises an…', '', '')
    """
    for count in range(len(status), 0, -1):
        if len(text := " · ".join(status[:count])) <= room:
            return text
    words = status[0].split() if status else []
    while words and len(" ".join(words)) >= room:
        words.pop()
    return " ".join(words) + "…" if words else ""


_BAND: Final = (
    element("rect", class_="rt-wash", x=-LEFT, width=BOARD + 2 * LEFT, height=TRAY, rx=6),
    element("rect", class_="rt-turn", x=-LEFT, width=6, height=TRAY, rx=3),
)
