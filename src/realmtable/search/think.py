"""Search a state for its value and its best turns. Analysis, hints and puzzles use this entry point.

`think` works for every game of perfect information without dice, and for games with kernels for several seats:
compiled if the game has kernels, otherwise in plain Python.
"""

from __future__ import annotations

from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, State
from realmtable.kit.rules import HasRules
from realmtable.search.compiled_mcts_think import think_compiled
from realmtable.search.mcts import think_generic
from realmtable.search.search_result import SearchLimits, SearchResult
from realmtable.search.several_seats import has_several_seats
from realmtable.search.several_seats_mcts_think import think_for_seats


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

    On one thread, the same seed and number of nodes give the same result. Raises `BadInput` if the game is over, has
    hidden information or uses dice, unless it has kernels for several seats.
    """
    several = has_several_seats(game)
    if game.info.hidden or (game.info.chance and not several):
        raise BadInput(f"{game.info.title} cannot be searched: it has hidden information or chance.")
    if not game.to_move(state):
        raise BadInput("The game is over; there is nothing to search.")
    if several:
        return think_for_seats(game, state, limits, lines=lines, seed=seed, threads=threads)
    if isinstance(game, HasRules):
        return think_compiled(game, state, limits, lines=lines, seed=seed, threads=threads)
    return think_generic(game, state, limits, lines=lines, seed=seed)
