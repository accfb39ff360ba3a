"""Classes of positions: those that differ only in facings, or in spaces within a Realm, belong together."""

from __future__ import annotations

from typing import Any

from realmtable.engine.protocol import AnyGame, Seat, State
from realmtable.kit.realm_board.geometry import SYMMETRIES, Symmetry, find_cell, realm_of, transform_cell

ClassKey = tuple[str, ...]


def position_class(game: AnyGame, state: State, symmetry: Symmetry = 0, first: Seat = 0) -> ClassKey:
    """Return the pieces in each Realm, ignoring spaces and facings; in other games, the state itself.

    `symmetry` transforms the board first, and `first` is the seat that counts as White.
    """
    pieces = game.view(state, None).get("pieces")
    if not pieces or find_cell(str(pieces[0].get("at"))) is None:
        return (game.encode(state),)
    return tuple(sorted(_piece_key(piece, symmetry, first) for piece in pieces))


def _piece_key(piece: dict[str, Any], symmetry: Symmetry, first: Seat) -> str:
    cell = find_cell(piece["at"])
    assert cell is not None  # noqa: S101 - pieces are on the board
    rest = [f"{value}" for name, value in sorted(piece.items()) if name not in ("at", "seat", "facing")]
    return f"{realm_of(transform_cell(cell, symmetry)):02} {piece['seat'] ^ first} {' '.join(rest)}"


def symmetry_class(game: AnyGame, state: State) -> ClassKey:
    """Return a class that positions share if a symmetry of the board or a swap of colours makes them equal."""
    mover = game.to_move(state)[0]
    return min(position_class(game, state, symmetry, mover) for symmetry in SYMMETRIES)
