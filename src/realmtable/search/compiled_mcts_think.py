"""The compiled implementation of `think.think`."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from realmtable.engine.protocol import AnyGame, State
from realmtable.search.compiled_mcts_bot import require_array_game, search_in_parallel
from realmtable.search.compiled_mcts_lines import best_lines
from realmtable.search.search_result import SearchLimits, SearchLine, SearchResult


def think_compiled(
    game: Any,  # noqa: ANN401 - a game with kernels
    state: State,
    limits: SearchLimits,
    *,
    lines: int,
    seed: int,
    threads: int,
) -> SearchResult:
    """Return the value of a state for the acting seat and its best turns; see `think.think`."""
    start = time.monotonic()
    playing = require_array_game(game)
    parameters = replace(playing.rules.search_parameters, broad=lines > 1, contempt=0.0)
    forest = search_in_parallel(playing, state, limits, parameters, seed, threads)
    best = best_lines(forest, lines, playing.spec.step_table.step_of)
    found = tuple(cut_at_end(game, state, line) for line in best)
    return SearchResult(found[0].value, found[0].proven, forest.visits, time.monotonic() - start, found)


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
