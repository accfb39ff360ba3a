"""Draws a board of 16 Realms, and the panel next to it, for a terminal. A game supplies one sign per piece.

    signs = {find_cell("c10"): Sign("○", 0), find_cell("e8"): Sign("■", 1)}
    seats = (
        seat_lines("○ White, 3 Realms", ["to move", "uncreated □ 9  △ 6"], active=True),
        seat_lines("● Black, 3 Realms", ["uncreated ■ 9  ▲ 6"], active=False),
    )
    join_side_by_side(
        board(signs, holders={5: 1}, last={find_cell("c10")}), panel("Turn 7", seats, ["○● Power", *LEGEND])
    )

Every sign is one character wide and shows kind, seat and facing without colour: hollow for White, filled for Black.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from realmtable.kit.realm_board import CENTERS, FILES, REALM_SIDE, SIDE, Cell, Realm, cell_at, realm_of
from realmtable.kit.terminal_picture import Sketch, Span

LEGEND: Final = ("() Center     [] latest step",)


class Sign(NamedTuple):
    """A piece as one character."""

    text: str
    seat: int


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
