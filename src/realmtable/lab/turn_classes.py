"""Turns as ideas: where they lead, and which of them come to the same.

Turns that differ only in which space of a Realm a piece stands on, or in its facing, are one idea.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from realmtable.engine.protocol import AnyGame, Seat
from realmtable.kit.realm_board import Symmetry, find_cell, realm_of, transform_cell
from realmtable.search.puzzles import FAILING_SCORE, WINNING_SCORE, is_same_turn
from realmtable.search.result import SearchLine, SearchResult

SYMMETRIES: Final[tuple[Symmetry, ...]] = (0, 1, 2, 3, 4, 5, 6, 7)

State = Any
ClassKey = tuple[str, ...]


class CandidateTurn(NamedTuple):
    """A complete turn, where it leads and what it is worth to who plays it."""

    moves: tuple[Any, ...]
    state: State
    class_key: ClassKey
    value: float
    proven: bool


def position_class(game: AnyGame, state: State, symmetry: Symmetry = 0, first: Seat = 0) -> ClassKey:
    """What stands in which Realm, whatever the spaces and facings; a state without such pieces is its own gist.

    The board may be looked at turned, and with another seat than White as the first.
    """
    pieces = game.view(state, None).get("pieces")
    if not pieces or find_cell(str(pieces[0].get("at"))) is None:
        return (game.encode(state),)
    return tuple(sorted(_piece_key(piece, symmetry, first) for piece in pieces))


def _piece_key(piece: dict[str, Any], symmetry: Symmetry, first: Seat) -> str:
    cell = find_cell(piece["at"])
    assert cell is not None  # noqa: S101 - a piece stands on the board
    rest = [f"{value}" for name, value in sorted(piece.items()) if name not in ("at", "seat", "facing")]
    return f"{realm_of(transform_cell(cell, symmetry)):02} {piece['seat'] ^ first} {' '.join(rest)}"


def symmetry_class(game: AnyGame, state: State) -> ClassKey:
    """The same for positions that a symmetry of the board, with or without a change of colours, makes alike."""
    mover = game.to_move(state)[0]
    return min(position_class(game, state, symmetry, mover) for symmetry in SYMMETRIES)


def candidate_turns(game: AnyGame, state: State, thought: SearchResult) -> list[CandidateTurn]:
    """The lines of a thought as ideas, the best first; a turn that was not searched to its end is none."""
    found = [_candidate_turn(game, state, line) for line in thought.lines]
    return [idea for idea in found if not is_same_turn(game, state, idea.state)]


def _candidate_turn(game: AnyGame, state: State, line: SearchLine) -> CandidateTurn:
    moves = first_turn(game, state, line.moves)
    after = state_after(game, state, moves)
    return CandidateTurn(moves, after, position_class(game, after), line.value, line.proven)


def first_turn(game: AnyGame, state: State, moves: Sequence[Any]) -> tuple[Any, ...]:
    """Those of some steps that belong to the turn that runs in a state."""
    now = state
    for count, move in enumerate(moves, 1):
        now = game.play(now, game.to_move(now)[0], move)
        if not is_same_turn(game, state, now):
            return tuple(moves[:count])
    return tuple(moves)


def state_after(game: AnyGame, state: State, moves: Sequence[Any]) -> State:
    """A state after some steps of whoever acts."""
    for move in moves:
        state = game.play(state, game.to_move(state)[0], move)
    return state


def drop_duplicates(found: Sequence[CandidateTurn]) -> list[CandidateTurn]:
    """Ideas without those that lead where an earlier one does."""
    kept: list[CandidateTurn] = []
    for idea in found:
        if all(idea.state != other.state for other in kept):
            kept.append(idea)
    return kept


def stands_out(found: Sequence[CandidateTurn], wins: float = WINNING_SCORE, fails: float = FAILING_SCORE) -> bool:
    """Whether the best idea wins and every other one does not; there must be others."""
    if not found or found[0].value < wins:
        return False
    others = [idea.value for idea in found if idea.class_key != found[0].class_key]
    return bool(others) and max(others) <= fails
