"""Alpha-beta agrees with an exhaustive search, within its limits."""

from __future__ import annotations

import math
import time
from random import Random
from typing import Any

import pytest

import realmtable
from realmtable.engine.bots import non_proposal_moves
from realmtable.engine.protocol import State
from realmtable.kit.array_game import ArrayGame
from realmtable.kit.evaluation import evaluate_position
from realmtable.search.alphabeta_bot import MAX_DEPTH, AlphaBetaBot, deepen
from realmtable.search.compiled_games import require_array_game
from realmtable.search.search_result import SearchLimits

CLASSIC = require_array_game(realmtable.game("classic_realm"))
MEDIEVAL = require_array_game(realmtable.game("medieval_realm"))
LAST_FROG = "W:Fb5,~h5*2,~b8*2,~h8*3 B:Fe5,Fh5,~h5,Fb8,Fe8,Fh8,Fk8,Fk11 move=B turns=17"
IN_THREE = "W:Fb2,~h5*7 B:Fe5,Fh8,Fk11,~h11*5 move=B"
DOUBLE = "W:Fb2,Fe2,~k2*6 B:Fk11,Fh8,~h11*6 right=W owed=0 options=double_moves=on"


def middle_of(game: ArrayGame[Any, Any], seed: int, turns: int) -> State:
    rng = Random(seed)
    state = game.initial()
    for _ in range(turns):
        seat = game.to_move(state)[0]
        state = game.play(state, seat, rng.choice(non_proposal_moves(game, state, seat)))
    return state


def worth(game: ArrayGame[Any, Any], state: State, depth: int, seat: int) -> float:
    """Return the value of a state for a seat by searching every line; wins and losses exceed all other values."""
    if depth == 0 or not game.to_move(state):
        return evaluate_position(game.rules._replace(bold_weights=None), state.position, seat)
    acting = game.to_move(state)[0]
    values = [
        worth(game, game.play(state, acting, move), depth - 1, seat) for move in non_proposal_moves(game, state, acting)
    ]
    return max(values) if acting == seat else min(values)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (MEDIEVAL, MEDIEVAL.encode(middle_of(MEDIEVAL, 3, 9))),
        (MEDIEVAL, MEDIEVAL.encode(middle_of(MEDIEVAL, 4, 14))),
        (CLASSIC, "W:Fb2,Fe5,~e2*2,~k2*4 B:Fk11,Fh8,~h11*6 move=W"),
        (CLASSIC, DOUBLE),  # one seat takes two steps in a row
    ],
)
def test_its_step_is_among_the_best_of_a_full_look(game: ArrayGame[Any, Any], text: str) -> None:
    state = game.decode(text)
    seat = game.to_move(state)[0]
    moves = non_proposal_moves(game, state, seat)
    exact = {move: worth(game, game.play(state, seat, move), 1, seat) for move in moves}
    found = deepen(game.rules, state, SearchLimits(nodes=100_000), deepest=2)
    assert found.depth == 2
    best = max(exact.values())
    assert exact[game.spec.step_table.step_of(found.steps[0])] == pytest.approx(best)
    if game is MEDIEVAL:  # nobody can have won or lost
        assert found.values[0] == pytest.approx(math.tanh(best))


def test_a_win_at_hand_is_taken() -> None:
    state = CLASSIC.decode(LAST_FROG)
    found = deepen(CLASSIC.rules, state, SearchLimits(nodes=5000))
    assert found.values[0] > 1.0
    won = state.after(found.steps[0])
    assert CLASSIC.outcome(won) is not None


def test_it_stops_at_its_nodes_and_is_the_same_again() -> None:
    state = middle_of(CLASSIC, 1, 6)
    first, again = (deepen(CLASSIC.rules, state, SearchLimits(nodes=900)) for _ in range(2))
    assert first == again
    assert 300 < first.nodes < 900 + 128  # it ends with the list it is at


def test_time_ends_it() -> None:
    state = middle_of(CLASSIC, 1, 6)
    deepen(CLASSIC.rules, state, SearchLimits(nodes=300))  # compiled now, where it is
    start = time.process_time()
    found = deepen(CLASSIC.rules, state, SearchLimits(seconds=0.1, nodes=10**9))
    assert time.process_time() - start < 5.0  # 40 plies would take for ever
    assert set(found.steps) == set(state.legal_codes())
    assert 1 <= found.depth < MAX_DEPTH


def test_what_is_cut_short_is_as_good_as_the_depth_before() -> None:
    state = middle_of(CLASSIC, 2, 8)
    whole = deepen(CLASSIC.rules, state, SearchLimits(nodes=10**6), deepest=2)
    cut = deepen(CLASSIC.rules, state, SearchLimits(nodes=whole.nodes + 5))
    assert (cut.steps, cut.values, cut.depth) == (whole.steps, whole.values, 2)


def test_the_sooner_win_is_worth_more() -> None:
    now = deepen(CLASSIC.rules, CLASSIC.decode(LAST_FROG), SearchLimits(nodes=5000)).values[0]
    # White's last frog cannot get away from the corner: dunked in three steps, not in one.
    later = deepen(CLASSIC.rules, CLASSIC.decode(IN_THREE), SearchLimits(nodes=200_000)).values[0]
    assert now > later > 1.0


def test_contempt_lowers_the_value_of_draws() -> None:
    state = CLASSIC.decode("W:Fb2,~k2*7 B:Fk11,~h11*7 move=W turns=19 options=max_plies=20")
    drawn = [deepen(CLASSIC.rules, state, SearchLimits(nodes=200), contempt).values[0] for contempt in (0.0, 0.4)]
    assert drawn == [0.0, -0.4]


def test_the_bot_plays_its_best_step() -> None:
    state = CLASSIC.decode(LAST_FROG)
    move = AlphaBetaBot(nodes=2000).choose(CLASSIC, state, 1, Random(1))
    assert not CLASSIC.to_move(CLASSIC.play(state, 1, move))
