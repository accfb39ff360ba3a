"""The board of Medieval Realm as an SVG picture, as terminal output and in words, all from the view alone.

A Duke is a shield under a crown, a Man a shield in front of a pike. White's shields are quartered and Black's bear a
chevron, so side and kind show without colour. A dislodged Man is on the Border with a broken pike.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from realmtable.engine.protocol import View
from realmtable.kit.realm_board import terminal as realm_terminal
from realmtable.kit.realm_board.describe import BoardWords, describe_phase, latest_paths, pieces_by_cell
from realmtable.kit.realm_board.geometry import CENTERS, SEAT_NAMES
from realmtable.kit.realm_board.picture import (
    BOARD,
    REALM,
    BoardEdge,
    BoardPicture,
    BoardStyle,
    PieceDrawing,
    draw_board,
    middle,
    translate,
)
from realmtable.kit.realm_board.terminal import SeatText, Sign
from realmtable.kit.realm_board.tray import Shape, TrayCount, TrayHead, draw_tray
from realmtable.kit.svg import Element, element, path
from realmtable.kit.terminal_picture import Sketch
from realmtable.kit.wording import format_count


class _Piece(NamedTuple):
    """A piece as drawn: kind "duke", "man" or "fallen" (a dislodged Man)."""

    seat: int
    kind: str


def draw(view: View, theme: str = "auto") -> str:
    """Return the picture as a complete SVG document; `theme` is one of `picture_style.THEMES`."""
    figures = {cell: _figure(piece) for cell, piece in pieces_by_cell(view, _piece_from_view).items()}
    edges = [BoardEdge("off", "Off the board", 1 - seat) for seat in view["to_move"]]
    board = BoardPicture(figures, (_tray(view, 0), _tray(view, 1)), steps=latest_paths(view), edges=edges)
    return draw_board(board, _LOOK, title="Medieval Realm: " + headline(view), description=describe(view), theme=theme)


def sketch(view: View) -> Sketch:
    """Draw the board for a terminal: White hollow, Black filled, the latest step in brackets."""
    placed = pieces_by_cell(view, _piece_from_view)
    signs = {cell: Sign(_SIGNS[piece.seat][piece.kind], piece.seat) for cell, piece in placed.items()}
    return realm_terminal.draw_table(view, signs, _describe_seat_in_panel, _LEGEND)


# Words

_ACTIVITY_WORDS: Final = {"turn": "to move", "pass": "cannot move and must pass"}
_KINDS: Final = {"duke": "Duke", "man": "Man", "fallen": "Man, dislodged"}


def _describe_seat(view: View, seat: int) -> str:
    own = [piece.kind for piece in pieces_by_cell(view, _piece_from_view).values() if piece.seat == seat]
    dukes, men, fallen = format_count(own.count("duke"), "Duke"), own.count("man"), own.count("fallen")
    return (
        f"{SEAT_NAMES[seat]} has {dukes} and {_format_men(men)} on Centers,"
        f" {_format_men(fallen)} dislodged and {format_count(_count_borne_off(view, seat), 'piece')} borne off"
    )


def _format_men(count: int) -> str:
    return format_count(count, "Man", "Men")


def _count_borne_off(view: View, seat: int) -> int:
    return sum(view["off"][seat].values())


def _count_duke_moves(view: View, seat: int) -> int:
    """Return the Duke moves in a row that count towards a draw (M11)."""
    return int(view["duke_rows"][seat]) if view["duke_draw"] else 0


def _describe_steps(view: View) -> list[str]:
    return [" to ".join(step).replace("to off", "off the board") for step in view.get("last") or ()]


_WORDS: Final = BoardWords(lambda view: [describe_phase(view, _ACTIVITY_WORDS)], _describe_seat, _describe_steps)
headline = _WORDS.headline
describe = _WORDS.describe


def _describe_piece(piece: _Piece) -> str:
    return f"{SEAT_NAMES[piece.seat]} {_KINDS[piece.kind]}"


def _piece_from_view(piece: View) -> _Piece:
    return _Piece(piece["seat"], "fallen" if piece["down"] else piece["kind"])


# The picture: shields


class _Shield(NamedTuple):
    """The outline of a shield: half its width, its top, where its sides start to curve, and its point."""

    half: float
    top: float
    bend: float
    point: float

    def outline(self) -> str:
        """Return the path of the whole shield."""
        return path("M", -self.half, self.top, "H", self.half, "V", self.bend, *self._curve(1), *self._curve(-1), "z")

    def quarters(self) -> str:
        """Return the path of the upper left and lower right quarters."""
        upper = ("M", -self.half, self.top, "H", 0, "V", self.bend, "H", -self.half, "z")
        return path(*upper, "M", 0, self.bend, "H", self.half, *self._curve(1), "z")

    def cross(self) -> str:
        """Return the path of the lines between the quarters."""
        return path("M", 0, self.top, "V", self.point, "M", -self.half, self.bend, "H", self.half)

    def chevron(self) -> str:
        """Return the path of a chevron across the shield."""
        half, rise, thick = self.half, (self.point - self.top) * 0.34, (self.point - self.top) * 0.24
        foot = self.bend - 1
        rafter = ("M", -half, foot, "L", 0, foot - rise, "L", half, foot, "v", thick * 0.8)
        return path(*rafter, "L", 0, foot - rise + thick * 1.25, "L", -half, foot + thick * 0.8, "z")

    def _curve(self, side: int) -> Shape:
        """Return the curve from the right side to the point, or from the point to the left side."""
        deep, near = self.bend + (self.point - self.bend) * 0.55, self.point - 2
        right: Shape = ("C", self.half, deep, self.half * 0.45, near, 0, self.point)
        left: Shape = ("C", -self.half * 0.45, near, -self.half, deep, -self.half, self.bend)
        return right if side > 0 else left


def _shield_elements(shield: _Shield, seat: int) -> tuple[Element, ...]:
    """Draw a shield with the arms of a seat: quartered or with a chevron."""
    arms = (shield.quarters(), shield.chevron())[seat]
    inner = (element("path", class_="rt-seam", d=shield.cross()),) if seat == 0 else ()
    return (
        element("path", class_="rt-cast", d=shield.outline()),
        element("path", class_="rt-shield", d=shield.outline()),
        element("path", class_="rt-arms", d=arms),
        *inner,
        element("path", class_="rt-rim", d=shield.outline()),
    )


_DUKE_SHIELD: Final = _Shield(12.5, -5.5, 4, 17.5)
_MAN_SHIELD: Final = _Shield(11.5, -10, 1, 16)
_CROWN: Final = (
    element("path", class_="rt-crown", d="M-11.5-6-14-16.8-6.8-12 0-19.4 6.8-12 14-16.8 11.5-6z"),
    element("path", class_="rt-band", d="M-10.8-8.4H10.8"),
)
_PIKE: Final = element("path", class_="rt-pike", d="M11.9 18V-8.5H9.2L13.4-19.4 17.6-8.5H14.9V18z")
_BROKEN_PIKE: Final = (
    element("path", class_="rt-pike", d="M-17.5 12.5H-2L-3.5 14 -2 15.5H-17.5z"),
    element("path", class_="rt-pike", d="M2.5 15 10.6 7.6 9.2 5.6 18-.5 14 9.2 12.6 7.4 4 17.6 3.9 15.9z"),
)
PIECE_SYMBOLS: Final = {
    "D": "M-15 16-18-11-8-2 0-17 8-2 18-11 15 16z",
    "M": _Shield(14, -16, 0, 18).outline(),
}


@cache
def _figure(piece: _Piece) -> PieceDrawing:
    seat, kind = piece
    if kind == "duke":
        return PieceDrawing(
            seat, element("g", *_shield_elements(_DUKE_SHIELD, seat), *_CROWN), _describe_piece(piece), size=1.06
        )
    if kind == "man":
        shield = element("g", *_shield_elements(_MAN_SHIELD, seat), transform=translate(-3.6, 0.5))
        return PieceDrawing(seat, element("g", _PIKE, shield), _describe_piece(piece), size=1.06)
    shield = element("g", *_shield_elements(_MAN_SHIELD, seat), transform=f"{translate(-1, 1)} rotate(112) scale(0.82)")
    return PieceDrawing(
        seat, element("g", *_BROKEN_PIKE, shield, class_="rt-fallen"), _describe_piece(piece), size=0.92
    )


# The picture: the land


def _roads() -> Element:
    """Draw roads from Center to Center and on to the two edges where pieces leave the board."""
    lines: list[str | float] = []
    for cell in CENTERS[:4]:
        across = middle(cell)[0]
        lines += ["M", across, 0, "V", BOARD]
    for cell in CENTERS[::4]:
        down = middle(cell)[1]
        lines += ["M", middle(CENTERS[0])[0], down, "H", middle(CENTERS[3])[0]]
    return element("path", class_="rt-road", d=path(*lines))


def _woods() -> list[Element]:
    """Draw a few trees near the places where four Realms meet."""
    shadows: list[str | float] = []
    crowns: list[str | float] = []
    for across in range(REALM, BOARD, REALM):
        for down in range(REALM, BOARD, REALM):
            for x, y, size in ((-11, -9, 5), (-18, -13, 3.6), (12, 10, 4.6)):
                tree = (size, size, 0, 1, 0, 2 * size, 0)
                back = (size, size, 0, 1, 0, -2 * size, 0, "z")
                shadows += ["M", across + x - size + 1.2, down + y + 1.8, "a", *tree, "a", *back]
                crowns += ["M", across + x - size, down + y, "a", *tree, "a", *back]
    return [element("path", class_="rt-shade", d=path(*shadows)), element("path", class_="rt-tree", d=path(*crowns))]


def _castle() -> Element:
    """Draw a castle from above: four walls and a tower at each corner."""
    towers = [element("circle", cx=x, cy=y, r=3.6) for x in (-15, 15) for y in (-15, 15)]
    return element("g", element("path", d="M-15-15h30v30h-30z"), *towers, class_="rt-keep")


_LOOK: Final = BoardStyle(
    "medieval",
    rules={
        ".rt-road": "fill:none;stroke:var(--rt-road);stroke-width:11",
        ".rt-shade": "fill:#000;fill-opacity:.18",
        ".rt-tree": "fill:var(--rt-tree);stroke:var(--rt-rule);stroke-width:.8;stroke-opacity:.6",
        ".rt-keep": "fill:var(--rt-court);stroke:var(--rt-wall);stroke-width:1.3",
        ".rt-lines": "stroke-opacity:.55",
        ".rt-shield": "fill:var(--rt-body)",
        ".rt-arms": "fill:var(--rt-accent)",
        ".rt-seam": "fill:none;stroke:var(--rt-edge);stroke-width:1",
        ".rt-rim": "fill:none;stroke:var(--rt-edge);stroke-width:1.5;stroke-linejoin:round",
        ".rt-crown": "fill:var(--rt-accent);stroke:var(--rt-edge);stroke-width:1.3;stroke-linejoin:round",
        ".rt-band": "fill:none;stroke:var(--rt-edge);stroke-width:1",
        ".rt-pike": "fill:var(--rt-body);stroke:var(--rt-edge);stroke-width:1.1;stroke-linejoin:round",
        ".rt-fallen .rt-shield": "fill:var(--rt-down)",
        ".rt-fallen .rt-arms": "fill-opacity:.85",
        ".rt-fallen .rt-rim": "stroke:var(--rt-line);stroke-width:1.4",
        ".rt-fallen .rt-pike": "fill:var(--rt-down);stroke:var(--rt-line)",
    },
    light=(
        "--rt-field:var(--board-light,#d6e0a9);--rt-other:var(--board-dark,#c4d192);--rt-hair:var(--board-line,#a9b977);"
        "--rt-rule:var(--board-rule,#5f6e3a);--rt-frame:var(--board-edge,#55524a);"
        "--rt-frame-ink:var(--board-edge-ink,#f1ede2);--rt-road:#e8d9ae;--rt-tree:#6f9a45;--rt-court:var(--board-center,#efeadd);"
        "--rt-wall:var(--board-rule,#6d665a)"
    ),
    dark=(
        "--rt-field:var(--board-light,#4a5a35);--rt-other:var(--board-dark,#3f4e2d);--rt-hair:var(--board-line,#303c22);"
        "--rt-rule:var(--board-rule,#1d2614);--rt-frame:var(--board-edge,#26241f);"
        "--rt-frame-ink:var(--board-edge-ink,#c9c3b2);--rt-road:#6a6040;--rt-tree:#6b8c45;--rt-court:var(--board-center,#55524a);"
        "--rt-wall:var(--board-rule,#a39b87)"
    ),
    ground=(_roads(), *_woods()),
    center=_castle(),
)

# The picture: trays

_SMALL_SHIELD: Final[Shape] = ("m-4.5-6h9v5c0 4-2.5 5.5-4.5 7c-2-1.5-4.5-3-4.5-7z",)
_SMALL_CROWN: Final[Shape] = ("m-4.5 5l-1-9l3 3.5l2.5-5.5l2.5 5.5l3-3.5l-1 9z",)


def _tray(view: View, seat: int) -> Element:
    off, row = view["off"][seat], _count_duke_moves(view, seat)
    gone = f"{_count_borne_off(view, seat)} of 8 borne off"
    return draw_tray(
        view,
        seat,
        TrayHead(_figure(_Piece(seat, "duke")), _WORDS.status(view, seat), gone),
        *([TrayCount(row, _SMALL_CROWN, "move" if row == 1 else "moves")] if row else []),
        TrayCount(off["men"], _SMALL_SHIELD),
        TrayCount(off["dukes"], _SMALL_CROWN),
        facts=[
            f"{format_count(off['dukes'], 'Duke')} and {_format_men(off['men'])} borne off",
            *([f"{format_count(row, 'Duke move')} in a row"] if row else []),
        ],
    )


# The terminal

_SIGNS: Final = ({"duke": "◇", "man": "△", "fallen": "×"}, {"duke": "◆", "man": "▲", "fallen": "✖"})
_LEGEND: Final = ("◇◆ Duke       △▲ Man", "×✖ dislodged Man", *realm_terminal.LEGEND)


def _describe_seat_in_panel(view: View, seat: int) -> SeatText:
    off, signs = view["off"][seat], _SIGNS[seat]
    facts = [
        *_WORDS.status(view, seat),
        f"borne off {_count_borne_off(view, seat)}:  {signs['duke']} {off['dukes']}  {signs['man']} {off['men']}",
    ]
    if row := _count_duke_moves(view, seat):
        facts.append(f"Duke moves in a row: {row}")
    return SeatText(f"{signs['duke']} {SEAT_NAMES[seat]}", facts)
