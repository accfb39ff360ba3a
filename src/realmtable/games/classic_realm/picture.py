"""The pond as an SVG picture, as terminal output and in words, all from the view alone.

White's frogs are plain with a light belly, Black's are striped; a frog in the water shows only eyes, brow and ripples.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from realmtable.engine.protocol import View
from realmtable.kit.picture_style import SPACE
from realmtable.kit.realm_board import terminal as realm_terminal
from realmtable.kit.realm_board.describe import BoardWords, describe_phase, latest_paths, pieces_by_cell
from realmtable.kit.realm_board.geometry import REALMS, SEAT_NAMES, SIDE, center_of
from realmtable.kit.realm_board.picture import BoardPicture, BoardStyle, PieceDrawing, draw_board, middle
from realmtable.kit.realm_board.terminal import SeatText, Sign
from realmtable.kit.realm_board.tray import Shape, TrayCount, TrayHead, draw_tray
from realmtable.kit.svg import Element, element, path
from realmtable.kit.terminal_picture import Sketch
from realmtable.kit.wording import format_count

_ACTIVITY_WORDS: Final = {"place": "places a frog", "turn": "to move", "second": "may move again"}


def draw(view: View, theme: str = "auto") -> str:
    """Return the picture as a complete SVG document; `theme` is one of `picture_style.THEMES`."""
    figures = {cell: _figure(*frog) for cell, frog in pieces_by_cell(view, _frog_from_view).items()}
    board = BoardPicture(figures, (_tray(view, 0), _tray(view, 1)), steps=latest_paths(view))
    return draw_board(board, _LOOK, title="Classic Realm: " + headline(view), description=describe(view), theme=theme)


def sketch(view: View) -> Sketch:
    """Draw the pond for a terminal: full circles are on pads, half circles swim, Black's are filled."""
    frogs = pieces_by_cell(view, _frog_from_view)
    signs = {cell: Sign(_SIGNS[seat][swims], seat) for cell, (seat, swims) in frogs.items()}
    return realm_terminal.draw_table(view, signs, _describe_seat_in_panel, _LEGEND)


# Words


def _double_move_words(view: View, seat: int) -> list[str]:
    """Return when a seat may use its right to a double move (V2); nothing while frogs are still being placed."""
    right = view.get("right")
    if right is None or right["seat"] != seat or view["phase"] == "place":
        return []
    return [f"double move after {format_count(right['owed'], 'turn')}" if right["owed"] else "double move ready"]


def _describe_seat(view: View, seat: int) -> str:
    dry, wet = format_count(view["pads"][seat], "frog"), view["water"][seat]
    return ", ".join([f"{SEAT_NAMES[seat]} has {dry} on pads and {wet} in the water", *_double_move_words(view, seat)])


_WORDS: Final = BoardWords(
    lambda view: [describe_phase(view, _ACTIVITY_WORDS)], _describe_seat, reasons={"all_in_water": "all enemies dunked"}
)
headline = _WORDS.headline
describe = _WORDS.describe


def _status(view: View, seat: int) -> list[str]:
    status = _WORDS.status(view, seat)
    return status if view.get("outcome") else status + _double_move_words(view, seat)


def _frog_from_view(piece: View) -> tuple[int, bool]:
    """Return the seat of a frog, and whether it swims."""
    return piece["seat"], piece["swims"]


# The frogs, seen from the front, centred on 0,0 in a space of 40 units, and their pond


def _path(words: str, data: str) -> Element:
    return element("path", class_=words, d=data)


def _eyes(seat: int, down: float) -> list[Element]:
    """Draw the eyes: White's pupils are round, Black's are slits."""
    parts = []
    for across in (-6.6, 6.6):
        pupil = {"rx": 1.7, "ry": 1.9} if seat == 0 else {"rx": 2.7, "ry": 0.95}
        parts.append(element("circle", class_="rt-eye", cx=across, cy=down, r=3.1))
        parts.append(element("ellipse", class_="rt-pupil", cx=across, cy=down, **pupil))
    return parts


