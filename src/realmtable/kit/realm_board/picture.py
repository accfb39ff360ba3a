"""Draws a board of 16 Realms as SVG. A game supplies the parts; the common colours and styles are in `style`.

A game has one `BoardStyle` and turns its view into a `BoardPicture`, which `draw_board` draws.

A piece is centred on 0,0 in a space of 40 units and faces north. It uses the classes ``rt-body`` (filled, outlined),
``rt-core`` (a line in the seat's accent colour), ``rt-down`` and ``rt-cross`` (out of play), ``rt-cast`` (its shadow on
the board), or classes from the rules of its `BoardStyle`. Rules may use the variables --rt-body, --rt-edge, --rt-accent
(the seat's), --rt-line (outlines on the board), --rt-ink, --rt-soft and --rt-mark. A step of two spaces gets an arrow,
or a thin arc if it leaves the line or goes from Center to Center. To draw neither, pass the two spaces as two steps.

Elements with a ``data-handle`` are selectable. The page marks them with classes: ``lit`` (a move can start here),
``target`` (it can continue here) and ``chosen`` (already selected). They differ in shape, not only in colour.

A page can show the board from Black's side: inside an element with the attribute ``data-turned`` the board is turned by
half a circle and the trays change places, while coordinates and pieces stay upright. A game whose pieces face a
direction turns them with the board by the rule ``".rt-space>g>g": "rotate:none"``; their parts of class ``rt-up`` still
stay upright. Inside an element with the attribute ``data-bare`` the board is shown without trays, because the page says
elsewhere what they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from math import atan2, cos, degrees, hypot, sin
from types import MappingProxyType
from typing import Final, NamedTuple

from realmtable.kit.picture_style import ACCENTS, SPACE, Accents, accent_variables, check_theme, page_accents, style
from realmtable.kit.realm_board.geometry import (
    CENTERS,
    FILES,
    REALM_SIDE,
    REALMS,
    SIDE,
    Cell,
    Direction,
    Realm,
    cell_name,
    direction_between,
    spaces_of,
)
from realmtable.kit.svg import Attributes, Element, PartedElement, document, element, parted_element, path

REALM: Final = 3 * SPACE
BOARD: Final = SIDE * SPACE  # also the width of a tray
TRAY: Final = 27  # the height of a tray
FRAME: Final = 14  # the width of the frame, which bears the coordinates

RING: Final = element(
    "g", element("circle", r=17.5), element("path", d=path("M", -3, 0, "h", 6, "m", -3, -3, "v", 6)), class_="rt-center"
)

LEFT: Final = FRAME
_TOP: Final = TRAY + 2 + FRAME
_WIDTH: Final = BOARD + 2 * LEFT
_HEIGHT: Final = BOARD + 2 * _TOP
TRAY_TOPS: Final = (_HEIGHT - TRAY, 0)  # seat 0 sits below the board, seat 1 above it


class PieceDrawing(NamedTuple):
    """A piece: its markup centred on 0,0, a description, the clockwise rotation in degrees, and a scale."""

    seat: int
    markup: Element
    words: str
    turn: float = 0
    size: float = 1


class Outline(NamedTuple):
    """A Realm outlined in a seat's accent colour: dashed for the origin of a move, solid for its target."""

    realm: Realm
    seat: int
    dashed: bool = False


class BoardStyle(NamedTuple):
    """The parts of the style that are specific to one game.

    `rules` maps each selector to its declarations; they apply only to this game's boards and override the common
    rules. `light` and `dark` declare extra CSS variables. `ground` is drawn on the fields, below the tint of held
    Realms and the lines, with 0,0 at the upper left of the board. A theme may fade it, but not the `signs` on it, which
    mean something in the rules. `center` is drawn in the middle of every Center, and `center_name` is
    what descriptions call it. `accents` are the seats' colours, on the board and in the page around it.
    """

    name: str
    rules: Mapping[str, str] = MappingProxyType({})
    light: str = ""
    dark: str = ""
    ground: tuple[Element, ...] = ()
    signs: tuple[Element, ...] = ()
    center: Element = RING
    center_name: str = "Center"
    accents: Accents = ACCENTS


class BoardEdge(NamedTuple):
    """A selectable side of the board, such as the one over which pieces leave; invisible until it is lit."""

    handle: str
    words: str
    seat: int  # on whose side


