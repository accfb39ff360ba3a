"""Groups turns into classes by the position they lead to.

Positions that differ only in the facing of pieces, or in their spaces within a Realm, belong to the same class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from realmtable.analysis.puzzles import FAILING_SCORE, WINNING_SCORE, is_same_turn
from realmtable.engine.protocol import AnyGame, Seat
from realmtable.kit.realm_board.geometry import Symmetry, find_cell, realm_of, transform_cell
from realmtable.search.search_result import SearchLine, SearchResult

SYMMETRIES: Final[tuple[Symmetry, ...]] = (0, 1, 2, 3, 4, 5, 6, 7)

State = Any
ClassKey = tuple[str, ...]


class CandidateTurn(NamedTuple):
    """A complete turn, the state it leads to, and its value for the seat that plays it."""

    moves: tuple[Any, ...]
    state: State
    class_key: ClassKey
    value: float
    proven: bool


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


def candidate_turns(game: AnyGame, state: State, result: SearchResult) -> list[CandidateTurn]:
    """Return the first turn of each line, best first; incomplete turns are left out."""
    turns = [_candidate_turn(game, state, line) for line in result.lines]
    return [turn for turn in turns if not is_same_turn(game, state, turn.state)]


def _candidate_turn(game: AnyGame, state: State, line: SearchLine) -> CandidateTurn:
    moves = first_turn(game, state, line.moves)
    after = state_after(game, state, moves)
    return CandidateTurn(moves, after, position_class(game, after), line.value, line.proven)


def first_turn(game: AnyGame, state: State, moves: Sequence[Any]) -> tuple[Any, ...]:
    """Return the leading steps that belong to the turn in progress."""
    now = state
    for count, move in enumerate(moves, 1):
        now = game.play(now, game.to_move(now)[0], move)
        if not is_same_turn(game, state, now):
            return tuple(moves[:count])
    return tuple(moves)


def state_after(game: AnyGame, state: State, moves: Sequence[Any]) -> State:
    """Play steps of the acting seats and return the state."""
    for move in moves:
        state = game.play(state, game.to_move(state)[0], move)
    return state


def drop_duplicates(turns: Sequence[CandidateTurn]) -> list[CandidateTurn]:
    """Drop turns that lead to the same state as an earlier one."""
    distinct: list[CandidateTurn] = []
    for turn in turns:
        if all(turn.state != other.state for other in distinct):
            distinct.append(turn)
    return distinct


def stands_out(turns: Sequence[CandidateTurn], wins: float = WINNING_SCORE, fails: float = FAILING_SCORE) -> bool:
    """Whether the best class of turns wins and all others fail; there must be at least one other."""
    if not turns or turns[0].value < wins:
        return False
    others = [turn.value for turn in turns if turn.class_key != turns[0].class_key]
    return bool(others) and max(others) <= fails
