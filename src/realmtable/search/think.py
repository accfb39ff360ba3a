"""Search a state for its value and its best turns. Analysis, hints and puzzles use this entry point.

`think` works for every game of perfect information without dice, and for games with kernels for several seats:
compiled if the game has kernels, otherwise in plain Python.
"""

from __future__ import annotations

import time
from dataclasses import replace

from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import CHANCE, AnyGame, Seat, State
from realmtable.kit.rules import HasArrayRules
from realmtable.search.compiled_games import has_several_seats, require_array_rules
from realmtable.search.mcts.lines import best_lines
from realmtable.search.mcts.parallel_search import search_in_parallel
from realmtable.search.plain_mcts import think_generic
from realmtable.search.search_result import SearchLimits, SearchLine, SearchResult


def think(
    game: AnyGame,
    state: State,
    limits: SearchLimits,
    *,
    lines: int = 1,
    seed: int = 1,
    threads: int = 1,
) -> SearchResult:
    """Return the value of a state for the acting seat, and up to `lines` of its best turns.

    In a game for several seats, the value is the expected share of the win; if chance acts in `state`, the result has
    shares and no lines. On one thread, the same seed and number of nodes give the same result. Raises `BadInput` if the
    game is over, has hidden information or uses dice, unless it has kernels for several seats.
    """
    if game.info.hidden or (game.info.chance and not has_several_seats(game)):
        raise BadInput(f"{game.info.title} cannot be searched: it has hidden information or chance.")
    if not game.to_move(state):
        raise BadInput("The game is over; there is nothing to search.")
    if isinstance(game, HasArrayRules):
        return _think_compiled(game, state, limits, lines, seed, threads)
    return think_generic(game, state, limits, lines=lines, seed=seed)


def _think_compiled(
    game: AnyGame, state: State, limits: SearchLimits, lines: int, seed: int, threads: int
) -> SearchResult:
    start = time.monotonic()
    playing = require_array_rules(game)
    parameters = replace(playing.rules.search_parameters, broad=lines > 1, contempt=0.0)
    forest = search_in_parallel(playing, state, limits, parameters, seed, threads)
    shares = forest.shares() if playing.rules.has_several_seats else ()
    if game.to_move(state) == (CHANCE,):
        proven = all(search.is_proven(0) for search in forest.searches)
        value = shares[game.turn(state).seat]
        return SearchResult(value, proven, forest.visits, time.monotonic() - start, (), shares)
    found = tuple(cut_at_end(game, state, line) for line in best_lines(forest, lines, playing.step_of))
    best = found[0]
    if shares:
        shares = _with_share(shares, game.to_move(state)[0], best.value)
    return SearchResult(best.value, best.proven, forest.visits, time.monotonic() - start, found, shares)


def _with_share(shares: tuple[float, ...], seat: Seat, share: float) -> tuple[float, ...]:
    """Return shares in which a seat has its share in the best line, and the others divide the rest as before.

    >>> _with_share((0.5, 0.25, 0.25), 0, 0.6)
    (0.6, 0.2, 0.2)
    """
    rest = sum(shares) - shares[seat]
    factor = (1.0 - share) / rest if rest else 0.0
    return tuple(share if other == seat else value * factor for other, value in enumerate(shares))


def cut_at_end(game: AnyGame, state: State, line: SearchLine) -> SearchLine:
    """Cut a line where the game ends.

    Different orders of the same moves share a node of the tree, which therefore knows no earlier positions: a line can
    pass the third repetition of a position without noticing.
    """
    for played, move in enumerate(line.moves):
        acting = game.to_move(state)
        if not acting:
            return replace(line, moves=line.moves[:played])
        state = game.play(state, acting[0], move)
    return line
