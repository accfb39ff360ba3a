"""One label beside each clearing, with everything that lies and stands there in a row, and where it finds space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from realmtable.games.magic_realm.catalog.tiles import Point
from realmtable.games.magic_realm.picture.counters import (
    Contents,
    DrawnDenizens,
    TraySize,
    draw_dwelling,
    draw_ghost,
    draw_pile,
    draw_rest,
    draw_slip,
    draw_token,
    half_of,
    slip_width,
)
from realmtable.games.magic_realm.picture.geometry import translate
from realmtable.games.magic_realm.picture.map_ground import PlacedTile, centre_of, map_box, plan_of
from realmtable.games.magic_realm.picture.tile import CHIT_HEIGHT, NAME_FONT
from realmtable.kit.svg import Element, element
from realmtable.kit.text_metrics import text_width

Boxes = npt.NDArray[np.float64]  # (number of boxes, 4): left, top, right, bottom

ROW: Final = 27  # the height of a row of counters
SLIP_ROW: Final = 15  # of a row with chits alone
MAX_WIDTH: Final = 112  # what is wider goes to further rows
MAX_TOKENS: Final = 4  # more groups are a number
_GAP: Final = 2
_PADDING: Final = 3
_HERO: Final = 23
_DWELLING: Final = 27
_FEET: Final = {"dwelling": 11, "pile": 5}  # how far below the middle of a row things are drawn from
_PILE: Final = 17
_BESIDE: Final = 16  # from the middle of a clearing to the edge of its label
_CORNER: Final = 10
_CLEARING: Final = 14  # half the side of what stays free of other labels
_COVERED: Final = 8.0  # the cost of covering a clearing or another label
_CROSSED: Final = 6.0  # and a name or a chit
_OUTSIDE: Final = 20.0
# Where a label may be, the best first: the direction from its clearing.
_SIDES: Final = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
_WORSE: Final = 12.0  # what each further side costs


class Part(NamedTuple):
    """A thing in a label."""

    kind: str  # "dwelling", "hero", "ghost", "group", "coming", "rest", "pile" or "slip"
    number: int  # among those of its kind
    at: Point  # from the middle of the label


class Layout(NamedTuple):
    """The size of a label, and where everything is in it."""

    wide: float
    high: float
    parts: tuple[Part, ...]

    @property
    def is_bare(self) -> bool:
        """Whether there are only chits, which have an edge of their own, or a dwelling, which is part of the land."""
        kinds = {part.kind for part in self.parts}
        return kinds in ({"slip"}, {"dwelling"})


@lru_cache(maxsize=2048)
def lay_out(contents: Contents) -> Layout:
    """Arrange what is in a clearing in rows."""
    rows: list[list[tuple[str, int, float]]] = [[]]
    for kind, index, wide in _list_widths(contents):
        if rows[-1] and _measure_row(rows[-1]) + _GAP + wide > MAX_WIDTH:
            rows.append([])
        rows[-1].append((kind, index, wide))
    heights = [SLIP_ROW if all(kind == "slip" for kind, _, _ in row) else ROW for row in rows]
    wide, high = max(map(_measure_row, rows)) + 2 * _PADDING, float(sum(heights))
    parts, down = [], -high / 2
    for row, height in zip(rows, heights, strict=True):
        left = -_measure_row(row) / 2
        for kind, index, width in row:
            foot = down + height / 2 + _FEET.get(kind, 0)
            parts.append(Part(kind, index, (round(left + width / 2), round(foot))))
            left += width + _GAP
        down += height
    return Layout(wide, high, tuple(parts))


def _measure_row(row: Sequence[tuple[str, int, float]]) -> float:
    return sum(wide for _, _, wide in row) + _GAP * max(0, len(row) - 1)


def _list_widths(contents: Contents) -> Iterator[tuple[str, int, float]]:
    if contents.dwelling:
        yield "dwelling", 0, _DWELLING
    yield from (("hero", index, _HERO) for index in range(len(contents.heroes)))
    if contents.ghost is not None:
        yield "ghost", 0, _HERO
    count = len(contents.groups)
    shown = count if count <= MAX_TOKENS else MAX_TOKENS - 1
    yield from (("group", index, _measure_group(contents.groups[index])) for index in range(shown))
    if shown < count:
        yield "rest", shown, 20
    yield from (("coming", index, _measure_group(group)) for index, group in enumerate(contents.coming[:MAX_TOKENS]))
    if contents.pile:
        yield "pile", 0, _PILE
    yield from (("slip", index, slip_width(slip) + 6) for index, slip in enumerate(contents.slips))


def _measure_group(group: DrawnDenizens) -> float:
    """Return how wide a token is, with the badge on its left if there are several."""
    return 2 * half_of(group) + (8 if group.number > 1 else 3)


def draw_label(contents: Contents, at: Point, flags: Mapping[int, str]) -> list[Element]:
    """Draw a label with its middle at a point, without heroes; `flags` has the characters of employers by seat."""
    layout = lay_out(contents)
    drawn = [] if layout.is_bare else [_draw_plate(layout, at)]
    return drawn + [
        element("g", *_draw_part(contents, part, flags), transform=translate(_move(part.at, at)))
        for part in layout.parts
        if part.kind != "hero"
    ]


def _draw_plate(layout: Layout, at: Point) -> Element:
    left, top = round(at[0] - layout.wide / 2), round(at[1] - layout.high / 2)
    return element("rect", class_="mr-slip", x=left, y=top, width=round(layout.wide), height=round(layout.high), rx=7)


def _move(point: Point, by: Point) -> Point:
    return point[0] + by[0], point[1] + by[1]


def _draw_part(contents: Contents, part: Part, flags: Mapping[int, str]) -> list[Element]:
    match part.kind:
        case "dwelling":
            return draw_dwelling(contents.dwelling)
        case "ghost" if contents.ghost is not None:
            return draw_ghost(contents.ghost)
        case "group":
            return draw_token(contents.groups[part.number], flags)
        case "coming":
            return [element("g", *draw_token(contents.coming[part.number], flags), class_="mr-coming")]
        case "rest":
            return draw_rest(sum(group.number for group in contents.groups[part.number :]))
        case "pile":
            return draw_pile(contents.pile)
    return draw_slip(contents.slips[part.number])


def find_heroes(contents: Contents, at: Point) -> list[Point]:
    """Return where the heroes of a clearing stand whose label has its middle at a point."""
    spots = [part.at for part in lay_out(contents).parts if part.kind == "hero"]
    return [_move(spot, at) for spot in spots]


# ---- where labels find space


class Wish(NamedTuple):
    """A label that needs a place: the clearing, and how large it is."""

    name: str
    clearing: Point
    wide: float
    high: float


@lru_cache(maxsize=64)
def place_labels(
    tiles: tuple[PlacedTile, ...], trays: tuple[tuple[str, TraySize], ...], wishes: tuple[Wish, ...]
) -> Mapping[str, Point]:
    """Return the middle of each label from its clearing; `trays` has the sizes of the chits of tiles by their codes."""
    boxes, weights = _list_obstacles(tiles, trays)
    boxes, weights = np.vstack([boxes, np.zeros((len(wishes), 4))]), np.append(weights, np.zeros(len(wishes)))
    whole = map_box(tiles)
    edges = np.array([whole.left, whole.top, whole.left + whole.wide, whole.top + whole.high])
    found: dict[str, Point] = {}
    for number, wish in enumerate(wishes, len(boxes) - len(wishes)):
        spots = _list_spots(wish)
        half = np.array([wish.wide / 2, wish.high / 2])
        middles = spots + np.array(wish.clearing)
        choices: Boxes = np.hstack([middles - half, middles + half])
        costs = _cover(choices, boxes) @ weights + _WORSE * np.arange(len(_SIDES))
        costs += _OUTSIDE * (wish.wide * wish.high - _cover(choices, edges[None])[:, 0])
        best = int(costs.argmin())
        boxes[number], weights[number] = choices[best], _COVERED
        found[wish.name] = round(spots[best][0]), round(spots[best][1])
    return found


def _list_spots(wish: Wish) -> npt.NDArray[np.float64]:
    """Return the middles of a label on each side of its clearing."""
    sides = np.array(_SIDES, np.float64)
    reach = np.where(np.abs(sides).sum(axis=1, keepdims=True) > 1, _CORNER, _BESIDE)
    spots: npt.NDArray[np.float64] = sides * (reach + np.array([wish.wide / 2, wish.high / 2]))
    return spots


def _cover(choices: Boxes, boxes: Boxes) -> npt.NDArray[np.float64]:
    """Return how much each choice covers of each box."""
    across = np.minimum(choices[:, None, 2], boxes[:, 2]) - np.maximum(choices[:, None, 0], boxes[:, 0])
    down = np.minimum(choices[:, None, 3], boxes[:, 3]) - np.maximum(choices[:, None, 1], boxes[:, 1])
    covered: npt.NDArray[np.float64] = np.maximum(across, 0) * np.maximum(down, 0)
    return covered


@lru_cache(maxsize=64)
def _list_obstacles(
    tiles: tuple[PlacedTile, ...], trays: tuple[tuple[str, TraySize], ...]
) -> tuple[Boxes, npt.NDArray[np.float64]]:
    """Return what labels should not cover, with what that costs: clearings, names and the chits of tiles."""
    boxes: list[tuple[float, float, float, float]] = []
    weights: list[float] = []
    sizes = dict(trays)
    for placed in tiles:
        plan, (x, y) = plan_of(placed), centre_of(placed)
        for across, down in plan.clearings.values():
            boxes.append((x + across - _CLEARING, y + down - _CLEARING, x + across + _CLEARING, y + down + _CLEARING))
            weights.append(_COVERED)
        label = plan.label
        half = max(text_width(line, label.size, NAME_FONT) for line in label.lines) / 2
        across, top = x + label.at[0], y + label.at[1]
        boxes.append((across - half, top, across + half, top + len(label.lines) * label.size))
        weights.append(_CROSSED)
        wide, rows = sizes.get(plan.tile.code, (0.0, 0))
        across, middle = x + label.chits[0], y + label.chits[1]
        high = CHIT_HEIGHT * rows
        top = middle + CHIT_HEIGHT / 2 - high if label.rises else middle - CHIT_HEIGHT / 2
        boxes.append((across - wide / 2, top, across + wide / 2, top + high))
        weights.append(_CROSSED)
    return np.array(boxes, np.float64), np.array(weights, np.float64)
