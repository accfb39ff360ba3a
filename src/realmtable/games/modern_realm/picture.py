"""The board of Modern Realm as an SVG picture, as terminal output and in words, all from the view alone.

A calm city map with a river between the halves. Shape and outline show the kind and owner of a piece; colour only
repeats them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from realmtable.engine.protocol import View
from realmtable.kit.picture_style import SPACE
from realmtable.kit.realm_board import terminal as realm_terminal
from realmtable.kit.realm_board.describe import BoardWords, describe_phase, latest_paths, pieces_by_cell
from realmtable.kit.realm_board.geometry import CELLS, REALMS, SEAT_NAMES, Cell, Realm, find_cell, realm_of, spaces_of
from realmtable.kit.realm_board.picture import (
    BOARD,
    REALM,
    BoardPicture,
    BoardStyle,
    Outline,
    PieceDrawing,
    corner,
    draw_board,
)
from realmtable.kit.realm_board.terminal import SeatText, Sign
from realmtable.kit.realm_board.tray import Shape, TrayCount, TrayHead, draw_tray
from realmtable.kit.svg import Element, element, path
from realmtable.kit.terminal_picture import Sketch
from realmtable.kit.wording import format_count

HQ_GOAL: Final = 8
_ACTIVITY_WORDS: Final = {"choose": "chooses a Counter-Agent", "turn": "to move", "dislodge": "dislodges an Agent"}


class _Piece(NamedTuple):
    """A piece as drawn: kind "stuck" is an immobile Agent."""

    seat: int
    kind: str


def draw(view: View, theme: str = "auto") -> str:
    """Return the picture as a complete SVG document; `theme` is one of `picture_style.THEMES`."""
    placed = pieces_by_cell(view, _piece_from_view)
    board = BoardPicture(
        {cell: _figure(piece) for cell, piece in placed.items()},
        trays=(_tray(view, 0), _tray(view, 1)),
        holders=_holders(placed),
        steps=latest_paths(view),
        outlines=_outlines(view),
        slides=True,
    )
    return draw_board(board, _LOOK, title="Modern Realm: " + headline(view), description=describe(view), theme=theme)


def sketch(view: View) -> Sketch:
    """Draw the board for a terminal: White hollow, Black filled, the latest step in brackets."""
    placed = pieces_by_cell(view, _piece_from_view)
    signs = {cell: Sign(_SIGNS[piece.seat][piece.kind], piece.seat) for cell, piece in placed.items()}
    return realm_terminal.draw_table(view, signs, _describe_seat_in_panel, _LEGEND, _holders(placed))


# Words


def _describe_activity(view: View) -> list[str]:
    words = [describe_phase(view, _ACTIVITY_WORDS)]
    if (dislodged := view.get("dislodged")) is not None:
        return [*words, f"in {dislodged['realm']}"]
    origin = (view.get("open") or {}).get("origin")
    return [*words, f"out of {origin}"] if origin else words


def _format_score(view: View, seat: int) -> str:
    return f"{view['headquarters'][seat]} of {HQ_GOAL} HQs"


def _describe_seat(view: View, seat: int) -> str:
    pieces = [piece for piece in pieces_by_cell(view, _piece_from_view).values() if piece.seat == seat]
    agents, stuck, counters = (sum(piece.kind == kind for piece in pieces) for kind in ("agent", "stuck", "counter"))
    return (
        f"{SEAT_NAMES[seat]}, whose targets are {_TARGET_RANKS[seat]}, has founded {_format_score(view, seat)}"
        f" and has {format_count(agents + stuck, 'Agent')} ({stuck} immobile)"
        f" and {format_count(counters, 'Counter-Agent')} on the board"
    )


_WORDS: Final = BoardWords(_describe_activity, _describe_seat)
headline = _WORDS.headline
describe = _WORDS.describe

_TARGET_RANKS: Final = ("ranks 7 to 12", "ranks 1 to 6")
_NAMES: Final = {"agent": "Agent", "stuck": "Agent, immobile", "counter": "Counter-Agent", "hq": "HQ"}


def _describe_piece(piece: _Piece) -> str:
    return f"{SEAT_NAMES[piece.seat]} {_NAMES[piece.kind]}"


# The view by space and by Realm


def _piece_from_view(piece: View) -> _Piece:
    return _Piece(piece["seat"], "stuck" if piece["kind"] == "agent" and not piece["mobile"] else piece["kind"])


def _holders(placed: Mapping[Cell, _Piece]) -> dict[Realm, int]:
    """Return the seat that captured each captured Realm."""
    return {realm_of(cell): piece.seat for cell, piece in placed.items() if piece.kind == "hq"}


def _outlines(view: View) -> list[Outline]:
    """Outline the Realm of the turn (dashed) and the Realm where an Agent was dislodged."""
    origin = find_cell((view.get("open") or {}).get("origin") or "")
    target = find_cell((view.get("dislodged") or {}).get("realm") or "")
    realms = ((origin, True), (target, False))
    return [Outline(realm_of(center), view["turn"]["seat"], dashed) for center, dashed in realms if center is not None]


def _pieces_in_hand(view: View, seat: int) -> list[_Piece]:
    """Return the dislodged Agent if it is in this seat's tray: the captor places it."""
    dislodged = view.get("dislodged")
    return [_Piece(dislodged["seat"], "agent")] if dislodged is not None and view["turn"]["seat"] == seat else []


