"""Draws a board of 16 Realms, and the panel next to it, for a terminal.

A game supplies one sign per piece, and the lines about each seat, to `draw_table`.

Every sign is one character wide and shows kind, seat and facing without colour: hollow for White, filled for Black.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat, View
from realmtable.kit.realm_board.describe import is_active, latest_paths
from realmtable.kit.realm_board.geometry import (
    CENTERS,
    FILES,
    REALM_SIDE,
    SEAT_NAMES,
    SIDE,
    Cell,
    Realm,
    cell_at,
    realm_of,
)
from realmtable.kit.terminal_picture import Sketch, Span, join_side_by_side

LEGEND: Final = ("() Center     [] latest step",)


class Sign(NamedTuple):
    """A piece as one character."""

    text: str
    seat: int


class SeatText(NamedTuple):
    """The lines about a seat: a title, and one line per fact."""

    title: str
    facts: list[str]


def draw_table(
    view: View,
    signs: Mapping[Cell, Sign],
    describe_seat: Callable[[View, Seat], SeatText],
    legend: Iterable[str],
    holders: Mapping[Realm, int] = MappingProxyType({}),
) -> Sketch:
    """Draw the board and, next to it, the turn, both seats and the legend; brackets mark the latest steps."""
    last = {cell for step in latest_paths(view) for cell in step}
    texts = [describe_seat(view, seat) for seat in range(len(SEAT_NAMES))]
    white, black = (seat_lines(*text, active=is_active(view, seat)) for seat, text in enumerate(texts))
    return join_side_by_side(
        board(signs, holders, last), panel(f"Turn {view['turn']['number']}", (white, black), legend)
    )


def board(
    signs: Mapping[Cell, Sign], holders: Mapping[Realm, int] = MappingProxyType({}), last: Collection[Cell] = ()
) -> Sketch:
    """Draw the board with its coordinates, 19 lines of 45: Centers in parentheses, the latest step in brackets."""
    names = [Span("   " + " ".join(f" {a}  {b}  {c} " for a, b, c in zip(*[iter(FILES)] * 3, strict=True)), "label")]
    lines = [names, _rule("┌", "┬", "┐")]
    for rank in reversed(range(SIDE)):
        line = [Span(f"{rank + 1:>2}", "label"), Span("│", "line")]
        for file in range(SIDE):
            cell = cell_at(file, rank)
            line += _space(cell, signs.get(cell), holders.get(realm_of(cell)), cell in last)
            line += [Span("│", "line")] if (file + 1) % 3 == 0 else []
        lines += [[*line, Span(f"{rank + 1:<2}", "label")]]
        lines += [_rule("├", "┼", "┤")] if rank % 3 == 0 and rank else []
    return [*lines, _rule("└", "┴", "┘"), names]


def panel(title: str, seats: tuple[Sketch, Sketch], notes: Iterable[str]) -> Sketch:
    """Draw the panel next to the board: a title, seat 1 above seat 0 as on the board, and small print."""
    small = [[Span(words, "label")] for words in notes]
    return [[Span(title, "title")], [], *seats[1], [], *seats[0], [], *small]


def seat_lines(title: str, facts: Iterable[str], *, active: bool) -> Sketch:
    """Draw a seat's lines in the panel: its title, then one line per fact."""
    return [[Span(title, "active" if active else "title")], *([Span("  " + fact)] for fact in facts)]


def _rule(left: str, cross: str, right: str) -> list[Span]:
    return [Span("  "), Span(left + cross.join(["─" * 9] * REALM_SIDE) + right, "line")]


def _space(cell: Cell, sign: Sign | None, holder: int | None, last: bool) -> list[Span]:
    realm = realm_of(cell)
    ground = ("light", "dark")[(realm + realm // REALM_SIDE) % 2] if holder is None else f"held{holder}"
    center = cell in CENTERS
    left, right = "[]" if last else "()" if center else "  "
    around = f"{ground} last" if last else f"{ground} center" if center else ground
    inside = Span(sign.text, f"{ground} seat{sign.seat}") if sign else Span(" " if center else "·", ground)
    return [Span(left, around), inside, Span(right, around)]
