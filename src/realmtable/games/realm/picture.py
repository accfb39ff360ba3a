"""The board of Realm as an SVG picture, as terminal output and in words, all from the view alone.

Shape and outline show the kind, owner and facing of a piece; colour only repeats them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from realmtable.engine.protocol import View
from realmtable.kit.realm_board import terminal as realm_terminal
from realmtable.kit.realm_board.describe import BoardWords, describe_phase, latest_paths, pieces_by_cell
from realmtable.kit.realm_board.geometry import (
    CENTERS,
    FACINGS,
    REALM_SIDE,
    REALMS,
    SEAT_NAMES,
    Cell,
    Realm,
    direction_between,
    find_cell,
    realm_of,
    spaces_of,
)
from realmtable.kit.realm_board.picture import (
    REALM,
    BoardPicture,
    BoardStyle,
    Outline,
    PieceDrawing,
    corner,
    draw_board,
)
from realmtable.kit.realm_board.terminal import SeatText, Sign
from realmtable.kit.realm_board.tray import SQUARE, TRIANGLE, TrayCount, TrayHead, draw_tray
from realmtable.kit.svg import Element, element, path
from realmtable.kit.terminal_picture import Sketch
from realmtable.kit.wording import format_count


class _Piece(NamedTuple):
    """A piece as drawn: kind "fallen" is an immobile Enforcer; only mobile ones on the board have a facing."""

    seat: int
    kind: str
    facing: str = ""


_ACTIVITY_WORDS: Final = {
    "choose": "chooses who goes first",
    "bases": "places a Base",
    "powers": "places a Power",
    "turn": "to move",
    "found": "founds a Base",
    "create": "creates an Enforcer",
    "immobilise": "immobilises an Enforcer",
    "rearrange": "puts pieces back",
}
_COMPASS: Final = {"N": "north", "E": "east", "S": "south", "W": "west"}


def draw(view: View, theme: str = "auto") -> str:
    """Return the picture as a complete SVG document; `theme` is one of `picture_style.THEMES`."""
    placed = pieces_by_cell(view, _piece_from_view)
    figures = {cell: _figure(piece) for cell, piece in placed.items()}
    trays = _tray(view, 0), _tray(view, 1)
    board = BoardPicture(figures, trays, holders=_holders(placed), steps=_step_paths(view), outlines=_outlines(view))
    return draw_board(board, _LOOK, title="Realm: " + headline(view), description=describe(view), theme=theme)


def sketch(view: View) -> Sketch:
    """Draw the board for a terminal: White hollow, Black filled, the latest step in brackets."""
    placed = pieces_by_cell(view, _piece_from_view)
    signs = {cell: Sign(_sign(piece), piece.seat) for cell, piece in placed.items()}
    return realm_terminal.draw_table(view, signs, _describe_seat_in_panel, _LEGEND, _holders(placed))


# Words


def _describe_activity(view: View) -> list[str]:
    plays = view.get("open") or {}
    ways = [f"{way} {plays[key]}" for key, way in (("origin", "from"), ("target", "into")) if plays.get(key)]
    return _describe_phase(view) + ([" or ".join(ways)] if ways and view["phase"] == "turn" else [])


def _describe_phase(view: View) -> list[str]:
    words = [describe_phase(view, _ACTIVITY_WORDS)]
    return [*words, "may accept the offer"] if view.get("offered") else words


def _describe_seat(view: View, seat: int) -> str:
    own = [piece for piece in view["pieces"] if piece["seat"] == seat]
    powers, enforcers = (sum(piece["kind"] == kind for piece in own) for kind in ("power", "enforcer"))
    immobile = sum(piece["kind"] == "enforcer" and not piece["mobile"] for piece in own)
    return (
        f"{SEAT_NAMES[seat]} controls {format_count(view['realms'][seat], 'Realm')}"
        f" and has {format_count(powers, 'Power')} and {format_count(enforcers, 'Enforcer')} ({immobile} immobile)"
        " on the board"
    )


_WORDS: Final = BoardWords(_describe_activity, _describe_seat)
_TRAY_WORDS: Final = BoardWords(_describe_phase, _describe_seat)  # the prompt says how the turn can go on
headline = _WORDS.headline
describe = _WORDS.describe


def _describe_piece(piece: _Piece) -> str:
    if piece.kind == "fallen":
        return f"{SEAT_NAMES[piece.seat]} Enforcer, immobile (cannot move)"
    words = f"{SEAT_NAMES[piece.seat]} {piece.kind.capitalize()}"
    return f"{words} facing {_COMPASS[piece.facing]}" if piece.facing else words


# The view by space and by Realm


def _piece_from_view(piece: Mapping[str, Any]) -> _Piece:
    if piece["kind"] != "enforcer":
        return _Piece(piece["seat"], piece["kind"])
    if piece["mobile"]:
        return _Piece(piece["seat"], "enforcer", piece["facing"] or "")
    return _Piece(piece["seat"], "fallen")


def _holders(placed: Mapping[Cell, _Piece]) -> dict[Realm, int]:
    """Return the seat that controls each controlled Realm (R5)."""
    return {realm_of(cell): placed[cell].seat for cell in CENTERS if cell in placed and placed[cell].kind == "base"}


def _step_paths(view: View) -> list[list[Cell]]:
    """Return the latest steps, split by space if off a line: a sacrifice names two pieces but moves neither."""
    steps: list[list[Cell]] = []
    for step in latest_paths(view):
        whole = len(step) != 2 or direction_between(*step) is not None  # noqa: PLR2004 - from and to
        steps += [step] if whole else [[cell] for cell in step]
    return steps


def _outlines(view: View) -> list[Outline]:
    plays, seat = view.get("open") or {}, view["turn"]["seat"]
    centers = ((find_cell(plays.get(key) or ""), key == "origin") for key in ("origin", "target"))
    return [Outline(realm_of(center), seat, dashed) for center, dashed in centers if center is not None]


def _pieces_in_hand(view: View, seat: int) -> list[_Piece]:
    """Return the lifted pieces in the tray of the seat to act, the next to be put first."""
    return [_piece_from_view(piece) for piece in view.get("lifted") or () if view["turn"]["seat"] == seat]


# The picture


def _grain() -> Element:
    """Draw the grain of the wood: along the ranks in one Realm, along the files in the next, as in parquet."""
    parts: list[str | float] = []
    for realm in range(REALMS):
        left, top = corner(spaces_of(realm)[6])
        upright = (realm + realm // REALM_SIDE) % 2
        for line in range(8):
            shift, bow = 9 + line * 14 + realm * 5 % 7, (line + realm) % 3 - 1
            if upright:
                parts += ["M", left + shift, top, "q", bow * 3, REALM // 4, 0, REALM // 2, "t", 0, REALM // 2]
            else:
                parts += ["M", left, top + shift, "q", REALM // 4, bow * 3, REALM // 2, 0, "t", REALM // 2, 0]
    return element("path", class_="rt-grain", d=path(*parts))


_LOOK: Final = BoardStyle(
    "realm",
    rules={
        ".rt-grain": "fill:none;stroke:var(--rt-rule);stroke-opacity:.16",
        ".rt-space>g>g": "rotate:none",  # Enforcers face a direction
        ".rt-still": "fill:var(--rt-down);stroke:var(--rt-edge);stroke-width:1.2;stroke-linejoin:round",
        ".rt-lock": "fill:var(--rt-edge)",
    },
    ground=(_grain(),),
)
_SQUARE: Final = "M-14.4-14.4h28.8v28.8h-28.8z"
_ARROWHEAD: Final = "M0-18 12.4 15.6 0 10.6-12.4 15.6z"
_LOCK: Final = "M-5.2-1H5.2V6.6H-5.2zM-4.1-1V-3.2A4.1 4.1 0 0 1 4.1-3.2V-1H2.3V-3.2A2.3 2.3 0 0 0-2.3-3.2V-1z"
_SHAPES: Final = {
    "power": (
        element("circle", class_="rt-cast", r=16),
        element("circle", class_="rt-body", r=16),
        element("circle", class_="rt-core", r=10.2),
    ),
    "base": (
        element("path", class_="rt-cast", d=_SQUARE),
        element("path", class_="rt-body", d=_SQUARE),
        element("path", class_="rt-core", d="M-8.4-8.4h16.8v16.8h-16.8z"),
    ),
    "enforcer": (
        element("path", class_="rt-cast", d=_ARROWHEAD),
        element("path", class_="rt-body", d=_ARROWHEAD),
        element("path", class_="rt-core", d="M0-6 5.4 8 0 5.8-5.4 8z"),
    ),
    # An equilateral triangle points nowhere. It is paler and locked: still on the board, but it cannot move.
    "fallen": (
        element("path", class_="rt-still", d="M4.8-17.7 12.9 13-17.7 4.8z"),
        element("path", class_="rt-lock rt-up", d=_LOCK),
    ),
}

PIECE_SYMBOLS: Final = {
    "P": "M-16 0A16 16 0 0 1 16 0 16 16 0 0 1-16 0zM-7 0A7 7 0 0 0 7 0 7 7 0 0 0-7 0z",
    "B": "M-15-15H15V15H-15zM-6-6V6H6V-6z",
    "E": _ARROWHEAD,
}


@cache
def _figure(piece: _Piece) -> PieceDrawing:
    turn = FACINGS.index(piece.facing) * 90 if piece.facing else 0
    return PieceDrawing(piece.seat, element("g", *_SHAPES[piece.kind]), _describe_piece(piece), turn)


def _tray(view: View, seat: int) -> Element:
    stock, in_hand = view["stock"][seat], _pieces_in_hand(view, seat)
    realms = format_count(view["realms"][seat], "Realm")
    return draw_tray(
        view,
        seat,
        TrayHead(_figure(_Piece(seat, "power")), _TRAY_WORDS.status(view, seat), realms),
        TrayCount(stock["bases"], SQUARE),
        TrayCount(stock["enforcers"], TRIANGLE),
        *([TrayCount(stock["captured"], SQUARE, "captured", 1 - seat)] if stock["captured"] else []),
        in_hand=[_figure(piece) for piece in in_hand],
        facts=[
            realms,
            f"{format_count(stock['bases'], 'Base')} and {format_count(stock['enforcers'], 'Enforcer')} uncreated",
            f"{format_count(stock['captured'], 'Base')} captured",
            *(["in hand " + ", ".join(map(_describe_piece, in_hand))] if in_hand else []),
        ],
    )


# The terminal

_SIGNS: Final = (
    {"power": "○", "base": "□", "enforcer": "△", "N": "△", "E": "▷", "S": "▽", "W": "◁", "fallen": "×"},
    {"power": "●", "base": "■", "enforcer": "▲", "N": "▲", "E": "►", "S": "▼", "W": "◄", "fallen": "✖"},
)
_LEGEND: Final = ("○● Power      □■ Base", "△▲ Enforcer   ×✖ immobile", *realm_terminal.LEGEND)


def _sign(piece: _Piece) -> str:
    return _SIGNS[piece.seat][piece.facing or piece.kind]


def _describe_seat_in_panel(view: View, seat: int) -> SeatText:
    stock, signs = view["stock"][seat], _SIGNS[seat]
    facts = [
        *_WORDS.status(view, seat),
        f"uncreated {signs['base']} {stock['bases']}  {signs['N']} {stock['enforcers']}",
        f"captured  {_SIGNS[1 - seat]['base']} {stock['captured']}",
    ]
    if in_hand := _pieces_in_hand(view, seat):
        facts.append("in hand   " + " ".join(map(_sign, in_hand)))
    title = f"{signs['power']} {SEAT_NAMES[seat]}, {format_count(view['realms'][seat], 'Realm')}"
    return SeatText(title, facts)
