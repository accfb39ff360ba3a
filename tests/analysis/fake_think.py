"""Deterministic, fast stand-ins for `think`; the one that looks at a turn evaluates it correctly."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from realmtable.engine.bots import non_proposal_moves
from realmtable.engine.protocol import CHANCE, AnyGame, Seat, State
from realmtable.search.baselines import GreedyBot
from realmtable.search.search_result import SearchLimits, SearchLine, SearchResult

SCALE = 0.5
MOST_STEPS = 40


def think_greedily(game: AnyGame, state: State, _limits: SearchLimits, *, lines: int = 1, **_: object) -> SearchResult:
    """Return what the greedy bot would play, valued by a look at the position after it."""
    seat, turn = game.to_move(state)[0], game.turn(state)
    found = []
    for number in range(lines):
        bot, rng, at = GreedyBot(width=3 + number), Random(1 + number), state
        moves: list[Any] = []
        while len(moves) < MOST_STEPS and game.to_move(at) and game.turn(at) == turn:
            moves.append(bot.choose(game, at, seat, rng))
            at = game.play(at, seat, moves[-1])
        value, proven = quick_chance(game, at, seat)
        found.append(SearchLine(tuple(moves), value, 1, proven))
    best = sorted(found, key=lambda line: -line.value)
    return SearchResult(best[0].value, best[0].proven, len(best[0].moves), 0.001, tuple(best))


def think_first_moves(
    game: AnyGame, state: State, _limits: SearchLimits, *, lines: int = 1, **_: object
) -> SearchResult:
    """Return the first legal steps without any evaluation: a line for each first step, each worth half a game."""
    seat, turn = game.to_move(state)[0], game.turn(state)
    found = []
    for first in non_proposal_moves(game, state, seat)[:lines]:
        moves, at = [first], game.play(state, seat, first)
        while len(moves) < MOST_STEPS and game.to_move(at) and game.turn(at) == turn:
            moves.append(non_proposal_moves(game, at, seat)[-1])
            at = game.play(at, seat, moves[-1])
        found.append(SearchLine(tuple(moves), 0.5, 1, proven=False))
    return SearchResult(0.5, False, len(found), 0.001, tuple(found))


def quick_chance(game: Any, state: State, seat: Seat) -> tuple[float, bool]:  # noqa: ANN401 - the game's own
    """Return a seat's estimated chance, and whether it is certain."""
    outcome = game.outcome(state)
    if outcome is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner == seat), True
    return 0.5 + 0.5 * math.tanh(game.evaluate(state, seat) / SCALE) * 0.98, False


def think_of_shares(game: Any, state: State, _limits: SearchLimits, **_: object) -> SearchResult:  # noqa: ANN401 - one for several seats
    """Return every seat's share by a look at the position, and the first legal steps, which promise a tenth more."""
    shares = tuple(game.evaluate(state, seat) for seat in range(game.count_seats(state)))
    (seat,), turn = game.to_move(state), game.turn(state)
    if seat == CHANCE:
        return SearchResult(shares[turn.seat], False, 1, 0.001, (), shares)
    moves, at = [], state
    while game.to_move(at) == (seat,) and game.turn(at) == turn:
        moves.append(game.legal_moves(at, seat)[0])
        at = game.play(at, seat, moves[-1])
    value = min(1.0, shares[seat] + 0.1)
    others = tuple(
        value if other == seat else share * (1 - value) / (1 - shares[seat]) for other, share in enumerate(shares)
    )
    return SearchResult(value, False, 1, 0.001, (SearchLine(tuple(moves), value, 1, proven=False),), others)
