"""Draws the trays of both seats above and below a Realm board: a name, a status and rows of tiny pieces.

A tray is 480 units wide and 58 high, with the name at y 24 and the pieces at y 43.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat, View
from realmtable.kit.realm_board import SEAT_NAMES
from realmtable.kit.realm_describe import is_active
from realmtable.kit.realm_picture import BOARD, LEFT, TRAY, TRAY_TOPS, PieceDrawing, piece, translate
from realmtable.kit.svg import Element, element, path

Shape = tuple[str | float, ...]  # path parts after the "M" that positions them

SQUARE: Final[Shape] = ("m", -5, -5, "h", 10, "v", 10, "h", -10, "z")
TRIANGLE: Final[Shape] = ("m", 0, -6.5, "l", 4.2, 12, "h", -8.4, "z")


def tray(seat: int, *parts: Element, label: str, active: bool) -> Element:
    """Draw a seat's tray, highlighted if the seat is active; `label` describes it for screen readers."""
    return element(
        "g",
        *(_BAND if active else ()),
        *parts,
        class_=f"rt-tray rt-seat{seat}",
        transform=translate(LEFT, TRAY_TOPS[seat]),
        role="img",
        aria_label=label,
    )


class TrayHead(NamedTuple):
    """The upper line of a tray: a small piece, the status of the seat, and a right-aligned text."""

    figure: PieceDrawing
    status: Sequence[str]
    right: str = ""


def draw_tray(view: View, seat: Seat, head: TrayHead, *rows: Element, facts: Sequence[str]) -> Element:
    """Draw a seat's tray from its upper line and its rows; screen readers hear the name, the status and `facts`."""
    name = SEAT_NAMES[seat]
    label = "; ".join([", ".join([name, *head.status]), *facts])
    upper = tray_head(head.figure, name, head.status, head.right)
    return tray(seat, *upper, *rows, label=label, active=is_active(view, seat))


def tray_head(figure: PieceDrawing, name: str, status: Iterable[str], right: str) -> list[Element]:
    """Draw the upper line: a small piece, the name, the status and a right-aligned text."""
    words = element("tspan", " · ".join(status), class_="rt-words", dx=9)
    return [
        piece(figure, 20, 19, 0.62),
        element("text", element("tspan", name, class_="rt-name"), words, x=35, y=24),
        element("text", right, class_="rt-end", x=BOARD - 12, y=24),
    ]


def tray_hand(figures: Sequence[PieceDrawing]) -> list[Element]:
    """Draw the pieces in hand, left of the right-aligned text; a ring marks the first, which is placed next."""
    spots = [384 - 23 * back for back in reversed(range(len(figures)))]
    ring = [element("circle", class_="rt-next", cx=across, cy=18, r=12) for across in spots[:1]]
    return ring + [piece(figure, across, 18, 0.62) for figure, across in zip(figures, spots, strict=True)]


def tray_row(how_many: int, shape: Shape, left: float, step: float) -> list[Element]:
    """Draw a count as a number and as tiny pieces `step` apart; a faded piece means none."""
    words = element("text", str(how_many), x=left, y=48)
    return [words, tiny_pieces(shape, left + 28, step, how_many or 1, "rt-tiny" if how_many else "rt-tiny rt-none")]


def tray_end_row(words: str, how_many: int, shape: Shape, seat: int) -> list[Element]:
    """Draw a word, a count and as many tiny pieces at the right end, such as captures; nothing if the count is 0."""
    if not how_many:
        return []
    step = min(12, 42 / how_many)
    left = BOARD - 17 - step * (how_many - 1)
    text = element("text", f"{words} {how_many}", class_="rt-end rt-small", x=left - 11, y=48)
    return [text, element("g", tiny_pieces(shape, left, step, how_many), class_=f"rt-seat{seat}")]


@lru_cache(maxsize=1024)
def tiny_pieces(shape: Shape, left: float, step: float, how_many: int, words: str = "rt-tiny") -> Element:
    """Draw a row of tiny pieces, the first centred on `left`."""
    parts: list[str | float] = []
    for index in range(how_many):
        parts += ["M", left + step * index, 43, *shape]
    return element("path", class_=words, d=path(*parts))


_BAND: Final = (
    element("rect", class_="rt-wash", width=BOARD, height=TRAY, rx=5),
    element("rect", class_="rt-turn", width=5, height=TRAY, rx=2.5),
)
