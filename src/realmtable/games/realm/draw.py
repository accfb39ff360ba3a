"""The board of Realm as a picture (SVG), as lines for a terminal and in words, all from the view alone.

What a piece is, whose it is and which way it faces is told by its shape and outline; colour only repeats it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from realmtable.kit.realm_board import (
    CENTERS,
    FACINGS,
    FILES,
    REALM_SIDE,
    REALMS,
    SIDE,
    cell_at,
    cell_name,
    cell_named,
    direction_between,
    realm_of,
    spaces_of,
)
from realmtable.kit.sketch import Sketch, Span, beside
from realmtable.kit.svg import Element, document, element, path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from realmtable.kit.realm_board import Cell, Direction, Realm

    View = Mapping[str, Any]
    Shape = tuple[str | float, ...]


class _Figure(NamedTuple):
    """A piece as it is drawn: kind "fallen" is an immobile Enforcer; only a mobile one on the board has a facing."""

    seat: int
    kind: str
    facing: str = ""


SEATS: Final = ("White", "Black")
THEMES: Final = ("auto", "light", "dark")

_SPACE: Final = 40
_REALM: Final = 3 * _SPACE
_BOARD: Final = SIDE * _SPACE
_LEFT: Final = 28
_TOP: Final = 94
_TRAY: Final = 58
_WIDTH: Final = _BOARD + 2 * _LEFT
_HEIGHT: Final = _BOARD + 2 * _TOP
_TRAY_TOPS: Final = (_HEIGHT - 12 - _TRAY, 12)  # White sits below the board, Black above it

_DOING: Final = {
    "choose": "chooses who begins",
    "bases": "places a Base",
    "powers": "places a Power",
    "turn": "to move",
    "create": "creates an Enforcer",
    "immobilise": "immobilises an Enforcer",
    "rearrange": "puts back",
}
_COMPASS: Final = {"N": "north", "E": "east", "S": "south", "W": "west"}

_LIGHT: Final = (
    "--rt-paper:#f5efe2;--rt-rim:#d8ccb2;--rt-field:#fbf7ed;--rt-other:#f1e9d8;--rt-hair:#cdbf9f;--rt-rule:#5d5140;"
    "--rt-ink:#2c261d;--rt-soft:#6b5f4c;--rt-amber:#cf8a10;--rt-teal:#12788c;--rt-wash:.17;--rt-mark:#b3311f;"
    "--rt-ivory:#fffcf3;--rt-ivory-edge:#2c261d;--rt-black:#1d222b;--rt-black-edge:#fdf9ef;"
    "--rt-ivory-down:#ddd5c3;--rt-black-down:#666b75"
)
_DARK: Final = (
    "--rt-paper:#191b20;--rt-rim:#33363e;--rt-field:#262a31;--rt-other:#2d3139;--rt-hair:#434853;--rt-rule:#a1977f;"
    "--rt-ink:#efe8d8;--rt-soft:#b3ab9a;--rt-amber:#e0a23a;--rt-teal:#45b3c8;--rt-wash:.17;--rt-mark:#ff8468;"
    "--rt-ivory:#f5eddb;--rt-ivory-edge:#14120e;--rt-black:#0b0d11;--rt-black-edge:#d9d2c2;"
    "--rt-ivory-down:#aea797;--rt-black-down:#31353d"
)
# The same for every board and theme: several boards inlined in one page share it without harm.
_STYLE: Final = (
    f".rt-realm{{{_LIGHT};display:block;margin:auto;max-width:90rem;max-height:100vh;forced-color-adjust:none;"
    "font-family:'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua','Noto Serif','DejaVu Serif',serif;"
    "font-variant-numeric:lining-nums}"
    f"@media(prefers-color-scheme:dark){{.rt-realm.rt-auto{{{_DARK}}}}}"
    f"[data-theme=light] .rt-realm.rt-auto{{{_LIGHT}}}"
    f".rt-realm.rt-dark,[data-theme=dark] .rt-realm.rt-auto{{{_DARK}}}"
    ".rt-realm text{fill:var(--rt-ink);font-size:15px}"
    ".rt-realm .rt-paper{fill:var(--rt-paper);stroke:var(--rt-rim)}"
    ".rt-realm .rt-field{fill:var(--rt-field)}.rt-realm .rt-other{fill:var(--rt-other)}"
    ".rt-realm .rt-lines{fill:none;stroke:var(--rt-hair);stroke-width:.8}"
    ".rt-realm .rt-rules{fill:none;stroke:var(--rt-rule);stroke-width:1.8}"
    ".rt-realm .rt-frame{fill:none;stroke:var(--rt-rule);stroke-width:.8}"
    ".rt-realm .rt-coordinates text{fill:var(--rt-soft);text-anchor:middle;dominant-baseline:central}"
    ".rt-realm .rt-seat0{--rt-accent:var(--rt-amber);--rt-body:var(--rt-ivory);--rt-edge:var(--rt-ivory-edge);"
    "--rt-down:var(--rt-ivory-down)}"
    ".rt-realm .rt-seat1{--rt-accent:var(--rt-teal);--rt-body:var(--rt-black);--rt-edge:var(--rt-black-edge);"
    "--rt-down:var(--rt-black-down)}"
    ".rt-realm .rt-wash{fill:var(--rt-accent);fill-opacity:var(--rt-wash)}"
    ".rt-realm .rt-hold{fill:none;stroke:var(--rt-accent);stroke-width:1.4}"
    ".rt-realm .rt-hatch{fill:none;stroke:var(--rt-accent);stroke-width:.8;stroke-opacity:.42}"
    ".rt-realm .rt-space rect{fill:none;pointer-events:all}"
    ".rt-realm .rt-space:focus{outline:none}"
    ".rt-realm .rt-space:focus-visible rect{stroke:var(--rt-mark);stroke-width:3}"
    ".rt-realm .rt-center{fill:var(--rt-field);stroke:var(--rt-rule);stroke-width:1.1}"
    ".rt-realm .rt-body{fill:var(--rt-body);stroke:var(--rt-edge);stroke-width:1.5;stroke-linejoin:round}"
    ".rt-realm .rt-core{fill:none;stroke:var(--rt-accent);stroke-width:1.7;stroke-linejoin:round}"
    ".rt-realm .rt-down{fill:var(--rt-down);stroke:var(--rt-ink);stroke-width:1.2;stroke-linejoin:round;"
    "stroke-dasharray:3.5 2}"
    ".rt-realm .rt-cross{fill:none;stroke:var(--rt-edge);stroke-width:2.8;stroke-linecap:round}"
    ".rt-realm .rt-tiny{fill:var(--rt-body);stroke:var(--rt-edge);stroke-linejoin:round}"
    ".rt-realm .rt-none{opacity:.35}"
    ".rt-realm .rt-last{fill:none;stroke:var(--rt-mark);stroke-width:2.2}"
    ".rt-realm .rt-trail{fill:none;stroke:var(--rt-mark);stroke-width:2;stroke-opacity:.75;stroke-linecap:round}"
    ".rt-realm .rt-open{fill:none;stroke:var(--rt-accent);stroke-width:3.6}"
    ".rt-realm .rt-under{stroke:var(--rt-field);stroke-width:4.6}.rt-realm .rt-origin{stroke-dasharray:9.5 6}"
    ".rt-realm .rt-turn{fill:var(--rt-accent)}"
    ".rt-realm .rt-name{font-size:17px;font-weight:700}"
    ".rt-realm .rt-words{font-style:italic}"
    ".rt-realm .rt-small{fill:var(--rt-soft);font-size:14px}"
    ".rt-realm .rt-end{text-anchor:end}"
    ".rt-realm .rt-next{fill:none;stroke:var(--rt-mark);stroke-width:2.5}"
)


def draw(view: View, theme: str = "auto") -> str:
    """The picture as a complete SVG document; `theme` is one of `THEMES`.

    "auto" follows the reader's system, and the nearest ``data-theme`` around it when it is inlined in a page.
    """
    if theme not in THEMES:
        raise ValueError(f"Unknown theme {theme!r}: take one of {', '.join(THEMES)}.")
    placed = _by_cell(view)
    return document(
        _WIDTH,
        _HEIGHT,
        element("rect", class_="rt-paper", x=0.5, y=0.5, width=_WIDTH - 1, height=_HEIGHT - 1, rx=9),
        _tray(view, 1),
        _coordinates(),
        element("g", *_ground(placed), *_marks(view), transform=_moved(_LEFT, _TOP), aria_hidden=True),
        _grid(placed),
        _tray(view, 0),
        title="Realm: " + headline(view),
        description=describe(view),
        style=_STYLE,
        class_=f"rt-realm rt-{theme}",
        role="group",
    )


def headline(view: View) -> str:
    """Who is to do what, or how the game ended, in a few words."""
    outcome = view.get("outcome")
    if outcome is None:
        return "; ".join(f"{SEATS[seat]} {', '.join(_doing(view))}" for seat in view["to_move"])
    scores, winner = outcome["scores"], outcome["winner"]
    reason = str(outcome["reason"]).replace("_", " ")
    if winner is None:
        return f"drawn {scores[0]} to {scores[1]}, {reason}"
    return f"{SEATS[winner]} won {scores[winner]} to {scores[1 - winner]}, {reason}"


def describe(view: View) -> str:
    """What is on the board, as one sentence for those who do not see it."""
    parts = [f"turn {view['turn']['number']}", headline(view)]
    parts += [_describe_seat(view, seat) for seat in range(len(SEATS))]
    paths = [" to ".join(map(cell_name, step)) for step in _steps(view)]
    parts += ["last step " + ", ".join(paths)] if paths else []
    sentence = "; ".join(parts)
    return sentence[0].upper() + sentence[1:] + "."


def sketch(view: View) -> Sketch:
    """The board for a terminal: White's pieces are hollow, Black's are filled, the latest step stands in brackets."""
    return beside(_sketch_board(view), _sketch_panel(view))


# Words


def _status(view: View, seat: int) -> list[str]:
    """What a seat is doing or how it fared: the words beside its name."""
    if (outcome := view.get("outcome")) is not None:
        fared = "drew" if outcome["winner"] is None else "won" if outcome["winner"] == seat else "lost"
        return [fared] if fared == "lost" else [fared, str(outcome["reason"]).replace("_", " ")]
    return _doing(view) if seat in view["to_move"] else []


def _doing(view: View) -> list[str]:
    words = [_DOING.get(view["phase"], str(view["phase"]))]
    plays = view.get("open") or {}
    ways = [f"{way} {plays[key]}" for key, way in (("origin", "from"), ("target", "into")) if plays.get(key)]
    return [*words, " or ".join(ways)] if ways and view["phase"] == "turn" else words


def _describe_seat(view: View, seat: int) -> str:
    own = [piece for piece in view["pieces"] if piece["seat"] == seat]
    powers, enforcers = (sum(piece["kind"] == kind for piece in own) for kind in ("power", "enforcer"))
    still = sum(piece["kind"] == "enforcer" and not piece["mobile"] for piece in own)
    return (
        f"{SEATS[seat]} controls {_count(view['realms'][seat], 'Realm')}"
        f" and has {_count(powers, 'Power')} and {_count(enforcers, 'Enforcer')} ({still} immobile) on the board"
    )


def _count(how_many: int, what: str) -> str:
    return f"{how_many} {what}" if how_many == 1 else f"{how_many} {what}s"


def _label(cell: Cell, figure: _Figure | None) -> str:
    words = [cell_name(cell)] + ["Center"] * (cell in CENTERS)
    return ", ".join([*words, _figure_words(figure) if figure else "vacant"])


def _figure_words(figure: _Figure) -> str:
    if figure.kind == "fallen":
        return f"{SEATS[figure.seat]} Enforcer, immobile"
    words = f"{SEATS[figure.seat]} {figure.kind.capitalize()}"
    return f"{words} facing {_COMPASS[figure.facing]}" if figure.facing else words


# What the view says, by space and by Realm


def _figure(piece: Mapping[str, Any]) -> _Figure:
    if piece["kind"] != "enforcer":
        return _Figure(piece["seat"], piece["kind"])
    return (
        _Figure(piece["seat"], "enforcer", piece["facing"] or "")
        if piece["mobile"]
        else _Figure(piece["seat"], "fallen")
    )


def _by_cell(view: View) -> dict[Cell, _Figure]:
    placed = {cell_named(piece["at"]): _figure(piece) for piece in view["pieces"]}
    return {cell: figure for cell, figure in placed.items() if cell is not None}


def _holders(placed: Mapping[Cell, _Figure]) -> dict[Realm, int]:
    """Who controls each Realm that anybody controls (R5)."""
    return {realm_of(cell): placed[cell].seat for cell in CENTERS if cell in placed and placed[cell].kind == "base"}


def _steps(view: View) -> list[list[Cell]]:
    """The latest steps as paths of spaces; handles that are no spaces are left out."""
    paths = ([cell_named(handle) for handle in step] for step in view.get("last") or ())
    return [spaces for step in paths if (spaces := [cell for cell in step if cell is not None])]


# The picture


def _moved(across: float, down: float) -> str:
    return f"translate({across:g} {down:g})"


def _corner(cell: Cell) -> tuple[int, int]:
    """The upper left corner of a space, on the board."""
    return cell % SIDE * _SPACE, (SIDE - 1 - cell // SIDE) * _SPACE


def _square(across: float, down: float, size: float, **attributes: str) -> Element:
    return element("rect", x=across, y=down, width=size, height=size, **attributes)


@cache
def _coordinates() -> Element:
    names: list[Element] = []
    for index in range(SIDE):
        middle = index * _SPACE + _SPACE / 2
        names += [element("text", FILES[index], x=_LEFT + middle, y=edge) for edge in (_TOP - 14, _HEIGHT - _TOP + 14)]
        names += [element("text", str(SIDE - index), x=edge, y=_TOP + middle) for edge in (12, _WIDTH - 12)]
    return element("g", *names, class_="rt-coordinates", aria_hidden=True)


def _ground(placed: Mapping[Cell, _Figure]) -> list[Element]:
    holders = _holders(placed)
    return [*(_field(realm, holders.get(realm)) for realm in range(REALMS)), *_lines()]


@cache
def _lines() -> tuple[Element, ...]:
    hair: list[str | float] = []
    rule: list[str | float] = []
    for at in range(_SPACE, _BOARD, _SPACE):
        (hair if at % _REALM else rule).extend(("M", at, 0, "v", _BOARD, "M", 0, at, "h", _BOARD))
    return (
        element("path", class_="rt-lines", d=path(*hair)),
        element("path", class_="rt-rules", d=path(*rule)),
        _square(0, 0, _BOARD, class_="rt-rules"),
        _square(-3.5, -3.5, _BOARD + 7, class_="rt-frame"),
        *map(_ring, CENTERS),
    )


@cache
def _field(realm: Realm, holder: int | None) -> Element:
    across, down = _corner(spaces_of(realm)[6])
    other = holder is None and (realm + realm // REALM_SIDE) % 2
    parts = [_square(0, 0, _REALM, class_="rt-other" if other else "rt-field")]
    if holder is not None:
        parts.append(_square(0, 0, _REALM, class_="rt-wash"))
        parts += [element("path", class_="rt-hatch", d=_HATCH)] if holder else []
        parts.append(_square(3.5, 3.5, _REALM - 7, class_="rt-hold"))
    return element("g", *parts, transform=_moved(across, down), class_=None if holder is None else f"rt-seat{holder}")


def _ring(cell: Cell) -> Element:
    across, down = (edge + _SPACE / 2 for edge in _corner(cell))
    pin = path("M", across - 3, down, "h", 6, "m", -3, -3, "v", 6)
    disc = element("circle", cx=across, cy=down, r=17.5)
    return element("g", disc, element("path", d=pin), class_="rt-center")


def _hatching() -> str:
    parts: list[str | float] = []
    for reach in range(12, 2 * _REALM, 12):
        near, far = max(0, reach - _REALM), min(reach, _REALM)
        parts += ["M", near, far, "L", far, near]
    return path(*parts)


_HATCH: Final = _hatching()


def _marks(view: View) -> Iterable[Element]:
    plays = view.get("open") or {}
    seat = view["turn"]["seat"]
    for key, kind in (("origin", "rt-origin"), ("target", "rt-target")):
        if (center := cell_named(plays.get(key) or "")) is not None:
            across, down = _corner(spaces_of(realm_of(center))[6])
            outlines = [
                _square(across + 3.2, down + 3.2, _REALM - 6.4, class_=f"rt-open {word}") for word in ("rt-under", kind)
            ]
            yield element("g", *outlines, class_=f"rt-seat{seat}")
    for step in _steps(view):
        yield from (_last(cell) for cell in step)
        match step:
            case [source, target] if (direction := direction_between(source, target)) is not None:
                yield _trail(source, target, direction)


def _last(cell: Cell) -> Element:
    across, down = _corner(cell)
    near, far, tick = 3, _SPACE - 3, 8
    corners: list[str | float] = []
    for x, y in ((near, near), (far, near), (near, far), (far, far)):
        inward, downward = (tick if x == near else -tick), (tick if y == near else -tick)
        corners += ["M", x + inward, y, "h", -inward, "v", downward]
    return element("path", class_="rt-last", d=path(*corners), transform=_moved(across, down))


def _trail(source: Cell, target: Cell, direction: Direction) -> Element:
    """An arrow drawn along x and turned: from the middle of one space to the edge of the other's piece."""
    length = max(abs(end - start) for start, end in zip(_corner(source), _corner(target), strict=True))
    tip = length - 19
    across, down = _corner(source)
    turn = f"{_moved(across + _SPACE / 2, down + _SPACE / 2)} rotate({direction * 90 - 90})"
    line = path("M", 7, 0, "H", tip, "m", -7, -5, "l", 7, 5, "l", -7, 5)
    return element("g", element("circle", r=4), element("path", d=line), class_="rt-trail", transform=turn)