# The pieces

_COAT: Final = "M-13.5 15C-13.5 8-9.5 5.6-5.2 4.4L0 9 5.2 4.4C9.5 5.6 13.5 8 13.5 15z"
_HAT: Final = "M-13.2-3.6C-10.6-6.6-8.4-6.2-7.4-6.6L-6-13.4C-4.4-15.6-1.6-15 0-13.4 1.6-15 4.4-15.6 6-13.4L7.4-6.6"
_BRIM: Final = "C8.4-6.2 10.6-6.6 13.2-3.6 8-1.6-8-1.6-13.2-3.6z"
_FACE: Final = "M-6-2.5C-6 3-3.4 6.6 0 6.6S6 3 6-2.5z"
_CROSS: Final = "M-6.5 1.5 6.5 13M6.5 1.5-6.5 13"
_SHAPES: Final = {
    "agent": (
        element("path", class_="rt-body", d=_COAT),
        element("path", class_="rt-body", d=_FACE),
        element("path", class_="rt-body", d=_HAT + _BRIM),
        element("path", class_="rt-core rt-band", d="M-6.7-8.4C-2.4-6.8 2.4-6.8 6.7-8.4"),
        element("path", class_="rt-core", d="M-6.6 7.6-2.6 12 0 9 2.6 12 6.6 7.6"),
    ),
    # Greyed, dashed and crossed out: it cannot leave.
    "stuck": (
        element("path", class_="rt-down", d=_COAT),
        element("path", class_="rt-down", d=_FACE),
        element("path", class_="rt-down", d=_HAT + _BRIM),
        element("path", class_="rt-under-cross", d=_CROSS),
        element("path", class_="rt-cross", d=_CROSS),
    ),
    # Bareheaded, angular, in dark glasses, inside the ring of a gun sight.
    "counter": (
        element("circle", class_="rt-scope", r=16),
        element("path", class_="rt-sight", d="M0-18.6V-13M0 18.6V13M-18.6 0H-13M18.6 0H13"),
        element("path", class_="rt-body", d="M-10.5 12.2-8.6 6.8-3 4.2H3L8.6 6.8 10.5 12.2 0 15.6z"),
        element("path", class_="rt-body", d="M-6.4-8.4-2-11.8H4L6.4-8 5.4 2.4 0 6.6-5.4 2.4z"),
        element("path", class_="rt-glasses", d="M-7-4.8H7L5.8-.6H1.6L0-3-1.6-.6H-5.8z"),
    ),
    "hq": (
        element("path", class_="rt-pole", d="M2.5-5V-17.5"),
        element("path", class_="rt-flag", d="M2.5-17.5 13-14.6 2.5-11.4z"),
        element("path", class_="rt-body", d="M-13.5 14V0H-6.5V-6.5H11.5V4H13.5V14z"),
        element(
            "path", class_="rt-core", d="M-2.5-2.2H.4M4.6-2.2H7.5M-2.5 2.6H.4M4.6 2.6H7.5M-10.5 4.4H-8.5M-10.5 9H-8.5"
        ),
        element("path", class_="rt-door", d="M0 14V8H5V14z"),
    ),
}

