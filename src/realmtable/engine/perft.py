"""Perft: count the step sequences of a given length. A single wrong or missing move changes the number."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from realmtable.engine.protocol import CHANCE, CLOCK, AnyGame, State


@runtime_checkable
class HasPerft(Protocol):
    """A game with its own, faster perft."""

    def perft(self, state: State, depth: int) -> int:
        """Count the step sequences of this length; games that end earlier do not count."""


def perft(game: AnyGame, state: State, depth: int) -> int:
    """Count the step sequences of this length from a state; games that end earlier do not count.

    >>> import realmtable
    >>> realm = realmtable.game("realm")
    >>> [perft(realm, realm.initial(), depth) for depth in range(4)]
    [1, 16, 240, 2016]
    """
    if isinstance(game, HasPerft):
        return game.perft(state, depth)
    return count_sequences(game, state, depth)


def count_sequences(game: AnyGame, state: State, depth: int) -> int:
    """Compute `perft` through the game protocol alone."""
    if depth == 0:
        return 1
    return sum(
        count_sequences(game, game.play(state, seat, move), depth - 1) for seat, move in legal_steps(game, state)
    )


def divide(game: AnyGame, state: State, depth: int) -> dict[str, int]:
    """Return the `perft` count of each first step, keyed by its text."""
    together = len(game.to_move(state)) > 1
    return {
        (("*" if seat == CLOCK else f"@{seat}:") if together else "") + game.format_move(state, move): perft(
            game, game.play(state, seat, move), depth - 1
        )
        for seat, move in legal_steps(game, state)
    }


def legal_steps(game: AnyGame, state: State) -> list[tuple[int, Any]]:
    """Return every legal step of every seat to act, including chance and the clock."""
    found = []
    for seat in game.to_move(state):
        moves = [outcome.move for outcome in game.chance(state)] if seat == CHANCE else game.legal_moves(state, seat)
        found += [(seat, move) for move in moves]
    return found
