"""Checks of the numbers that programs learn from, for games that have them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from realmtable.conformance.random_games import RandomGame
from realmtable.engine.protocol import HasObservations, NumbersSteps, player_seats


def every_step_has_a_number_of_its_own(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, NumbersSteps):
        return
    for state in play.states[::4]:
        for seat in player_seats(game.to_move(state)):
            moves = game.legal_moves(state, seat)
            numbers = [game.action_of(state, seat, move) for move in moves]
            assert len(set(numbers)) == len(moves)
            assert all(0 <= number < game.count_actions() for number in numbers)
            assert [game.move_of(state, seat, number) for number in numbers] == moves


def views_have_numbers_of_one_size(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, HasObservations):
        return
    grid = game.observation_grid()
    shapes = set()
    for state in play.states[::4]:
        for seat in play.seats:
            seen = game.observe(game.view(state, seat))
            assert all(math.isfinite(number) for part in seen.values() for number in numbers_in(part))
            shapes.add(tuple((name, size_of(part)) for name, part in seen.items()))
    assert len(shapes) == 1
    sizes = {size for _, size in shapes.pop()}
    assert grid is None or sizes <= {0, grid[0] * grid[1]}


def numbers_in(part: float | Sequence[float]) -> Sequence[float]:
    return [part] if isinstance(part, int | float) else part


def size_of(part: float | Sequence[float]) -> int:
    """Return the length of a list of numbers, and 0 for a single number."""
    return 0 if isinstance(part, int | float) else len(part)
