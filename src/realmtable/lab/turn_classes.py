"""Turns as ideas: where they lead, and which of them come to the same.

Turns that differ only in which space of a Realm a piece stands on, or in its facing, are one idea.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from realmtable.engine.protocol import AnyGame, Seat
from realmtable.kit.realm_board import Symmetry, cell_named, realm_of, turned
from realmtable.search.puzzles import FAILS, WINS, is_same_turn
from realmtable.search.result import Line, Thought

SYMMETRIES: Final[tuple[Symmetry, ...]] = (0, 1, 2, 3, 4, 5, 6, 7)

State = Any
Gist = tuple[str, ...]


class Idea(NamedTuple):
    """A complete turn, where it leads and what it is worth to who plays it."""

    moves: tuple[Any, ...]
    state: State
    gist: Gist
    value: float
    proven: bool


def gist(game: AnyGame, state: State, symmetry: Symmetry = 0, first: Seat = 0) -> Gist:
    """What stands in which Realm, whatever the spaces and facings; a state without such pieces is its own gist.

    The board may be looked at turned, and with another seat than White as the first.
    """
    pieces = game.view(state, None).get("pieces")
    if not pieces or cell_named(str(pieces[0].get("at"))) is None:
        return (game.encode(state),)
    return tuple(sorted(_told(piece, symmetry, first) for piece in pieces))


def _told(piece: dict[str, Any], symmetry: Symmetry, first: Seat) -> str:
    cell = cell_named(piece["at"])
    assert cell is not None  # noqa: S101 - a piece stands on the board
    rest = [f"{value}" for name, value in sorted(piece.items()) if name not in ("at", "seat", "facing")]
    return f"{realm_of(turned(cell, symmetry)):02} {piece['seat'] ^ first} {' '.join(rest)}"


def shape(game: AnyGame, state: State) -> Gist:
    """The same for positions that a symmetry of the board, with or without a change of colours, makes alike."""
    mover = game.to_move(state)[0]
    return min(gist(game, state, symmetry, mover) for symmetry in SYMMETRIES)


def ideas(game: AnyGame, state: State, thought: Thought) -> list[Idea]:
    """The lines of a thought as ideas, the best first; a turn that was not searched to its end is none."""
    found = [_idea(game, state, line) for line in thought.lines]
    return [idea for idea in found if not is_same_turn(game, state, idea.state)]


def _idea(game: AnyGame, state: State, line: Line) -> Idea:
    moves = turn_of(game, state, line.moves)
    after = state_after(game, state, moves)
    return Idea(moves, after, gist(game, after), line.value, line.proven)


def turn_of(game: AnyGame, state: State, moves: Sequence[Any]) -> tuple[Any, ...]:
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


def distinct(found: Sequence[Idea]) -> list[Idea]:
    """Ideas without those that lead where an earlier one does."""
    kept: list[Idea] = []
    for idea in found:
        if all(idea.state != other.state for other in kept):
            kept.append(idea)
    return kept


def stands_out(found: Sequence[Idea], wins: float = WINS, fails: float = FAILS) -> bool:
    """Whether the best idea wins and every other one does not; there must be others."""
    if not found or found[0].value < wins:
        return False
    others = [idea.value for idea in found if idea.gist != found[0].gist]
    return bool(others) and max(others) <= fails
