"""Thinking about a state inside compiled code."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from realmtable.search.compiled import style_of
from realmtable.search.result import Limits, Thought
from realmtable.search.tree_bot import kernel_game, searched
from realmtable.search.tree_lines import lines_of


def think_compiled(
    game: Any,  # noqa: ANN401 - a game with kernels
    state: Any,  # noqa: ANN401 - its state
    limits: Limits,
    *,
    lines: int,
    seed: int,
    threads: int,
) -> Thought:
    """What a state is worth to the seat that acts, and its best turns; see `think.think`."""
    start = time.monotonic()
    playing = kernel_game(game)
    style = replace(style_of(playing.info.id), broad=lines > 1, contempt=0.0)
    forest = searched(playing, state, limits, style, seed, threads)
    found = lines_of(forest, lines, playing.parts.table.step_of)
    return Thought(found[0].value, found[0].proven, forest.visits, time.monotonic() - start, found)
