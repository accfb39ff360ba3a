"""The board of Oriental Realm as an SVG picture, as terminal output and in words, all from the view alone.

Court pieces are lacquered discs: a Mandarin bears an official's hat, the larger Emperor a sun inside two rings.
A pinned Mandarin is pale and has a pin through it; groups that are or can be surrounded are outlined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import cos, pi, sin
from typing import Any, Final, NamedTuple

from realmtable.engine.protocol import View
from realmtable.kit.realm_board import terminal as realm_terminal
from realmtable.kit.realm_board.describe import BoardWords, describe_phase, latest_paths
from realmtable.kit.realm_board.geometry import SEAT_NAMES, Cell, find_cell, ray, realm_of
from realmtable.kit.realm_board.picture import BoardPicture, BoardStyle, Outline, PieceDrawing, draw_board
from realmtable.kit.realm_board.terminal import SeatText, Sign
from realmtable.kit.realm_board.tray import Shape, TrayCount, TrayHead, draw_tray
from realmtable.kit.svg import Element, element, path
from realmtable.kit.terminal_picture import Sketch
from realmtable.kit.wording import format_count

_ACTIVITY_WORDS: Final = {"place": "places a piece", "choose": "chooses the Emperor's Center", "turn": "to move"}
_REASON_WORDS: Final = {"surrounded": "by surrounding", "two_passes": "neither player can move"}


class _Piece(NamedTuple):
    """A piece as drawn; `frame` holds the sides (N, E, S, W) on its group's outline if it is warned or surrounded."""

    seat: int
    kind: str
    pinned: bool = False
    frame: str = ""
    shut: bool = False


def draw(view: View, theme: str = "auto") -> str:
    """Return the picture as a complete SVG document; `theme` is one of `picture_style.THEMES`."""
    figures = {cell: _figure(piece) for cell, piece in _pieces_by_cell(view).items()}
    trays = _tray(view, 0), _tray(view, 1)
    board = BoardPicture(figures, trays, steps=latest_paths(view), outlines=_outlines(view), slides=True)
    return draw_board(board, _LOOK, title="Oriental Realm: " + headline(view), description=describe(view), theme=theme)


def sketch(view: View) -> Sketch:
    """Draw the board for a terminal: White hollow, Black filled, the latest step in brackets."""
    signs = {cell: Sign(_sign(piece), piece.seat) for cell, piece in _pieces_by_cell(view).items()}
    return realm_terminal.draw_table(view, signs, _describe_seat_in_panel, _LEGEND)


# Words


def _describe_activity(view: View) -> list[str]:
    words = [describe_phase(view, _ACTIVITY_WORDS)]
    words += [f"from {view['realm']}"] if view.get("realm") else []
    return [*words, f"in danger: {_join_names(view['warned'])}"] if view.get("warned") else words


def _join_names(names: Sequence[str]) -> str:
    return " ".join(map(str, names))


def _own_pieces(view: View, seat: int) -> list[Mapping[str, Any]]:
    return [piece for piece in view["pieces"] if piece["seat"] == seat]


def _count_pinned(view: View, seat: int) -> int:
    return sum(piece["pinned"] for piece in _own_pieces(view, seat))


def _describe_seat(view: View, seat: int) -> str:
    own = _own_pieces(view, seat)
    throne = [f"the Emperor on {piece['at']}" for piece in own if piece["kind"] == "emperor"]
    mandarins = format_count(len(own) - len(throne), "Mandarin")
    return (
        f"{SEAT_NAMES[seat]} has {' and '.join([*throne, mandarins])} ({_count_pinned(view, seat)} pinned) on the board"
    )


def _describe_surrounded(view: View) -> list[str]:
    return [f"surrounded {_join_names(view['surrounded'])}"] if view.get("surrounded") else []


_WORDS: Final = BoardWords(
    _describe_activity, _describe_seat, marks=_describe_surrounded, reasons=_REASON_WORDS, scored=False
)
headline = _WORDS.headline
describe = _WORDS.describe


def _describe_piece(piece: _Piece) -> str:
    words = [f"{SEAT_NAMES[piece.seat]} {piece.kind.capitalize()}"]
    words += ["pinned"] if piece.pinned else []
    return ", ".join([*words, "surrounded" if piece.shut else "warned"] if piece.frame else words)