class BoardPicture(NamedTuple):
    """Everything to draw: pieces by space, the trays of both seats, holders of Realms, latest steps and outlines."""

    figures: Mapping[Cell, PieceDrawing]
    trays: tuple[Element, Element]
    holders: Mapping[Realm, int] = MappingProxyType({})
    steps: Sequence[Sequence[Cell]] = ()
    outlines: Sequence[Outline] = ()
    slides: bool = False  # whether moves from Center to Center pass the spaces between and get a straight arrow
    edges: Sequence[BoardEdge] = ()


def draw_board(
    board: BoardPicture, board_style: BoardStyle, *, title: str, description: str, theme: str = "auto"
) -> PartedElement:
    """Draw a complete SVG document; `theme` is one of `THEMES`.

    "auto" follows the system setting or, when the picture is inlined in a page, the nearest ``data-theme`` around it.
    """
    check_theme(theme)
    turned: Attributes = {"class_": "rt-turns", "transform": translate(LEFT, _TOP), "aria_hidden": True}
    return document(
        _WIDTH,
        _HEIGHT,
        {
            "frame": _frame(),
            "upper tray": board.trays[1],
            "ground": parted_element("g", "ground", _ground(board, board_style), turned),
            "grid": _grid(board.figures, board_style.center_name),
            "lower tray": board.trays[0],
            **{edge.handle: _edge(edge) for edge in board.edges},
        },
        title=title,
        description=description,
        style=_style(board_style),
        class_=f"rt-board rt-{board_style.name} rt-{theme}",
        role="group",
        data_turns=True,
    )


def _style(board_style: BoardStyle) -> str:
    name, rules, light, dark, *_, accents = board_style
    if accents == ACCENTS:  # as in palette.css
        return _TURNED + style(name, rules, light, dark)
    light, dark = (accent_variables(accents, theme) + own for theme, own in enumerate((light, dark)))
    return _TURNED + page_accents(accents) + style(name, rules, light, dark)


# For a board seen from the other side, and for one without trays; see above. A game's own rules outrank these.
_BESIDE_BOARD: Final = _TOP - FRAME
_TURNED: Final = (
    f":is([data-bare] .rt-board){{margin-block:{-100 * _BESIDE_BOARD / _WIDTH:.3f}%}}"
    ":where([data-bare]) .rt-board .rt-tray{display:none}"
    ":where([data-turned]) .rt-board :is(.rt-turns,.rt-coordinates text,.rt-space>g>g,.rt-up){rotate:180deg}"
)


def translate(across: float, down: float) -> str:
    """Return the transform that moves 0,0 to a point."""
    return f"translate({across:g} {down:g})"


