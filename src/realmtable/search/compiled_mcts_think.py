"""The compiled implementation of `think.think`."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from realmtable.engine.protocol import State
from realmtable.search.compiled_mcts_bot import require_array_game, search_in_parallel
from realmtable.search.compiled_mcts_lines import best_lines
from realmtable.search.search_result import SearchLimits, SearchResult


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
    style = replace(playing.rules.style, broad=lines > 1, contempt=0.0)
    forest = search_in_parallel(playing, state, limits, style, seed, threads)
    found = best_lines(forest, lines, playing.spec.step_table.step_of)
    return SearchResult(found[0].value, found[0].proven, forest.visits, time.monotonic() - start, found)