# The view by space


def _pieces_by_cell(view: View) -> dict[Cell, _Piece]:
    shut, warned = ({find_cell(name) for name in view.get(key) or ()} for key in ("surrounded", "warned"))
    placed = {}
    for piece in view["pieces"]:
        cell = find_cell(piece["at"])
        if cell is not None:
            frame = _frame(cell, shut) or _frame(cell, warned)
            placed[cell] = _Piece(piece["seat"], piece["kind"], piece["pinned"], frame, cell in shut)
    return placed


def _frame(cell: Cell, group: set[Cell | None]) -> str:
    """Return the sides of a space on the outline of a group, or a dot for a piece in its interior."""
    if cell not in group:
        return ""
    sides = [name for way, name in enumerate("NESW") if not (line := ray(cell, way)) or line[0] not in group]
    return "".join(sides) or "."


def _outlines(view: View) -> list[Outline]:
    center = find_cell(view.get("realm") or "")
    return [] if center is None else [Outline(realm_of(center), view["turn"]["seat"], dashed=True)]


# The picture

_SPIKES: Final = 16


def _sun(size: float = 1) -> str:
    """Draw a sun of eight rays, alternately long and short."""
    points: list[str | float] = []
    for spike in range(_SPIKES):
        turn = 2 * pi * spike / _SPIKES
        long = 11.4 if spike % 4 == 0 else 9.4
        reach = size * (long if spike % 2 == 0 else 5.6)
        points += ["L" if points else "M", reach * sin(turn), -reach * cos(turn)]
    return path(*points, "z")


# An official's hat: a button on a cone over an upturned brim.
_HAT: Final = (
    element("circle", class_="rt-or-emblem", cy=-8.6, r=1.9),
    element(
        "path", class_="rt-or-emblem", d="M-6.4 1C-4.6-1.6-3-4.4-1.5-6.4h3C3-4.4 4.6-1.6 6.4 1 2.4 2.6-2.4 2.6-6.4 1z"
    ),
    element(
        "path",
        class_="rt-or-emblem",
        d="M-11-2.4C-8.6 2.6-4 4.4 0 4.4S8.6 2.6 11-2.4C10.6 5.4 5.4 8.2 0 8.2S-10.6 5.4-11-2.4z",
    ),
)
PIECE_SYMBOLS: Final = {
    "M": "M-3-15A3 3 0 0 1 3-15 3 3 0 0 1-3-15zM-10 3C-7-1-4-6-2-10H2C4-6 7-1 10 3 4 6-4 6-10 3z"
    "M-17-4C-13 5-6 8 0 8S13 5 17-4C16 9 8 14 0 14S-16 9-17-4z",
    "E": _sun(1.6) + "M-4 0A4 4 0 0 0 4 0 4 4 0 0 0-4 0z",
}
_DISCS: Final = {
    "mandarin": (
        element("circle", class_="rt-body", r=14.6),
        element("circle", class_="rt-or-rim", r=12.3),
        element("g", *_HAT, transform="translate(0 .4) scale(.95)"),
    ),
    "emperor": (
        element("circle", class_="rt-body", r=17.4),
        element("circle", class_="rt-or-ring", r=15.2),
        element("circle", class_="rt-or-ring", r=12.8),
        element("path", class_="rt-or-emblem", d=_sun()),
        element("circle", class_="rt-or-eye", r=3.1),
    ),
    "pinned": (
        element("circle", class_="rt-down", r=14.6),
        element("g", *_HAT, class_="rt-or-pale", transform="translate(0 .4) scale(.95)"),
        element("path", class_="rt-or-pin-edge", d="M-12.6 12.6 11 -11"),
        element("path", class_="rt-or-pin", d="M-12.6 12.6 11 -11"),
        element("circle", class_="rt-or-head", cx=11.8, cy=-11.8, r=4.1),
    ),
}
_SCALES: Final = {"mandarin": 1.15, "emperor": 1.08, "pinned": 1.15}
_SHAPES: Final = {
    kind: element(
        "g",
        element("circle", class_="rt-cast", r=17.4 if kind == "emperor" else 14.6),
        *parts,
        transform=f"scale({_SCALES[kind]})",
    )
    for kind, parts in _DISCS.items()
}
_SIDES: Final = {
    "N": ("M", -20, -19, "H", 20),
    "E": ("M", 19, -20, "V", 20),
    "S": ("M", -20, 19, "H", 20),
    "W": ("M", -19, -20, "V", 20),
    ".": (),
}
_DISC: Final[Shape] = ("m", -5, 0, "a", 5, 5, 0, 1, 0, 10, 0, "a", 5, 5, 0, 1, 0, -10, 0, "z")

