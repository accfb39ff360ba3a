"""A number that changes whenever a game's search, its judgement or its rules do anything differently.

Fixed searches of fixed positions are made, compiled or not, and everything they counted is added up: so a change that
should not change play can be told from one that does.
"""

from __future__ import annotations

import hashlib
from random import Random
from typing import Any, Final

from realmtable.engine.bots import non_proposal_moves
from realmtable.kit.array_game import ArrayGame
from realmtable.kit.array_state import ArrayState
from realmtable.kit.rules import SearchStyle
from realmtable.search.compiled_mcts import UCT, Search

TURNS_BEFORE_SEARCH: Final = (1, 12)  # turns played at random before a search begins


def signature(game: ArrayGame[Any, Any]) -> str:
    """Positions judged in all, and a digest of the visits of every step: ``12,345 a1b2c3d4``."""
    nodes = game.rules.signature_nodes
    looked = 0
    digest = hashlib.sha256()
    for moment in TURNS_BEFORE_SEARCH:
        for style in (game.rules.style, UCT):
            search = _run_search(game, moment, style, nodes)
            looked += search.evaluations
            visits = sorted((branch.step, branch.visits) for branch in search.branches())
            digest.update(repr(visits).encode())
    return f"{looked:,} {digest.hexdigest()[:8]}"


def play_random_turns(game: ArrayGame[Any, Any], turns: int) -> ArrayState[Any]:
    """The state after so many turns of the same random game."""
    rng = Random(turns)
    state = game.initial()
    for _ in range(turns):
        turn = game.turn(state)
        while game.to_move(state) and game.turn(state) == turn:
            seat = game.to_move(state)[0]
            state = game.play(state, seat, rng.choice(non_proposal_moves(game, state, seat)))
    return state


def _run_search(game: ArrayGame[Any, Any], moment: int, style: SearchStyle, nodes: int) -> Search:
    few = max(1, nodes // 10) if style.plain else nodes  # whole games are played in the textbook's
    search = Search(game.rules, play_random_turns(game, moment).position, style, 1, few)
    search.run(few, None)
    return search
