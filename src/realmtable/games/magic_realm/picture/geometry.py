"""Points and curves of the picture, and the box around tiles."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import hypot, sqrt
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from realmtable.games.magic_realm.catalog.tiles import HEX_HEIGHT, HEX_RADIUS, Point
from realmtable.kit.map_picture import Box

_APPROACHES: Final = 3  # until a part of a curve is known well enough
SAMPLES: Final = 16  # points by which curves are compared


class Curve(NamedTuple):
    """A quadratic curve. A straight one has its control point in the middle."""

    start: Point
    control: Point
    end: Point

    def at(self, part: float) -> Point:
        """Return the point after a part of the curve, from 0 to 1."""
        rest = 1 - part
        a, b, c = rest * rest, 2 * rest * part, part * part
        return (
            a * self.start[0] + b * self.control[0] + c * self.end[0],
            a * self.start[1] + b * self.control[1] + c * self.end[1],
        )

    def points(self) -> list[Point]:
        """Return points along the curve, from start to end."""
        return [self.at(step / SAMPLES) for step in range(SAMPLES + 1)]

    def cut(self, first: float, last: float) -> Curve:
        """Return the piece between two parts."""
        start, end = self.at(first), self.at(last)
        # The control point of the piece lies on the tangent at its start.
        tangent = mix(self.start, self.control, first), mix(self.control, self.end, first)
        return Curve(start, mix(tangent[0], tangent[1], last), end)

    def path(self) -> str:
        """Return the path data."""
        x, y = mix(self.start, self.end, 0.5)
        start, end = format_point(self.start), format_point(self.end)
        if hypot(self.control[0] - x, self.control[1] - y) < 1:
            return f"M{start}L{end}"
        return f"M{start}Q{format_point(self.control)} {end}"


def mix(first: Point, second: Point, part: float) -> Point:
    """Return the point at a part of the way between two points."""
    return first[0] + (second[0] - first[0]) * part, first[1] + (second[1] - first[1]) * part


def make_curve(start: Point, bend: Point | None, end: Point) -> Curve:
    """Return a curve with a control point, or a straight one without."""
    return Curve(start, mix(start, end, 0.5) if bend is None else bend, end)


def distance(first: Point, second: Point) -> float:
    """Return the distance between two points."""
    return hypot(first[0] - second[0], first[1] - second[1])


def find_exit(curve: Curve, radius: float) -> float:
    """Return the part of a curve after which it has left the disc around its start."""
    (start_x, start_y), (control_x, control_y), (end_x, end_y) = curve
    part = 0.25
    for _ in range(_APPROACHES):  # as `curve.at` computes it, without a call: every road of a new map needs it
        rest = 1 - part
        a, b, c = rest * rest, 2 * rest * part, part * part
        x, y = a * start_x + b * control_x + c * end_x, a * start_y + b * control_y + c * end_y
        part *= radius / hypot(x - start_x, y - start_y)
    return part


def find_crossing(first: Curve, second: Curve) -> tuple[float, float] | None:
    """Return where two curves cross, as parts of both; None if they do not."""
    if not _are_near(first, second):
        return None
    line, other = np.array(first.points()), np.array(second.points())
    apart = _are_apart(line, other) & _are_apart(other, line).T
    found = int(apart.argmax())
    if not apart.flat[found]:
        return None
    i, j = divmod(found, SAMPLES)
    return (i + 0.5) / SAMPLES, (j + 0.5) / SAMPLES


def _are_apart(line: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Return for each piece of a line whether both ends of each piece of another one lie on different sides of it."""
    way = np.diff(line, axis=0)[:, None]  # (pieces, 1, 2)
    gap = other - line[:-1, None]  # (pieces, points of the other, 2)
    is_left = way[..., 0] * gap[..., 1] > way[..., 1] * gap[..., 0]
    different: npt.NDArray[np.bool_] = is_left[:, 1:] != is_left[:, :-1]
    return different


def _are_near(first: Curve, second: Curve) -> bool:
    """Return whether the boxes around the points of two curves overlap."""
    return _do_overlap(first, second, 0) and _do_overlap(first, second, 1)


def _do_overlap(first: Curve, second: Curve, axis: int) -> bool:
    a, b, c = first[0][axis], first[1][axis], first[2][axis]
    d, e, f = second[0][axis], second[1][axis], second[2][axis]
    return min(a, b, c) < max(d, e, f) and min(d, e, f) < max(a, b, c)


def format_coordinate(value: float) -> str:
    """Return a coordinate with at most one decimal, to keep the picture small."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def format_point(point: Point) -> str:
    """Return a point as path data."""
    y = format_coordinate(point[1])
    return format_coordinate(point[0]) + (y if y[0] == "-" else f" {y}")


def translate(point: Point) -> str:
    """Return the transform that moves 0,0 to a point."""
    return f"translate({format_coordinate(point[0])} {format_coordinate(point[1])})"


@cache
def hexagon(radius: float) -> str:
    """Return the path data of a hexagon with a flat top around the current point, which stays the current point."""
    half, high = format_coordinate(radius / 2), format_coordinate(radius * sqrt(3) / 2)
    wide = format_coordinate(radius)
    return f"m{wide} 0l-{half} {high}h-{wide}l-{half}-{high} {half}-{high}h{wide}z"


def is_inside(point: Point, radius: float) -> bool:
    """Return whether a point lies in a hexagon around 0,0."""
    x, y = abs(point[0]), abs(point[1])
    return y <= radius * sqrt(3) / 2 and x * sqrt(3) + y <= radius * sqrt(3)


def box_around(centres: Iterable[Point], margin: float) -> Box:
    """Return the box that holds tiles with these centres."""
    points = [*centres]
    across, down = [x for x, _ in points], [y for _, y in points]
    left, top = min(across) - HEX_RADIUS - margin, min(down) - HEX_HEIGHT / 2 - margin
    wide = max(across) - min(across) + 2 * (HEX_RADIUS + margin)
    return Box(left, top, wide, max(down) - min(down) + HEX_HEIGHT + 2 * margin)