# Centers are spaces like any other here: a faint coin, round with a square hole, marks them.
_CENTER_MARK: Final = element("g", element("circle", r=8.5), element("path", d="M-3-3h6v6h-6z"), class_="rt-or-coin")


def _fret() -> Element:
    """Draw a meander at the corners of the Realms, as on a lattice window."""
    hook = ("m", 5, 5, "h", 14, "v", 14, "h", -9, "v", -5, "h", 4)
    parts: list[str | float] = []
    for across in range(0, 480, 120):
        for down in range(0, 480, 120):
            for x, y in ((0, 0), (120, 0), (0, 120), (120, 120)):
                flip_x, flip_y = (-1 if x else 1), (-1 if y else 1)
                parts += ["M", across + x, down + y]
                parts += _flip_path(hook, flip_x, flip_y)
    return element("path", class_="rt-or-fret", d=path(*parts))


def _flip_path(parts: Sequence[str | float], flip_x: int, flip_y: int) -> list[str | float]:
    """Mirror the path commands m, h and v."""
    mirrored: list[str | float] = []
    letter, first = "", True
    for part in parts:
        if isinstance(part, str):
            letter, first = part, True
            mirrored.append(part)
        else:
            mirrored.append(part * (flip_y if letter == "v" or (letter == "m" and not first) else flip_x))
            first = False
    return mirrored


_LOOK: Final = BoardStyle(
    "oriental",
    rules={
        ".rt-or-coin": "fill:none;stroke:var(--board-rule,var(--rt-or-line));stroke-width:1.1",
        ".rt-or-fret": "fill:none;stroke:var(--rt-or-line);stroke-width:.9;stroke-opacity:.7",
        ".rt-body": "fill:var(--rt-body);stroke:var(--rt-edge);stroke-width:1.4",
        ".rt-or-rim": "fill:none;stroke:var(--rt-accent);stroke-width:1;stroke-opacity:.75",
        ".rt-or-ring": "fill:none;stroke:var(--rt-accent);stroke-width:1.3",
        ".rt-or-emblem": "fill:var(--rt-accent)",
        ".rt-or-eye": "fill:var(--rt-body)",
        ".rt-or-pale": "opacity:.45",
        ".rt-or-pin": "fill:none;stroke:var(--rt-or-alarm);stroke-width:2.6;stroke-linecap:round",
        ".rt-or-pin-edge": "fill:none;stroke:var(--rt-field);stroke-width:5;stroke-linecap:round",
        ".rt-or-head": "fill:var(--rt-or-alarm);stroke:var(--rt-field);stroke-width:1.2",
        ".rt-or-warn": "fill:none;stroke:var(--rt-or-alarm);stroke-width:2.6;stroke-dasharray:5 3",
        ".rt-or-shut": "fill:none;stroke:var(--rt-or-alarm);stroke-width:3.4;stroke-linecap:square",
    },
    light=(
        "--rt-field:var(--board-light,#f6e6bd);--rt-other:var(--board-dark,#ecd6a2);--rt-hair:var(--board-line,#d2b478);"
        "--rt-rule:var(--board-rule,#8a3a22);--rt-frame:var(--board-edge,#7c1f14);"
        "--rt-frame-ink:var(--board-edge-ink,#f7dfa8);--rt-or-line:var(--board-line,#cf9f56);--rt-or-alarm:var(--mark-alarm,#6a1f8f);"
        "--rt-mark:var(--mark-last,#0d6470);"
        "--rt-pick:var(--mark-pick,#12692f);--rt-black:var(--piece-2,#231a1c);--rt-black-edge:var(--piece-2-edge,#fbf1dc)"
    ),
    dark=(
        "--rt-field:var(--board-light,#5a3f2f);--rt-other:var(--board-dark,#4d3527);--rt-hair:var(--board-line,#3b281d);"
        "--rt-rule:var(--board-rule,#25150f);--rt-frame:var(--board-edge,#4d130c);"
        "--rt-frame-ink:var(--board-edge-ink,#e0bb76);--rt-or-line:var(--board-line,#8b6238);--rt-or-alarm:var(--mark-alarm,#d29bff);"
        "--rt-mark:var(--mark-last,#5cc4cf);"
        "--rt-pick:var(--mark-pick,#8be39a);--rt-black:var(--piece-2,#120c0d);--rt-black-edge:var(--piece-2-edge,#e6d6b8)"
    ),
    ground=(_fret(),),
    center=_CENTER_MARK,
    accents=(("#a4301d", "#b23a24"), ("#d8a437", "#e0b04a")),
)