def _grid(placed: Mapping[Cell, _Figure]) -> Element:
    rows = []
    for rank in reversed(range(SIDE)):
        spaces = [_space(cell, placed.get(cell)) for cell in range(rank * SIDE, rank * SIDE + SIDE)]
        shift = _moved(_LEFT, _TOP + (SIDE - 1 - rank) * _SPACE)
        rows.append(element("g", *spaces, role="row", transform=shift))
    return element("g", *rows, role="grid", aria_label="Board", aria_rowcount=SIDE, aria_colcount=SIDE)


@lru_cache(maxsize=4096)
def _space(cell: Cell, figure: _Figure | None) -> Element:
    left = cell % SIDE * _SPACE
    middle = _SPACE / 2
    return element(
        "g",
        element("rect", x=left, width=_SPACE, height=_SPACE),
        _piece(figure, left + middle, middle) if figure else "",
        class_="rt-space",
        role="gridcell",
        tabindex=-1,
        data_handle=cell_name(cell),
        aria_label=_label(cell, figure),
    )


def _piece(figure: _Figure, across: float, down: float, size: float = 1) -> Element:
    turn = _moved(across, down)
    if size != 1:
        turn += f" scale({size:g})"
    if figure.facing not in ("", "N"):
        turn += f" rotate({FACINGS.index(figure.facing) * 90})"
    return element("g", *_SHAPES[figure.kind], class_=f"rt-seat{figure.seat}", transform=turn)


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


