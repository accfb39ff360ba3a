"""Alpha-beta: what it says is what a full look at every line says, within its limits."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest

import realmtable
from realmtable.kit.array_game import ArrayGame
from realmtable.kit.judging import evaluated
from realmtable.search.alphabeta_bot import AlphaBetaBot, deepened
from realmtable.search.baselines import plain_moves
from realmtable.search.thinking import Limits
from realmtable.search.tree_bot import kernel_game

CLASSIC = kernel_game(realmtable.game("classic_realm"))
MEDIEVAL = kernel_game(realmtable.game("medieval_realm"))
LAST_FROG = "W:Fb5,~h5*2,~b8*2,~h8*3 B:Fe5,Fh5,~h5,Fb8,Fe8,Fh8,Fk8,Fk11 move=B turns=17"
DOUBLE = "W:Fb2,Fe2,~k2*6 B:Fk11,Fh8,~h11*6 right=W owed=0 options=double_moves=on"


def middle_of(game: ArrayGame[Any, Any], seed: int, turns: int) -> Any:  # noqa: ANN401 - the game's own state
    rng = Random(seed)
    state = game.initial()
    for _ in range(turns):
        seat = game.to_move(state)[0]
        state = game.play(state, seat, rng.choice(plain_moves(game, state, seat)))
    return state


def worth(game: ArrayGame[Any, Any], state: Any, depth: int, seat: int) -> float:  # noqa: ANN401 - the game's own state
    """What a state is worth to a seat, by looking at every line; wins and losses are beyond everything else."""
    if depth == 0 or not game.to_move(state):
        return evaluated(game.judgement(), state.position, seat)
    acting = game.to_move(state)[0]
    values = [worth(game, game.play(state, acting, move), depth - 1, seat) for move in plain_moves(game, state, acting)]
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
    moves = plain_moves(game, state, seat)
    exact = {move: worth(game, game.play(state, seat, move), 1, seat) for move in moves}
    found = deepened(game.judgement(), state, Limits(nodes=100_000), deepest=2)
    assert found.depth == 2
    assert exact[game.parts.table.step_of(found.steps[0])] == pytest.approx(max(exact.values()))


def test_a_win_at_hand_is_taken() -> None:
    state = CLASSIC.decode(LAST_FROG)
    found = deepened(CLASSIC.judgement(), state, Limits(nodes=5000))
    assert found.values[0] > 1.0
    won = state.after(found.steps[0])
    assert CLASSIC.outcome(won) is not None


def test_it_stops_at_its_nodes_and_is_the_same_again() -> None:
    state = middle_of(CLASSIC, 1, 6)
    first, again = (deepened(CLASSIC.judgement(), state, Limits(nodes=900)) for _ in range(2))
    assert first == again
    assert 300 < first.nodes < 900 + 128  # it ends with the list it is at


def test_time_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [10.0]

    def tick() -> float:
        now[0] += 0.2
        return now[0]

    monkeypatch.setattr(time, "monotonic", tick)
    found = deepened(CLASSIC.judgement(), CLASSIC.initial(), Limits(seconds=0.5))
    assert found.depth <= 2
    assert found.steps


def test_draws_are_worth_less_to_who_would_rather_win() -> None:
    state = CLASSIC.decode("W:Fb2,~k2*7 B:Fk11,~h11*7 move=W turns=19 options=max_plies=20")
    drawn = [deepened(CLASSIC.judgement(), state, Limits(nodes=200), contempt).values[0] for contempt in (0.0, 0.4)]
    assert drawn == [0.0, -0.4]


def test_the_bot_plays_its_best_step() -> None:
    state = CLASSIC.decode(LAST_FROG)
    move = AlphaBetaBot(nodes=2000).choose(CLASSIC, state, 1, Random(1))
    assert not CLASSIC.to_move(CLASSIC.play(state, 1, move))