@cache
def _figure(piece: _Piece) -> PieceDrawing:
    parts = [_SHAPES["pinned" if piece.pinned else piece.kind]]
    if piece.frame:
        line = [part for side in piece.frame for part in _SIDES[side]]
        kinds = (
            "rt-or-pin-edge",
            "rt-or-shut" if piece.shut else "rt-or-warn",
        )  # on a light band, also next to dark pieces
        parts += [element("path", class_=kind, d=path(*line)) for kind in kinds]
    return PieceDrawing(piece.seat, element("g", *parts), _describe_piece(piece))


def _tray(view: View, seat: int) -> Element:
    left, pinned = view["left"][seat], _count_pinned(view, seat)
    placing = view["phase"] == "place"
    free = left["mandarins"] if placing else len(_own_pieces(view, seat)) - pinned
    to_place = f"{format_count(left['mandarins'], 'Mandarin')} and {format_count(left['emperors'], 'Emperor')} to place"
    return draw_tray(
        view,
        seat,
        TrayHead(_figure(_Piece(seat, "emperor")), _WORDS.status(view, seat)),
        TrayCount(free, _DISC, "to place" if placing else "free" if pinned else "free pieces"),
        *([TrayCount(left["emperors"], _DISC, "Emperor")] if placing and left["emperors"] else []),
        *([TrayCount(pinned, _DISC, "pinned")] if pinned else []),
        facts=[to_place if placing else f"{free} free pieces, {pinned} pinned"],
    )


# The terminal

_SIGNS: Final = (
    {"mandarin": "○", "emperor": "☆", "pinned": "×"},
    {"mandarin": "●", "emperor": "★", "pinned": "✖"},
)
_LEGEND: Final = ("○● Mandarin   ☆★ Emperor", "×✖ pinned Mandarin", *realm_terminal.LEGEND)
_PER_LINE: Final = 6


def _sign(piece: _Piece) -> str:
    return _SIGNS[piece.seat]["pinned" if piece.pinned else piece.kind]


def _describe_seat_in_panel(view: View, seat: int) -> SeatText:
    left = view["left"][seat]
    facts = _WORDS.status({**view, "warned": None}, seat)
    if view["phase"] == "place":
        signs = [_SIGNS[seat]["mandarin"]] * left["mandarins"] + [_SIGNS[seat]["emperor"]] * left["emperors"]
        facts.append("to place " + " ".join(signs))
    if seat in view["to_move"]:
        facts += _lines_under_heading("in danger:", view.get("warned") or ())
    if view["turn"]["seat"] == seat:
        facts += _lines_under_heading("may still move:", view.get("unmoved") or ())
    if pinned := _count_pinned(view, seat):
        facts.append(f"pinned {pinned}")
    if (outcome := view.get("outcome")) is not None and outcome["winner"] == 1 - seat:
        facts += _lines_under_heading("surrounded:", view.get("surrounded") or ())
    return SeatText(f"{_SIGNS[seat]['emperor']} {SEAT_NAMES[seat]}", facts)


def _lines_under_heading(words: str, names: Sequence[str]) -> list[str]:
    """Return a heading with names below it, a few on each line; nothing if there are no names."""
    rows = [_join_names(names[first : first + _PER_LINE]) for first in range(0, len(names), _PER_LINE)]
    return [words, *("  " + row for row in rows)] if rows else []
