"""A signature that changes whenever a game's rules, evaluation or search behave differently.

It sums up fixed searches of fixed positions and is the same whether the code is compiled or not, so it shows whether a
change affects play.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from random import Random
from typing import Final

from realmtable.engine.bots import non_proposal_moves
from realmtable.engine.protocol import CHANCE, AnyGame, State
from realmtable.kit.rules import SearchParameters
from realmtable.search.compiled_games import require_array_rules
from realmtable.search.mcts.search import UCT, Search

TURNS_BEFORE_SEARCH: Final = (1, 12)  # random turns played before each search


def signature(game: AnyGame) -> str:
    """Return the number of positions evaluated and a digest of the visits of every step: ``12,345 a1b2c3d4``."""
    rules = require_array_rules(game).rules
    other_parameters = replace(rules.search_parameters, paranoid=True) if rules.has_several_seats else UCT
    evaluated = 0
    digest = hashlib.sha256()
    for moment in TURNS_BEFORE_SEARCH:
        for parameters in (rules.search_parameters, other_parameters):
            search = _run_search(game, moment, parameters, rules.signature_nodes)
            evaluated += search.evaluations
            visits = sorted((branch.step, branch.visits) for branch in search.branches())
            digest.update(repr(visits).encode())
    return f"{evaluated:,} {digest.hexdigest()[:8]}"


def play_random_turns(game: AnyGame, turns: int) -> State:
    """Return the state after a number of turns of a fixed random game."""
    rng = Random(turns)
    state = game.initial()
    for _ in range(turns):
        turn = game.turn(state)
        while game.to_move(state) and game.turn(state) == turn:
            seat = game.to_move(state)[0]
            if seat == CHANCE:
                outcomes = game.chance(state)
                move = rng.choices(outcomes, [outcome.weight for outcome in outcomes])[0].move
            else:
                move = rng.choice(non_proposal_moves(game, state, seat))
            state = game.play(state, seat, move)
    return state


def _run_search(game: AnyGame, moment: int, parameters: SearchParameters, nodes: int) -> Search:
    playing = require_array_rules(game)
    few = max(1, nodes // 10) if parameters.plain else nodes  # plain UCT plays whole games, which takes longer
    search = Search(playing.rules, playing.position_of(play_random_turns(game, moment)), parameters, 1, few)
    search.run(few, None)
    return search
