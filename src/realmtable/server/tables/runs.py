"""The latest run of steps of a match, and its text in the list of moves."""

from __future__ import annotations

from typing import Any, NamedTuple

from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, CLOCK, AnyGame, Seat


class Run(NamedTuple):
    """The latest run of steps by one seat in one turn."""

    turn: int
    seat: Seat
    before: Any
    moves: tuple[Any, ...]


def latest_run(match: Match) -> Run:
    """The latest run of steps of a match that has any."""
    latest = match.entry
    assert latest is not None  # noqa: S101 - the caller has looked
    moves = []
    before = latest.before
    node: Match | None = match
    while node is not None and node.entry is not None and _is_in_run(node, match):
        moves.append(node.entry.move)
        before = node.entry.before
        node = node.parent
    return Run(latest.turn.number, latest.seat, before, tuple(reversed(moves)))


def _is_in_run(node: Match, latest: Match) -> bool:
    entry, last = node.entry, latest.entry
    assert entry is not None  # noqa: S101 - both have steps
    assert last is not None  # noqa: S101 - both have steps
    if last.seat < 0:
        return node is latest
    return (entry.turn, entry.seat) == (last.turn, last.seat)


def actor_name(game: AnyGame, seat: Seat) -> str:
    """Who takes a step."""
    return {CHANCE: "Chance", CLOCK: "The clock"}.get(seat) or game.info.seat_names[seat]


def format_run(game: AnyGame, run: Run) -> str:
    """A run in notation, where nothing is secret."""
    return game.format_move(run.before, run.moves[0]) if run.seat < 0 else game.format_turn(run.before, run.moves)