_THIGHS: Final = "M-8 3C-15.5 2-17.5 9.5-14.5 14.5H-4zM4 14.5H14.5C17.5 9.5 15.5 2 8 3z"
_TRUNK: Final = "M-8 1C-10.5 8-8.5 15 0 15S10.5 8 8 1z"
_HEAD: Final = (
    "M-11.2-8.7A4.6 4.6 0 1 1-2.5-8.4H2.5A4.6 4.6 0 1 1 11.2-8.7C14-5.5 13.6.2 10 3.2C6 6.2-6 6.2-10 3.2"
    "C-13.6.2-14-5.5-11.2-8.7z"
)
_BROW: Final = (
    "M-13 5C-14 1-12.6-2-11.2-3.7A4.6 4.6 0 1 1-2.5-3.4H2.5A4.6 4.6 0 1 1 11.2-3.7C12.6-2 14 1 13 5"
    "Q9 2.6 4.4 5T-4.4 5T-13 5z"
)
_RIPPLES: Final = "M-17 7.6Q-13 5-8.8 7.2T0 7.2T8.8 7.2T17 7.6M-10.5 11.4Q-7.2 9.2-3.6 11T3.6 11T10.5 11.4"
_EYE_HOLES: Final = "M-9-10A2.5 2.5 0 0 0-4-10 2.5 2.5 0 0 0-9-10zM4-10A2.5 2.5 0 0 0 9-10 2.5 2.5 0 0 0 4-10z"
PIECE_SYMBOLS: Final = {"F": _THIGHS + _TRUNK + _HEAD + _EYE_HOLES}


def _sitting_frog(seat: int) -> list[Element]:
    belly = "M0 14.2C-7.5 14.2-6.4 5.4 0 5.4S7.5 14.2 0 14.2z"
    bars = "M-6.8 8.2H6.8M-7 11.4H7M-13.6 8.2L-11.4 13.4M13.6 8.2L11.4 13.4"
    return [
        _path("rt-body", _THIGHS),
        _path("rt-body", _TRUNK),
        _path("rt-stripe", bars) if seat else _path("rt-belly", belly),
        _path("rt-body", _HEAD),
        *_crown(seat, 0),
        _path("rt-mouth", "M-8-1Q0 4.6 8-1"),
        *_eyes(seat, -9.8),
    ]


def _swimming_frog(seat: int) -> list[Element]:
    return [
        element("ellipse", class_="rt-ring", cy=5.5, rx=18, ry=8.5),
        _path("rt-body", _BROW),
        *_crown(seat, 5),
        _path("rt-ripple", _RIPPLES),
        *_eyes(seat, -4.8),
    ]


def _crown(seat: int, down: float) -> list[Element]:
    """Draw the stripes on the heads of Black's frogs."""
    top = -7.6 + down
    return [_path("rt-stripe", path("M", -3.6, top, "v", 4, "M", 0, top, "v", 4.6, "M", 3.6, top, "v", 4))] * seat


_PAD_SHAPE: Final = element(
    "g",
    element("ellipse", class_="rt-shade", cx=1.2, cy=2.2, rx=20.5, ry=20.5),
    _path("rt-pad", "M2.5-2.5L19.6-7A20.5 20.5 0 1 1 8.8-18.6z"),
    _path("rt-vein", "M0 0-17.5-4M0 0-10-15M0 0 2-18.5M0 0 18 4M0 0-14 11.5M0 0 11.5 14M0 0-1.5 18.5"),
)


def _pond() -> Element:
    """Draw small waves on the water, three in each Realm."""
    parts: list[str | float] = []
    for realm in range(REALMS):
        across, down = middle(center_of(realm))
        for wave in range(3):
            turn = (realm * 5 + wave * 7) % SIDE
            side = (-1, 1)[(realm + wave) % 2]
            at = across + side * (SPACE - 12 + turn % 4 * 4), down + (wave - 1) * SPACE + turn % 5 * 3 - 6
            parts += ["M", at[0] - 9, at[1], "q", 4.5, -3.4, 9, 0, "t", 9, 0]
    return _path("rt-wave", path(*parts))


