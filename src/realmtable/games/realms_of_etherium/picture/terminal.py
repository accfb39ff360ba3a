"""The map, the players and the Reserves for a terminal, readable without colours."""

from __future__ import annotations

import textwrap
from typing import Any, Final

from realmtable.engine.protocol import Seat, View
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.picture.geometry import PORTAL, portals_of
from realmtable.games.realms_of_etherium.places import coordinates_of
from realmtable.games.realms_of_etherium.wording import acting_seat, count_copies, headline
from realmtable.kit.terminal_picture import Sketch, Span, place_spans
from realmtable.kit.wording import format_count

_COLUMN: Final = 13  # characters from a column of hexes to the next
_ROWS: Final = 2  # lines from a hex to the one below it to the right
_LINE_WIDTH: Final = 79


def sketch(view: View) -> Sketch:
    """Return the map, then a line for each player, then the Reserves."""
    head = headline(view)
    reserves = ", ".join(count_copies(name, count) for name, count in view["reserve"].items())
    return [
        [Span(head[0].upper() + head[1:], "title")],
        *([[Span("The last Round.", "last")]] if view["triggered"] else []),
        [],
        *_map_lines(view),
        [],
        *(line for seat in range(len(view["players"])) for line in _player_lines(view, seat)),
        [],
        *([Span(line)] for line in textwrap.wrap(f"Reserves: {reserves}", _LINE_WIDTH)),
    ]


def _map_lines(view: View) -> Sketch:
    """Place three lines for each Realm: its name, its hex with the owner, and the Mages in it."""
    cells = {coordinates_of(realm["at"]): _cell(view, realm) for realm in view["realms"]}
    left = min(q for q, _ in cells)
    top = min(2 * r + q for q, r in cells)
    lines: dict[int, dict[int, Span]] = {}
    for (q, r), cell in cells.items():
        first = (2 * r + q - top) * _ROWS
        for row, span in enumerate(cell):
            lines.setdefault(first + row, {})[(q - left) * _COLUMN] = span
    return [place_spans(lines.get(row, {})) for row in range(max(lines) + 1)]


def _cell(view: View, realm: dict[str, Any]) -> tuple[Span, Span, Span]:
    owner = "" if realm["seat"] is None else f" {INFO.seat_names[realm['seat']][:3]}"
    worth = f"={realm['points']}" if owner and realm["points"] is not None else ""
    return (
        Span(realm["kind"], "title"),
        Span(f"{realm['at']}{owner}{worth}", "label"),
        Span(" ".join(_mages_in(view, realm))[: _COLUMN - 1], "active"),
    )


def _mages_in(view: View, realm: dict[str, Any]) -> list[str]:
    """Return the Mages in a Realm, with x for Exhausted ones; those in the Portals are at the first Portal."""
    here = PORTAL if realm["at"] == portals_of(view)[0] else realm["at"]
    counts: dict[str, int] = {}
    for mage in view["mages"]:
        if mage["at"] == here:
            name = INFO.seat_names[mage["seat"]][:2] + ("" if here == PORTAL else mage["mage"][-1])
            name += "x" * mage["exhausted"]
            counts[name] = counts.get(name, 0) + 1
    return [f"{name}{count}" if count > 1 else name for name, count in counts.items()]


def _player_lines(view: View, seat: Seat) -> Sketch:
    player = view["players"][seat]
    mark = "> " if acting_seat(view) == seat else "  "
    points = format_count(player["points"], "point")
    facts = f"{points}, {player['white']} White, {player['black']} Black, {player['controlled']} Controlled"
    if player["colour"]:
        facts += f", power of {player['colour']}"
    return [[Span(mark), Span(f"{INFO.seat_names[seat]:<8}", "title"), Span(facts)]]