# The trays


def _tray(view: View, seat: int) -> Element:
    stock = view["stock"][seat]
    name = element("tspan", SEATS[seat], class_="rt-name")
    words = element("tspan", " · ".join(_status(view, seat)), class_="rt-words", dx=9)
    return element(
        "g",
        *(_band() if _active(view, seat) else ()),
        _piece(_Figure(seat, "power"), 20, 19, 0.62),
        element("text", name, words, x=35, y=24),
        element("text", _count(view["realms"][seat], "Realm"), class_="rt-end", x=_BOARD - 12, y=24),
        *_lifted(view, seat),
        *_row(stock["bases"], _TINY_BASE, 12, 12),
        *_row(stock["enforcers"], _TINY_ENFORCER, 208, 10.5),
        *_captured(stock["captured"], 1 - seat),
        class_=f"rt-seat{seat}",
        transform=_moved(_LEFT, _TRAY_TOPS[seat]),
        role="img",
        aria_label=_tray_words(view, seat),
    )


_TINY_BASE: Final = ("m", -5, -5, "h", 10, "v", 10, "h", -10, "z")
_TINY_ENFORCER: Final = ("m", 0, -6.5, "l", 4.2, 12, "h", -8.4, "z")


def _tray_words(view: View, seat: int) -> str:
    stock = view["stock"][seat]
    words = [
        ", ".join([SEATS[seat], *_status(view, seat)]),
        _count(view["realms"][seat], "Realm"),
        f"{_count(stock['bases'], 'Base')} and {_count(stock['enforcers'], 'Enforcer')} uncreated",
        f"{_count(stock['captured'], 'Base')} captured",
    ]
    if in_hand := _in_hand(view, seat):
        words.append("in hand " + ", ".join(map(_figure_words, in_hand)))
    return "; ".join(words)


