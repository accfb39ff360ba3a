"""The board of Realm as a picture (SVG), as lines for a terminal and in words, all from the view alone.

What a piece is, whose it is and which way it faces is told by its shape and outline; colour only repeats it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from realmtable.kit import realm_terminal
from realmtable.kit.realm_board import (
    CENTERS,
    FACINGS,
    Cell,
    Realm,
    cell_named,
    direction_between,
    realm_of,
)
from realmtable.kit.realm_picture import (
    SQUARE,
    TRIANGLE,
    Board,
    Figure,
    Look,
    Outline,
    counted,
    fared,
    is_active,
    paths,
    picture,
    result,
    step_words,
    told,
    tray,
    tray_end_row,
    tray_hand,
    tray_head,
    tray_row,
)
from realmtable.kit.realm_terminal import Sign
from realmtable.kit.svg import Element, element
from realmtable.kit.terminal_picture import Sketch, beside

View = Mapping[str, Any]


class _Piece(NamedTuple):
    """A piece as it is seen: kind "fallen" is an immobile Enforcer; only a mobile one on the board has a facing."""

    seat: int
    kind: str
    facing: str = ""


SEATS: Final = ("White", "Black")

_LOOK: Final = Look("realm")
_DOING: Final = {
    "choose": "chooses who begins",
    "bases": "places a Base",
    "powers": "places a Power",
    "turn": "to move",
    "found": "founds a Base",
    "create": "creates an Enforcer",
    "immobilise": "immobilises an Enforcer",
    "rearrange": "puts back",
}
_COMPASS: Final = {"N": "north", "E": "east", "S": "south", "W": "west"}


def draw(view: View, theme: str = "auto") -> str:
    """The picture as a complete SVG document; `theme` is one of `realm_style.THEMES`."""
    placed = _by_cell(view)
    board = Board(
        {cell: _figure(piece) for cell, piece in placed.items()},
        (_tray(view, 0), _tray(view, 1)),
        holders=_holders(placed),
        steps=_marked(view),
        outlines=_outlines(view),
    )
    return picture(board, _LOOK, title="Realm: " + headline(view), description=describe(view), theme=theme)


def headline(view: View) -> str:
    """Who is to do what, or how the game ended, in a few words."""
    if (outcome := view.get("outcome")) is not None:
        return result(outcome, SEATS)
    return "; ".join(f"{SEATS[seat]} {', '.join(_doing(view))}" for seat in view["to_move"])


def describe(view: View) -> str:
    """What is on the board, as one sentence for those who do not see it."""
    parts = [f"turn {view['turn']['number']}", headline(view)]
    parts += [_describe_seat(view, seat) for seat in range(len(SEATS))]
    return told(parts, step_words(view))


def sketch(view: View) -> Sketch:
    """The board for a terminal: White's pieces are hollow, Black's are filled, the latest step stands in brackets."""
    placed = _by_cell(view)
    signs = {cell: Sign(_sign(piece), piece.seat) for cell, piece in placed.items()}
    last = {cell for step in paths(view) for cell in step}
    seats = _seat_lines(view, 0), _seat_lines(view, 1)
    panel = realm_terminal.panel(f"Turn {view['turn']['number']}", seats, _LEGEND)
    return beside(realm_terminal.board(signs, _holders(placed), last), panel)


# Words


def _status(view: View, seat: int) -> list[str]:
    """What a seat is doing or how it fared: the words beside its name."""
    if (outcome := view.get("outcome")) is not None:
        return fared(outcome, seat)
    return _doing(view) if seat in view["to_move"] else []


def _doing(view: View) -> list[str]:
    words = [_DOING.get(view["phase"], str(view["phase"]))]
    plays = view.get("open") or {}
    ways = [f"{way} {plays[key]}" for key, way in (("origin", "from"), ("target", "into")) if plays.get(key)]
    words += [" or ".join(ways)] if ways and view["phase"] == "turn" else []
    return [*words, "may accept the end"] if view.get("offered") else words


def _describe_seat(view: View, seat: int) -> str:
    own = [piece for piece in view["pieces"] if piece["seat"] == seat]
    powers, enforcers = (sum(piece["kind"] == kind for piece in own) for kind in ("power", "enforcer"))
    still = sum(piece["kind"] == "enforcer" and not piece["mobile"] for piece in own)
    return (
        f"{SEATS[seat]} controls {counted(view['realms'][seat], 'Realm')}"
        f" and has {counted(powers, 'Power')} and {counted(enforcers, 'Enforcer')} ({still} immobile) on the board"
    )


def _words(piece: _Piece) -> str:
    if piece.kind == "fallen":
        return f"{SEATS[piece.seat]} Enforcer, immobile"
    words = f"{SEATS[piece.seat]} {piece.kind.capitalize()}"
    return f"{words} facing {_COMPASS[piece.facing]}" if piece.facing else words


# What the view says, by space and by Realm


def _piece(piece: Mapping[str, Any]) -> _Piece:
    if piece["kind"] != "enforcer":
        return _Piece(piece["seat"], piece["kind"])
    if piece["mobile"]:
        return _Piece(piece["seat"], "enforcer", piece["facing"] or "")
    return _Piece(piece["seat"], "fallen")


def _by_cell(view: View) -> dict[Cell, _Piece]:
    placed = {cell_named(piece["at"]): _piece(piece) for piece in view["pieces"]}
    return {cell: piece for cell, piece in placed.items() if cell is not None}


def _holders(placed: Mapping[Cell, _Piece]) -> dict[Realm, int]:
    """Who controls each Realm that anybody controls (R5)."""
    return {realm_of(cell): placed[cell].seat for cell in CENTERS if cell in placed and placed[cell].kind == "base"}


def _marked(view: View) -> list[list[Cell]]:
    """The latest steps, those off one line apart by space: a sacrifice names two pieces and moves none."""
    steps: list[list[Cell]] = []
    for step in paths(view):
        whole = len(step) != 2 or direction_between(*step) is not None  # noqa: PLR2004 - from and to
        steps += [step] if whole else [[cell] for cell in step]
    return steps


def _outlines(view: View) -> list[Outline]:
    plays, seat = view.get("open") or {}, view["turn"]["seat"]
    centers = ((cell_named(plays.get(key) or ""), key == "origin") for key in ("origin", "target"))
    return [Outline(realm_of(center), seat, dashed) for center, dashed in centers if center is not None]


def _in_hand(view: View, seat: int) -> list[_Piece]:
    """The lifted pieces lie in the tray of whose turn it is, the next to be put first."""
    return [_piece(piece) for piece in view.get("lifted") or () if view["turn"]["seat"] == seat]


# The picture

_SHAPES: Final = {
    "power": (element("circle", class_="rt-body", r=13.5), element("circle", class_="rt-core", r=8.5)),
    "base": (
        element("path", class_="rt-body", d="M-12-12h24v24h-24z"),
        element("path", class_="rt-core", d="M-7-7h14v14h-14z"),
    ),
    "enforcer": (
        element("path", class_="rt-body", d="M0-15.5 9.5 13.5H-9.5z"),
        element("path", class_="rt-core", d="M0-3.5 4.6 9.8H-4.6z"),
    ),
    # Toppled: equal sides point nowhere, the edge is broken and the body crossed out.
    "fallen": (
        element("path", class_="rt-down", d="M4.2-15.5 11.3 11.4-15.5 4.2z"),
        element("path", class_="rt-cross", d="M-5-5 5 5M5-5-5 5"),
    ),
}


@cache
def _figure(piece: _Piece) -> Figure:
    turn = FACINGS.index(piece.facing) * 90 if piece.facing else 0
    return Figure(piece.seat, element("g", *_SHAPES[piece.kind]), _words(piece), turn)


def _tray(view: View, seat: int) -> Element:
    stock = view["stock"][seat]
    realms = counted(view["realms"][seat], "Realm")
    return tray(
        seat,
        *tray_head(_figure(_Piece(seat, "power")), SEATS[seat], _status(view, seat), realms),
        *tray_hand([_figure(piece) for piece in _in_hand(view, seat)]),
        *tray_row(stock["bases"], SQUARE, 12, 12),
        *tray_row(stock["enforcers"], TRIANGLE, 208, 10.5),
        *tray_end_row("captured", stock["captured"], SQUARE, 1 - seat),
        label=_tray_words(view, seat),
        active=is_active(view, seat),
    )


def _tray_words(view: View, seat: int) -> str:
    stock = view["stock"][seat]
    words = [
        ", ".join([SEATS[seat], *_status(view, seat)]),
        counted(view["realms"][seat], "Realm"),
        f"{counted(stock['bases'], 'Base')} and {counted(stock['enforcers'], 'Enforcer')} uncreated",
        f"{counted(stock['captured'], 'Base')} captured",
    ]
    if in_hand := _in_hand(view, seat):
        words.append("in hand " + ", ".join(map(_words, in_hand)))
    return "; ".join(words)


# The terminal

_SIGNS: Final = (
    {"power": "○", "base": "□", "enforcer": "△", "N": "△", "E": "▷", "S": "▽", "W": "◁", "fallen": "×"},
    {"power": "●", "base": "■", "enforcer": "▲", "N": "▲", "E": "►", "S": "▼", "W": "◄", "fallen": "✖"},
)
_LEGEND: Final = ("○● Power      □■ Base", "△▲ Enforcer   ×✖ immobile", *realm_terminal.LEGEND)


def _sign(piece: _Piece) -> str:
    return _SIGNS[piece.seat][piece.facing or piece.kind]


def _seat_lines(view: View, seat: int) -> Sketch:
    stock, signs = view["stock"][seat], _SIGNS[seat]
    facts = [
        *_status(view, seat),
        f"uncreated {signs['base']} {stock['bases']}  {signs['N']} {stock['enforcers']}",
        f"captured  {_SIGNS[1 - seat]['base']} {stock['captured']}",
    ]
    if in_hand := _in_hand(view, seat):
        facts.append("in hand   " + " ".join(map(_sign, in_hand)))
    title = f"{signs['power']} {SEATS[seat]}, {counted(view['realms'][seat], 'Realm')}"
    return realm_terminal.seat_lines(title, facts, active=is_active(view, seat))
