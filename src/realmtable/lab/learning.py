"""Learning what a position is worth from games that bots play against themselves.

Every position at the start of a turn is a sample: what its features measure, and how the game ended. The weights that
explain the ends best, by logistic regression drawn a little towards zero, are those of the judgement.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import AnyGame
from realmtable.kit.judging import HasJudgement
from realmtable.search.bots import Bot, plain_moves, planned

STEPS_OF_NEWTON = 30
NEAR_ENOUGH = 1e-6


class Samples(NamedTuple):
    """Positions and how their games ended."""

    measures: NDArray[np.float64]  # [positions, features]
    scores: NDArray[np.float64]  # [positions] of seat 0: 1, ½ or 0


def samples(  # noqa: PLR0913 - what a run of games depends on
    game: AnyGame,
    bot: Bot,
    games: int,
    seed: int,
    *,
    opening: int = 4,
    stray: float = 0.1,
    tell: Callable[[int], None] = lambda _: None,
) -> Samples:
    """Positions of games of a bot against itself.

    A game begins with `opening` random turns, and every later turn is taken at random with the chance `stray`, so that
    positions differ. `tell` hears how many games are over.
    """
    if not isinstance(game, HasJudgement):
        raise TypeError(f"{game.info.title} has no features to learn weights for")
    measures: list[tuple[float, ...]] = []
    scores: list[float] = []
    for number in range(games):
        rng = Random(f"{seed}/{number}")  # noqa: S311 - a game, not a secret
        seen, score = _one_game(game, bot, rng, opening, stray)
        measures += seen
        scores += [score] * len(seen)
        tell(number + 1)
    return Samples(np.array(measures), np.array(scores))


def _one_game(
    game: Any, bot: Bot, rng: Random, opening: int, stray: float  # noqa: ANN401 - a game with a judgement
) -> tuple[list[tuple[float, ...]], float]:  # fmt: skip
    state = game.initial()
    seen: list[tuple[float, ...]] = []
    turns = 0
    while acting := game.to_move(state):
        seat = acting[0]
        turn = game.turn(state)
        at_random = turns < opening or rng.random() < stray
        turns += 1
        if turns > opening:
            seen.append(game.measures(state))
        while game.to_move(state) == (seat,) and game.turn(state) == turn:
            moves = plain_moves(game, state, seat)
            steps = [rng.choice(moves)] if at_random else planned(bot, game, state, seat, rng)
            for move in steps:
                state = game.play(state, seat, move)
    ended = game.outcome(state)
    return seen, 0.5 if ended.winner is None else float(ended.winner == 0)


def fitted(taken: Samples, ridge: float = 1.0) -> NDArray[np.float64]:
    """The weights under which (1 + tanh(measures · weights)) / 2 explains the scores best, by Newton's method."""
    measures, scores = taken
    weights = np.zeros(measures.shape[1])
    for _ in range(STEPS_OF_NEWTON):
        expected = 1.0 / (1.0 + np.exp(-2.0 * (measures @ weights)))
        slope = 2.0 * measures.T @ (scores - expected) - ridge * weights
        curve = 4.0 * (measures * (expected * (1.0 - expected))[:, None]).T @ measures
        change = np.linalg.solve(curve + ridge * np.eye(len(weights)), slope)
        weights += change
        if np.abs(change).max() < NEAR_ENOUGH:
            break
    return weights