def _active(view: View, seat: int) -> bool:
    outcome = view.get("outcome")
    return seat in view["to_move"] if outcome is None else outcome["winner"] == seat


def _band() -> list[Element]:
    return [
        element("rect", class_="rt-wash", width=_BOARD, height=_TRAY, rx=5),
        element("rect", class_="rt-turn", width=5, height=_TRAY, rx=2.5),
    ]


def _in_hand(view: View, seat: int) -> list[_Figure]:
    """The lifted pieces lie in the tray of whose turn it is, the next to be put first."""
    return [_figure(piece) for piece in view.get("lifted") or () if view["turn"]["seat"] == seat]


def _lifted(view: View, seat: int) -> Iterable[Element]:
    in_hand = _in_hand(view, seat)
    for index, figure in enumerate(in_hand):
        across = 384 - 23 * (len(in_hand) - 1 - index)
        if index == 0:
            yield element("circle", class_="rt-next", cx=across, cy=18, r=12)
        yield _piece(figure, across, 18, 0.62)


def _row(how_many: int, shape: Shape, left: float, step: float) -> list[Element]:
    """How many are left, in figures and as little pieces; a shadow of one stands for none."""
    words = element("text", str(how_many), x=left, y=48)
    pieces = _tiny(shape, left + 28, step, how_many or 1, "rt-tiny" if how_many else "rt-tiny rt-none")
    return [words, pieces]


