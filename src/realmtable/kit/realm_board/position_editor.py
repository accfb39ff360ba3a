"""Edits a position of the Realm board piece by piece, in its text form: ``W:Bh11,Pg10 B:Bh2 move=B``.

A game lists how its pieces are written, with ``@`` for the space: ``{"B@": "Base", "E@x": "immobile Enforcer"}``.
Any number of pieces written with ``~`` may swim in a Realm (``~b2*3``); every other piece needs a separate space. An
edit keeps only the pieces, the options and the seat to move; it drops the history of the game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.engine.protocol import PalettePiece, Seat
from realmtable.kit.realm_board.geometry import SEAT_LETTERS, SEAT_NAMES, find_cell, realm_name, realm_of

SWIMMER_SIGN: Final = "~"
_ITEM = re.compile(r"([A-Z~])([a-l]\d{1,2})(?:\*(\d))?(.*)")


def palette_pieces(written: Mapping[str, str]) -> tuple[PalettePiece, ...]:
    """List the pieces of both seats, White's first."""
    return tuple(
        PalettePiece(SEAT_LETTERS[seat] + text, seat, f"{SEAT_NAMES[seat]} {words}")
        for seat in range(len(SEAT_LETTERS))
        for text, words in written.items()
    )


@dataclass
class _PositionText:
    """A parsed position without the history of the game."""

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
        """Remove the piece on a space; swimmers stay."""
        for seat, items in enumerate(self.sides):
            self.sides[seat] = [item for item in items if item[0] == SWIMMER_SIGN or _space_of(item) != space]

    def change_swimmers(self, seat: Seat, space: str, change: int) -> None:
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
    return realm_name(realm_of(cell))


def with_piece(text: str, space: str, token: str | None, swimmer: Seat | None) -> str:
    """Put a piece on a space, or clear it if `token` is None; `swimmer` is the seat whose piece swims there now."""
    _center_name(space)  # raises if it is not a space
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
    """Return an empty board with the same options."""
    board = _PositionText.parse(text)
    board.sides = [[], []]
    return board.text()


def with_turn(text: str, seat: Seat) -> str:
    """Return the position with another seat to move."""
    board = _PositionText.parse(text)
    board.move = SEAT_LETTERS[seat]
    return board.text()
