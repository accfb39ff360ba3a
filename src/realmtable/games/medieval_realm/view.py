"""What a seat sees of a state (everything), and the clicks that make a step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from realmtable.engine.protocol import HandlePath, Outcome, Seat, View
from realmtable.games.medieval_realm import layout
from realmtable.games.medieval_realm.first_state import State
from realmtable.games.medieval_realm.steps import OFF_CELL as OFF_BOARD
from realmtable.games.medieval_realm.steps import PASS_STEP, Step
from realmtable.kit.realm_board.geometry import REALMS, SEAT_NAMES, Cell, Realm, cell_name, center_of, spaces_of
from realmtable.kit.rules import Position

END_SENTENCES: Final = {
    "borne_off": "{name} has borne off all eight pieces and wins.",
    "duke_draw": "Three Duke moves in a row by both players: a draw.",
    "two_passes": "Neither player can move: a draw.",
    "repetition": "The same position appeared for the third time: a draw.",
    "max_plies": "The game reached its last turn: a draw.",
}


class PlacedPiece(NamedTuple):
    """A piece on the board, in the order of the spaces."""

    at: Cell
    seat: Seat
    kind: int
    down: bool = False  # dislodged, on the Border


def pieces_on_board(position: Position) -> list[PlacedPiece]:
    """Return every piece with its space; B2 says where dislodged Men are drawn."""
    return sorted(piece for realm in range(REALMS) for piece in _pieces_in_realm(position, realm))


def _pieces_in_realm(position: Position, realm: Realm) -> Iterator[PlacedPiece]:
    piece = int(position[realm])
    if piece != layout.EMPTY:
        yield PlacedPiece(center_of(realm), piece >> layout.SEAT_SHIFT, piece & layout.KIND_MASK)
    border = [space for space in spaces_of(realm) if space != center_of(realm)]
    for seat, spaces in enumerate((border, border[::-1])):
        for space in spaces[: int(position[layout.BORDER_COUNTS + 2 * realm + seat])]:
            yield PlacedPiece(space, seat, layout.MAN, down=True)


def board_data(state: State) -> dict[str, Any]:
    """Return the pieces, the phase and what else this game shows."""
    position = state.position
    pieces = pieces_on_board(position)
    return {
        "pieces": [
            {"at": cell_name(piece.at), "seat": piece.seat, "kind": _kind_name(piece), "down": piece.down}
            for piece in pieces
        ],
        "phase": "over"
        if position[layout.REASON] != layout.UNFINISHED
        else "pass"
        if state.legal_codes() == [layout.PASS]
        else "turn",
        "off": [_off_counts(position, pieces, each) for each in range(2)],
        "duke_rows": [int(position[layout.DUKE_STREAK + each]) for each in range(2)],
        "duke_draw": state.options.duke_draw,
    }


def _kind_name(piece: PlacedPiece) -> str:
    return "duke" if piece.kind == layout.DUKE else "man"


def _off_counts(position: Position, pieces: list[PlacedPiece], seat: Seat) -> dict[str, int]:
    dukes = layout.DUKES_EACH - sum(piece.seat == seat and piece.kind == layout.DUKE for piece in pieces)
    return {"dukes": dukes, "men": int(position[layout.OFF_COUNT + seat]) - dukes}


def count_gains(view: View) -> dict[str, list[int]]:
    """Return how many pieces each seat has borne off."""
    return {"piece borne off": [off["dukes"] + off["men"] for off in view["off"]]}


def outcome(state: State) -> Outcome:
    """Return the pieces borne off per seat, the ranking and the reason of a finished game."""
    position = state.position
    reason = layout.REASONS[position[layout.REASON]]
    seat = int(position[layout.SEAT])
    ranking = (1 + seat, 2 - seat) if reason == "borne_off" else (1, 1)
    scores = int(position[layout.OFF_COUNT]), int(position[layout.OFF_COUNT + 1])
    return Outcome(scores, ranking, reason, END_SENTENCES[reason].format(name=SEAT_NAMES[seat]))


def handles(step: Step) -> HandlePath:
    """Return what a person clicks: two spaces, a space and the button ``off``, or the button ``pass``."""
    if step == PASS_STEP:
        return ("pass",)
    return cell_name(step.at), "off" if step.to == OFF_BOARD else cell_name(step.to)