def _captured(how_many: int, seat: int) -> list[Element]:
    if not how_many:
        return []
    step = min(12, 42 / how_many)
    left = _BOARD - 17 - step * (how_many - 1)
    words = element("text", f"captured {how_many}", class_="rt-end rt-small", x=left - 11, y=48)
    return [words, element("g", _tiny(_TINY_BASE, left, step, how_many, "rt-tiny"), class_=f"rt-seat{seat}")]


def _tiny(shape: Shape, left: float, step: float, how_many: int, words: str) -> Element:
    parts: list[str | float] = []
    for index in range(how_many):
        parts += ["M", left + step * index, 43, *shape]
    return element("path", class_=words, d=path(*parts))


# The terminal

_SIGNS: Final = (
    {"power": "○", "base": "□", "enforcer": "△", "N": "△", "E": "▷", "S": "▽", "W": "◁", "fallen": "×"},
    {"power": "●", "base": "■", "enforcer": "▲", "N": "▲", "E": "►", "S": "▼", "W": "◄", "fallen": "✖"},
)


def _sign(figure: _Figure) -> str:
    return _SIGNS[figure.seat][figure.facing or figure.kind]


def _sketch_board(view: View) -> Sketch:
    placed = _by_cell(view)
    holders = _holders(placed)
    last = {cell for step in _steps(view) for cell in step}
    names = [Span("   " + " ".join(f" {a}  {b}  {c} " for a, b, c in zip(*[iter(FILES)] * 3, strict=True)), "label")]
    lines = [names, _sketch_rule("┌", "┬", "┐")]
    for rank in reversed(range(SIDE)):
        line = [Span(f"{rank + 1:>2}", "label"), Span("│", "line")]
        for file in range(SIDE):
            cell = cell_at(file, rank)
            line += _sketch_space(cell, placed.get(cell), holders.get(realm_of(cell)), cell in last)
            line += [Span("│", "line")] if (file + 1) % 3 == 0 else []
        lines += [[*line, Span(f"{rank + 1:<2}", "label")]]
        lines += [_sketch_rule("├", "┼", "┤")] if rank % 3 == 0 and rank else []
    return [*lines, _sketch_rule("└", "┴", "┘"), names]