PIECE_SYMBOLS: Final = {
    "A": "M-16 18C-16 9-11 6-6 5L0 11 6 5C11 6 16 9 16 18zM-16-2C-13-6-10-5-9-6L-7-15C-5-18-2-17 0-15 2-17 5-18 7-15"
    "L9-6C10-5 13-6 16-2 10 1-10 1-16-2z",
    "C": "M-2-19H2V-15A15 15 0 0 1 15-2H19V2H15A15 15 0 0 1 2 15V19H-2V15A15 15 0 0 1-15 2H-19V-2H-15A15 15 0 0 1-2-15z"
    "M0-10A10 10 0 0 0 0 10 10 10 0 0 0 0-10zM-4 0A4 4 0 0 1 4 0 4 4 0 0 1-4 0z",
    "H": "M-16 17V2H-8V-6H0V-18L12-14 3-10V-6H14V17H4V7H-2V17z",
}

_SIZES: Final = {"agent": 1.2, "stuck": 1.2, "counter": 1.04, "hq": 1.18}


@cache
def _figure(piece: _Piece) -> PieceDrawing:
    return PieceDrawing(piece.seat, element("g", *_SHAPES[piece.kind]), _describe_piece(piece), size=_SIZES[piece.kind])


# The ground: blocks and streets, a few parks, a river between the halves, brackets around each side's targets

_PARKS: Final = ("c2", "g1", "l3", "d4", "i6", "a6", "l7", "d7", "i9", "a10", "f12", "j11")
_INSET: Final = 2.4
_CORNER_RADIUS: Final = 4


def _block(cell: Cell) -> list[str | float]:
    across, down = corner(cell)
    radius = _CORNER_RADIUS
    size = SPACE - 2 * _INSET - 2 * radius
    return [
        "M", across + _INSET + radius, down + _INSET, "h", size, "q", radius, 0, radius, radius, "v", size,
        "q", 0, radius, -radius, radius, "h", -size, "q", -radius, 0, -radius, -radius, "v", -size,
        "q", 0, -radius, radius, -radius,
    ]  # fmt: skip


def _blocks() -> Iterator[Element]:
    parks = {find_cell(name) for name in _PARKS}
    for words, cells in (
        ("rt-block", [cell for cell in range(CELLS) if cell not in parks]),
        ("rt-park", [cell for cell in range(CELLS) if cell in parks]),
    ):
        yield element("path", class_=words, d=path(*(part for cell in cells for part in _block(cell))))


def _river() -> Element:
    middle, swing, step = BOARD / 2, 4.5, BOARD / 6
    line: list[str | float] = ["M", 0, middle, "q", step / 2, -swing * 2, step, 0]
    for _ in range(5):
        line += ["t", step, 0]
    return element("path", class_="rt-river", d=path(*line))


