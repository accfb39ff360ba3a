"""Setting up a position of the Realm board piece by piece, in its line of text: ``W:Bh11,Pg10 B:Bh2 move=B``.

A game hands in how its pieces are written, with ``@`` for the space: ``{"B@": "Base", "E@x": "immobile Enforcer"}``.
Pieces written with ``~`` swim in a Realm, in any number (``~b2*3``); all others stand alone on a space. What a line
tells of the game so far is forgotten with the first change: only pieces, options and who moves are kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.engine.protocol import PalettePiece, Seat
from realmtable.kit.realm_board import cell_name, center_of, find_cell, realm_of

SEAT_LETTERS: Final = "WB"
SWIMMER_SIGN: Final = "~"
SEAT_NAMES: Final = ("White", "Black")
_ITEM = re.compile(r"([A-Z~])([a-l]\d{1,2})(?:\*(\d))?(.*)")


def palette_pieces(written: Mapping[str, str]) -> tuple[PalettePiece, ...]:
    """Every piece of both seats, White's first."""
    return tuple(
        PalettePiece(SEAT_LETTERS[seat] + text, seat, f"{SEAT_NAMES[seat]} {words}")
        for seat in range(len(SEAT_LETTERS))
        for text, words in written.items()
    )


@dataclass
class _PositionText:
    """A line taken apart, without what it tells of the game so far."""

    sides: list[list[str]] = field(default_factory=lambda: [[], []])
    move: str = SEAT_LETTERS[0]
    options: str = ""

    @classmethod
    def parse(cls, text: str) -> _PositionText:
        board = cls()
        for part in text.split():
            if part[:2] in ("W:", "B:"):
                board.sides[SEAT_LETTERS.index(part[0])] = [item for item in part[2:].split(",") if item]
            elif part in ("move=W", "move=B"):
                board.move = part[-1]
            elif part.startswith("options="):
                board.options = part
        return board

    def text(self) -> str:
        sides = [f"{letter}:{','.join(items)}" for letter, items in zip(SEAT_LETTERS, self.sides, strict=True)]
        return " ".join([*sides, f"move={self.move}", *([self.options] if self.options else [])])

    def remove_pieces(self, space: str) -> None:
        """Take away what stands alone on a space."""
        for seat, items in enumerate(self.sides):
            self.sides[seat] = [item for item in items if item[0] == SWIMMER_SIGN or _space_of(item) != space]

    def change_swimmers(self, seat: Seat, space: str, change: int) -> None:
        """Let one more, or one fewer, swim in the Realm of a space."""
        center = _center_name(space)
        count = change
        for item in list(self.sides[seat]):
            found = _ITEM.fullmatch(item)
            if found is not None and found[1] == SWIMMER_SIGN and found[2] == center:
                count += int(found[3] or 1)
                self.sides[seat].remove(item)
        if count > 0:
            self.sides[seat].append(f"{SWIMMER_SIGN}{center}" + (f"*{count}" if count > 1 else ""))


def _space_of(item: str) -> str:
    found = _ITEM.fullmatch(item)
    return found[2] if found else ""


def _center_name(space: str) -> str:
    cell = find_cell(space)
    if cell is None:
        raise BadPosition(f"{space[:20]} is not a space of the board.")
    return cell_name(center_of(realm_of(cell)))


def with_piece(text: str, space: str, token: str | None, swimmer: Seat | None) -> str:
    """The line with a piece on a space, or without any; `swimmer` is whose piece swims there now, if one does."""
    _center_name(space)  # refuses what is no space
    board = _PositionText.parse(text)
    if token is None:
        if swimmer is not None:
            board.change_swimmers(swimmer, space, -1)
        else:
            board.remove_pieces(space)
        return board.text()
    seat, written = SEAT_LETTERS.index(token[0]), token[1:]
    if written[0] == SWIMMER_SIGN:
        board.change_swimmers(seat, space, 1)
    else:
        board.remove_pieces(space)
        board.sides[seat].append(written.replace("@", space))
    return board.text()


def without_pieces(text: str) -> str:
    """The line of an empty board under the same options."""
    board = _PositionText.parse(text)
    board.sides = [[], []]
    return board.text()


def with_turn(text: str, seat: Seat) -> str:
    """The line with another seat to move."""
    board = _PositionText.parse(text)
    board.move = SEAT_LETTERS[seat]
    return board.text()