def _sketch_rule(left: str, cross: str, right: str) -> list[Span]:
    return [Span("  "), Span(left + cross.join(["─" * 9] * REALM_SIDE) + right, "line")]


def _sketch_space(cell: Cell, figure: _Figure | None, holder: int | None, last: bool) -> list[Span]:
    realm = realm_of(cell)
    ground = ("light", "dark")[(realm + realm // REALM_SIDE) % 2] if holder is None else f"held{holder}"
    center = cell in CENTERS
    left, right = "[]" if last else "()" if center else "  "
    around = f"{ground} last" if last else f"{ground} center" if center else ground
    sign = Span(_sign(figure), f"{ground} seat{figure.seat}") if figure else Span(" " if center else "·", ground)
    return [Span(left, around), sign, Span(right, around)]


def _sketch_panel(view: View) -> Sketch:
    turn = [Span(f"Turn {view['turn']['number']}", "title")]
    legend = ("○● Power      □■ Base", "△▲ Enforcer   ×✖ immobile", "() Center     [] latest step")
    notes = [[Span(words, "label")] for words in legend]
    return [turn, [], *_sketch_seat(view, 1), [], *_sketch_seat(view, 0), [], *notes]


def _sketch_seat(view: View, seat: int) -> Sketch:
    stock, signs = view["stock"][seat], _SIGNS[seat]
    title = f"{signs['power']} {SEATS[seat]}, {_count(view['realms'][seat], 'Realm')}"
    lines = [
        [Span(title, "active" if _active(view, seat) else "title")],
        *[[Span("  " + words)] for words in _status(view, seat)],
        [Span(f"  uncreated {signs['base']} {stock['bases']}  {signs['N']} {stock['enforcers']}")],
        [Span(f"  captured  {_SIGNS[1 - seat]['base']} {stock['captured']}")],
    ]
    if in_hand := _in_hand(view, seat):
        lines.append([Span("  in hand   " + " ".join(map(_sign, in_hand)))])
    return lines