_LOOK: Final = BoardStyle(
    "classic_realm",
    rules={
        ".rt-field": "fill:var(--rt-water)",
        ".rt-other": "fill:var(--rt-deep)",
        ".rt-lines": "stroke:var(--rt-net);stroke-width:.7",
        ".rt-rules": "stroke:var(--rt-bank);stroke-width:1.4",
        ".rt-wave": "fill:none;stroke:var(--rt-foam);stroke-width:1.1;stroke-linecap:round",
        ".rt-shade": "fill:var(--rt-bank);fill-opacity:.28",
        ".rt-pad": "fill:var(--rt-leaf);stroke:var(--rt-leaf-edge);stroke-width:1.1;stroke-linejoin:round",
        ".rt-vein": "fill:none;stroke:var(--rt-leaf-edge);stroke-width:.7;stroke-opacity:.75",
        ".rt-seat0": "--rt-body:var(--rt-pale);--rt-edge:var(--rt-pale-edge);--rt-mark-line:var(--rt-pale-edge)",
        ".rt-seat1": "--rt-body:var(--rt-dusk);--rt-edge:var(--rt-dusk-edge);--rt-mark-line:var(--rt-stripes)",
        ".rt-body": "stroke-width:1.3",
        ".rt-belly": "fill:var(--rt-belly)",
        ".rt-stripe": "fill:none;stroke:var(--rt-stripes);stroke-width:1.7;stroke-linecap:round",
        ".rt-mouth": "fill:none;stroke:var(--rt-mark-line);stroke-width:1.3;stroke-linecap:round",
        ".rt-eye": "fill:var(--rt-iris)",
        ".rt-pupil": "fill:#14120e",
        ".rt-tiny": "stroke:var(--rt-ink)",
        ".rt-ring": "fill:var(--rt-foam);fill-opacity:.35;stroke:var(--rt-foam)",
        ".rt-ripple": "fill:none;stroke:var(--rt-bank);stroke-width:1.2;stroke-linecap:round",
    },
    light=(
        "--rt-water:var(--board-light,#a9d8e0);--rt-deep:var(--board-dark,#93c9d5);--rt-net:var(--board-line,#74b2c2);"
        "--rt-foam:#dff2f4;--rt-bank:var(--board-rule,#2d6a7b);--rt-frame:var(--board-edge,#42592f);"
        "--rt-frame-ink:var(--board-edge-ink,#eef4dc);--rt-leaf:var(--board-center,#79b04e);--rt-leaf-edge:var(--board-rule,#3f6f28);"
        "--rt-pale:var(--piece-1,#fdf6d2);--rt-pale-edge:var(--piece-1-edge,#33331a);--rt-belly:#ffffff;"
        "--rt-dusk:var(--piece-2,#22352b);--rt-dusk-edge:var(--piece-2-edge,#f6f3df);--rt-stripes:#e8c65a;"
        "--rt-iris:#fff7c2"
    ),
    dark=(
        "--rt-water:var(--board-light,#1f5262);--rt-deep:var(--board-dark,#194655);--rt-net:var(--board-line,#123642);"
        "--rt-foam:#4f8a9b;--rt-bank:var(--board-rule,#0c2731);--rt-frame:var(--board-edge,#1c2815);"
        "--rt-frame-ink:var(--board-edge-ink,#bccaa2);--rt-leaf:var(--board-center,#4f8438);--rt-leaf-edge:var(--board-rule,#a3cd80);"
        "--rt-pale:var(--piece-1,#f5eec6);--rt-pale-edge:var(--piece-1-edge,#1b1d10);--rt-belly:#ffffff;"
        "--rt-dusk:var(--piece-2,#0f1a14);--rt-dusk-edge:var(--piece-2-edge,#d8dcc4);--rt-stripes:#e3bd4c;"
        "--rt-iris:#fff3ae"
    ),
    ground=(_pond(),),
    center=_PAD_SHAPE,
    center_name="lily pad",
)


@cache
def _figure(seat: int, swims: bool) -> PieceDrawing:
    parts = _swimming_frog(seat) if swims else _sitting_frog(seat)
    words = f"{SEAT_NAMES[seat]} frog, in the water" if swims else f"{SEAT_NAMES[seat]} frog"
    return PieceDrawing(seat, element("g", *parts), words, size=1.12 if swims else 1.2)


# The trays

_FACE: Final[Shape] = ("a", 2.4, 2.4, 0, 1, 1, 4.4, 0, "h", 2.4, "a", 2.4, 2.4, 0, 1, 1, 4.4, 0)
_DRY_FROG: Final[Shape] = ("m", -5.6, -1.2, *_FACE, "c", 2, 3, -1, 6.2, -5.6, 6.2, "s", -7.6, -3.2, -5.6, -6.2, "z")
_WET_FROG: Final[Shape] = ("m", -5.6, 0.4, *_FACE, "l", 1, 2.4, "h", -13.2, "z", "m", -1.6, 5, "h", 14.4)


def _tray(view: View, seat: int) -> Element:
    dry, wet, unplaced = (view[key][seat] for key in ("pads", "water", "unplaced"))
    counts = [f"{format_count(dry, 'frog')} on pads", f"{wet} in the water"] + [f"{unplaced} to place"] * (unplaced > 0)
    return draw_tray(
        view,
        seat,
        TrayHead(_figure(seat, False), _status(view, seat), f"{unplaced} to place" if unplaced else ""),
        TrayCount(dry, _DRY_FROG, "on pads"),
        TrayCount(wet, _WET_FROG, "in water"),
        facts=[", ".join(counts)],
    )


# The terminal

_SIGNS: Final = (("○", "◠"), ("●", "◓"))
_LEGEND: Final = ("○● frog on a pad", "◠◓ frog in the water", *realm_terminal.LEGEND)


def _describe_seat_in_panel(view: View, seat: int) -> SeatText:
    dry, wet = _SIGNS[seat]
    facts = [*_status(view, seat), f"in the water {wet} {view['water'][seat]}"]
    if view["unplaced"][seat]:
        facts.append(f"to place     {dry} {view['unplaced'][seat]}")
    title = f"{dry} {SEAT_NAMES[seat]}, {view['pads'][seat]} on pads"
    return SeatText(title, facts)