def _brackets(seat: int) -> Element:
    """Draw corners around a seat's targets (B2): angular for White's, round for Black's."""
    line: list[str | float] = []
    reach, edge = 13, 6.5
    for realm in range(REALMS):
        if (realm >= REALMS // 2) != (seat == 0):
            continue
        left, top = corner(spaces_of(realm)[6])
        for right, down in ((0, 0), (1, 0), (0, 1), (1, 1)):
            across, up = (-1, -1) if (right, down) == (1, 1) else (1 - 2 * right, 1 - 2 * down)
            line += ["M", left + right * REALM + across * (edge + reach), top + down * REALM + up * edge]
            bend: list[str | float] = ["q", -across * reach, 0, -across * reach, up * reach]
            line += bend if seat else ["h", -across * reach, "v", up * reach]
    return element("g", element("path", class_="rt-bracket", d=path(*line)), class_=f"rt-seat{seat}")


_LOOK: Final = BoardStyle(
    "modern",
    rules={
        ".rt-lines": "stroke:var(--board-line,none)",
        ".rt-block": "fill:var(--rt-block)",
        ".rt-park": "fill:var(--rt-park)",
        ".rt-river": "fill:none;stroke:var(--rt-river);stroke-width:9",
        ".rt-field": "fill:var(--rt-street)",
        ".rt-other": "fill:var(--rt-street)",
        ".rt-rules": "stroke:var(--rt-avenue);stroke-width:1.4",
        ".rt-center": "fill:var(--rt-street);stroke:var(--rt-avenue);stroke-width:1.1",
        ".rt-bracket": "fill:none;stroke:var(--rt-accent);stroke-width:2.2;stroke-linecap:round",
        ".rt-band": "stroke-width:2.2",
        ".rt-scope": "fill:var(--rt-street);fill-opacity:.8;stroke:var(--rt-accent);stroke-width:2.2",
        ".rt-sight": "fill:none;stroke:var(--rt-line);stroke-width:1.8",
        ".rt-glasses": "fill:var(--rt-edge);stroke:var(--rt-edge);stroke-width:1;stroke-linejoin:round",
        ".rt-pole": "fill:none;stroke:var(--rt-line);stroke-width:1.6;stroke-linecap:round",
        ".rt-flag": "fill:var(--rt-accent);stroke:var(--rt-line);stroke-width:1;stroke-linejoin:round",
        ".rt-door": "fill:var(--rt-accent)",
        ".rt-under-cross": "fill:none;stroke:var(--rt-down);stroke-width:5.4;stroke-linecap:round",
    },
    light=(
        "--rt-street:var(--board-light,#f7f5ef);--rt-block:var(--board-dark,#dedbd1);--rt-park:#bfd9a2;--rt-river:#92c5de;"
        "--rt-avenue:var(--board-rule,#857d6d);--rt-frame:var(--board-edge,#343b44);"
        "--rt-frame-ink:var(--board-edge-ink,#eef1f4);--rt-wash:.22"
    ),
    dark=(
        "--rt-street:var(--board-light,#1b1f25);--rt-block:var(--board-dark,#343c47);--rt-park:#2f4d36;--rt-river:#24607c;"
        "--rt-avenue:var(--board-rule,#6f7681);--rt-frame:var(--board-edge,#0d1014);"
        "--rt-frame-ink:var(--board-edge-ink,#b4bdc7);--rt-wash:.26"
    ),
    ground=(*_blocks(), _river()),
    signs=(_brackets(0), _brackets(1)),
    center=element("circle", class_="rt-center", r=17),
)

_TOWER: Final[Shape] = (  # from the lower left: the wing, the tower, its flag
    "m", -5, 6, "v", -7, "h", 3, "v", -3, "h", 3,
    "v", -3.5, "l", 4.5, 1.6, "l", -4.5, 1.6, "v", 0.3,
    "h", 4, "v", 10, "z",
)  # fmt: skip


def _tray(view: View, seat: int) -> Element:
    left, in_hand = view["stock"][seat], _pieces_in_hand(view, seat)
    facts = [_format_score(view, seat), f"{format_count(left, 'HQ')} to found"]
    if in_hand:
        facts.append("in hand " + ", ".join(map(_describe_piece, in_hand)))
    founded = format_count(view["headquarters"][seat], "HQ")
    head = TrayHead(_figure(_Piece(seat, "agent")), _WORDS.status(view, seat), founded)
    hand = [_figure(piece) for piece in in_hand]
    return draw_tray(view, seat, head, TrayCount(left, _TOWER, "to found"), in_hand=hand, facts=facts)


# The terminal

_SIGNS: Final = (
    {"agent": "△", "counter": "◇", "hq": "□", "stuck": "×"},
    {"agent": "▲", "counter": "◆", "hq": "■", "stuck": "✖"},
)
_LEGEND: Final = ("△▲ Agent      ◇◆ Counter-Agent", "□■ HQ         ×✖ immobile Agent", *realm_terminal.LEGEND)


def _describe_seat_in_panel(view: View, seat: int) -> SeatText:
    signs = _SIGNS[seat]
    facts = [*_WORDS.status(view, seat), f"aims at {_TARGET_RANKS[seat]}"]
    if in_hand := _pieces_in_hand(view, seat):
        facts.append("in hand " + " ".join(_SIGNS[piece.seat][piece.kind] for piece in in_hand))
    title = f"{signs['agent']} {SEAT_NAMES[seat]}, {_format_score(view, seat)}"
    return SeatText(title, facts)