def corner(cell: Cell) -> tuple[int, int]:
    """Return the upper left corner of a space in board coordinates."""
    return cell % SIDE * SPACE, (SIDE - 1 - cell // SIDE) * SPACE


def middle(cell: Cell) -> tuple[int, int]:
    """Return the middle of a space in board coordinates."""
    across, down = corner(cell)
    return across + SPACE // 2, down + SPACE // 2


def piece(figure: PieceDrawing, across: float, down: float, size: float = 1) -> Element:
    """Draw a piece in its seat's colours, centred on a point; `size` multiplies the piece's size."""
    turn = translate(across, down)
    if figure.size * size != 1:
        turn += f" scale({figure.size * size:g})"
    if figure.turn:
        turn += f" rotate({figure.turn:g})"
    return element("g", figure.markup, class_=f"rt-seat{figure.seat}", transform=turn)


# The ground


def _square(across: float, down: float, size: float, **attributes: str) -> Element:
    return element("rect", x=across, y=down, width=size, height=size, **attributes)


@cache
def _frame() -> Element:
    """Draw the paper, the frame with light on its upper and left edges, and the coordinates on it."""
    top, size = _TOP - FRAME, BOARD + 2 * FRAME
    names: list[Element] = []
    for index in range(SIDE):
        at = index * SPACE + SPACE / 2
        names += [element("text", FILES[index], x=LEFT + at, y=edge) for edge in (_TOP - 6.5, _HEIGHT - _TOP + 7)]
        names += [element("text", str(SIDE - index), x=edge, y=_TOP + at) for edge in (7, _WIDTH - 7)]
    return element(
        "g",
        element("rect", class_="rt-paper", width=_WIDTH, height=_HEIGHT, rx=8),
        element("rect", class_="rt-edge-band", y=top, width=size, height=size, rx=4),
        element(
            "path", class_="rt-gleam", d=path("M", 1, top + size - 4, "V", top + 4, "q", 0, -3, 3, -3, "H", size - 4)
        ),
        element("g", *names, class_="rt-coordinates rt-turns", aria_hidden=True),
    )


def _ground(board: BoardPicture, board_style: BoardStyle) -> dict[str, Element]:
    decor = element("g", *board_style.ground, class_="rt-decor") if board_style.ground else Element()
    return {
        "fields": _join(_field(realm, realm in board.holders) for realm in range(REALMS)),
        "decor": _join((decor, *board_style.signs)),
        "holders": _join(_tint(realm, seat) for realm, seat in sorted(board.holders.items())),
        "lines": _lines(board_style.center),
        "marks": _join(_marks(board)),
    }


def _join(elements: Iterable[Element]) -> Element:
    return Element("".join(elements))


@cache
def _field(realm: Realm, held: bool) -> Element:
    other = not held and (realm + realm // REALM_SIDE) % 2
    return _square(*_upper_left(realm), REALM, class_="rt-other" if other else "rt-field")


@cache
def _tint(realm: Realm, seat: int) -> Element:
    parts = [_square(0, 0, REALM, class_="rt-wash")]
    parts += [element("path", class_="rt-hatch", d=_HATCH)] if seat else []
    parts.append(_square(3.5, 3.5, REALM - 7, class_="rt-hold"))
    return element("g", *parts, transform=translate(*_upper_left(realm)), class_=f"rt-seat{seat}")


def _upper_left(realm: Realm) -> tuple[int, int]:
    return corner(spaces_of(realm)[6])


def _hatch_path() -> str:
    parts: list[str | float] = []
    for reach in range(12, 2 * REALM, 12):
        near, far = max(0, reach - REALM), min(reach, REALM)
        parts += ["M", near, far, "L", far, near]
    return path(*parts)


_HATCH: Final = _hatch_path()


@cache
def _lines(center: Element) -> Element:
    """Draw the lines and Centers; light and shade along the lines let every Realm look like a tile."""
    hair: list[str | float] = []
    rule: list[str | float] = []
    light: list[str | float] = []
    shade: list[str | float] = []
    for at in range(SPACE, BOARD, SPACE):
        (hair if at % REALM else rule).extend(("M", at, 0, "v", BOARD, "M", 0, at, "h", BOARD))
    for at in range(0, BOARD, REALM):
        light += ["M", at + 1.4, 0, "v", BOARD, "M", 0, at + 1.4, "h", BOARD]
        shade += ["M", at + REALM - 1.4, 0, "v", BOARD, "M", 0, at + REALM - 1.4, "h", BOARD]
    centers = [element("g", center, transform=translate(*middle(cell))) for cell in CENTERS]
    return _join([
        element("path", class_="rt-lines", d=path(*hair)),
        element("path", class_="rt-shine", d=path(*light)),
        element("path", class_="rt-dark-side", d=path(*shade)),
        element("path", class_="rt-rules", d=path(*rule)),
        _square(0, 0, BOARD, class_="rt-rules"),
        *centers,
    ])  # fmt: skip


# Marks of the latest turn


def _marks(board: BoardPicture) -> Iterable[Element]:
    yield from map(_outline, board.outlines)
    for step in board.steps:
        yield from map(_latest_mark, step)
        match step:
            case [source, target] if source != target:
                yield _arrow(source, target, board.slides)


def _outline(outline: Outline) -> Element:
    across, down = _upper_left(outline.realm)
    kinds = ("rt-under", "rt-origin" if outline.dashed else "rt-target")
    squares = [_square(across + 3.2, down + 3.2, REALM - 6.4, class_=f"rt-open {kind}") for kind in kinds]
    return element("g", *squares, class_=f"rt-seat{outline.seat}")


@cache
def _latest_mark(cell: Cell) -> Element:
    near, far, tick = 3, SPACE - 3, 8
    corners: list[str | float] = []
    for x, y in ((near, near), (far, near), (near, far), (far, far)):
        inward, downward = (tick if x == near else -tick), (tick if y == near else -tick)
        corners += ["M", x + inward, y, "h", -inward, "v", downward]
    return element("path", class_="rt-last", d=path(*corners), transform=translate(*corner(cell)))


def _arrow(source: Cell, target: Cell, slides: bool) -> Element:
    direction = direction_between(source, target)
    if direction is None or ({source, target} <= _CENTERS and not slides):
        return _arc_arrow(source, target)
    return _straight_arrow(source, target, direction)


_CENTERS: Final = frozenset(CENTERS)


def _straight_arrow(source: Cell, target: Cell, direction: Direction) -> Element:
    """An arrow drawn along x and rotated: from the middle of one space to the edge of the piece on the other."""
    length = max(abs(end - start) for start, end in zip(corner(source), corner(target), strict=True))
    line = path("M", 7, 0, "H", length - 19, "m", -7, -5, "l", 7, 5, "l", -7, 5)
    return _rotate_arrow("rt-trail", line, source, direction * 90 - 90)


def _arc_arrow(source: Cell, target: Cell) -> Element:
    """A thin arc drawn along x and rotated, for a piece that does not slide; both ends have the same slant."""
    (left, top), (right, bottom) = corner(source), corner(target)
    length = hypot(right - left, bottom - top)
    rise = min(length * 0.16, 28)
    slant = atan2(rise, length / 2)
    tip = length - 18 * cos(slant), -18 * sin(slant)
    barbs = [(tip[0] - 7 * cos(slant + side), tip[1] - 7 * sin(slant + side)) for side in (0.6, -0.6)]
    bow = ("M", 7 * cos(slant), -7 * sin(slant), "Q", length / 2, -rise, *tip)
    line = path(*bow, "M", *barbs[0], "L", *tip, "L", *barbs[1])
    return _rotate_arrow("rt-leap", line, source, degrees(atan2(bottom - top, right - left)))


def _rotate_arrow(words: str, line: str, source: Cell, turn: float) -> Element:
    transform = f"{translate(*middle(source))} rotate({turn:g})"
    return element("g", element("circle", r=4), element("path", d=line), class_=words, transform=transform)


# The spaces, with their pieces, labels and handles


def _grid(figures: Mapping[Cell, PieceDrawing], center_name: str) -> PartedElement:
    ranks = [range(rank * SIDE, rank * SIDE + SIDE) for rank in reversed(range(SIDE))]
    rows = {
        f"row {row[0] // SIDE + 1}": _row(row, tuple([figures.get(cell) for cell in row]), center_name) for row in ranks
    }
    own: Attributes = {
        "class_": "rt-turns",
        "role": "grid",
        "aria_label": "Board",
        "aria_rowcount": SIDE,
        "aria_colcount": SIDE,
    }
    return parted_element("g", "grid", rows, own)


@lru_cache(maxsize=4096)
def _row(cells: range, figures: Sequence[PieceDrawing | None], center_name: str) -> PartedElement:
    spaces = {
        cell_name(cell): _space(cell, figure, center_name if cell in _CENTERS else "")
        for cell, figure in zip(cells, figures, strict=True)
    }
    rank = cells[0] // SIDE
    shift = translate(LEFT, _TOP + (SIDE - 1 - rank) * SPACE)
    return parted_element("g", f"row {rank + 1}", spaces, {"role": "row", "transform": shift})


@lru_cache(maxsize=4096)
def _space(cell: Cell, figure: PieceDrawing | None, kind: str) -> Element:
    left = cell % SIDE * SPACE
    words = [cell_name(cell), kind, figure.words if figure else "vacant"]
    return element(
        "g",
        element("rect", x=left),
        piece(figure, left + SPACE / 2, SPACE / 2) if figure else "",
        element("circle", cx=left + SPACE // 2),
        class_="rt-space",
        role="gridcell",
        tabindex=-1,
        data_handle=cell_name(cell),
        aria_label=", ".join(filter(None, words)),
    )


@cache
def _edge(edge: BoardEdge) -> Element:
    """The area from the board to the end of a seat's tray is selectable; only the frame is visible."""
    top, up = (0, 1) if edge.seat else (_HEIGHT - _TOP, -1)
    strip = _TOP - FRAME if edge.seat else _HEIGHT - _TOP
    arrows: list[str | float] = []
    for across in range(REALM, BOARD, REALM):
        arrows += ["M", LEFT + across - 7, strip + FRAME / 2 + 3 * up, "l", 7, -6 * up, "l", 7, 6 * up]
    return element(
        "g",
        element("rect", x=LEFT, y=top, width=BOARD, height=_TOP),
        element("path", class_="rt-strip", d=path("M", LEFT, strip, "h", BOARD, "v", FRAME, "h", -BOARD, "z")),
        element("path", class_="rt-out", d=path(*arrows)),
        class_="rt-edge rt-turns",
        role="button",
        tabindex=-1,
        data_handle=edge.handle,
        aria_label=edge.words,
    )
